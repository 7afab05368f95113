//! Who a session speaks for, as their account stands now (R16).

use domain::{
    access::{Caller, Person},
    ids::PersonId,
};
use store::{PersonRow, TeamRow, Uow};

use crate::{Result, Service};

/// A person's own account, for the page that tells what they may do.
#[derive(Debug, Clone)]
pub struct Account {
    /// The person.
    pub person: Person,
    /// Their teams, with names.
    pub teams: Vec<TeamRow>,
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

    /// A signed-in person's own account.
    pub async fn account(&self, person: &Person) -> Result<Account> {
        let mut uow = self.store.read().await?;
        Ok(Account { person: person.clone(), teams: uow.teams_of(person.id).await? })
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
