//! `cargo xtask web`: from `frontend/` and `style/` to `site/pkg-HASH/`, which the server embeds and serves for ever.
//!
//! Nothing is done again that need not be: unchanged inputs end at once, an unchanged wasm is not optimised again.

mod editor;
mod fingerprint;
mod fonts;
mod icons;
mod node;
mod publish;
mod styles;
mod toolchain;
mod wasm;

use crate::environment::root;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The name the pages ask for: Leptos' `output_name`.
const NAME: &str = "recourse";

pub(crate) fn build() -> Result<()> {
    let toolchain = toolchain::Toolchain::find()?;
    let inputs = fingerprint::inputs(&toolchain.identity()?)?;
    let site = root().join("site");
    if let Some(bundle) = up_to_date(&site, &inputs)? {
        println!("The web bundle is up to date: {}", bundle.display());
        return Ok(());
    }
    node::check()?;

    let stage = crate::environment::target_dir().join("web").join("bundle");
    let files = stage.join("files");
    if files.exists() {
        fs::remove_dir_all(&files).with_context(|| format!("cannot empty {}", files.display()))?;
    }
    fs::create_dir_all(files.join("fonts"))?;

    wasm::build(&toolchain, &stage, &files)?;
    println!("Bundling the editor, styles, fonts and icons");
    editor::bundle(&files)?;
    let css = files.join(format!("{NAME}.css"));
    styles::bundle(&css)?;
    styles::drawings(&files)?;
    fonts::copy(&css, &files.join("fonts"))?;
    icons::sprite(&files.join("icons.svg"))?;

    publish::publish(&files, &site)?;
    fs::write(stamp(&site), &inputs).context("cannot note what the bundle was made from")
}

/// The bundle in `site`, if it was made from exactly these inputs.
fn up_to_date(site: &Path, inputs: &str) -> Result<Option<PathBuf>> {
    if fs::read_to_string(stamp(site)).ok().as_deref() != Some(inputs) {
        return Ok(None);
    }
    Ok(publish::bundles(site)?.pop())
}

fn stamp(site: &Path) -> PathBuf {
    site.join(".made-from")
}
