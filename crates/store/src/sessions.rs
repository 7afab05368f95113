//! Browser sessions, under a hash of their id.

use chrono::{DateTime, Utc};
use domain::ids::{PersonId, SessionId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_SESSION = "INSERT INTO session (id_hash, id, person_id, data, address, agent, started_at, seen_at, stepped_up_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9) ON CONFLICT (id_hash) DO NOTHING";
    SAVE_SESSION = "UPDATE session SET data = $2 WHERE id_hash = $1";
    LOAD_SESSION = "SELECT id, person_id, data, address, agent, started_at, seen_at, stepped_up_at, expires_at FROM session WHERE id_hash = $1 AND expires_at > $2";
    SESSIONS_OF = "SELECT id, person_id, data, address, agent, started_at, seen_at, stepped_up_at, expires_at FROM session WHERE person_id = $1 AND expires_at > $2 ORDER BY seen_at DESC, id";
    PROLONG_SESSION = "UPDATE session SET seen_at = $2, expires_at = $3 WHERE id = $1 AND seen_at < $2";
    STEP_UP_SESSION = "UPDATE session SET stepped_up_at = $2 WHERE id = $1";
    DELETE_SESSION = "DELETE FROM session WHERE id_hash = $1";
    DELETE_SESSIONS_OF = "DELETE FROM session WHERE person_id = $1";
    DELETE_ONE = "DELETE FROM session WHERE person_id = $1 AND id = $2";
    DELETE_OTHERS = "DELETE FROM session WHERE person_id = $1 AND id <> $2";
    DELETE_EXPIRED = "DELETE FROM session WHERE expires_at <= $1";
}

/// A session.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct SessionRow {
    /// Names it on pages.
    #[sqlx(try_from = "Uuid")]
    pub id: SessionId,
    /// Who is signed in with it.
    pub person_id: Option<Uuid>,
    /// Its data, as JSON.
    pub data: String,
    /// From which address it began.
    pub address: Option<String>,
    /// What the browser said of itself then.
    pub agent: Option<String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When a page was looked at last, to a few minutes.
    pub seen_at: DateTime<Utc>,
    /// When they last proved who they are.
    pub stepped_up_at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
}

impl Uow {
    /// Adds a session that begins when its row says; `false` if the id is taken.
    pub async fn create_session(&mut self, id_hash: &[u8], row: &SessionRow) -> Result<bool> {
        let added = execute!(
            self,
            INSERT_SESSION,
            id_hash,
            row.id.0,
            row.person_id,
            &row.data,
            &row.address,
            &row.agent,
            row.started_at,
            row.stepped_up_at,
            row.expires_at
        )?;
        Ok(added == 1)
    }

    /// Replaces a session's data. One that was ended stays ended.
    pub async fn save_session(&mut self, id_hash: &[u8], data: &str) -> Result<()> {
        execute!(self, SAVE_SESSION, id_hash, data).map(drop)
    }

    /// A session that has not expired.
    pub async fn load_session(&mut self, id_hash: &[u8], now: DateTime<Utc>) -> Result<Option<SessionRow>> {
        fetch_optional!(self, SessionRow, LOAD_SESSION, id_hash, now)
    }

    /// A person's sessions, the one that was used last first.
    pub async fn sessions_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<Vec<SessionRow>> {
        fetch_all!(self, SessionRow, SESSIONS_OF, person.0, now)
    }

    /// Notes that a page was looked at.
    pub async fn prolong_session(
        &mut self,
        id: SessionId,
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, PROLONG_SESSION, id.0, now, expires_at).map(drop)
    }

    /// Notes that the person proved who they are.
    pub async fn step_up_session(&mut self, id: SessionId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, STEP_UP_SESSION, id.0, now).map(drop)
    }

    /// Ends a session.
    pub async fn delete_session(&mut self, id_hash: &[u8]) -> Result<()> {
        execute!(self, DELETE_SESSION, id_hash).map(drop)
    }

    /// Ends every session of a person; answers how many.
    pub async fn delete_sessions_of(&mut self, person: PersonId) -> Result<u64> {
        execute!(self, DELETE_SESSIONS_OF, person.0)
    }

    /// Ends one session of a person; `false` if it is not there.
    pub async fn delete_session_of(&mut self, person: PersonId, id: SessionId) -> Result<bool> {
        Ok(execute!(self, DELETE_ONE, person.0, id.0)? == 1)
    }

    /// Ends every session of a person but one; answers how many.
    pub async fn delete_sessions_but(&mut self, person: PersonId, kept: SessionId) -> Result<u64> {
        execute!(self, DELETE_OTHERS, person.0, kept.0)
    }

    /// Removes what has expired.
    pub async fn delete_expired_sessions(&mut self, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, DELETE_EXPIRED, now)
    }
}
