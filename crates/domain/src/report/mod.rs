//! A report: one message from an automation about work it could not finish safely.
//!
//! [`parse`] reads the JSON of `POST /api/v1/items`; every problem names its field by JSON pointer.

mod check;
mod packet;
mod shape;

use chrono::{DateTime, Utc};

pub use packet::{Affected, Ai, Evidence, ProposedAction, Step, StepStatus};
pub use shape::{AmendShape, AttemptShape, SucceededShape};

use crate::{
    attempt::Outcome,
    effect::Effect,
    failure::FailureClass,
    item::{Impact, Lane},
    refusal::Refusal,
    sensitivity::Sensitivity,
};

/// Characters a `report_id`, a key or a reference may have.
pub const KEY_LIMIT: usize = 200;
/// Characters a short text (a person's sentence) may have.
pub const TEXT_LIMIT: usize = 8_000;
/// Characters a failure message or detail may have.
pub const LONG_TEXT_LIMIT: usize = 4_000_000;

/// A report whose every field was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Names the report; `None` means the digest of its bytes does.
    pub report_id: Option<String>,
    /// The workflow's key.
    pub workflow: String,
    /// The step's key.
    pub step: String,
    /// Names the work within workflow and step.
    pub dedupe_key: String,
    /// Version of the workflow that did the work.
    pub workflow_version: Option<String>,
    /// Why it is reported.
    pub lane: Lane,
    /// What people call it.
    pub business_ref: Option<String>,
    /// Ties items of one run together.
    pub correlation_id: Option<String>,
    /// Items with one sequence key are replayed in order.
    pub sequence_key: Option<String>,
    /// What went wrong.
    pub failure: Failure,
    /// What the automation knows about the side effect.
    pub effect: StatedEffect,
    /// The payload.
    pub payload: Payload,
    /// When it happened, by the automation's clock.
    pub occurred_at: Option<DateTime<Utc>>,
    /// The tries the automation made; empty means one that is told by `effect`.
    pub attempts: Vec<ReportedAttempt>,
    /// What completed, failed and is unknown.
    pub steps: Vec<Step>,
    /// Records of other systems that are touched.
    pub affected: Vec<Affected>,
    /// What the automation decided on.
    pub evidence: Vec<Evidence>,
    /// Which model, with which prompt.
    pub ai: Option<Ai>,
    /// What the automation proposes to do next.
    pub proposed_action: Option<ProposedAction>,
    /// Its sensitivity, if the automation says.
    pub sensitivity: Option<Sensitivity>,
    /// Its impact, if the automation says.
    pub impact: Option<Impact>,
    /// What it means for a customer.
    pub customer_impact: Option<String>,
    /// Version of the source record.
    pub source_version: Option<String>,
    /// After this the work is stale.
    pub valid_until: Option<DateTime<Utc>>,
    /// When the automation will try again by itself.
    pub next_attempt_by_automation_at: Option<DateTime<Utc>>,
}

/// What went wrong, in the automation's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its class.
    pub class: FailureClass,
    /// For people.
    pub message: String,
    /// For engineers.
    pub detail: Option<String>,
}

/// What the automation knows about the side effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedEffect {
    /// Its word for it; `None` lets [`crate::attempt::effect_of_reported`] decide.
    pub status: Option<Effect>,
    /// The other system.
    pub system: Option<String>,
    /// The key that was sent along.
    pub idempotency_key: Option<String>,
    /// The other system's record.
    pub record_id: Option<String>,
    /// How it knows.
    pub evidence: Option<String>,
}

/// The payload of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// The exact bytes.
    Bytes {
        /// As declared.
        media_type: String,
        /// Exactly as sent.
        bytes: Vec<u8>,
    },
    /// Kept by the automation under this reference.
    Reference(String),
}

/// One try, as reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedAttempt {
    /// The automation's own number.
    pub number: Option<i64>,
    /// When it began, by the automation's clock.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended, by the automation's clock.
    pub finished_at: Option<DateTime<Utc>>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the request left.
    pub sent: Option<bool>,
    /// What was answered.
    pub message: Option<String>,
    /// HTTP status, if there was one.
    pub status_code: Option<i64>,
    /// The other system's record, if it is known.
    pub record_id: Option<String>,
}

/// Reads a report from its JSON. The payload must be inside.
pub fn parse(json: &[u8], payload_limit: usize) -> Result<Report, Refusal> {
    check::check(shape::read(json)?, None, payload_limit)
}

/// Reads a report whose payload came as the request's own body, with its own content type.
pub fn parse_with_body(json: &[u8], media_type: &str, body: &[u8], payload_limit: usize) -> Result<Report, Refusal> {
    check::check(shape::read(json)?, Some((media_type, body)), payload_limit)
}

/// Reads one attempt from the JSON of `POST /api/v1/items/{id}/attempts`.
pub fn parse_attempt(json: &[u8]) -> Result<(ReportedAttempt, Option<i64>), Refusal> {
    check::check_single_attempt(shape::read(json)?)
}

/// Reads a change of an item from the JSON of `PATCH /api/v1/items/{id}`.
pub fn parse_amend(json: &[u8]) -> Result<AmendShape, Refusal> {
    check::check_amend(shape::read(json)?)
}

#[cfg(test)]
mod tests;
