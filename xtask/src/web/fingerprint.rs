//! A digest of everything the bundle is made from.

use crate::environment::root;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders the bundle is made from. `app` is the only crate of ours that reaches the browser; the editor is
/// `frontend/editor`.
const INPUTS: &[&str] =
    &["Cargo.toml", "Cargo.lock", "app", "frontend", "style", "xtask/package-lock.json", "xtask/src/web", "xtask/web"];

pub(super) fn inputs(toolchain: &str) -> Result<String> {
    let mut digest = Sha256::new();
    digest.update(toolchain.as_bytes());
    for input in INPUTS {
        for file in files_below(&root().join(input))? {
            add(&mut digest, root(), &file)?;
        }
    }
    Ok(hex(&digest.finalize()))
}

/// A digest of the names and contents of all files below `dir`.
pub(super) fn folder(dir: &Path) -> Result<String> {
    let mut digest = Sha256::new();
    for file in files_below(dir)? {
        add(&mut digest, dir, &file)?;
    }
    Ok(hex(&digest.finalize()))
}

pub(super) fn bytes(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// `path` itself or every file below it, sorted, so that the order never depends on the file system.
pub(super) fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    for entry in entries {
        files.extend(files_below(&entry?.path())?);
    }
    files.sort();
    Ok(files)
}

fn add(digest: &mut Sha256, base: &Path, file: &Path) -> Result<()> {
    let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let name = file.strip_prefix(base).unwrap_or(file).to_string_lossy();
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name.as_bytes());
    digest.update((content.len() as u64).to_le_bytes());
    digest.update(&content);
    Ok(())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
