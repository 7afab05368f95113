//! `recourse user …`.

use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use domain::{permission::Role, sensitivity::Clearance};
use service::{
    Service,
    people::{add::AddPerson, disable::DisablePerson},
    secret,
};

use super::{at_the_command_line, say};

#[derive(Debug, Subcommand)]
pub(super) enum User {
    /// Add a person
    Add(Add),
    /// Disable a person and end their sessions
    Disable {
        /// Their e-mail address
        email: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Their e-mail address
    email: String,
    /// operator, supervisor, auditor or admin; may be given several times
    #[arg(long = "role", required = true, value_name = "ROLE")]
    roles: Vec<Role>,
    /// A team they belong to; may be given several times, and is made if it is missing
    #[arg(long = "team", value_name = "TEAM")]
    teams: Vec<String>,
    /// internal, confidential or restricted
    #[arg(long, default_value = "internal")]
    clearance: Clearance,
    /// Their name; the address if left out
    #[arg(long)]
    name: Option<String>,
    /// Read the password from standard input; else one is made and printed once
    #[arg(long)]
    password_stdin: bool,
}

impl User {
    pub(super) async fn run(self, service: &Service) -> Result<()> {
        match self {
            Self::Add(add) => add.run(service).await,
            Self::Disable { email } => {
                let ended = service.run(&at_the_command_line(), DisablePerson { email: email.clone() }).await?;
                say(&format!("{email} can't sign in any more; {ended} sessions ended."))
            }
        }
    }
}

impl Add {
    async fn run(self, service: &Service) -> Result<()> {
        let (password, made) =
            if self.password_stdin { (read_password()?, false) } else { (secret::random("").0, true) };
        let name = self.name.unwrap_or_else(|| self.email.clone());
        let action =
            AddPerson::new(&self.email, &name, password.clone(), self.roles, self.teams, self.clearance).await?;
        service.run(&at_the_command_line(), action).await?;
        say(&format!("{} can sign in at {}.", self.email, service.settings().public_url))?;
        if made { say(&format!("Password, shown this once: {password}")) } else { Ok(()) }
    }
}

fn read_password() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .take(64 * 1024)
        .read_to_string(&mut text)
        .context("The password could not be read from standard input.")?;
    let password = text.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).unwrap_or(&text);
    if password.is_empty() {
        bail!("--password-stdin was given, but standard input is empty.");
    }
    Ok(password.to_owned())
}
