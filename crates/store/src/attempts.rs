//! Attempts, and the flag that two of them may both have had an effect.

use chrono::{DateTime, Utc};
use domain::{
    attempt::{AttemptBy, Outcome},
    effect::Effect,
    ids::{AttemptId, ItemId},
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, statements},
};

statements! {
    ATTEMPTS = "SELECT id, item_id, number, made_by, by_id, by_name, reported_number, revision, epoch, idempotency_key, outcome, effect, sent, status_code, record_id, message, late, started_at, finished_at, received_at, destination, request, compensation_id, part, made_good FROM attempt WHERE item_id = $1 ORDER BY number";
    INSERT_ATTEMPT = "INSERT INTO attempt (id, item_id, number, made_by, by_id, by_name, reported_number, revision, epoch, idempotency_key, outcome, effect, sent, status_code, record_id, message, late, started_at, finished_at, received_at, destination, request, compensation_id, part)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)";
    SETTLE_ATTEMPT = "UPDATE attempt SET outcome = $2, effect = $3, sent = $4, status_code = $5, record_id = $6, message = $7, late = $8, finished_at = $9 WHERE id = $1";
    START_ATTEMPT = "UPDATE attempt SET started_at = $2, effect = $3, sent = NULL WHERE id = $1 AND outcome = 'in_flight' AND started_at IS NULL";
    MADE_GOOD = "UPDATE attempt SET made_good = $2 WHERE id = $1";
    INSERT_DOUBLE = "INSERT INTO double_effect (id, item_id, attempt_id, late_attempt_id, raised_at) VALUES ($1, $2, $3, $4, $5)";
    END_DOUBLES = "UPDATE double_effect SET ended_at = $3 WHERE item_id = $1 AND ended_at IS NULL AND (attempt_id = $2 OR late_attempt_id = $2)";
    OPEN_DOUBLES = "SELECT attempt_id, late_attempt_id, raised_at FROM double_effect WHERE item_id = $1 AND ended_at IS NULL ORDER BY raised_at, id";
}

/// One try to perform a step.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Attempt {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: AttemptId,
    /// Its item.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// Counts from 1 within the item.
    pub number: i64,
    /// What kind of caller made it.
    #[sqlx(try_from = "String")]
    pub made_by: AttemptBy,
    /// The token or person.
    pub by_id: Uuid,
    /// As named then.
    pub by_name: String,
    /// The automation's own number.
    pub reported_number: Option<i64>,
    /// Which revision it sent; unknown for work that is kept by reference.
    pub revision: Option<i64>,
    /// The item's epoch then.
    pub epoch: i64,
    /// The key that was sent along.
    pub idempotency_key: Option<String>,
    /// How it ended.
    #[sqlx(try_from = "String")]
    pub outcome: Outcome,
    /// What it did to the world.
    #[sqlx(try_from = "String")]
    pub effect: Effect,
    /// Whether the request left.
    pub sent: Option<bool>,
    /// HTTP status, if there was one.
    pub status_code: Option<i64>,
    /// The other system's record.
    pub record_id: Option<String>,
    /// What was answered.
    pub message: Option<String>,
    /// Word that came after the item was closed.
    pub late: bool,
    /// When it began, by the automation's clock.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended, by the automation's clock.
    pub finished_at: Option<DateTime<Utc>>,
    /// When word of it came.
    pub received_at: DateTime<Utc>,
    /// The destination as configured then, as JSON; of attempts that Recourse makes.
    pub destination: Option<String>,
    /// The method and address it calls; of attempts that Recourse makes.
    pub request: Option<String>,
    /// The compensation that it is a part of: its effect is no effect of the step.
    pub compensation_id: Option<Uuid>,
    /// Which part, from 0.
    pub part: Option<i64>,
    /// A compensation has made its whole effect good.
    pub made_good: bool,
}

/// A possible double effect that nobody has settled yet (R10).
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DoubleEffect {
    /// The attempt the decision rested on, where there was one.
    pub attempt_id: Option<Uuid>,
    /// The attempt that contradicts it.
    #[sqlx(try_from = "Uuid")]
    pub late_attempt_id: AttemptId,
    /// Since when it is known.
    pub raised_at: DateTime<Utc>,
}

impl Uow {
    /// An item's attempts, oldest first.
    pub async fn attempts(&mut self, item: ItemId) -> Result<Vec<Attempt>> {
        fetch_all!(self, Attempt, ATTEMPTS, item.0)
    }

    /// Adds an attempt.
    pub async fn add_attempt(&mut self, a: &Attempt) -> Result<()> {
        execute!(
            self,
            INSERT_ATTEMPT,
            a.id.0,
            a.item_id.0,
            a.number,
            a.made_by.as_str(),
            a.by_id,
            &a.by_name,
            a.reported_number,
            a.revision,
            a.epoch,
            &a.idempotency_key,
            a.outcome.as_str(),
            a.effect.as_str(),
            a.sent,
            a.status_code,
            &a.record_id,
            &a.message,
            a.late,
            a.started_at,
            a.finished_at,
            a.received_at,
            &a.destination,
            &a.request,
            a.compensation_id,
            a.part
        )
        .map(drop)
    }

    /// Keeps what became of an attempt. Revision, epoch, key and beginning never change (R3).
    pub async fn settle_attempt(&mut self, a: &Attempt) -> Result<()> {
        execute!(
            self,
            SETTLE_ATTEMPT,
            a.id.0,
            a.outcome.as_str(),
            a.effect.as_str(),
            a.sent,
            a.status_code,
            &a.record_id,
            &a.message,
            a.late,
            a.finished_at
        )
        .map(drop)
    }

    /// Commits an attempt to being sent (R6): from here on it counts as uncertain until it is settled. `false` if it was begun
    /// before.
    pub async fn start_attempt(&mut self, attempt: AttemptId, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, START_ATTEMPT, attempt.0, now, Effect::Uncertain.as_str())? == 1)
    }

    /// A compensation has made an attempt's whole effect good.
    pub async fn made_good(&mut self, attempt: AttemptId) -> Result<()> {
        execute!(self, MADE_GOOD, attempt.0, true).map(drop)
    }

    /// Raises a possible double effect.
    pub async fn raise_double_effect(
        &mut self,
        id: Uuid,
        item: ItemId,
        decided: Option<AttemptId>,
        late: AttemptId,
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, INSERT_DOUBLE, id, item.0, decided.map(|a| a.0), late.0, now).map(drop)
    }

    /// Settles the possible double effects that name this attempt: it did not happen, or was made good.
    pub async fn end_double_effects(&mut self, item: ItemId, attempt: AttemptId, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, END_DOUBLES, item.0, attempt.0, now)
    }

    /// The possible double effects of an item that nobody has settled.
    pub async fn double_effects(&mut self, item: ItemId) -> Result<Vec<DoubleEffect>> {
        fetch_all!(self, DoubleEffect, OPEN_DOUBLES, item.0)
    }
}
