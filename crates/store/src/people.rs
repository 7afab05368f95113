//! People: their accounts.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{ids::PersonId, sensitivity::Clearance};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    INSERT_PERSON = "INSERT INTO person (id, email, email_folded, name, password_hash, clearance, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    PERSON_BY_EMAIL = "SELECT id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version FROM person WHERE email_folded = $1 AND deleted_at IS NULL";
    PERSON_BY_ID = "SELECT id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version FROM person WHERE id = $1";
    LOCK_PERSON = "SELECT id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version FROM person WHERE id = $1" locked;
    PERSON_COUNT = "SELECT COUNT(*) FROM person";
    DELETED = "SELECT id FROM person WHERE deleted_at IS NOT NULL";
    PEOPLE = "SELECT id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version FROM person
        WHERE deleted_at IS NULL AND (CAST($1 AS TEXT) IS NULL OR email_folded LIKE $1 ESCAPE '\\' OR id IN
        (SELECT person_id FROM person_team JOIN team ON team.id = person_team.team_id WHERE team.key = $2))
        AND (email_folded, id) > ($3, $4) ORDER BY email_folded, id LIMIT $5";
    MEMBERS = "SELECT id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version FROM person
        WHERE deleted_at IS NULL AND id IN (SELECT person_id FROM person_team WHERE team_id = $1) ORDER BY email_folded LIMIT 500";
    DISABLE_PERSON = "UPDATE person SET disabled_at = $2, version = version + 1 WHERE id = $1 AND disabled_at IS NULL";
    ENABLE_PERSON = "UPDATE person SET disabled_at = NULL, version = version + 1 WHERE id = $1 AND deleted_at IS NULL AND disabled_at IS NOT NULL";
    DELETE_PERSON = "UPDATE person SET deleted_at = $2, disabled_at = COALESCE(disabled_at, $2), email = $3, email_folded = $3, name = $4, password_hash = NULL, version = version + 1 WHERE id = $1";
    RENAME_PERSON = "UPDATE person SET name = $2, email = $3, email_folded = $4, version = version + 1 WHERE id = $1";
    SET_CLEARANCE = "UPDATE person SET clearance = $2, version = version + 1 WHERE id = $1";
    TOUCH_PERSON = "UPDATE person SET version = version + 1 WHERE id = $1";
    SET_PASSWORD = "UPDATE person SET password_hash = $2 WHERE id = $1";
    REPLACE_PASSWORD = "UPDATE person SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
    SIGNED_IN = "UPDATE person SET signed_in_at = $2 WHERE id = $1";
}

/// An account.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct PersonRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: PersonId,
    /// Its address as given.
    pub email: String,
    /// Its name.
    pub name: String,
    /// A PHC string; missing where the person can't sign in with a password.
    pub password_hash: Option<String>,
    /// Up to which sensitivity they see everything.
    #[sqlx(try_from = "String")]
    pub clearance: Clearance,
    /// Since when they can't sign in.
    pub disabled_at: Option<DateTime<Utc>>,
    /// Since when the account is only a name in history.
    pub deleted_at: Option<DateTime<Utc>>,
    /// When they signed in last.
    pub signed_in_at: Option<DateTime<Utc>>,
    /// Goes up with every change of the account.
    pub version: i64,
}

impl PersonRow {
    /// A new account.
    #[must_use]
    pub fn new(id: PersonId, email: String, name: String, password_hash: Option<String>, clearance: Clearance) -> Self {
        let (disabled_at, deleted_at, signed_in_at) = (None, None, None);
        Self { id, email, name, password_hash, clearance, disabled_at, deleted_at, signed_in_at, version: 1 }
    }
}

impl Uow {
    /// Adds a person. [`crate::Error::Duplicate`] if the address is taken.
    pub async fn add_person(&mut self, person: &PersonRow, now: DateTime<Utc>) -> Result<()> {
        let folded = domain::text::fold(&person.email);
        execute!(
            self,
            INSERT_PERSON,
            person.id.0,
            &person.email,
            folded,
            &person.name,
            &person.password_hash,
            person.clearance.as_str(),
            now
        )
        .map(drop)
    }

    /// The person with this address, whatever its case.
    pub async fn person_by_email(&mut self, email: &str) -> Result<Option<PersonRow>> {
        fetch_optional!(self, PersonRow, PERSON_BY_EMAIL, domain::text::fold(email))
    }

    /// The person with this id, disabled and deleted ones included.
    pub async fn person_by_id(&mut self, id: PersonId) -> Result<Option<PersonRow>> {
        fetch_optional!(self, PersonRow, PERSON_BY_ID, id.0)
    }

    /// The same, held until the end of the unit of work: nobody else changes the account meanwhile.
    pub async fn lock_person(&mut self, id: PersonId) -> Result<Option<PersonRow>> {
        fetch_optional!(self, PersonRow, LOCK_PERSON, id.0)
    }

    /// A page of the accounts that were not deleted, by address: those whose address holds `text`, or who belong to the team
    /// of that key.
    pub async fn people(
        &mut self,
        text: Option<&str>,
        after: Option<(String, PersonId)>,
        limit: i64,
    ) -> Result<Vec<PersonRow>> {
        let (folded, id) = after.map_or((String::new(), Uuid::nil()), |(folded, id)| (folded, id.0));
        let needle = text.map(domain::text::like_needle);
        fetch_all!(self, PersonRow, PEOPLE, needle, text.unwrap_or_default(), folded, id, limit)
    }

    /// The members of a team, by address; 500 at most.
    pub async fn members_of(&mut self, team: domain::ids::TeamId) -> Result<Vec<PersonRow>> {
        fetch_all!(self, PersonRow, MEMBERS, team.0)
    }

    /// How many accounts there are.
    pub async fn person_count(&mut self) -> Result<i64> {
        fetch_one!(self, (i64,), PERSON_COUNT).map(|(count,)| count)
    }

    /// The accounts that were deleted: history still names them.
    pub async fn deleted_people(&mut self) -> Result<BTreeSet<Uuid>> {
        Ok(fetch_all!(self, (Uuid,), DELETED)?.into_iter().map(|(id,)| id).collect())
    }

    /// Disables an account; `false` if it was disabled already.
    pub async fn disable_person(&mut self, id: PersonId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, DISABLE_PERSON, id.0, now)? == 1)
    }

    /// Enables an account again; `false` if it was not disabled.
    pub async fn enable_person(&mut self, id: PersonId) -> Result<bool> {
        Ok(execute!(self, ENABLE_PERSON, id.0)? == 1)
    }

    /// Leaves nothing of an account but its id, under a name that says so.
    pub async fn delete_person(&mut self, id: PersonId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, DELETE_PERSON, id.0, now, format!("deleted-{id}"), "Deleted account").map(drop)
    }

    /// Sets a person's name and address. [`crate::Error::Duplicate`] if the address is taken.
    pub async fn rename_person(&mut self, id: PersonId, name: &str, email: &str) -> Result<()> {
        execute!(self, RENAME_PERSON, id.0, name, email, domain::text::fold(email)).map(drop)
    }

    /// Sets up to which sensitivity a person sees everything.
    pub async fn set_clearance(&mut self, id: PersonId, clearance: Clearance) -> Result<()> {
        execute!(self, SET_CLEARANCE, id.0, clearance.as_str()).map(drop)
    }

    /// Notes that something about an account changed.
    pub async fn touch_person(&mut self, id: PersonId) -> Result<()> {
        execute!(self, TOUCH_PERSON, id.0).map(drop)
    }

    /// Sets a person's password.
    pub async fn set_password(&mut self, id: PersonId, hash: &str) -> Result<()> {
        execute!(self, SET_PASSWORD, id.0, hash).map(drop)
    }

    /// Replaces a password's hash; `false` if it is another one by now.
    pub async fn replace_password(&mut self, id: PersonId, old: &str, new: &str) -> Result<bool> {
        Ok(execute!(self, REPLACE_PASSWORD, id.0, old, new)? == 1)
    }

    /// Notes that a person signed in.
    pub async fn signed_in(&mut self, id: PersonId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, SIGNED_IN, id.0, now).map(drop)
    }
}
