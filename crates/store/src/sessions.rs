//! Browser sessions, under a hash of their id.

use chrono::{DateTime, Utc};
use domain::ids::PersonId;

use crate::{
    Result, Uow,
    sql::{execute, fetch_optional, statements},
};

statements! {
    INSERT_SESSION = "INSERT INTO session (id_hash, person_id, data, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id_hash) DO NOTHING";
    SAVE_SESSION = "UPDATE session SET person_id = $2, data = $3, expires_at = $4 WHERE id_hash = $1";
    LOAD_SESSION = "SELECT data, expires_at FROM session WHERE id_hash = $1 AND expires_at > $2";
    DELETE_SESSION = "DELETE FROM session WHERE id_hash = $1";
    DELETE_SESSIONS_OF = "DELETE FROM session WHERE person_id = $1";
    DELETE_EXPIRED = "DELETE FROM session WHERE expires_at <= $1";
}

/// What is kept of a session.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SessionRow {
    /// Its data, as JSON.
    pub data: String,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
}

impl Uow {
    /// Adds a session; `false` if the id is taken.
    pub async fn create_session(&mut self, id_hash: &[u8], person: Option<PersonId>, row: &SessionRow) -> Result<bool> {
        Ok(execute!(self, INSERT_SESSION, id_hash, person.map(|p| p.0), &row.data, row.expires_at)? == 1)
    }

    /// Replaces a session's data; `false` if it is gone.
    pub async fn save_session(&mut self, id_hash: &[u8], person: Option<PersonId>, row: &SessionRow) -> Result<bool> {
        Ok(execute!(self, SAVE_SESSION, id_hash, person.map(|p| p.0), &row.data, row.expires_at)? == 1)
    }

    /// A session that has not expired.
    pub async fn load_session(&mut self, id_hash: &[u8], now: DateTime<Utc>) -> Result<Option<SessionRow>> {
        fetch_optional!(self, SessionRow, LOAD_SESSION, id_hash, now)
    }

    /// Ends a session.
    pub async fn delete_session(&mut self, id_hash: &[u8]) -> Result<()> {
        execute!(self, DELETE_SESSION, id_hash).map(drop)
    }

    /// Ends every session of a person; answers how many.
    pub async fn delete_sessions_of(&mut self, person: PersonId) -> Result<u64> {
        execute!(self, DELETE_SESSIONS_OF, person.0)
    }

    /// Removes what has expired.
    pub async fn delete_expired_sessions(&mut self, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, DELETE_EXPIRED, now)
    }
}
