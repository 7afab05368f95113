//! Inviting a person: an account without a password, and a one-time link with which they choose one.

use domain::{
    audit::AuditKind,
    ids::PersonId,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
    role::RoleKey,
    sensitivity::Clearance,
};
use store::{PersonRow, Purpose};

use super::add;
use crate::{
    Result,
    action::{Act, Action, Gate},
    sign_in::link,
};

/// Invites a person.
#[derive(Debug)]
pub struct InvitePerson {
    /// The account's id, which the form brings: sent twice, it makes one account.
    pub id: PersonId,
    /// Their address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their roles.
    pub roles: Vec<RoleKey>,
    /// The keys of their teams.
    pub teams: Vec<String>,
    /// Up to which sensitivity they see everything.
    pub clearance: Clearance,
}

/// An invitation.
#[derive(Debug, Clone)]
pub struct Invited {
    /// The address to open, shown this once.
    pub link: String,
    /// The names of roles that wait for a second admin.
    pub waiting: Vec<String>,
}

impl Action for InvitePerson {
    const NAME: &'static str = "invite_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonInvited;
    const STEP_UP: bool = true;
    type Output = Invited;

    async fn perform(self, act: &mut Act<'_>) -> Result<Invited> {
        let (email, name) = (self.email.trim(), self.name.trim());
        let mut problems = Vec::new();
        super::check_email(email, &mut problems);
        super::check_name(name, &mut problems);
        if self.roles.is_empty() {
            problems.push(FieldProblem::new("/roles", "Choose at least one role."));
        }
        for key in &self.teams {
            if act.uow.team_by_key(key).await?.is_none() {
                problems.push(FieldProblem::new("/teams", format!("There is no team `{key}`.")));
            }
        }
        if !problems.is_empty() {
            return Err(Refusal::Invalid(problems).into());
        }
        act.uow.lock_access().await?;
        if act.uow.person_by_id(self.id).await?.is_some() {
            return Err(Refusal::MadeAlready.into());
        }
        let row = PersonRow::new(self.id, email.to_owned(), name.to_owned(), None, self.clearance);
        let waiting = add::insert(act, &row, &self.roles, &self.teams).await?;
        let link = link::make(act, row.id, Purpose::Join).await?;
        Ok(Invited { link, waiting })
    }
}
