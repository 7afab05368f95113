//! People, their roles and teams.

use chrono::{DateTime, Utc};
use domain::{
    ids::{PersonId, TeamId},
    permission::Role,
    sensitivity::Clearance,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    INSERT_TEAM = "INSERT INTO team (id, key, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING";
    TEAM_BY_KEY = "SELECT id, key, name FROM team WHERE key = $1";
    TEAMS = "SELECT id, key, name FROM team ORDER BY key";
    INSERT_PERSON = "INSERT INTO person (id, email, email_folded, name, password_hash, clearance, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    PERSON_BY_EMAIL = "SELECT id, email, name, password_hash, clearance, disabled_at FROM person WHERE email_folded = $1";
    PERSON_BY_ID = "SELECT id, email, name, password_hash, clearance, disabled_at FROM person WHERE id = $1";
    PERSON_COUNT = "SELECT COUNT(*) FROM person";
    ENABLED_WITH_ROLE = "SELECT COUNT(*) FROM person JOIN person_role ON person_role.person_id = person.id WHERE role = $1 AND disabled_at IS NULL";
    DISABLE_PERSON = "UPDATE person SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL";
    INSERT_ROLE = "INSERT INTO person_role (person_id, role) VALUES ($1, $2) ON CONFLICT (person_id, role) DO NOTHING";
    ROLES_OF = "SELECT role FROM person_role WHERE person_id = $1 ORDER BY role";
    INSERT_MEMBERSHIP = "INSERT INTO person_team (person_id, team_id) VALUES ($1, $2) ON CONFLICT (person_id, team_id) DO NOTHING";
    TEAMS_OF = "SELECT team.id, team.key, team.name FROM team JOIN person_team ON person_team.team_id = team.id WHERE person_team.person_id = $1 ORDER BY team.key";
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
}

/// A team.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct TeamRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: TeamId,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
}

#[derive(sqlx::FromRow)]
struct RoleRow {
    #[sqlx(try_from = "String")]
    role: Role,
}

impl Uow {
    /// Adds a team; `false` if one with this key exists.
    pub async fn add_team(&mut self, team: &TeamRow, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, INSERT_TEAM, team.id.0, &team.key, &team.name, now)? == 1)
    }

    /// The team with this key.
    pub async fn team_by_key(&mut self, key: &str) -> Result<Option<TeamRow>> {
        fetch_optional!(self, TeamRow, TEAM_BY_KEY, key)
    }

    /// Every team, by key.
    pub async fn teams(&mut self) -> Result<Vec<TeamRow>> {
        fetch_all!(self, TeamRow, TEAMS)
    }

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

    /// The person with this id.
    pub async fn person_by_id(&mut self, id: PersonId) -> Result<Option<PersonRow>> {
        fetch_optional!(self, PersonRow, PERSON_BY_ID, id.0)
    }

    /// How many accounts there are.
    pub async fn person_count(&mut self) -> Result<i64> {
        fetch_one!(self, (i64,), PERSON_COUNT).map(|(count,)| count)
    }

    /// How many enabled accounts hold `role`.
    pub async fn enabled_with_role(&mut self, role: Role) -> Result<i64> {
        fetch_one!(self, (i64,), ENABLED_WITH_ROLE, role.as_str()).map(|(count,)| count)
    }

    /// Disables an account; `false` if it was disabled already.
    pub async fn disable_person(&mut self, id: PersonId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, DISABLE_PERSON, id.0, now)? == 1)
    }

    /// Gives a person a role.
    pub async fn add_role(&mut self, id: PersonId, role: Role) -> Result<()> {
        execute!(self, INSERT_ROLE, id.0, role.as_str()).map(drop)
    }

    /// The roles a person holds.
    pub async fn roles_of(&mut self, id: PersonId) -> Result<Vec<Role>> {
        Ok(fetch_all!(self, RoleRow, ROLES_OF, id.0)?.into_iter().map(|row| row.role).collect())
    }

    /// Makes a person a member of a team.
    pub async fn join_team(&mut self, id: PersonId, team: TeamId) -> Result<()> {
        execute!(self, INSERT_MEMBERSHIP, id.0, team.0).map(drop)
    }

    /// The teams a person belongs to.
    pub async fn teams_of(&mut self, id: PersonId) -> Result<Vec<TeamRow>> {
        fetch_all!(self, TeamRow, TEAMS_OF, id.0)
    }
}
