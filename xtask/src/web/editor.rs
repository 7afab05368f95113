//! The payload editor and its smaller sister: `frontend/editor` and what it takes from npm, a module each for the one page.

use super::node;
use crate::commands::run;
use crate::environment::root;
use anyhow::{Result, bail};
use std::path::Path;

/// Where each module begins, and its name.
const MODULES: [(&str, &str); 2] = [("main.ts", "editor"), ("values.ts", "values")];

/// Leaves the modules and the licences of what is in them in `files`.
pub(super) fn bundle(files: &Path) -> Result<()> {
    for (source, name) in MODULES {
        let main = root().join("frontend/editor").join(source);
        if !main.is_file() {
            bail!("frontend/editor/{source} is missing; it is where {name}.js begins");
        }
        let mut bundling = node::script("editor.mjs");
        bundling.arg(main).arg(files.join(format!("{name}.js"))).arg(files.join(format!("{name}-licences.txt")));
        run(&mut bundling, "bundling the editor")?;
    }
    Ok(())
}
