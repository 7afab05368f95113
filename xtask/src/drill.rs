//! `cargo xtask drill`: the long forms that the tests run short, and what compares times, which no test does.

use crate::commands::run;
use crate::environment::{cache_dir, cargo, root, target_dir};
use crate::fuzz;
use crate::postgres::Cluster;
use anyhow::{Context as _, Result, bail};
use std::process::Command;

/// Kills in the long form, on each database.
const KILLS: &str = "100";

/// Runs all drills, or the one of this name.
pub(crate) fn run_all(only: Option<&str>) -> Result<()> {
    type Drill = (&'static str, fn() -> Result<()>);
    let drills: [Drill; 4] = [
        ("kills", kills),
        ("timing", || played("sign-in-timing")),
        ("api", || played("api-as-each-role")),
        ("fuzz", || fuzz::run_all(fuzz::LONG)),
    ];
    let chosen: Vec<&Drill> = drills.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        bail!("there is no such drill; there are kills, timing, api and fuzz");
    }
    chosen.into_iter().try_for_each(|(name, drill)| {
        println!("\n── {name}");
        drill()
    })
}

fn kills() -> Result<()> {
    let cluster = Cluster::start().context("the drill needs PostgreSQL")?;
    let mut tests = Command::new(cargo());
    tests.current_dir(root()).args(["test", "--locked", "--package", "recourse", "--test", "http", "kills"]);
    tests.args(["--", "--nocapture"]).env("RECOURSE_TEST_POSTGRES", cluster.url());
    run(tests.env("RECOURSE_KILLS", KILLS).env("RUST_LOG", "http=info"), "killing it over and over")
}

/// One of those that drive the real binary from outside.
fn played(name: &str) -> Result<()> {
    let mut build = Command::new(cargo());
    run(build.current_dir(root()).args(["build", "--locked", "--package", "recourse"]), "building the binary")?;
    let folder = root().join("end2end");
    let mut drill = Command::new(folder.join("node_modules/.bin/playwright"));
    drill.current_dir(&folder).args(["test", "--config", "drills.config.ts", name]);
    drill.env("RECOURSE_BIN", target_dir().join("debug/recourse"));
    drill.env("RECOURSE_SCHEMATHESIS", cache_dir().join("schemathesis/bin/schemathesis"));
    run(&mut drill, "the drill")
}
