//! Accounts by what an identity provider calls them.

use chrono::{DateTime, Utc};
use domain::ids::PersonId;
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_IDENTITY = "INSERT INTO identity (issuer, subject, person_id, created_at) VALUES ($1, $2, $3, $4)";
    IDENTITY = "SELECT person_id FROM identity WHERE issuer = $1 AND subject = $2";
    ISSUERS_OF = "SELECT issuer FROM identity WHERE person_id = $1 ORDER BY issuer";
    REMOVE_IDENTITIES = "DELETE FROM identity WHERE person_id = $1";
}

impl Uow {
    /// Links an account to an identity. [`crate::Error::Duplicate`] if it is another's.
    pub async fn add_identity(
        &mut self,
        issuer: &str,
        subject: &str,
        person: PersonId,
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, INSERT_IDENTITY, issuer, subject, person.0, now).map(drop)
    }

    /// The account behind an identity.
    pub async fn person_of_identity(&mut self, issuer: &str, subject: &str) -> Result<Option<PersonId>> {
        Ok(fetch_optional!(self, (Uuid,), IDENTITY, issuer, subject)?.map(|(id,)| PersonId(id)))
    }

    /// The issuers of a person's identities.
    pub async fn issuers_of(&mut self, person: PersonId) -> Result<Vec<String>> {
        Ok(fetch_all!(self, (String,), ISSUERS_OF, person.0)?.into_iter().map(|(issuer,)| issuer).collect())
    }

    /// Unlinks an account from every identity.
    pub async fn remove_identities_of(&mut self, person: PersonId) -> Result<()> {
        execute!(self, REMOVE_IDENTITIES, person.0).map(drop)
    }
}
