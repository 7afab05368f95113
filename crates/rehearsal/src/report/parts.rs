//! The parts of a report.

use chrono::{DateTime, Utc};
use serde::Serialize;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    #[default]
    DeadLetter,
    NeedsReview,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    Timeout,
    Network,
    RateLimited,
    Unavailable,
    Auth,
    Permission,
    Validation,
    BusinessRule,
    NotFound,
    Conflict,
    InvalidOutput,
    LowConfidence,
    Policy,
    Stale,
    VersionChanged,
    Stalled,
    #[default]
    Unknown,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Failure {
    pub class: FailureClass,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectStatus {
    None,
    Confirmed,
    Uncertain,
    Partial,
}

#[derive(Debug, Clone, Serialize)]
pub struct Effect {
    pub status: EffectStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    InFlight,
    Accepted,
    Succeeded,
    Failed,
    Uncertain,
}

#[derive(Debug, Clone, Serialize)]
pub struct Attempt {
    pub number: u32,
    pub started_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<DateTime<Utc>>,
    pub outcome: AttemptOutcome,
    /// Whether any byte of the request left.
    pub sent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Confirmed,
    Failed,
    Uncertain,
    Partial,
    Pending,
    Skipped,
}

#[derive(Debug, Clone, Serialize)]
pub struct StepDone {
    pub name: String,
    pub status: StepStatus,
    pub external_id: Option<String>,
    pub at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Affected {
    pub system: String,
    pub kind: String,
    pub id: String,
    pub url: Option<String>,
    pub state: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    pub label: String,
    pub text: Option<String>,
    pub url: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Ai {
    pub model: String,
    pub prompt_version: String,
    pub confidence: f64,
    pub output_contract: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct ProposedAction {
    pub action: String,
    pub reason: String,
    pub confidence: f64,
    pub by: String,
}

impl Effect {
    /// Nothing happened, and how that is known.
    #[must_use]
    pub fn none(system: &str, grounds: &str) -> Self {
        Self {
            status: EffectStatus::None,
            system: Some(system.to_owned()),
            idempotency_key: None,
            record_id: None,
            evidence: Some(grounds.to_owned()),
        }
    }
}

impl StepDone {
    #[must_use]
    pub fn new(name: &str, status: StepStatus, at: Option<DateTime<Utc>>) -> Self {
        Self { name: name.to_owned(), status, external_id: None, at }
    }
}

impl Evidence {
    #[must_use]
    pub fn text(label: &str, text: &str) -> Self {
        Self { label: label.to_owned(), text: Some(text.to_owned()), url: None }
    }
}

impl ProposedAction {
    #[must_use]
    pub fn new(action: &str, reason: &str, confidence: f64, by: &str) -> Self {
        Self { action: action.to_owned(), reason: reason.to_owned(), confidence, by: by.to_owned() }
    }
}
