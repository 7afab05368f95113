//! One stylesheet from the font faces, `style/main.css` and all it imports.

use super::node;
use crate::commands::run;
use crate::environment::root;
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;

pub(super) fn bundle(faces: &str, stage: &Path, css: &Path) -> Result<()> {
    let main = root().join("style/main.css");
    if !main.is_file() {
        bail!("style/main.css is missing; it is where the stylesheet begins");
    }
    let fonts = stage.join("fonts.css");
    fs::write(&fonts, faces)?;
    run(
        node::script("styles.mjs").arg(&fonts).arg(&main).arg(css),
        "bundling the styles",
    )
}
