//! A report as text. The payload's bytes are set into it as they are; nothing here parses and prints them again.

mod parts;
mod payload;

use chrono::{DateTime, Utc};
use serde::Serialize;

pub use parts::{
    Affected, Ai, Attempt, AttemptOutcome, Effect, EffectStatus, Evidence, Failure, FailureClass, Lane, ProposedAction,
    StepDone, StepStatus,
};
pub use payload::{Carried, Payload};

/// Everything an automation says about one piece of work, but for the payload. Empty parts are left out of the text.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_id: Option<String>,
    pub workflow: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_version: Option<String>,
    pub lane: Lane,
    pub dedupe_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_ref: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence_key: Option<String>,
    pub step: String,
    pub failure: Failure,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepDone>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affected: Vec<Affected>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai: Option<Ai>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_action: Option<ProposedAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_impact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_attempt_by_automation_at: Option<DateTime<Utc>>,
}

impl Report {
    /// The report without its payload, for the `Recourse-Item` header.
    ///
    /// # Errors
    /// Only when a number in it is not finite.
    pub fn envelope(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// The body of `POST /api/v1/items`.
    ///
    /// # Errors
    /// As [`Report::envelope`].
    pub fn text(&self, payload: &Payload) -> serde_json::Result<Vec<u8>> {
        let mut text = self.envelope()?.into_bytes();
        text.pop();
        text.extend_from_slice(br#","payload":"#);
        payload.write(&mut text);
        text.push(b'}');
        Ok(text)
    }
}
