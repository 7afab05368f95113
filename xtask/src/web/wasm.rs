//! The islands: `frontend` compiled to wasm, given its JavaScript side and made small.

use super::toolchain::{TARGET, Toolchain};
use super::{NAME, fingerprint, node};
use crate::commands::run;
use crate::environment;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// What stable rustc's wasm may contain and every browser of the last years runs.
const WASM_FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Leaves `recourse.js`, `recourse_bg.wasm` and the JavaScript snippets of crates in `files`.
pub(super) fn build(toolchain: &Toolchain, stage: &Path, files: &Path) -> Result<()> {
    match toolchain {
        Toolchain::Usual => println!("Compiling frontend to wasm"),
        Toolchain::Debian { .. } => println!("Compiling frontend to wasm with Debian's toolchain"),
    }
    // Its own directory: two compilers would thrash each other's artefacts, and a server build need not wait.
    let target = environment::target_dir().join("web");
    let mut cargo = toolchain.cargo_build();
    cargo.current_dir(environment::root()).env("CARGO_TARGET_DIR", &target);
    run(cargo.args(["--package", "frontend", "--profile", "web"]), "the wasm build of frontend")?;

    let raw = target.join(TARGET).join("web/frontend.wasm");
    let content = fs::read(&raw).with_context(|| format!("cannot read {}", raw.display()))?;
    let made_from = fingerprint::bytes(&content) + &fs::read_to_string(node::package("binaryen/package.json"))?;
    let done = stage.join("wasm");
    let stamp = stage.join("wasm.made-from");
    if fs::read_to_string(&stamp).ok().as_deref() != Some(&made_from) {
        bind(&raw, &done)?;
        optimise(&done.join(format!("{NAME}_bg.wasm")))?;
        fs::write(&stamp, &made_from)?;
    }
    copy_all(&done, files)
}

fn bind(raw: &Path, done: &Path) -> Result<()> {
    println!("Writing the wasm's JavaScript side");
    if done.exists() {
        fs::remove_dir_all(done)?;
    }
    Bindgen::new()
        .input_path(raw)
        .out_name(NAME)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(done)
        .context("wasm-bindgen could not read the compiled frontend")
}

fn optimise(wasm: &Path) -> Result<()> {
    println!("Making the wasm small");
    let mut optimiser = Command::new("node");
    optimiser.arg(node::package("binaryen/bin/wasm-opt")).args(WASM_FEATURES);
    run(optimiser.arg("-Oz").arg(wasm).arg("-o").arg(wasm), "wasm-opt")
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for file in fingerprint::files_below(from)? {
        let copy = to.join(file.strip_prefix(from)?);
        if let Some(parent) = copy.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(&file, &copy).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    Ok(())
}
