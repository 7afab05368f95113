//! Changing an account: name and address, roles, teams, clearance. Each takes effect at the person's next request (R16).

use std::collections::BTreeSet;

use domain::{
    audit::AuditKind, governance, ids::PersonId, notice::NoticeKind, permission::Permission, refusal::Refusal,
    role::RoleKey, sensitivity::Clearance,
};

use super::who;
use crate::{
    Result,
    action::{Act, Action, Gate},
    rights::give,
};

/// Sets a person's name and address. History keeps the name as it was.
#[derive(Debug)]
pub struct RenamePerson {
    /// Who.
    pub person: PersonId,
    /// The version of the account that was looked at.
    pub version: i64,
    /// The name.
    pub name: String,
    /// The address, with which they sign in.
    pub email: String,
}

impl Action for RenamePerson {
    const NAME: &'static str = "rename_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonRenamed;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let (name, email) = (self.name.trim(), self.email.trim());
        let row = who::as_seen(&mut act.uow, self.person, self.version).await?;
        act.entry().detail("person", row.id.to_string());
        let mut problems = Vec::new();
        super::check_email(email, &mut problems);
        super::check_name(name, &mut problems);
        if !problems.is_empty() {
            return Err(Refusal::Invalid(problems).into());
        }
        if (name, email) == (row.name.as_str(), row.email.as_str()) {
            act.nothing_changed();
            return Ok(());
        }
        match act.uow.rename_person(row.id, name, email).await {
            Err(store::Error::Duplicate(_)) => {
                return Err(Refusal::Taken { what: "person with the address", name: email.to_owned() }.into());
            }
            other => other?,
        }
        act.entry().text(format!("{} <{}> → {name} <{email}>", row.name, row.email));
        Ok(())
    }
}

/// Lets a person hold exactly these roles.
#[derive(Debug)]
pub struct SetRoles {
    /// Who.
    pub person: PersonId,
    /// The version of the account that was looked at.
    pub version: i64,
    /// The roles.
    pub roles: Vec<RoleKey>,
}

impl Action for SetRoles {
    const NAME: &'static str = "set_roles";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::RolesChanged;
    const STEP_UP: bool = true;
    /// The names of roles that wait for a second admin.
    type Output = Vec<String>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Vec<String>> {
        act.uow.lock_access().await?;
        let row = who::as_seen(&mut act.uow, self.person, self.version).await?;
        act.entry().detail("person", row.id.to_string());
        let wanted = give::known_roles(act, &self.roles).await?;
        let changed = give::set_roles(act, row.id, &row.name, wanted).await?;
        changed.tell_person(act, row.id).await?;
        if changed.is_nothing() {
            act.nothing_changed();
        } else {
            changed.tell(act.entry());
        }
        Ok(changed.waiting_names())
    }
}

/// Lets a person belong to exactly these teams.
#[derive(Debug)]
pub struct SetTeams {
    /// Who.
    pub person: PersonId,
    /// The version of the account that was looked at.
    pub version: i64,
    /// The keys of the teams.
    pub teams: BTreeSet<String>,
}

impl Action for SetTeams {
    const NAME: &'static str = "set_teams";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::TeamsChanged;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = who::as_seen(&mut act.uow, self.person, self.version).await?;
        let before = act.uow.teams_of(row.id).await?;
        let (mut joined, mut left) = (Vec::new(), Vec::new());
        for key in &self.teams {
            let wrong = || Refusal::field("/teams", format!("There is no team `{key}`."));
            let team = act.uow.team_by_key(key).await?.ok_or_else(wrong)?;
            if before.iter().all(|other| other.id != team.id) {
                act.uow.join_team(row.id, team.id).await?;
                joined.push(team.key);
            }
        }
        for team in before.into_iter().filter(|team| !self.teams.contains(&team.key)) {
            act.uow.leave_team(row.id, team.id).await?;
            left.push(team.key);
        }
        if joined.is_empty() && left.is_empty() {
            act.nothing_changed();
            return Ok(());
        }
        act.uow.touch_person(row.id).await?;
        act.uow.look_at_items_of(row.id, act.now).await?;
        let words = [("joined ", &joined), ("left ", &left)].into_iter().filter(|(_, teams)| !teams.is_empty());
        let words: Vec<String> = words.map(|(what, teams)| format!("{what}{}", teams.join(", "))).collect();
        if !give::is_self(act.caller, row.id) {
            act.tell(row.id, NoticeKind::RightsChanged, &format!("teams: {}", words.join("; ")), None).await?;
        }
        act.entry().detail("person", row.id.to_string()).detail("joined", joined).detail("left", left);
        Ok(())
    }
}

/// Sets up to which sensitivity a person sees everything. Nobody raises their own.
#[derive(Debug)]
pub struct SetClearance {
    /// Who.
    pub person: PersonId,
    /// The version of the account that was looked at.
    pub version: i64,
    /// The clearance.
    pub clearance: Clearance,
}

impl Action for SetClearance {
    const NAME: &'static str = "set_clearance";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::ClearanceChanged;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = who::as_seen(&mut act.uow, self.person, self.version).await?;
        act.entry().detail("person", row.id.to_string());
        governance::may_clear(act.caller, row.id, row.clearance, self.clearance)?;
        if row.clearance == self.clearance {
            act.nothing_changed();
            return Ok(());
        }
        act.uow.set_clearance(row.id, self.clearance).await?;
        act.entry().detail("before", row.clearance.as_str()).detail("after", self.clearance.as_str());
        let words = format!("clearance: {}", self.clearance.label().to_lowercase());
        if !give::is_self(act.caller, row.id) {
            act.tell(row.id, NoticeKind::RightsChanged, &words, None).await?;
        }
        Ok(())
    }
}
