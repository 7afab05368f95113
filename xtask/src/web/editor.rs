//! The payload editor: `frontend/editor` and what it takes from npm, one module for the one page that has it.

use super::node;
use crate::commands::run;
use crate::environment::root;
use anyhow::{Result, bail};
use std::path::Path;

/// Leaves `editor.js` and the licences of what is in it in `files`.
pub(super) fn bundle(files: &Path) -> Result<()> {
    let main = root().join("frontend/editor/main.ts");
    if !main.is_file() {
        bail!("frontend/editor/main.ts is missing; it is where the editor begins");
    }
    let mut bundling = node::script("editor.mjs");
    bundling.arg(main).arg(files.join("editor.js")).arg(files.join("editor-licences.txt"));
    run(&mut bundling, "bundling the editor")
}
