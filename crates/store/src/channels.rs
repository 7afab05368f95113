//! Channels: ways out by which others are told.

use chrono::{DateTime, Utc};
use domain::{channel::ChannelKind, ids::ChannelId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_CHANNEL = "INSERT INTO channel (id, name, kind, url, secret, allow_private, version, created_by_name, created_at, changed_by_name, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (name) DO NOTHING";
    CHANNEL_BY_NAME = "SELECT id, name, kind, url, secret, allow_private, version, worked_at, failing_since, last_error, disabled_at, disabled_why, created_by_name, created_at, changed_by_name, changed_at FROM channel WHERE name = $1";
    CHANNEL_BY_ID = "SELECT id, name, kind, url, secret, allow_private, version, worked_at, failing_since, last_error, disabled_at, disabled_why, created_by_name, created_at, changed_by_name, changed_at FROM channel WHERE id = $1";
    CHANNELS = "SELECT id, name, kind, url, secret, allow_private, version, worked_at, failing_since, last_error, disabled_at, disabled_why, created_by_name, created_at, changed_by_name, changed_at FROM channel ORDER BY name LIMIT 500";
    SAVE_CHANNEL = "UPDATE channel SET kind = $3, url = $4, secret = $5, allow_private = $6, changed_by_name = $7, changed_at = $8, version = version + 1 WHERE id = $1 AND version = $2";
    DISABLE_CHANNEL = "UPDATE channel SET disabled_at = $2, disabled_why = $3, version = version + 1 WHERE id = $1 AND disabled_at IS NULL AND version = $4";
    EXPLAIN_DISABLED = "UPDATE channel SET disabled_why = $2 WHERE id = $1 AND disabled_at IS NOT NULL";
    ENABLE_CHANNEL = "UPDATE channel SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL, last_error = NULL, giving_up_since = NULL, version = version + 1 WHERE id = $1 AND disabled_at IS NOT NULL AND version = $2";
    CHANNEL_WORKED = "UPDATE channel SET worked_at = $2, failing_since = NULL, last_error = NULL, giving_up_since = NULL WHERE id = $1";
    CHANNEL_GIVES_UP = "UPDATE channel SET giving_up_since = $2 WHERE id = $1 AND giving_up_since IS NULL AND disabled_at IS NULL";
    CHANNEL_FAILED = "UPDATE channel SET failing_since = COALESCE(failing_since, $2), last_error = $3 WHERE id = $1";
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ChannelRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ChannelId,
    /// Its name, by which workflow files refer to it.
    pub name: String,
    /// In which form its receiver is told.
    #[sqlx(try_from = "String")]
    pub kind: ChannelKind,
    /// Where to.
    pub url: String,
    /// The name of the secret that it is signed with.
    pub secret: Option<String>,
    /// Whether private addresses may be called, where the settings allow them too.
    pub allow_private: bool,
    /// Goes up with every change by a person, and when it is disabled or enabled.
    pub version: i64,
    /// When something arrived last.
    pub worked_at: Option<DateTime<Utc>>,
    /// Since when nothing arrived.
    pub failing_since: Option<DateTime<Utc>>,
    /// Why not, the last time.
    pub last_error: Option<String>,
    /// Since when nothing is sent through it.
    pub disabled_at: Option<DateTime<Utc>>,
    /// Why not.
    pub disabled_why: Option<String>,
    /// Who made it, as named then.
    pub created_by_name: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// Who changed it last, as named then.
    pub changed_by_name: String,
    /// When.
    pub changed_at: DateTime<Utc>,
}

impl Uow {
    /// Adds a channel; `false` if its name is taken.
    pub async fn add_channel(&mut self, row: &ChannelRow) -> Result<bool> {
        let added = execute!(
            self,
            INSERT_CHANNEL,
            row.id.0,
            &row.name,
            row.kind.as_str(),
            &row.url,
            &row.secret,
            row.allow_private,
            row.version,
            &row.created_by_name,
            row.created_at,
            &row.changed_by_name,
            row.changed_at
        )?;
        Ok(added == 1)
    }

    /// The channel of this name.
    pub async fn channel_by_name(&mut self, name: &str) -> Result<Option<ChannelRow>> {
        fetch_optional!(self, ChannelRow, CHANNEL_BY_NAME, name)
    }

    /// The channel with this id.
    pub async fn channel_by_id(&mut self, id: ChannelId) -> Result<Option<ChannelRow>> {
        fetch_optional!(self, ChannelRow, CHANNEL_BY_ID, id.0)
    }

    /// Channels by name: 500 at most.
    pub async fn channels(&mut self) -> Result<Vec<ChannelRow>> {
        fetch_all!(self, ChannelRow, CHANNELS)
    }

    /// Keeps what a person changed of a channel; `false` if it is not at the row's version any more.
    pub async fn save_channel(&mut self, row: &ChannelRow) -> Result<bool> {
        let saved = execute!(
            self,
            SAVE_CHANNEL,
            row.id.0,
            row.version,
            row.kind.as_str(),
            &row.url,
            &row.secret,
            row.allow_private,
            &row.changed_by_name,
            row.changed_at
        )?;
        Ok(saved == 1)
    }

    /// Sends nothing through it any more; `false` if that was so already, or it is not at this version any more.
    pub async fn disable_channel(
        &mut self,
        id: ChannelId,
        version: i64,
        why: &str,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        Ok(execute!(self, DISABLE_CHANNEL, id.0, now, why, version)? == 1)
    }

    /// Says more about why nothing is sent through it.
    pub async fn explain_disabled(&mut self, id: ChannelId, why: &str) -> Result<()> {
        execute!(self, EXPLAIN_DISABLED, id.0, why).map(drop)
    }

    /// Sends through it again; `false` if that was so already, or it is not at this version any more.
    pub async fn enable_channel(&mut self, id: ChannelId, version: i64) -> Result<bool> {
        Ok(execute!(self, ENABLE_CHANNEL, id.0, version)? == 1)
    }

    /// Something arrived.
    pub async fn channel_worked(&mut self, id: ChannelId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, CHANNEL_WORKED, id.0, now).map(drop)
    }

    /// Something did not arrive, and why.
    pub async fn channel_failed(&mut self, id: ChannelId, why: &str, now: DateTime<Utc>) -> Result<()> {
        execute!(self, CHANNEL_FAILED, id.0, now, why).map(drop)
    }

    /// What does not arrive is given up; `false` if that was so already since something arrived last.
    pub async fn channel_gives_up(&mut self, id: ChannelId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, CHANNEL_GIVES_UP, id.0, now)? == 1)
    }
}
