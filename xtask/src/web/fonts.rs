//! The typefaces: the files that the stylesheet names, from the two families' packages, with their licences.

use super::node;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FAMILIES: &[&str] = &["inter", "jetbrains-mono"];

/// Copies every file that `css` names as `fonts/…` to the folder `fonts`.
pub(super) fn copy(css: &Path, fonts: &Path) -> Result<()> {
    let css = fs::read_to_string(css).with_context(|| format!("cannot read {}", css.display()))?;
    for name in names(&css) {
        let family = FAMILIES.iter().find(|family| name.starts_with(&format!("{family}-")));
        let family =
            family.with_context(|| format!("the styles name the font {name}, of a family xtask does not know"))?;
        let file = package(family).join("files").join(name);
        fs::copy(&file, fonts.join(name))
            .with_context(|| format!("the styles name the font {name}, which its package does not have"))?;
    }
    for family in FAMILIES {
        fs::copy(package(family).join("LICENSE"), fonts.join(format!("LICENSE-{family}.txt")))?;
    }
    Ok(())
}

fn package(family: &str) -> std::path::PathBuf {
    node::package("@fontsource-variable").join(family)
}

fn names(css: &str) -> BTreeSet<&str> {
    css.split("fonts/").skip(1).filter_map(|rest| rest.split(['"', '\'', ')']).next()).collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_taken_from_the_stylesheet() {
        let css =
            "src:url(fonts/a.woff2)format(\"woff2\");}@font-face{src:url(\"fonts/b.woff2\");src:url(fonts/a.woff2)}";
        assert_eq!(names(css).into_iter().collect::<Vec<_>>(), ["a.woff2", "b.woff2"]);
    }
}
