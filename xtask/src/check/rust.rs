//! The stages that cargo carries out.

use super::summary::Outcome;
use crate::commands::{output, run};
use crate::environment::{cargo, root};
use crate::fuzz;
use crate::postgres::Cluster;
use anyhow::{Context, Result};
use std::process::Command;

/// All crates but the wasm entry, which exists in the browser only and is compiled by the stage `web`.
const ALL_FOR_THE_SERVER: &[&str] = &["--workspace", "--exclude", "frontend"];

pub(super) fn formatting() -> Result<Outcome> {
    // Only the names: what is wrong in them `make fmt` repairs unread.
    let mut format = our_cargo();
    run(
        format.args(["fmt", "--all", "--", "--check", "--files-with-diff"]),
        "the formatting check (repaired by `make fmt`)",
    )?;
    Ok(Outcome::Passed)
}

pub(super) fn lints() -> Result<Outcome> {
    if output(our_cargo().args(["clippy", "--version"]), "asking for Clippy").is_err() {
        println!("NOT RUN: Clippy is not installed and xtask/install.sh could not get it, so no lint was checked.");
        return Ok(Outcome::NotRun);
    }
    let mut clippy = our_cargo();
    clippy.arg("clippy").args(ALL_FOR_THE_SERVER).args(["--all-targets", "--locked", "--", "--deny", "warnings"]);
    run(&mut clippy, "the lint check")?;
    Ok(Outcome::Passed)
}

pub(super) fn tests() -> Result<Outcome> {
    let cluster = Cluster::start().context("the tests need PostgreSQL")?;
    println!("A throw-away PostgreSQL runs at {}", cluster.url());
    let mut tests = our_cargo();
    tests.arg("test").args(ALL_FOR_THE_SERVER).arg("--locked").env("RECOURSE_TEST_POSTGRES", cluster.url());
    run(&mut tests, "a Rust test")?;
    Ok(Outcome::Passed)
}

pub(super) fn fuzzing() -> Result<Outcome> {
    if !fuzz::possible() {
        println!("NOT RUN: fuzzing needs a nightly compiler (`rustup toolchain install nightly`) and a C++ compiler.");
        return Ok(Outcome::NotRun);
    }
    fuzz::run_all(fuzz::SHORT)?;
    Ok(Outcome::Passed)
}

pub(super) fn binary() -> Result<Outcome> {
    run(our_cargo().args(["build", "--locked", "--package", "recourse"]), "building the binary")?;
    Ok(Outcome::Passed)
}

fn our_cargo() -> Command {
    let mut command = Command::new(cargo());
    command.current_dir(root());
    command
}
