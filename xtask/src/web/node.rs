//! The tools and assets from npm, as pinned in `xtask/package-lock.json`.

use crate::environment::root;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// A file or folder of an installed package.
pub(super) fn package(path: &str) -> PathBuf {
    root().join("xtask/node_modules").join(path)
}

/// A script of ours from `xtask/web/`.
pub(super) fn script(name: &str) -> Command {
    let mut node = Command::new("node");
    node.arg(root().join("xtask/web").join(name));
    node
}

pub(super) fn check() -> Result<()> {
    if !package(".package-lock.json").is_file() {
        bail!("the web tools are not installed: run `xtask/install.sh run`, or `npm ci --ignore-scripts` in xtask/");
    }
    Ok(())
}
