//! `recourse token …`.

use anyhow::Result;
use clap::{Args, Subcommand};
use service::{Service, tokens::create::CreateToken};

use super::{at_the_command_line, say};

#[derive(Debug, Subcommand)]
pub(super) enum Token {
    /// Make a token for an automation; prints the token alone on standard output
    Create(Create),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// A workflow it is bound to, registered or not; may be given several times
    #[arg(
        long = "workflow",
        value_name = "WORKFLOW",
        required_unless_present = "any_workflow",
        conflicts_with = "any_workflow"
    )]
    workflows: Vec<String>,
    /// Not bound to workflows
    #[arg(long)]
    any_workflow: bool,
    /// Its name in the audit; the workflows if left out
    #[arg(long)]
    name: Option<String>,
}

impl Token {
    pub(super) async fn run(self, service: &Service) -> Result<()> {
        let Self::Create(create) = self;
        let name = create
            .name
            .unwrap_or_else(|| if create.any_workflow { "any workflow".into() } else { create.workflows.join(", ") });
        let workflows = (!create.any_workflow).then_some(create.workflows);
        let action = CreateToken { name: domain::text::head(&name, 99), workflows };
        say(&service.run(&at_the_command_line(), action).await?)
    }
}
