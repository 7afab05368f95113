//! Replays: what was asked for, how far its delivery is, the keys it is sent with, and what was answered.

use chrono::{DateTime, Utc};
use domain::{
    UnknownWord,
    ids::{ActivityId, AttemptId, ItemId, ReplayId},
    replay::Accept,
    workflow::Destination,
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::json,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_REPLAY = "INSERT INTO replay (id, item_id, activity_id, asks_again, revision, epoch, key, destination, reason, accepted, requested_by, requested_by_name, requested_at, stage, attempt_id, due_at, tries, first_try_at, fence, approval_id, compensation_id, part, body_id, address)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)";
    REPLAY = "SELECT * FROM replay WHERE id = $1";
    REPLAY_OF_ACTIVITY = "SELECT * FROM replay WHERE activity_id = $1";
    REPLAYS_OF_ITEM = "SELECT * FROM replay WHERE item_id = $1 ORDER BY requested_at DESC, id DESC LIMIT 200";
    REPLAYS_DUE = "SELECT replay.id, replay.due_at, replay.destination, payload.size FROM replay
        JOIN revision ON revision.item_id = replay.item_id AND revision.number = replay.revision JOIN payload ON payload.id = revision.payload_id
        WHERE replay.stage = 'queued' AND replay.due_at <= $1 AND (replay.due_at, replay.id) > ($2, $3) ORDER BY replay.due_at, replay.id LIMIT 200";
    SAVE_REPLAY = "UPDATE replay SET stage = $2, attempt_id = $3, due_at = $4, tries = $5, first_try_at = $6, fence = $7 WHERE id = $1";
    KEY_OF = "SELECT key FROM replay_key WHERE item_id = $1 AND revision = $2 AND epoch = $3";
    INSERT_KEY = "INSERT INTO replay_key (item_id, revision, epoch, key) VALUES ($1, $2, $3, $4) ON CONFLICT (item_id, revision, epoch) DO NOTHING";
    INSERT_ANSWER = "INSERT INTO attempt_answer (attempt_id, media_type, bytes, cut) VALUES ($1, $2, $3, $4) ON CONFLICT (attempt_id) DO NOTHING";
    ANSWERS = "SELECT attempt_id, media_type, bytes, cut FROM attempt_answer JOIN attempt ON attempt.id = attempt_answer.attempt_id WHERE attempt.item_id = $1 ORDER BY attempt.number DESC LIMIT 100";
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It waits to be sent; nothing of this try has left.
    Queued,
    /// It is committed to being sent (R6).
    Sending,
    /// The destination has taken it on; the outcome is awaited.
    Awaiting,
    /// It is over.
    Ended,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Awaiting => "awaiting",
            Self::Ended => "ended",
        }
    }
}

impl TryFrom<String> for Stage {
    type Error = UnknownWord;
    fn try_from(text: String) -> Result<Self, UnknownWord> {
        let all = [Self::Queued, Self::Sending, Self::Awaiting, Self::Ended];
        let known = all.into_iter().find(|stage| stage.as_str() == text);
        known.ok_or_else(|| UnknownWord { found: text, expected: all.map(Self::as_str).join(", ") })
    }
}

/// A replay that was asked for.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Replay {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ReplayId,
    /// Its item.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// What holds the item while it is under way.
    #[sqlx(try_from = "Uuid")]
    pub activity_id: ActivityId,
    /// It asks again with the key of an attempt that is uncertain.
    pub asks_again: bool,
    /// What is sent.
    pub revision: i64,
    /// In which epoch.
    pub epoch: i64,
    /// With which key.
    pub key: String,
    /// Where to, as it was when this was asked for.
    #[sqlx(try_from = "String")]
    pub destination: Stored<Destination>,
    /// Why.
    pub reason: String,
    /// What was accepted explicitly.
    #[sqlx(try_from = "String")]
    pub accepted: Stored<Vec<Accept>>,
    /// Who asked.
    pub requested_by: Uuid,
    /// As named then.
    pub requested_by_name: String,
    /// When.
    pub requested_at: DateTime<Utc>,
    /// How far it is.
    #[sqlx(try_from = "String")]
    pub stage: Stage,
    /// The try that is next, under way, or was the last.
    #[sqlx(try_from = "Uuid")]
    pub attempt_id: AttemptId,
    /// When the next try is due.
    pub due_at: DateTime<Utc>,
    /// Tries that were begun.
    pub tries: i64,
    /// When the first of them was.
    pub first_try_at: Option<DateTime<Utc>>,
    /// Grows with each try that begins.
    pub fence: i64,
    /// What allowed it, where a second person had to.
    pub approval_id: Option<Uuid>,
    /// The compensation that it is a part of.
    pub compensation_id: Option<Uuid>,
    /// Which part, from 0.
    pub part: Option<i64>,
    /// The body that is sent, where it is not the revision's.
    pub body_id: Option<Uuid>,
    /// The address as it was approved.
    pub address: Option<String>,
}

/// A replay that is due, as far as it matters for when it is sent. Its settings are read when it is.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DueReplay {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ReplayId,
    /// Since when it is due.
    pub due_at: DateTime<Utc>,
    /// Where to, as JSON.
    pub destination: String,
    /// Bytes of its payload.
    pub size: i64,
}

/// What was answered to an attempt, as far as it is kept.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Answered {
    /// The attempt.
    #[sqlx(try_from = "Uuid")]
    pub attempt_id: AttemptId,
    /// As declared.
    pub media_type: Option<String>,
    /// The beginning of the body.
    pub bytes: Vec<u8>,
    /// More came, or should have come.
    pub cut: bool,
}

impl Uow {
    /// Adds a replay to the outbox.
    pub async fn add_replay(&mut self, r: &Replay) -> Result<()> {
        execute!(
            self,
            INSERT_REPLAY,
            r.id.0,
            r.item_id.0,
            r.activity_id.0,
            r.asks_again,
            r.revision,
            r.epoch,
            &r.key,
            json(&r.destination.0)?,
            &r.reason,
            json(&r.accepted.0)?,
            r.requested_by,
            &r.requested_by_name,
            r.requested_at,
            r.stage.as_str(),
            r.attempt_id.0,
            r.due_at,
            r.tries,
            r.first_try_at,
            r.fence,
            r.approval_id,
            r.compensation_id,
            r.part,
            r.body_id,
            &r.address
        )
        .map(drop)
    }

    /// A replay.
    pub async fn replay(&mut self, id: ReplayId) -> Result<Option<Replay>> {
        fetch_optional!(self, Replay, REPLAY, id.0)
    }

    /// The replay that an activity belongs to.
    pub async fn replay_of(&mut self, activity: ActivityId) -> Result<Option<Replay>> {
        fetch_optional!(self, Replay, REPLAY_OF_ACTIVITY, activity.0)
    }

    /// An item's last 200 replays, newest first.
    pub async fn replays(&mut self, item: ItemId) -> Result<Vec<Replay>> {
        fetch_all!(self, Replay, REPLAYS_OF_ITEM, item.0)
    }

    /// Replays that wait to be sent and are due, the first due first: at most 200 after the one named.
    pub async fn replays_due(&mut self, now: DateTime<Utc>, after: Option<&DueReplay>) -> Result<Vec<DueReplay>> {
        let first = (DateTime::UNIX_EPOCH, Uuid::nil());
        let (at, id) = after.map_or(first, |due| (due.due_at, due.id.0));
        fetch_all!(self, DueReplay, REPLAYS_DUE, now, at, id)
    }

    /// Keeps how far a replay is. The caller holds its item's lock.
    pub async fn save_replay(&mut self, r: &Replay) -> Result<()> {
        execute!(
            self,
            SAVE_REPLAY,
            r.id.0,
            r.stage.as_str(),
            r.attempt_id.0,
            r.due_at,
            r.tries,
            r.first_try_at,
            r.fence
        )
        .map(drop)
    }

    /// The key of a revision in an epoch, where it was used before (R7).
    pub async fn replay_key(&mut self, item: ItemId, revision: i64, epoch: i64) -> Result<Option<String>> {
        Ok(fetch_optional!(self, (String,), KEY_OF, item.0, revision, epoch)?.map(|(key,)| key))
    }

    /// Keeps the key of a revision in an epoch; the first one stays.
    pub async fn keep_replay_key(&mut self, item: ItemId, revision: i64, epoch: i64, key: &str) -> Result<()> {
        execute!(self, INSERT_KEY, item.0, revision, epoch, key).map(drop)
    }

    /// Keeps what was answered; the first answer of an attempt stays.
    pub async fn add_answer(&mut self, answer: &Answered) -> Result<()> {
        execute!(self, INSERT_ANSWER, answer.attempt_id.0, &answer.media_type, &answer.bytes, answer.cut).map(drop)
    }

    /// What was answered to the attempts of an item: the newest 100.
    pub async fn answers(&mut self, item: ItemId) -> Result<Vec<Answered>> {
        fetch_all!(self, Answered, ANSWERS, item.0)
    }
}
