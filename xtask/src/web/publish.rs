//! The finished bundle under a name that changes with its content, beside compressed copies of its files.

use super::{fingerprint, node};
use crate::commands::run;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Moves `files` to `site/pkg-HASH`, removes older bundles and says what weighs how much.
pub(super) fn publish(files: &Path, site: &Path) -> Result<()> {
    let hash = fingerprint::folder(files)?;
    let bundle = site.join(format!("pkg-{}", &hash[..16]));
    run(node::script("compress.mjs").arg(files), "compressing the bundle")?;

    fs::create_dir_all(site)?;
    for old in bundles(site)? {
        fs::remove_dir_all(&old).with_context(|| format!("cannot remove the older bundle {}", old.display()))?;
    }
    // The build directory may be on another file system, so copy beside and then rename: never half a bundle.
    let half = site.join(".half");
    if half.exists() {
        fs::remove_dir_all(&half)?;
    }
    for file in fingerprint::files_below(files)? {
        let copy = half.join(file.strip_prefix(files)?);
        if let Some(parent) = copy.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(&file, &copy).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    fs::rename(&half, &bundle).with_context(|| format!("cannot name {}", bundle.display()))?;
    report(&bundle)
}

/// The bundles in `site`, oldest name first.
pub(super) fn bundles(site: &Path) -> Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(site) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("pkg-") {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn report(bundle: &Path) -> Result<()> {
    println!("{}", bundle.display());
    println!("  {:<22}{:>10}{:>10}", "", "raw", "brotli");
    for file in fingerprint::files_below(bundle)? {
        let compressed = PathBuf::from(format!("{}.br", file.display()));
        if compressed.is_file() {
            let name = file.strip_prefix(bundle)?.display().to_string();
            println!("  {name:<22}{:>10}{:>10}", kilobytes(&file)?, kilobytes(&compressed)?);
        }
    }
    let mut fonts = 0;
    for file in fingerprint::files_below(&bundle.join("fonts"))? {
        fonts += if file.extension().is_some_and(|end| end == "woff2") { fs::metadata(&file)?.len() } else { 0 };
    }
    println!("  {:<22}{:>10}", "fonts, all subsets", in_kilobytes(fonts));
    Ok(())
}

fn kilobytes(file: &Path) -> Result<String> {
    Ok(in_kilobytes(fs::metadata(file)?.len()))
}

/// Tenths of a kilobyte are as exact as anyone needs.
fn in_kilobytes(bytes: u64) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}
