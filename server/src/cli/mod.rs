//! The command line: one file for each group of verbs.

mod check;
#[cfg(feature = "rehearsal")]
mod demonstration;
mod serve;
mod token;
mod user;
mod workflow;

use std::{io::Write as _, path::PathBuf};

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use domain::{access::Caller, refusal::Refusal};
use service::Request;

use crate::{
    settings::{Flags, Settings},
    wiring,
};

/// Brings failed and uncertain automation work to a safe end.
#[derive(Debug, Parser)]
#[command(name = "recourse", version)]
struct Command {
    #[command(flatten)]
    settings: SettingFlags,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Args)]
struct SettingFlags {
    /// A TOML file with settings
    #[arg(long, global = true, env = "RECOURSE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// sqlite://PATH or postgres://…
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// Address and port to listen on
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Where people reach Recourse
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve pages and the HTTP API
    Serve(serve::Serve),
    /// Bring the database up to date
    Migrate,
    /// Try settings, database and the workflows' destinations
    Check,
    /// People
    #[command(subcommand)]
    User(user::User),
    /// API tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Workflows
    #[command(subcommand)]
    Workflow(workflow::Workflow),
}

/// Runs what the command line says.
pub async fn run() -> Result<()> {
    let command = Command::parse();
    let flags = Flags {
        config: command.settings.config,
        database_url: command.settings.database_url,
        listen: command.settings.listen,
        public_url: command.settings.public_url,
    };
    let settings = Settings::read(&flags)?;
    match command.verb {
        Verb::Serve(serve) => serve.run(settings).await,
        Verb::Migrate => {
            let steps = wiring::migrate(&settings).await?;
            say(&match steps {
                0 => "The database is up to date.".to_owned(),
                1 => "Took 1 step; the database is up to date.".to_owned(),
                steps => format!("Took {steps} steps; the database is up to date."),
            })
        }
        Verb::Check => check::run(&settings).await,
        Verb::User(user) => user.run(&wiring::migrate_and_open(&settings).await?).await,
        Verb::Token(token) => token.run(&wiring::migrate_and_open(&settings).await?).await,
        Verb::Workflow(workflow) => workflow.run(&wiring::migrate_and_open(&settings).await?).await,
    }
}

/// The command line as a caller: whoever holds the database may administer it.
fn at_the_command_line() -> Request {
    Request::of(Caller::CommandLine)
}

/// Prints a line for the person at the command line, or for the program that reads it.
fn say(line: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

/// Prints why it did not work: a refusal as a person would say it, anything else with its causes.
pub fn complain(error: &anyhow::Error) {
    let mut out = std::io::stderr();
    let refusal =
        error.chain().find_map(|cause| cause.downcast_ref::<service::Error>()).and_then(service::Error::refusal);
    let _ = match refusal {
        Some(Refusal::Invalid(problems)) => problems.iter().try_for_each(|problem| match problem.pointer.as_str() {
            "" => writeln!(out, "{}", problem.message),
            place => writeln!(out, "{}: {}", place.trim_start_matches('/'), problem.message),
        }),
        Some(refusal) => writeln!(out, "{}", refusal.sentence()),
        None => writeln!(out, "{}", causes(error)),
    };
}

fn causes(error: &anyhow::Error) -> String {
    let mut told = Vec::<String>::new();
    for cause in error.chain().map(ToString::to_string) {
        // Several layers repeat the sentence of the one below.
        if !told.iter().any(|known| known.contains(&cause)) {
            told.push(cause);
        }
    }
    told.join(" ")
}
