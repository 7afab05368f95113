//! `recourse token …`.

use anyhow::Result;
use clap::{Args, Subcommand};
use domain::permission::Permission;
use service::{
    Service,
    tokens::create::{CreatePersonalToken, CreateToken},
};

use super::{at_the_command_line, say};

#[derive(Debug, Subcommand)]
pub(super) enum Token {
    /// Make a token for an automation, or for a person's scripts; prints the token alone on standard output
    Create(Create),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// A workflow it is bound to, registered or not; may be given several times
    #[arg(
        long = "workflow",
        value_name = "WORKFLOW",
        required_unless_present_any = ["any_workflow", "person"],
        conflicts_with = "any_workflow"
    )]
    workflows: Vec<String>,
    /// Not bound to workflows
    #[arg(long)]
    any_workflow: bool,
    /// The e-mail address of the person whose scripts use it
    #[arg(long, value_name = "EMAIL", conflicts_with_all = ["workflows", "any_workflow"])]
    person: Option<String>,
    /// A permission a person's token is limited to; may be given several times. Deciding, revealing, exporting and
    /// administering need it, and such a token ends after 30 days
    #[arg(long = "scope", value_name = "PERMISSION", requires = "person")]
    scopes: Vec<Permission>,
    /// Its name in the audit; the workflows if left out
    #[arg(long)]
    name: Option<String>,
}

impl Token {
    pub(super) async fn run(self, service: &Service) -> Result<()> {
        let Self::Create(create) = self;
        if let Some(email) = create.person {
            let action = CreatePersonalToken { email, scopes: create.scopes };
            return say(&service.run(&at_the_command_line(), action).await?);
        }
        let name = create
            .name
            .unwrap_or_else(|| if create.any_workflow { "any workflow".into() } else { create.workflows.join(", ") });
        let workflows = (!create.any_workflow).then_some(create.workflows);
        let action = CreateToken::lasting(&domain::text::head(&name, 99), workflows);
        say(&service.run(&at_the_command_line(), action).await?)
    }
}
