//! What is live on an item: at most one thing (R5).

use chrono::{DateTime, Utc};
use domain::{
    ids::{ActivityId, AttemptId, ItemId},
    item::ActivityKind,
};
use uuid::Uuid;

use crate::{
    Error, Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_ACTIVITY = "INSERT INTO activity (id, item_id, kind, attempt_id, by_id, by_name, fence, due_at, started_at, lease_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (item_id) WHERE ended_at IS NULL DO NOTHING";
    LIVE = "SELECT id, item_id, kind, attempt_id, by_name, due_at, started_at, lease_until, ended_at, ended_how, ended_by FROM activity WHERE item_id = $1 AND ended_at IS NULL";
    LAST_PLANNED = "SELECT id, item_id, kind, attempt_id, by_name, due_at, started_at, lease_until, ended_at, ended_how, ended_by FROM activity WHERE item_id = $1 AND kind = 'planned_retry' ORDER BY started_at DESC, id DESC LIMIT 1";
    END_ACTIVITY = "UPDATE activity SET ended_at = $2, ended_how = $3, ended_by = $4 WHERE id = $1 AND ended_at IS NULL";
    KEEP_ACTIVITY = "UPDATE activity SET attempt_id = $2, lease_until = $3 WHERE id = $1 AND ended_at IS NULL";
    LAPSED_ATTEMPTS = "SELECT attempt_id FROM activity WHERE item_id = $1 AND ended_how = 'lapsed' AND attempt_id IS NOT NULL";
    LAPSED = "SELECT id, item_id, kind, attempt_id, by_name, due_at, started_at, lease_until, ended_at, ended_how, ended_by FROM activity WHERE ended_at IS NULL AND lease_until <= $1 ORDER BY lease_until LIMIT 100";
}

/// How an activity ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedHow {
    /// Its holder said how it went.
    Finished,
    /// A planned retry began.
    Started,
    /// Its holder put another in its place.
    Replaced,
    /// Its lease ran out.
    Lapsed,
    /// A person cancelled it.
    Cancelled,
}

impl EndedHow {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Started => "started",
            Self::Replaced => "replaced",
            Self::Lapsed => "lapsed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Something that is, or was, live.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Activity {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ActivityId,
    /// Its item.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// What it is.
    #[sqlx(try_from = "String")]
    pub kind: ActivityKind,
    /// The attempt it makes.
    pub attempt_id: Option<Uuid>,
    /// Who holds it.
    pub by_name: String,
    /// When a planned retry is due.
    pub due_at: Option<DateTime<Utc>>,
    /// Since when.
    pub started_at: DateTime<Utc>,
    /// When it lapses by itself.
    pub lease_until: DateTime<Utc>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// How it ended.
    pub ended_how: Option<String>,
    /// Who ended it.
    pub ended_by: Option<String>,
}

/// An activity to begin.
#[derive(Debug)]
pub struct NewActivity<'a> {
    /// Its id.
    pub id: ActivityId,
    /// Its item.
    pub item_id: ItemId,
    /// What it is.
    pub kind: ActivityKind,
    /// The attempt it makes.
    pub attempt_id: Option<AttemptId>,
    /// Who holds it.
    pub by: (Uuid, &'a str),
    /// When a planned retry is due.
    pub due_at: Option<DateTime<Utc>>,
    /// When it lapses by itself.
    pub lease_until: DateTime<Utc>,
}

impl Uow {
    /// Begins an activity, or answers what is live instead: one atomic step.
    pub async fn begin_activity(&mut self, new: &NewActivity<'_>, now: DateTime<Utc>) -> Result<Result<(), Activity>> {
        let won = execute!(
            self,
            INSERT_ACTIVITY,
            new.id.0,
            new.item_id.0,
            new.kind.as_str(),
            new.attempt_id.map(|a| a.0),
            new.by.0,
            new.by.1,
            1i64,
            new.due_at,
            now,
            new.lease_until
        )? == 1;
        if won {
            return Ok(Ok(()));
        }
        match self.live_activity(new.item_id).await? {
            Some(live) => Ok(Err(live)),
            // It ended between the two statements, which the item's lock rules out.
            None => Err(Error::Database(sqlx::Error::RowNotFound)),
        }
    }

    /// What is live on an item.
    pub async fn live_activity(&mut self, item: ItemId) -> Result<Option<Activity>> {
        fetch_optional!(self, Activity, LIVE, item.0)
    }

    /// The last retry that was planned for an item, live or not.
    pub async fn last_planned_retry(&mut self, item: ItemId) -> Result<Option<Activity>> {
        fetch_optional!(self, Activity, LAST_PLANNED, item.0)
    }

    /// Ends an activity; `false` if it had ended already.
    pub async fn end_activity(&mut self, id: ActivityId, how: EndedHow, by: &str, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, END_ACTIVITY, id.0, now, how.as_str(), by)? == 1)
    }

    /// Gives an activity another attempt and another lease; `false` if it had ended already.
    pub async fn keep_activity(
        &mut self,
        id: ActivityId,
        attempt: AttemptId,
        lease_until: DateTime<Utc>,
    ) -> Result<bool> {
        Ok(execute!(self, KEEP_ACTIVITY, id.0, attempt.0, lease_until)? == 1)
    }

    /// Activities whose lease has run out, at most 100.
    pub async fn lapsed_activities(&mut self, now: DateTime<Utc>) -> Result<Vec<Activity>> {
        fetch_all!(self, Activity, LAPSED, now)
    }

    /// The attempts of an item whose lease ran out.
    pub async fn lapsed_attempts(&mut self, item: ItemId) -> Result<Vec<AttemptId>> {
        Ok(fetch_all!(self, (Uuid,), LAPSED_ATTEMPTS, item.0)?.into_iter().map(|(id,)| AttemptId(id)).collect())
    }
}
