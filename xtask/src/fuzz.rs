//! Fuzzing the payload code (`fuzz/`): a nightly compiler counts which paths a text takes, and texts that take new ones are
//! kept in the corpus, from which the next run goes on.

use crate::commands::{output, run};
use crate::environment::{root, rustc, target_dir};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::{Child, Command};

const TARGETS: [&str; 3] = ["reader", "splice", "difference"];

/// Seconds for each target in the tests, and in the drill.
pub(crate) const SHORT: u32 = 60;
pub(crate) const LONG: u32 = 3_600;

/// Whether this machine has what it takes: rustup with a nightly toolchain, and a C++ compiler for the fuzzer itself.
pub(crate) fn possible() -> bool {
    let has = |mut program: Command| output(program.arg("--version"), "asking for a compiler").is_ok();
    has(nightly("rustc")) && has(Command::new("c++"))
}

/// Runs all targets at once, each for so many seconds.
pub(crate) fn run_all(seconds: u32) -> Result<()> {
    let host = output(Command::new(rustc()).arg("-vV"), "asking the compiler where it is")?;
    let host =
        host.lines().find_map(|line| line.strip_prefix("host: ")).context("the compiler did not say its host")?;
    let built = target_dir().join("fuzz");
    let mut build = nightly("cargo");
    build.current_dir(root().join("fuzz")).args(["build", "--locked", "--target", host]);
    build.env("CARGO_TARGET_DIR", &built).env("RUSTFLAGS", "--cfg fuzzing");
    // Those of the toolchain that runs xtask.
    for ours in ["CARGO", "RUSTC", "RUSTDOC", "CARGO_MANIFEST_DIR"] {
        build.env_remove(ours);
    }
    run(&mut build, "building the fuzz targets")?;
    let running: Vec<(&str, Child)> = TARGETS
        .into_iter()
        .map(|target| Ok((target, started(&built.join(host).join("debug").join(target), &built, target, seconds)?)))
        .collect::<Result<_>>()?;
    let mut broken = Vec::new();
    for (target, mut child) in running {
        if !child.wait().context("waiting for a fuzz target")?.success() {
            broken.push(target);
        }
        let log = std::fs::read_to_string(built.join(format!("{target}.log"))).unwrap_or_default();
        println!("  {target}: {}", log.lines().rev().find(|line| line.contains("cov:")).unwrap_or("no word of it"));
    }
    if !broken.is_empty() {
        let logs = built.display();
        bail!(
            "{} broke; the text that does it stands in {logs}/TARGET-*, how it went in {logs}/TARGET.log",
            broken.join(", ")
        );
    }
    Ok(())
}

fn started(program: &Path, built: &Path, target: &str, seconds: u32) -> Result<Child> {
    let corpus = built.join("corpus").join(target);
    std::fs::create_dir_all(&corpus)?;
    let log = std::fs::File::create(built.join(format!("{target}.log")))?;
    let mut fuzz = Command::new(program);
    fuzz.arg(&corpus).arg(root().join("crates/rehearsal/samples"));
    fuzz.args([format!("-max_total_time={seconds}"), "-max_len=4096".into(), "-timeout=20".into()]);
    fuzz.arg(format!("-artifact_prefix={}/{target}-", built.display()));
    fuzz.stdout(log.try_clone()?).stderr(log);
    fuzz.spawn().with_context(|| format!("the fuzz target {target} did not start"))
}

fn nightly(program: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", program]);
    command
}
