//! The typefaces: every script that the two families draw, upright only. Other scripts come from the reader's system.

use super::node;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

const FAMILIES: &[&str] = &["inter", "jetbrains-mono"];

/// Copies the font files and their licences to `fonts` and returns the `@font-face` rules that name them.
pub(super) fn copy(fonts: &Path) -> Result<String> {
    let mut faces = String::new();
    for family in FAMILIES {
        let package = node::package("@fontsource-variable").join(family);
        let css = package.join("wght.css");
        let css = fs::read_to_string(&css).with_context(|| format!("cannot read {}", css.display()))?;
        for name in file_names(&css) {
            fs::copy(package.join("files").join(name), fonts.join(name))
                .with_context(|| format!("cannot copy {name}"))?;
        }
        fs::copy(
            package.join("LICENSE"),
            fonts.join(format!("LICENSE-{family}.txt")),
        )?;
        faces.push_str(&css.replace("./files/", "./fonts/"));
    }
    Ok(faces)
}

fn file_names(css: &str) -> impl Iterator<Item = &str> {
    css.split("url(./files/")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

#[cfg(test)]
mod tests {
    use super::file_names;

    #[test]
    fn names_are_taken_from_the_rules() {
        let css = "src: url(./files/a.woff2) format('x');\n}\nsrc: url(./files/b.woff2) format('x');";
        assert_eq!(file_names(css).collect::<Vec<_>>(), ["a.woff2", "b.woff2"]);
    }
}
