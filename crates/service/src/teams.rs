//! Teams: they own workflows, and bound what people see and do.

use domain::{
    access::{self, Scope},
    audit::AuditKind,
    permission::Permission,
    refusal::Refusal,
};
use store::{TeamRow, TeamSize};

use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
    people::read::{ListedPerson, listed},
};

/// Adds a team.
#[derive(Debug)]
pub struct CreateTeam {
    /// Its key, by which workflow files name it.
    pub key: String,
    /// Its name.
    pub name: String,
}

impl Action for CreateTeam {
    const NAME: &'static str = "create_team";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::TeamCreated;
    const STEP_UP: bool = true;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let key = domain::text::key(self.key.trim(), 100);
        let key = key.map_err(|wrong| Refusal::field("/key", format!("The key {wrong}.")))?.to_owned();
        if key.contains('/') {
            return Err(Refusal::field("/key", "The key must not contain a slash.").into());
        }
        let team = TeamRow { id: new_id(act.now), name: name(&self.name)?.to_owned(), key };
        if !act.uow.add_team(&team, act.now).await? {
            return Err(Refusal::Taken { what: "team", name: team.key }.into());
        }
        act.entry().detail("team", team.id.to_string()).detail("key", team.key.as_str());
        Ok(team.key)
    }
}

/// Gives a team another name. Its key stays: workflow files name it.
#[derive(Debug)]
pub struct RenameTeam {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
}

impl Action for RenameTeam {
    const NAME: &'static str = "rename_team";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::TeamRenamed;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let team = act.uow.team_by_key(&self.key).await?.ok_or(Refusal::NotFound)?;
        let name = name(&self.name)?;
        if name == team.name {
            act.nothing_changed();
            return Ok(());
        }
        act.uow.rename_team(team.id, name).await?;
        act.entry().detail("team", team.id.to_string()).detail("key", team.key.as_str());
        act.entry().text(format!("{} → {name}", team.name));
        Ok(())
    }
}

fn name(name: &str) -> Result<&str, Refusal> {
    domain::text::key(name.trim(), 100).map_err(|wrong| Refusal::field("/name", format!("The name {wrong}.")))
}

/// A team as admins see it.
#[derive(Debug, Clone)]
pub struct TeamSeen {
    /// The team.
    pub team: TeamRow,
    /// Its members; 500 at most.
    pub members: Vec<ListedPerson>,
    /// The keys of its workflows.
    pub workflows: Vec<String>,
}

impl Service {
    /// Every team and how much belongs to it.
    pub async fn teams(&self, request: &Request) -> Result<Vec<TeamSize>> {
        let read = async {
            access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
            Ok(self.store.read().await?.team_sizes().await?)
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    /// One team.
    pub async fn team(&self, request: &Request, key: &str) -> Result<TeamSeen> {
        let read = async {
            access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            let team = match key.contains('\0') {
                true => None,
                false => uow.team_by_key(key).await?,
            };
            let team = team.ok_or(Refusal::NotFound)?;
            let mut members = Vec::new();
            for row in uow.members_of(team.id).await? {
                members.push(listed(&mut uow, row, self.now()).await?);
            }
            Ok(TeamSeen { members, workflows: uow.workflows_of_team(team.id).await?, team })
        };
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }
}
