//! `cargo xtask rules`: what the architecture promises, checked mechanically. One file per rule, pure over texts.

mod clock;
mod layers;
mod leftovers;
mod length;
mod licences;
mod line;
mod manifest;
mod sql;
mod wasm_tree;

use crate::commands::output;
use crate::environment::{cargo, root};
use anyhow::{Context, Result, bail};
use std::fs;
use std::process::Command;

/// A file of the repository; `path` is relative to its root, with forward slashes.
struct Source {
    path: String,
    text: String,
}

/// Where a rule is broken and what to do about it, in one sentence.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    place: String,
    sentence: String,
}

impl Violation {
    fn new(place: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { place: place.into(), sentence: sentence.into() }
    }

    fn at(source: &Source, line: usize, sentence: impl Into<String>) -> Self {
        Self::new(format!("{}:{line}", source.path), sentence)
    }
}

pub(crate) fn check() -> Result<()> {
    let sources = sources()?;
    let deny = read("deny.toml")?;
    let mut violations = Vec::new();
    violations.extend(sql::check(&sources));
    violations.extend(layers::check(&sources));
    violations.extend(clock::check(&sources));
    violations.extend(leftovers::check(&sources));
    violations.extend(length::check(&sources));
    violations.extend(manifest::rehearsal(&read("crates/rehearsal/Cargo.toml")?)?);
    violations.extend(manifest::banned(&read("Cargo.lock")?, &deny)?);
    violations.extend(licences::check(&metadata()?, &deny)?);
    violations.extend(wasm_tree::check(&wasm_tree()?));
    for violation in &violations {
        eprintln!("{}: {}", violation.place, violation.sentence);
    }
    match violations.len() {
        0 => {
            println!("The architecture's rules hold in {} files.", sources.len());
            Ok(())
        }
        1 => bail!("a rule of the architecture is broken"),
        count => bail!("rules of the architecture are broken in {count} places"),
    }
}

/// Every text file that git knows or would add.
fn sources() -> Result<Vec<Source>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = output(&mut git, "asking git for the repository's files")?;
    let mut sources = Vec::new();
    for path in listed.split_terminator('\0').filter(|path| is_source(path)) {
        // A file deleted but not yet committed is still listed.
        if let Ok(text) = fs::read_to_string(root().join(path)) {
            sources.push(Source { path: path.to_owned(), text });
        }
    }
    Ok(sources)
}

fn is_source(path: &str) -> bool {
    [".rs", ".ts", ".mjs", ".css"].iter().any(|end| path.ends_with(end))
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

fn metadata() -> Result<String> {
    let mut command = Command::new(cargo());
    command.current_dir(root()).args(["metadata", "--format-version", "1", "--locked"]);
    output(&mut command, "asking cargo for the dependencies")
}

fn wasm_tree() -> Result<String> {
    let mut command = Command::new(cargo());
    command.current_dir(root()).args(["tree", "--locked", "--package", "frontend", "--edges", "normal"]);
    command.args(["--target", "wasm32-unknown-unknown", "--prefix", "none", "--format", "{p}"]);
    output(&mut command, "asking cargo what reaches the browser")
}
