//! One stylesheet from `style/main.css` and all it imports, and the drawings beside it.

use super::{fingerprint, node};
use crate::commands::run;
use crate::environment::root;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

pub(super) fn bundle(css: &Path) -> Result<()> {
    let main = root().join("style/main.css");
    if !main.is_file() {
        bail!("style/main.css is missing; it is where the stylesheet begins");
    }
    run(node::script("styles.mjs").arg(&main).arg(css), "bundling the styles")
}

/// Every SVG of `style/`, such as the page's icon, goes into the bundle as it is.
pub(super) fn drawings(files: &Path) -> Result<()> {
    for file in fingerprint::files_below(&root().join("style"))? {
        let name = file.file_name().filter(|_| file.extension().is_some_and(|end| end == "svg"));
        if let Some(name) = name {
            fs::copy(&file, files.join(name)).with_context(|| format!("cannot copy {}", file.display()))?;
        }
    }
    Ok(())
}
