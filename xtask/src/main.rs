//! `cargo xtask VERB`: what building and checking Recourse needs beyond cargo itself.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to the person who started it"
)]

mod check;
mod commands;
mod drill;
mod environment;
mod fuzz;
mod postgres;
mod rules;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask VERB

  web                      build the web bundle into site/
  rules                    check the architecture's rules
  test [--only A,B]        run every stage of the tests, or only those named:
                           fmt, rules, web, lint, rust, fuzz, build, e2e
  drill [--only A]         run the long drills, or the one named: kills, timing, api,
                           fuzz
  postgres                 run a throw-away PostgreSQL until Ctrl-C and print its address";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["web"] => web::build(),
        ["rules"] => rules::check(),
        ["test"] => check::run(None),
        ["test", "--only", stages] => check::run(Some(stages)),
        ["drill"] => drill::run_all(None),
        ["drill", "--only", name] => drill::run_all(Some(name)),
        ["postgres"] => postgres::serve(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
