//! Rights that wait for a second admin, and a day (`RECOURSE_GOVERNANCE=strict`).

use chrono::TimeDelta;
use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    governance,
    ids::{GrantId, PersonId},
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
    role::{HeldRole, RoleKey, sum},
};
use store::GrantRow;

use super::give;
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
    people::who,
};

/// How long a right waits at least, from when it was asked for.
pub const WAITS: TimeDelta = TimeDelta::hours(24);
/// How long it waits for a second admin at most.
const LAPSES: TimeDelta = TimeDelta::days(7);

/// What is asked for.
pub(crate) enum Wanted<'w> {
    /// A role for a person.
    Role { person: PersonId, name: &'w str, role: &'w HeldRole },
    /// A permission for a role that people hold.
    Permission { role: &'w HeldRole, permission: Permission },
}

/// Lets a right wait, and tells the other admins. What waits already is not asked for twice.
pub(crate) async fn ask(act: &mut Act<'_>, wanted: Wanted<'_>) -> Result<()> {
    let (person, role, permission, about) = match wanted {
        Wanted::Role { person, name, role } => (Some(person), role, None, format!("{name} the role {}", role.name)),
        Wanted::Permission { role, permission } => {
            (None, role, Some(permission), format!("the role {} the right to {}", role.name, permission.label()))
        }
    };
    let same = |row: &GrantRow| {
        row.person_id == person.map(|id| id.0)
            && row.role_key == role.key
            && row.permission.as_deref() == permission.map(Permission::as_str)
    };
    if act.uow.open_grants().await?.iter().any(same) {
        return Ok(());
    }
    let asked_by = match act.caller {
        Caller::Person(by) => Some(by.id),
        _ => None,
    };
    let row = GrantRow {
        id: new_id(act.now),
        person_id: person.map(|id| id.0),
        role_key: role.key.clone(),
        permission: permission.map(|permission| permission.as_str().to_owned()),
        asked_by: asked_by.map(|id| id.0),
        asked_by_name: act.caller.name().to_owned(),
        asked_at: act.now,
        due_at: act.now + WAITS,
        confirmed_by: None,
        confirmed_by_name: None,
        confirmed_at: None,
        ended_how: None,
        ended_by_name: None,
        ended_at: None,
    };
    act.uow.add_grant(&row).await?;
    let mut entry = Entry::new(AuditKind::GrantAsked);
    about_grant(&mut entry, &row);
    act.also(entry);
    for admin in act.uow.who_may(Permission::PeopleManage).await? {
        if Some(admin) != asked_by && Some(admin) != person {
            act.tell(admin, NoticeKind::RightWaits, &about, None).await?;
        }
    }
    Ok(())
}

fn about_grant(entry: &mut Entry, row: &GrantRow) {
    entry.detail("grant", row.id.to_string()).detail("role", row.role_key.to_string());
    if let Some(person) = row.person_id {
        entry.detail("person", person.to_string());
    }
    if let Some(permission) = &row.permission {
        entry.detail("permission", permission.as_str());
    }
}

/// Confirms a right as the second admin. It takes effect when a day has passed since it was asked for.
#[derive(Debug)]
pub struct ConfirmGrant {
    /// Which.
    pub id: GrantId,
}

impl Action for ConfirmGrant {
    const NAME: &'static str = "confirm_grant";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::GrantConfirmed;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let by = act.person()?.clone();
        let row = open(act, self.id).await?;
        about_grant(act.entry(), &row);
        let concerned = row.asked_by == Some(by.id.0)
            || row.person_id == Some(by.id.0)
            // A right for a role that they hold themselves would be one for themselves.
            || row.permission.is_some() && by.roles.iter().any(|role| role.key == row.role_key);
        if concerned {
            return Err(Refusal::SecondAdminNeeded.into());
        }
        let in_time = act.now < row.asked_at + LAPSES;
        if !in_time || !act.uow.confirm_grant(self.id, by.id, &by.name, act.now).await? {
            return Err(Refusal::ChangedMeanwhile { what: "It" }.into());
        }
        tell_asker(act, &row, "confirmed as the second admin").await
    }
}

/// Turns a right down that waits, or takes back what one asked for oneself.
#[derive(Debug)]
pub struct RefuseGrant {
    /// Which.
    pub id: GrantId,
}

impl Action for RefuseGrant {
    const NAME: &'static str = "refuse_grant";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::GrantRefused;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = open(act, self.id).await?;
        about_grant(act.entry(), &row);
        act.uow.end_grant(self.id, "refused", act.caller.name(), act.now).await?;
        tell_asker(act, &row, "turned down").await
    }
}

async fn open(act: &mut Act<'_>, id: GrantId) -> Result<GrantRow> {
    act.uow.lock_access().await?;
    let row = act.uow.lock_grant(id).await?.ok_or(Refusal::NotFound)?;
    if row.ended_at.is_some() { Err(Refusal::ChangedMeanwhile { what: "It" }.into()) } else { Ok(row) }
}

/// Lets lapse what waits for people who would hold this role: it is not what was asked for any more. Where the role goes,
/// what waits for the role itself goes with it.
pub(crate) async fn lapse_for(act: &mut Act<'_>, role: &RoleKey, it_goes: bool) -> Result<()> {
    let open = act.uow.open_grants().await?.into_iter();
    for row in open.filter(|row| row.role_key == *role && (it_goes || row.person_id.is_some())) {
        act.uow.end_grant(row.id, "lapsed", act.caller.name(), act.now).await?;
        let mut entry = Entry::new(AuditKind::GrantLapsed);
        about_grant(&mut entry, &row);
        act.also(entry);
        tell_asker(act, &row, "lapsed").await?;
    }
    Ok(())
}

async fn tell_asker(act: &mut Act<'_>, row: &GrantRow, what: &str) -> Result<()> {
    let about = format!("{what}: the role {}", row.role_key);
    match row.asked_by {
        Some(asker) => act.tell(PersonId(asker), NoticeKind::RightDecided, &about, None).await,
        None => Ok(()),
    }
}

/// Puts a right into effect that was confirmed and is due, or lets it lapse.
struct EndGrant(GrantId);

impl Action for EndGrant {
    const NAME: &'static str = "end_grant";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::GrantTookEffect;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        act.uow.lock_access().await?;
        let row = act.uow.lock_grant(self.0).await?.filter(|row| row.ended_at.is_none());
        let Some(row) = row else {
            act.nothing_changed();
            return Ok(());
        };
        about_grant(act.entry(), &row);
        let how = match stands(act, &row).await? && take_effect(act, &row).await? {
            true => "given",
            false => {
                act.record_as(AuditKind::GrantLapsed);
                "lapsed"
            }
        };
        act.uow.end_grant(self.0, how, act.caller.name(), act.now).await?;
        tell_asker(act, &row, if how == "given" { "took effect" } else { "lapsed" }).await
    }
}

/// Whether the two admins still are (R16), and it is still for others: a right for a role that one of them took up meanwhile
/// would be one for themselves (R11).
async fn stands(act: &mut Act<'_>, row: &GrantRow) -> Result<bool> {
    let Some(confirmed_by) = row.confirmed_by else { return Ok(false) };
    let holders = match &row.permission {
        Some(_) => act.uow.holders_of(&row.role_key).await?,
        None => Vec::new(),
    };
    for admin in row.asked_by.into_iter().chain([confirmed_by]) {
        if holders.contains(&PersonId(admin)) {
            return Ok(false);
        }
        let row = act.uow.person_by_id(PersonId(admin)).await?.filter(|row| row.disabled_at.is_none());
        let Some(row) = row else { return Ok(false) };
        let caller = Caller::Person(who::person(&mut act.uow, row).await?);
        if access::may(&caller, Permission::PeopleManage, Scope::Installation).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn take_effect(act: &mut Act<'_>, row: &GrantRow) -> Result<bool> {
    let roles = act.uow.all_roles().await?;
    let Some(role) = roles.into_iter().find(|role| role.key == row.role_key) else { return Ok(false) };
    match (row.person_id, &row.permission) {
        (Some(id), _) => give_role(act, PersonId(id), &role).await,
        (None, Some(permission)) => match permission.parse() {
            Ok(permission) => give_permission(act, role, permission).await,
            Err(_) => Ok(false),
        },
        (None, None) => Ok(false),
    }
}

async fn give_role(act: &mut Act<'_>, person: PersonId, role: &HeldRole) -> Result<bool> {
    let Some(row) = act.uow.person_by_id(person).await?.filter(|row| row.deleted_at.is_none()) else {
        return Ok(false);
    };
    let before = act.uow.roles_of(person).await?;
    act.uow.add_role(person, &role.key).await?;
    act.uow.touch_person(person).await?;
    act.tell(person, NoticeKind::RightsChanged, &format!("given: {}", role.name), None).await?;
    let gained = governance::gained(&sum(&before), &role.permissions);
    give::tell_deciders(act, Some(person), &row.name, &gained).await?;
    Ok(true)
}

async fn give_permission(act: &mut Act<'_>, mut role: HeldRole, permission: Permission) -> Result<bool> {
    if role.key.built_in().is_some() {
        return Ok(false);
    }
    role.permissions.insert(permission);
    act.uow.save_role(&role, false, act.now).await?;
    for holder in act.uow.holders_of(&role.key).await? {
        act.tell(holder, NoticeKind::RightsChanged, &format!("the role {} was changed", role.name), None).await?;
    }
    give::tell_deciders(act, None, &format!("whoever holds the role {}", role.name), &[permission]).await?;
    Ok(true)
}

/// A right that waits, with the name of who would get it.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The right.
    pub row: GrantRow,
    /// Who would get it; `None` where a role would.
    pub person: Option<String>,
    /// The role's name.
    pub role: String,
    /// Whether the viewer may be the second admin.
    pub refusal: Option<Refusal>,
}

impl Service {
    /// Rights that wait, and the last that did.
    pub async fn grants(&self, request: &Request) -> Result<(Vec<Waiting>, Vec<Waiting>)> {
        let read = self.read_grants(request);
        self.reading(request, Entry::new(AuditKind::PeopleRead), None, read).await
    }

    async fn read_grants(&self, request: &Request) -> Result<(Vec<Waiting>, Vec<Waiting>)> {
        access::may(&request.caller, Permission::PeopleManage, Scope::Installation)?;
        let mut uow = self.store.read().await?;
        let roles = uow.all_roles().await?;
        let viewer = match &request.caller {
            Caller::Person(person) => Some(person.id.0),
            _ => None,
        };
        let mut lists = [uow.open_grants().await?, uow.ended_grants().await?].into_iter();
        let (open, ended) = (lists.next().unwrap_or_default(), lists.next().unwrap_or_default());
        let mut told = Vec::new();
        for row in open.into_iter().chain(ended) {
            let person = match row.person_id {
                Some(id) => uow.person_name(PersonId(id)).await?,
                None => None,
            };
            let name = |key: &RoleKey| roles.iter().find(|role| role.key == *key).map(|role| role.name.clone());
            let concerned = viewer.is_some() && (row.asked_by == viewer || row.person_id == viewer);
            let refusal = concerned.then_some(Refusal::SecondAdminNeeded);
            let role = name(&row.role_key).unwrap_or_else(|| row.role_key.to_string());
            told.push(Waiting { person, role, refusal, row });
        }
        Ok(told.into_iter().partition(|waiting| waiting.row.ended_at.is_none()))
    }

    /// Puts into effect what was confirmed and is due, and lets lapse what nobody confirmed; answers how many ended.
    pub async fn end_due_grants(&self) -> Result<usize> {
        let now = self.now();
        let open = self.store.read().await?.open_grants().await?;
        let due = |row: &GrantRow| match row.confirmed_at {
            Some(_) => row.due_at <= now,
            None => row.asked_at + LAPSES <= now,
        };
        let job = Request::of(Caller::Job("rights"));
        let mut ended = 0;
        for row in open.into_iter().filter(due) {
            self.run(&job, EndGrant(row.id)).await?;
            ended += 1;
        }
        Ok(ended)
    }
}
