//! One-time links.

use chrono::{DateTime, Utc};
use domain::ids::{InviteId, PersonId};

use crate::{
    Result, Uow,
    sql::{execute, fetch_one, statements},
};

statements! {
    INSERT_INVITE = "INSERT INTO invite (id, secret_hash, created_at, expires_at) VALUES ($1, $2, $3, $4)";
    USE_INVITE = "UPDATE invite SET used_at = $2, used_by = $3 WHERE secret_hash = $1 AND used_at IS NULL AND expires_at > $2";
    INVITE_IS_OPEN = "SELECT COUNT(*) FROM invite WHERE secret_hash = $1 AND used_at IS NULL AND expires_at > $2";
    WITHDRAW_INVITES = "UPDATE invite SET expires_at = $1 WHERE used_at IS NULL AND expires_at > $1";
}

impl Uow {
    /// Adds a one-time link; earlier ones that were not used end now.
    pub async fn add_invite(
        &mut self,
        id: InviteId,
        secret_hash: &[u8],
        now: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, WITHDRAW_INVITES, now)?;
        execute!(self, INSERT_INVITE, id.0, secret_hash, now, expires_at).map(drop)
    }

    /// Whether a link can be used.
    pub async fn invite_is_open(&mut self, secret_hash: &[u8], now: DateTime<Utc>) -> Result<bool> {
        fetch_one!(self, (i64,), INVITE_IS_OPEN, secret_hash, now).map(|(count,)| count > 0)
    }

    /// Uses a link up; `false` if somebody else was first, or it is unknown or expired.
    pub async fn use_invite(&mut self, secret_hash: &[u8], now: DateTime<Utc>, by: PersonId) -> Result<bool> {
        Ok(execute!(self, USE_INVITE, secret_hash, now, by.0)? == 1)
    }
}
