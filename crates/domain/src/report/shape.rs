//! The JSON shapes of reports, read strictly: an unknown field is refused with its name.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::packet::{Affected, Ai, Evidence, ProposedAction, Step};
use crate::{
    attempt::Outcome,
    effect::Effect,
    failure::FailureClass,
    item::{Impact, Lane},
    refusal::{FieldProblem, Refusal},
    sensitivity::Sensitivity,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportShape {
    pub(super) report_id: Option<String>,
    pub(super) workflow: String,
    pub(super) workflow_version: Option<String>,
    pub(super) lane: Option<Lane>,
    pub(super) dedupe_key: String,
    pub(super) business_ref: Option<String>,
    pub(super) correlation_id: Option<String>,
    pub(super) sequence_key: Option<String>,
    pub(super) step: String,
    pub(super) failure: FailureShape,
    #[serde(default)]
    pub(super) effect: Option<EffectShape>,
    /// Missing and `null` differ: `null` says "kept by me".
    #[serde(default, deserialize_with = "present")]
    pub(super) payload: Option<Option<PayloadShape>>,
    pub(super) payload_ref: Option<String>,
    pub(super) occurred_at: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(super) attempts: Vec<AttemptShape>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    #[serde(default)]
    pub(super) affected: Vec<Affected>,
    #[serde(default)]
    pub(super) evidence: Vec<Evidence>,
    pub(super) ai: Option<Ai>,
    pub(super) proposed_action: Option<ProposedAction>,
    pub(super) sensitivity: Option<Sensitivity>,
    pub(super) impact: Option<Impact>,
    pub(super) customer_impact: Option<String>,
    pub(super) source_version: Option<String>,
    pub(super) valid_until: Option<DateTime<Utc>>,
    pub(super) next_attempt_by_automation_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FailureShape {
    pub(super) class: Option<FailureClass>,
    pub(super) message: String,
    pub(super) detail: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EffectShape {
    pub(super) status: Option<Effect>,
    pub(super) system: Option<String>,
    pub(super) idempotency_key: Option<String>,
    pub(super) record_id: Option<String>,
    pub(super) evidence: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PayloadShape {
    pub(super) media_type: Option<String>,
    /// The value's text as sent: `RawValue` keeps number spelling, escapes, order and duplicate keys.
    #[serde(default, deserialize_with = "present")]
    pub(super) json: Option<Box<RawValue>>,
    pub(super) text: Option<String>,
    pub(super) base64: Option<String>,
}

/// One attempt, in a report or by itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptShape {
    pub(super) number: Option<u32>,
    pub(super) started_at: Option<DateTime<Utc>>,
    pub(super) finished_at: Option<DateTime<Utc>>,
    pub(super) outcome: Option<Outcome>,
    pub(super) sent: Option<bool>,
    pub(super) message: Option<String>,
    pub(super) status_code: Option<u16>,
    pub(super) record_id: Option<String>,
    pub(super) lease_s: Option<u32>,
}

/// What `PATCH /api/v1/items/{id}` may change.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmendShape {
    /// New version of the source record.
    pub source_version: Option<String>,
    /// Further evidence; added to what is there.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// A new proposal; replaces the old one.
    pub proposed_action: Option<ProposedAction>,
    /// The work succeeded after all.
    pub succeeded: Option<SucceededShape>,
}

/// "Succeeded after all."
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SucceededShape {
    /// The attempt's number on the item; missing means the last one.
    pub attempt: Option<u32>,
    /// The other system's record.
    pub record_id: Option<String>,
    /// When, by the automation's clock.
    pub at: Option<DateTime<Utc>>,
}

/// Keeps `null` apart from a missing field.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads `json`, naming the field of the first problem by JSON pointer.
pub(super) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    if json.iter().all(u8::is_ascii_whitespace) {
        return Err(Refusal::Malformed { message: "The body is empty. Send the report as a JSON object.".into() });
    }
    if let Err(wrong) = std::str::from_utf8(json) {
        let message = format!(
            "The report is not valid UTF-8 (byte {}). Send such payloads as base64 or as the request body.",
            wrong.valid_up_to()
        );
        return Err(Refusal::Malformed { message });
    }
    let mut reader = serde_json::Deserializer::from_slice(json);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| problem(&error))?;
    reader
        .end()
        .map_err(|error| Refusal::Malformed { message: format!("There is more after the JSON value: {error}.") })?;
    Ok(value)
}

fn problem(error: &serde_path_to_error::Error<serde_json::Error>) -> Refusal {
    use serde_json::error::Category;
    let inner = error.inner();
    let text = inner.to_string();
    match inner.classify() {
        Category::Data => {
            let mut pointer = pointer_of(error.path());
            // serde names the field in its message, the path stops at the object around it.
            if let Some(field) =
                quoted_after(&text, "unknown field `").or_else(|| quoted_after(&text, "missing field `"))
                && !pointer.ends_with(&format!("/{}", escape(&field)))
            {
                pointer.push('/');
                pointer.push_str(&escape(&field));
            }
            Refusal::Invalid(vec![FieldProblem::new(pointer, text)])
        }
        _ => Refusal::Malformed { message: format!("The body is not valid JSON: {text}.") },
    }
}

fn quoted_after(text: &str, before: &str) -> Option<String> {
    let start = text.find(before)? + before.len();
    let end = text[start..].find('`')?;
    Some(text[start..start + end].to_owned())
}

fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn pointer_of(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |mut pointer, segment| {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&format!("/{}", escape(key))),
            Segment::Enum { variant } => pointer.push_str(&format!("/{}", escape(variant))),
            Segment::Unknown => {}
        }
        pointer
    })
}
