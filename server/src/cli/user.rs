//! `recourse user …`.

use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use domain::{role::RoleKey, sensitivity::Clearance};
use service::{
    Service,
    people::{
        add::AddPerson,
        leave::{Account, DisablePerson},
    },
    secret,
    sign_in::link::MakeLink,
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
    /// Print a one-time link with which a person sets their password anew; ends their sessions
    Reset {
        /// Their e-mail address
        email: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Their e-mail address
    email: String,
    /// operator, supervisor, auditor, admin or a role of your own; may be given several times
    #[arg(long = "role", required = true, value_name = "ROLE")]
    roles: Vec<RoleKey>,
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
                let ended = service.run(&at_the_command_line(), DisablePerson(Account::Email(email.clone()))).await?;
                say(&format!("{email} can't sign in any more; {ended} sessions ended."))
            }
            Self::Reset { email } => {
                let person = service.account_of(&email).await?;
                say(&service.run(&at_the_command_line(), MakeLink { person }).await?)
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
