//! The journeys in a real browser, each against its own server.

use super::summary::Outcome;
use crate::commands::run;
use crate::environment::{chromium, root, target_dir};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

pub(super) fn in_a_browser() -> Result<Outcome> {
    let folder = root().join("end2end");
    let programs = folder.join("node_modules/.bin");
    let playwright = programs.join("playwright");
    if !playwright.is_file() {
        bail!("Playwright is not installed: run `xtask/install.sh test`, or `npm ci` in end2end/");
    }
    let browser = chromium();
    if !browser.is_file() {
        bail!(
            "there is no Chromium at {}: run `xtask/install.sh test`, or name one in RECOURSE_CHROMIUM",
            browser.display()
        );
    }
    let binary = target_dir().join("debug/recourse");
    if !binary.is_file() {
        bail!("there is no server at {}: run the stage build first", binary.display());
    }
    let types = |folder: &Path, what| run(Command::new(programs.join("tsc")).arg("--project").arg(folder), what);
    types(&folder, "checking the journeys' types")?;
    types(&root().join("frontend/editor"), "checking the editor's types")?;
    let mut journeys = Command::new(playwright);
    journeys.current_dir(&folder).arg("test").env("RECOURSE_BIN", binary).env("RECOURSE_CHROMIUM", browser);
    run(&mut journeys, "a journey")?;
    Ok(Outcome::Passed)
}
