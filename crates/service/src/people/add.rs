//! Adding a person who has a password already: by the command line, and the first admin.

use domain::{
    audit::AuditKind, ids::PersonId, permission::Permission, refusal::Refusal, role::RoleKey, sensitivity::Clearance,
};
use store::{PersonRow, TeamRow};

use crate::{
    Error, Result,
    action::{Act, Action, Entry, Gate},
    new_id,
    rights::give,
    secret,
    sign_in::password,
};

/// Adds an account. The password is hashed before the unit of work begins.
#[derive(Debug)]
pub struct AddPerson {
    email: String,
    name: String,
    password_hash: String,
    roles: Vec<RoleKey>,
    teams: Vec<String>,
    clearance: Clearance,
}

impl AddPerson {
    /// Checks the fields and hashes the password.
    pub async fn new(
        email: &str,
        name: &str,
        password: String,
        roles: impl IntoIterator<Item = impl Into<RoleKey>>,
        teams: Vec<String>,
        clearance: Clearance,
    ) -> Result<Self> {
        let roles: Vec<RoleKey> = roles.into_iter().map(Into::into).collect();
        let mut problems = Vec::new();
        super::check_email(email, &mut problems);
        super::check_name(name, &mut problems);
        password::check(&password, &[name, email], &mut problems);
        if roles.is_empty() {
            problems.push(domain::refusal::FieldProblem::new("/roles", "Give at least one role."));
        }
        if !problems.is_empty() {
            return Err(Refusal::Invalid(problems).into());
        }
        let password_hash = secret::hash_password(password).await?;
        Ok(Self { email: email.to_owned(), name: name.trim().to_owned(), password_hash, roles, teams, clearance })
    }

    /// Inserts the account; shared with the first admin's.
    pub(super) async fn insert(self, act: &mut Act<'_>) -> Result<PersonId> {
        act.uow.lock_access().await?;
        let row = PersonRow::new(new_id(act.now), self.email, self.name, Some(self.password_hash), self.clearance);
        insert(act, &row, &self.roles, &self.teams).await?;
        Ok(row.id)
    }
}

/// Inserts an account with its roles and teams; answers the names of roles that wait for a second admin.
pub(super) async fn insert(
    act: &mut Act<'_>,
    row: &PersonRow,
    roles: &[RoleKey],
    teams: &[String],
) -> Result<Vec<String>> {
    match act.uow.add_person(row, act.now).await {
        Err(store::Error::Duplicate(_)) => {
            return Err(Refusal::Taken { what: "person with the address", name: row.email.clone() }.into());
        }
        other => other?,
    }
    let wanted = give::known_roles(act, roles).await?;
    let changed = give::set_roles(act, row.id, &row.name, wanted).await?;
    for key in teams {
        let team = find_or_add_team(act, key).await?;
        act.uow.join_team(row.id, team.id).await?;
    }
    let keys: Vec<_> = roles.iter().map(RoleKey::as_str).collect();
    act.entry().detail("person", row.id.to_string()).detail("roles", keys).detail("teams", teams.to_vec());
    act.entry().detail("clearance", row.clearance.as_str()).text(&row.email);
    if !changed.waiting.is_empty() {
        changed.tell(act.entry());
    }
    Ok(changed.waiting_names())
}

impl Action for AddPerson {
    const NAME: &'static str = "add_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonAdded;
    type Output = PersonId;

    async fn perform(self, act: &mut Act<'_>) -> Result<PersonId> {
        self.insert(act).await
    }
}

/// The team with this key; a missing one is made, and the audit says so.
pub(crate) async fn find_or_add_team(act: &mut Act<'_>, key: &str) -> Result<TeamRow> {
    if let Some(team) = act.uow.team_by_key(key).await? {
        return Ok(team);
    }
    if let Err(wrong) = domain::text::key(key, 100) {
        return Err(Refusal::field("/team", format!("The team's key {wrong}.")).into());
    }
    let team = TeamRow { id: new_id(act.now), key: key.to_owned(), name: key.to_owned() };
    if act.uow.add_team(&team, act.now).await? {
        let mut entry = Entry::new(AuditKind::TeamCreated);
        entry.detail("team", team.id.to_string()).detail("key", key);
        act.also(entry);
        return Ok(team);
    }
    act.uow.team_by_key(key).await?.ok_or(Error::Fault("a team vanished while it was being added"))
}
