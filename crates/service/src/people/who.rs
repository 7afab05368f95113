//! Who a session speaks for, as their account stands now (R16).

use domain::{
    access::{Caller, Person},
    ids::PersonId,
    permission::Permission,
    refusal::Refusal,
};
use store::{PersonRow, TeamRow, Uow};

use crate::{
    Request, Result, Service,
    sign_in::step_up::{self, ConfirmWith},
};

/// A person's own account, for the page that tells what they may do.
#[derive(Debug, Clone)]
pub struct Account {
    /// The person.
    pub person: Person,
    /// Their teams, with names.
    pub teams: Vec<TeamRow>,
    /// Every role there is.
    pub roles: Vec<domain::role::HeldRole>,
}

/// What every page has to know of who visits.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Notices that they have not read; counted up to 100.
    pub unread: i64,
    /// What waits for their decision; counted up to 100.
    pub to_decide: i64,
    /// Alerts of their teams that nobody has acknowledged; counted up to 100.
    pub alerts: i64,
    /// What they confirm with who they are, where that has to be done anew before something consequential.
    pub confirm: Option<ConfirmWith>,
}

impl Service {
    /// The person with this account, read anew at every request; [`Caller::Anonymous`] once it is disabled or gone.
    pub async fn caller_of(&self, id: PersonId) -> Result<Caller> {
        let mut uow = self.store.read().await?;
        Ok(match uow.person_by_id(id).await? {
            Some(row) if row.disabled_at.is_none() => Caller::Person(person(&mut uow, row).await?),
            _ => Caller::Anonymous,
        })
    }

    /// What every page has to know of who visits.
    pub async fn visitor(&self, request: &Request) -> Result<Option<Visitor>> {
        let Caller::Person(person) = &request.caller else { return Ok(None) };
        let unread = self.store.read().await?.unread_notices(person.id).await?;
        let confirm = match step_up::recent(request, self.now()) {
            Ok(()) => None,
            Err(_) => Some(self.confirms_with(request).await?),
        };
        let to_decide = self.approvals_waiting(&request.caller).await?;
        let alerts = if person.holds(Permission::ItemsRead) { self.alerts_waiting(&request.caller).await? } else { 0 };
        Ok(Some(Visitor { unread, to_decide, alerts, confirm }))
    }

    /// A signed-in person's own account.
    pub async fn account(&self, person: &Person) -> Result<Account> {
        let mut uow = self.store.read().await?;
        let (teams, roles) = (uow.teams_of(person.id).await?, uow.all_roles().await?);
        Ok(Account { person: person.clone(), teams, roles })
    }
}

pub(crate) async fn person(uow: &mut Uow, row: PersonRow) -> Result<Person> {
    Ok(Person {
        roles: uow.roles_of(row.id).await?,
        teams: uow.teams_of(row.id).await?.into_iter().map(|team| team.id).collect(),
        id: row.id,
        name: row.name,
        email: row.email,
        clearance: row.clearance,
        limits: None,
    })
}

/// An account that was not deleted.
pub(crate) async fn standing(uow: &mut Uow, id: PersonId) -> Result<PersonRow> {
    let row = uow.person_by_id(id).await?.filter(|row| row.deleted_at.is_none());
    row.ok_or_else(|| Refusal::NotFound.into())
}

/// The same, as it was looked at: a change of it meanwhile is a conflict.
pub(crate) async fn as_seen(uow: &mut Uow, id: PersonId, version: i64) -> Result<PersonRow> {
    let row = uow.lock_person(id).await?.filter(|row| row.deleted_at.is_none()).ok_or(Refusal::NotFound)?;
    if row.version == version { Ok(row) } else { Err(Refusal::ChangedMeanwhile { what: "The account" }.into()) }
}
