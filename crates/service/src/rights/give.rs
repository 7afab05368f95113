//! Giving and taking roles: the one way in which anybody's rights change (R11, R16).

use domain::{
    access::Caller,
    governance::{self, Governance},
    ids::PersonId,
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
    role::{HeldRole, RoleKey, sum},
};

use super::grants;
use crate::{
    Result,
    action::{Act, Entry},
};

/// What became of somebody's roles.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) given: Vec<HeldRole>,
    pub(crate) taken: Vec<HeldRole>,
    /// They wait for a second admin.
    pub(crate) waiting: Vec<HeldRole>,
}

impl Changed {
    /// Whether nothing was given, taken, or waits.
    pub(crate) fn is_nothing(&self) -> bool {
        self.given.is_empty() && self.taken.is_empty() && self.waiting.is_empty()
    }

    /// Tells the audit.
    pub(crate) fn tell(&self, entry: &mut Entry) {
        let keys = |roles: &[HeldRole]| roles.iter().map(|role| role.key.to_string()).collect::<Vec<_>>();
        entry.detail("given", keys(&self.given)).detail("taken", keys(&self.taken));
        if !self.waiting.is_empty() {
            entry.detail("waiting_for_a_second_admin", keys(&self.waiting));
        }
    }

    /// Tells the person, who was there before.
    pub(crate) async fn tell_person(&self, act: &mut Act<'_>, person: PersonId) -> Result<()> {
        if is_self(act.caller, person) || self.given.is_empty() && self.taken.is_empty() {
            return Ok(());
        }
        act.tell(person, NoticeKind::RightsChanged, &self.words(), None).await
    }

    /// The names of roles that wait.
    pub(crate) fn waiting_names(&self) -> Vec<String> {
        self.waiting.iter().map(|role| role.name.clone()).collect()
    }

    fn words(&self) -> String {
        let names = |roles: &[HeldRole]| roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>().join(", ");
        let parts = [("given: ", &self.given), ("taken: ", &self.taken)];
        let parts = parts.into_iter().filter(|(_, roles)| !roles.is_empty());
        parts.map(|(what, roles)| format!("{what}{}", names(roles))).collect::<Vec<_>>().join("; ")
    }
}

/// The roles with these keys.
pub(crate) async fn known_roles(act: &mut Act<'_>, keys: &[RoleKey]) -> Result<Vec<HeldRole>> {
    let all = act.uow.all_roles().await?;
    let find = |key: &RoleKey| {
        let found = all.iter().find(|role| role.key == *key).cloned();
        found.ok_or_else(|| Refusal::field("/roles", format!("There is no role `{key}`.")).into())
    };
    keys.iter().map(find).collect()
}

/// Lets a person hold exactly these roles. Rights must have been locked.
pub(crate) async fn set_roles(
    act: &mut Act<'_>,
    person: PersonId,
    name: &str,
    wanted: Vec<HeldRole>,
) -> Result<Changed> {
    let before = act.uow.roles_of(person).await?;
    let lacks = |roles: &[HeldRole], role: &HeldRole| roles.iter().all(|other| other.key != role.key);
    let gained = governance::gained(&sum(&before), &sum(&wanted));
    governance::may_give(act.caller, person, &gained)?;
    let waits = |role: &HeldRole| takes_two(act) && gained.iter().any(|right| role.permissions.contains(right));
    let given = wanted.iter().filter(|role| lacks(&before, role)).cloned();
    let (waiting, given): (Vec<_>, Vec<_>) = given.partition(waits);
    let taken: Vec<_> = before.iter().filter(|role| lacks(&wanted, role)).cloned().collect();
    for role in &given {
        act.uow.add_role(person, &role.key).await?;
    }
    for role in &taken {
        act.uow.take_role(person, &role.key).await?;
    }
    for role in &waiting {
        grants::ask(act, grants::Wanted::Role { person, name, role }).await?;
    }
    let changed = Changed { given, taken, waiting };
    if !changed.given.is_empty() || !changed.taken.is_empty() {
        act.uow.touch_person(person).await?;
        act.uow.look_at_items_of(person, act.now).await?;
    }
    let given_rights = governance::gained(&sum(&before), &sum(&[&before[..], &changed.given].concat()));
    tell_deciders(act, Some(person), name, &given_rights).await?;
    if sum(&changed.taken).contains(&Permission::PeopleManage) {
        keep_an_admin(act).await?;
    }
    Ok(changed)
}

/// Whether a consequential right takes a second admin. Whoever holds the database may administer it.
pub(crate) fn takes_two(act: &Act<'_>) -> bool {
    act.settings.governance == Governance::Strict && !matches!(act.caller, Caller::CommandLine)
}

/// Tells everybody who decides over others' work that somebody else may now, too.
pub(crate) async fn tell_deciders(
    act: &mut Act<'_>,
    person: Option<PersonId>,
    name: &str,
    rights: &[Permission],
) -> Result<()> {
    if rights.is_empty() {
        return Ok(());
    }
    let labels: Vec<_> = rights.iter().map(|right| right.label()).collect();
    let about = format!("{name} may {}", labels.join(" and "));
    for decider in act.uow.who_may(Permission::ApprovalsDecide).await? {
        if Some(decider) != person && !is_self(act.caller, decider) {
            act.tell(decider, NoticeKind::RightGiven, &about, None).await?;
        }
    }
    Ok(())
}

/// Refuses what would leave nobody who can sign in to manage people.
pub(crate) async fn keep_an_admin(act: &mut Act<'_>) -> Result<()> {
    if act.uow.who_may(Permission::PeopleManage).await?.is_empty() {
        return Err(Refusal::LastAdmin.into());
    }
    Ok(())
}

/// Whether it is their own account: nobody is told of what they did themselves.
pub(crate) fn is_self(caller: &Caller, person: PersonId) -> bool {
    matches!(caller, Caller::Person(who) if who.id == person)
}
