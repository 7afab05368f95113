//! What the other system showed when it was asked whether an effect is there (R4).

use chrono::{DateTime, Utc};
use domain::ids::{AttemptId, ItemId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, statements},
};

statements! {
    INSERT_LOOKUP = "INSERT INTO lookup (id, item_id, attempt_id, request, shown, counts, begun_at, by_id, by_name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    LOOKUPS = "SELECT attempt_id, request, shown, counts, begun_at, by_name FROM lookup WHERE item_id = $1 ORDER BY begun_at DESC, id DESC LIMIT 500";
}

/// One look.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct LookedUp {
    /// About which attempt.
    #[sqlx(try_from = "Uuid")]
    pub attempt_id: AttemptId,
    /// The method and address that were called.
    pub request: String,
    /// `found`, `absent` or `cannot_tell`.
    pub shown: String,
    /// It was absent, seen late enough to count.
    pub counts: bool,
    /// When it was begun.
    pub begun_at: DateTime<Utc>,
    /// Who looked, as named then.
    pub by_name: String,
}

impl Uow {
    /// Keeps a look.
    pub async fn add_lookup(&mut self, id: Uuid, item: ItemId, seen: &LookedUp, by: Uuid) -> Result<()> {
        execute!(
            self,
            INSERT_LOOKUP,
            id,
            item.0,
            seen.attempt_id.0,
            &seen.request,
            &seen.shown,
            seen.counts,
            seen.begun_at,
            by,
            &seen.by_name
        )
        .map(drop)
    }

    /// The last 500 looks about an item, newest first.
    pub async fn lookups(&mut self, item: ItemId) -> Result<Vec<LookedUp>> {
        fetch_all!(self, LookedUp, LOOKUPS, item.0)
    }
}
