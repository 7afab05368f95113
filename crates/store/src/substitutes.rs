//! Who stands in for whom while they are away.

use chrono::{DateTime, Utc};
use domain::ids::{PersonId, SubstituteId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, statements},
};

statements! {
    INSERT_SUBSTITUTE = "INSERT INTO substitute (id, person_id, substitute_id, starts_at, ends_at) VALUES ($1, $2, $3, $4, $5)";
    SUBSTITUTES_OF = "SELECT substitute.id, person_id, substitute_id, starts_at, ends_at, person.name AS person_name, other.name AS substitute_name FROM substitute
        JOIN person ON person.id = substitute.person_id JOIN person AS other ON other.id = substitute.substitute_id
        WHERE substitute.person_id = $1 AND ended_at IS NULL AND ends_at > $2 ORDER BY starts_at, substitute.id";
    STANDS_IN_FOR = "SELECT substitute.id, person_id, substitute_id, starts_at, ends_at, person.name AS person_name, other.name AS substitute_name FROM substitute
        JOIN person ON person.id = substitute.person_id JOIN person AS other ON other.id = substitute.substitute_id
        WHERE substitute.substitute_id = $1 AND ended_at IS NULL AND ends_at > $2 ORDER BY starts_at, substitute.id";
    END_SUBSTITUTE = "UPDATE substitute SET ended_at = $3 WHERE id = $1 AND person_id = $2 AND ended_at IS NULL";
}

/// Somebody's standing in for somebody else.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Substitute {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: SubstituteId,
    /// Who is away.
    #[sqlx(try_from = "Uuid")]
    pub person_id: PersonId,
    /// Who stands in.
    #[sqlx(try_from = "Uuid")]
    pub substitute_id: PersonId,
    /// From when.
    pub starts_at: DateTime<Utc>,
    /// Until when.
    pub ends_at: DateTime<Utc>,
    /// The name of who is away.
    pub person_name: String,
    /// The name of who stands in.
    pub substitute_name: String,
}

impl Uow {
    /// Lets somebody stand in for somebody else.
    pub async fn add_substitute(
        &mut self,
        id: SubstituteId,
        person: PersonId,
        substitute: PersonId,
        (from, until): (DateTime<Utc>, DateTime<Utc>),
    ) -> Result<()> {
        execute!(self, INSERT_SUBSTITUTE, id.0, person.0, substitute.0, from, until).map(drop)
    }

    /// Who stands in for a person, now or later.
    pub async fn substitutes_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<Vec<Substitute>> {
        fetch_all!(self, Substitute, SUBSTITUTES_OF, person.0, now)
    }

    /// For whom a person stands in, now or later.
    pub async fn stands_in_for(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<Vec<Substitute>> {
        fetch_all!(self, Substitute, STANDS_IN_FOR, person.0, now)
    }

    /// Ends it; `false` if it is not theirs, or had ended.
    pub async fn end_substitute(&mut self, id: SubstituteId, person: PersonId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, END_SUBSTITUTE, id.0, person.0, now)? == 1)
    }
}
