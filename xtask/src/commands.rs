//! Running other programs, with failures told in one sentence.

use anyhow::{Context, Result, bail};
use std::process::Command;

/// Runs `command` with its output shown; fails unless it succeeds. `what` names the work, as in "the wasm build".
pub(crate) fn run(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command, what))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}

/// Runs `command` and returns what it prints; its complaints are shown only when it fails.
pub(crate) fn output(command: &mut Command, what: &str) -> Result<String> {
    let output = command.output().with_context(|| cannot_start(command, what))?;
    if !output.status.success() {
        bail!("{what} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{what} printed something that is not text"))
}

fn cannot_start(command: &Command, what: &str) -> String {
    format!("{what} could not start {}", command.get_program().to_string_lossy())
}
