//! Roles that admins put together from the catalogue.

use std::collections::BTreeSet;

use domain::{
    access::{self, Scope},
    audit::AuditKind,
    governance,
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
    role::{HeldRole, RoleKey, sum},
};

use super::{give, grants};
use store::RoleRow;

use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
};

/// Adds a role or changes one. The four that are always there can't be changed.
#[derive(Debug)]
pub struct SaveRole {
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What it allows.
    pub permissions: BTreeSet<Permission>,
    /// The version that was looked at; `None` adds a role.
    pub version: Option<i64>,
}

/// What became of it.
#[derive(Debug)]
pub struct SavedRole {
    /// Its key.
    pub key: RoleKey,
    /// Rights that wait for a second admin.
    pub waiting: Vec<Permission>,
}

impl Action for SaveRole {
    const NAME: &'static str = "save_role";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::RoleSaved;
    const STEP_UP: bool = true;
    type Output = SavedRole;

    async fn perform(self, act: &mut Act<'_>) -> Result<SavedRole> {
        let key: RoleKey = self.key.trim().parse().map_err(|wrong: domain::role::NotARole| {
            Refusal::field("/key", format!("This can't be the key: {wrong}."))
        })?;
        let name = domain::text::key(self.name.trim(), 60);
        let name = name.map_err(|wrong| Refusal::field("/name", format!("The name {wrong}.")))?.to_owned();
        if self.permissions.is_empty() {
            return Err(Refusal::field("/permissions", "Choose at least one permission.").into());
        }
        act.uow.lock_access().await?;
        let mut wanted = HeldRole { key: key.clone(), name, permissions: self.permissions };
        let before = act.uow.made_role(&key).await?;
        let taken = key.built_in().is_some() || before.is_some() && self.version.is_none();
        if taken {
            return Err(Refusal::Taken { what: "role", name: key.to_string() }.into());
        }
        if self.version.is_some() && before.as_ref().map(|row| row.version) != self.version {
            return Err(Refusal::ChangedMeanwhile { what: "The role" }.into());
        }
        let gains = |row: &RoleRow| !governance::gained(&row.role.permissions, &wanted.permissions).is_empty();
        if before.as_ref().is_some_and(gains) {
            grants::lapse_for(act, &key, false).await?;
        }
        let waiting = self::check_holders(act, &mut wanted).await?;
        act.uow.save_role(&wanted, before.is_none(), act.now).await?;
        let allows = |role: &HeldRole| role.permissions.iter().map(|right| right.as_str()).collect::<Vec<_>>();
        act.entry().detail("role", key.as_str()).detail("permissions", allows(&wanted)).detail("new", before.is_none());
        if let Some(before) = before {
            act.entry().detail("permissions_before", allows(&before.role));
            if before.role.permissions.contains(&Permission::PeopleManage)
                && !wanted.permissions.contains(&Permission::PeopleManage)
            {
                give::keep_an_admin(act).await?;
            }
        }
        Ok(SavedRole { key, waiting })
    }
}

/// Looks at what those who hold the role would gain. What takes a second admin is taken out, and waits.
async fn check_holders(act: &mut Act<'_>, wanted: &mut HeldRole) -> Result<Vec<Permission>> {
    let holders = act.uow.holders_of(&wanted.key).await?;
    let (mut gained, mut changed) = (BTreeSet::new(), Vec::new());
    for holder in holders {
        let before = act.uow.roles_of(holder).await?;
        let after = before.iter().map(|role| if role.key == wanted.key { wanted.clone() } else { role.clone() });
        let (before, after) = (sum(&before), sum(&after.collect::<Vec<_>>()));
        let new = governance::gained(&before, &after);
        governance::may_give(act.caller, holder, &new)?;
        gained.extend(new);
        if before != after {
            changed.push(holder);
        }
    }
    let gained: Vec<Permission> = gained.into_iter().collect();
    let waiting = if give::takes_two(act) { gained.clone() } else { Vec::new() };
    for right in &waiting {
        wanted.permissions.remove(right);
        grants::ask(act, grants::Wanted::Permission { role: wanted, permission: *right }).await?;
    }
    if waiting.is_empty() {
        give::tell_deciders(act, None, &format!("whoever holds the role {}", wanted.name), &gained).await?;
    }
    let own = act.person().map(|person| person.id).ok();
    for holder in changed.into_iter().filter(|holder| Some(*holder) != own) {
        act.tell(holder, NoticeKind::RightsChanged, &format!("the role {} was changed", wanted.name), None).await?;
    }
    Ok(waiting)
}

/// Removes a role that nobody holds.
#[derive(Debug)]
pub struct RemoveRole {
    /// Its key.
    pub key: RoleKey,
}

impl Action for RemoveRole {
    const NAME: &'static str = "remove_role";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::RoleRemoved;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        act.uow.lock_access().await?;
        act.uow.made_role(&self.key).await?.ok_or(Refusal::NotFound)?;
        act.entry().detail("role", self.key.as_str());
        let people = act.uow.holders_of(&self.key).await?.len();
        if people > 0 {
            return Err(Refusal::RoleHeld { people }.into());
        }
        grants::lapse_for(act, &self.key, true).await?;
        Ok(act.uow.remove_role(&self.key).await?)
    }
}

/// A role as admins see it.
#[derive(Debug, Clone)]
pub struct RoleSeen {
    /// The role.
    pub role: HeldRole,
    /// Its version; `None` for those that are always there.
    pub version: Option<i64>,
    /// How many accounts hold it.
    pub people: usize,
}

impl Service {
    /// Every role.
    pub async fn roles(&self, request: &Request) -> Result<Vec<RoleSeen>> {
        let read = self.read_roles(request);
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    /// One role.
    pub async fn role(&self, request: &Request, key: &RoleKey) -> Result<RoleSeen> {
        let found = self.roles(request).await?.into_iter().find(|seen| seen.role.key == *key);
        found.ok_or_else(|| Refusal::NotFound.into())
    }

    async fn read_roles(&self, request: &Request) -> Result<Vec<RoleSeen>> {
        access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
        let mut uow = self.store.read().await?;
        let made = uow.made_roles().await?;
        let mut seen = Vec::new();
        for role in uow.all_roles().await? {
            let version = made.iter().find(|row| row.role.key == role.key).map(|row| row.version);
            let people = uow.holders_of(&role.key).await?.len();
            seen.push(RoleSeen { role, version, people });
        }
        Ok(seen)
    }
}
