//! One SVG sprite of the icons named in `style/icons.txt`: `<use href="…/icons.svg#inbox"/>`.

use super::node;
use crate::environment::root;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

pub(super) fn sprite(to: &Path) -> Result<()> {
    let list = fs::read_to_string(root().join("style/icons.txt")).context("cannot read style/icons.txt")?;
    let mut sprite = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- Icons: Lucide, licence ISC, lucide.dev/license -->",
    );
    for name in names(&list) {
        let file = node::package("lucide-static/icons").join(format!("{name}.svg"));
        let svg = fs::read_to_string(&file)
            .with_context(|| format!("style/icons.txt names the icon {name}, which lucide-static does not have"))?;
        let shapes = shapes(&svg).with_context(|| format!("the icon {name} is not an SVG as Lucide writes them"))?;
        write!(
            sprite,
            "<symbol id=\"{name}\" viewBox=\"0 0 24 24\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">{shapes}</symbol>"
        )?;
    }
    sprite.push_str("</svg>\n");
    fs::write(to, sprite).with_context(|| format!("cannot write {}", to.display()))
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What stands inside the `<svg>` element, on one line.
fn shapes(svg: &str) -> Option<String> {
    let (_, element) = svg.split_once("<svg")?;
    let (_, content) = element.split_once('>')?;
    let (content, _) = content.rsplit_once("</svg>")?;
    Some(content.lines().map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::{names, shapes};

    #[test]
    fn comments_and_empty_lines_name_no_icon() {
        assert_eq!(names("# states\n\ninbox\n  clock \n").collect::<Vec<_>>(), ["inbox", "clock"]);
    }

    #[test]
    fn only_the_shapes_are_kept() {
        let svg = "<!-- @license -->\n<svg\n  width=\"24\"\n>\n  <path d=\"M0 0\" />\n  <circle r=\"1\" />\n</svg>\n";
        assert_eq!(shapes(svg).as_deref(), Some("<path d=\"M0 0\" /><circle r=\"1\" />"));
        assert_eq!(shapes("no drawing"), None);
    }
}
