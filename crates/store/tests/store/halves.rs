//! Both halves run: every story has its twin, nothing is left out, and without PostgreSQL its half fails.

use std::{collections::BTreeSet, process::Command};

/// The names of this binary's own tests.
fn tests(arguments: &[&str]) -> Vec<String> {
    let listed = Command::new(std::env::current_exe().unwrap())
        .args(["--list", "--format", "terse"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(listed.status.success());
    let listed = String::from_utf8(listed.stdout).unwrap();
    listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

fn half(backend: &str) -> BTreeSet<String> {
    tests(&[]).iter().filter_map(|test| test.strip_suffix(backend)).map(str::to_owned).collect()
}

#[test]
fn every_story_is_told_on_both_databases_and_none_is_left_out() {
    let (sqlite, postgres) = (half("::sqlite"), half("::postgres"));
    assert_eq!(sqlite, postgres);
    assert!(sqlite.len() > 80, "only {} stories", sqlite.len());
    assert_eq!(tests(&["--ignored"]), Vec::<String>::new());
}

/// Together with the twin test this proves that a run that passed had a PostgreSQL: there is no way to pass without.
#[test]
fn without_postgresql_its_half_fails_and_says_in_one_sentence_how_to_get_it() {
    let story = half("::postgres").pop_first().unwrap() + "::postgres";
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &story])
        .env_remove("RECOURSE_TEST_POSTGRES")
        .output()
        .unwrap();
    assert!(!run.status.success(), "{story} passed without PostgreSQL");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("run `make test`, or start one with `cargo xtask postgres`."), "{said}");
}
