//! A workflow as its owner describes it in a TOML file: steps, destinations, compensations, targets.
//!
//! Every default errs on the safe side. [`file::read`] is the only way in from a file; what was applied is stored as
//! JSON of the same shape.

pub mod change;
pub mod file;
mod values;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use values::{ClockTime, Date, Key, Pattern, Pointer, Scalar, SecretName, StatusCode, Template, Zone};

use crate::{item::Impact, sensitivity::Sensitivity, span::Span, word::words};

words! {
    /// Whether performing the step changes the world.
    SideEffect { None = "none", Reversible = "reversible", Irreversible = "irreversible" }
}
words! {
    /// How the destination recognises a repeat.
    Repeat { Key = "key", Lookup = "lookup", Nothing = "nothing" }
}
words! {
    /// When a replay needs a second person.
    ReplayApproval { Never = "never", WhenCorrected = "when_corrected", Always = "always" }
}
words! {
    /// Who delivers a replay: Recourse over HTTP, or a worker that asks for it.
    DestinationKind { Http = "http", Pull = "pull" }
}
words! {
    /// What an answer with a certain status code means for this destination.
    AnswerMeans { Success = "success", NoEffect = "no_effect", Retry = "retry", Accepted = "accepted", Uncertain = "uncertain" }
}
words! {
    /// Whether a compensation makes good the whole effect, so that a new epoch begins.
    Undoes { Whole = "whole", Part = "part" }
}
words! {
    /// The type of a compensation's parameter.
    ParamType { Text = "text", Integer = "integer", Decimal = "decimal", Date = "date", Choice = "choice" }
}
words! {
    /// A day of the working week.
    Weekday { Mon = "mon", Tue = "tue", Wed = "wed", Thu = "thu", Fri = "fri", Sat = "sat", Sun = "sun" }
}
words! {
    /// An HTTP method a destination may be called with.
    Method { Get = "GET", Post = "POST", Put = "PUT", Patch = "PATCH", Delete = "DELETE" }
}

/// A whole workflow file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// About the workflow as a whole.
    pub workflow: Workflow,
    /// Its steps, in order.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
}

/// About the workflow as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// Names it in reports and URLs.
    pub key: Key,
    /// For people.
    pub name: String,
    /// The team that answers for its items.
    pub owner_team: Key,
    /// The version that is current.
    pub version: Key,
    /// Older work needs an explicit decision (R18).
    #[serde(default)]
    pub valid_for: Option<Span>,
    /// Items the team can work in a day.
    #[serde(default)]
    pub manual_capacity_per_day: Option<u32>,
    /// Where the people who work it look things up.
    #[serde(default)]
    pub runbook_url: Option<Template>,
    /// Where outcomes are pushed.
    #[serde(default)]
    pub outcomes_url: Option<Template>,
    /// Codes of which one is required, by resolution.
    #[serde(default)]
    pub resolution_codes: BTreeMap<crate::item::Resolution, Vec<Key>>,
    /// Service targets by impact.
    #[serde(default)]
    pub targets: BTreeMap<Impact, Target>,
    /// When targets count; always, if left out.
    #[serde(default)]
    pub hours: Option<Hours>,
    /// How long things are kept.
    #[serde(default)]
    pub retention: Retention,
    /// What happens when a target is missed.
    #[serde(default)]
    pub escalate: Vec<Escalation>,
}

/// A service target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Time to the first claim.
    pub claim: Span,
    /// Time to closing.
    pub close: Span,
}

/// Working hours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hours {
    /// Time zone.
    pub zone: Zone,
    /// Working days.
    pub days: Vec<Weekday>,
    /// Begin of the working day.
    pub from: ClockTime,
    /// End of the working day.
    pub to: ClockTime,
    /// Days off.
    #[serde(default)]
    pub holidays: Vec<Date>,
}

/// How long things are kept after closing; left out means for ever.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Payload bytes.
    #[serde(default)]
    pub payloads: Option<Span>,
    /// Audit entries.
    #[serde(default)]
    pub audit: Option<Span>,
}

/// Whom to tell when a target is missed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalation {
    /// How long after the target.
    pub after: Span,
    /// Which team.
    pub team: Key,
    /// Through which channels: `email`, `app` or `webhook:NAME`.
    #[serde(default)]
    pub notify: Vec<String>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Names it in reports.
    pub key: Key,
    /// For people.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether performing it changes the world.
    pub side_effect: SideEffect,
    /// How its destination recognises a repeat.
    #[serde(default = "nothing")]
    pub repeat: Repeat,
    /// How long the destination remembers keys (R7).
    #[serde(default)]
    pub key_memory: Option<Span>,
    /// Impact where the report does not say.
    #[serde(default)]
    pub impact: Option<Impact>,
    /// Sensitivity where the report does not say; of two the higher counts.
    #[serde(default)]
    pub sensitivity: Option<Sensitivity>,
    /// JSON Schema of the payload: a path relative to the workflow file.
    #[serde(default)]
    pub schema: Option<String>,
    /// Parts that are masked below clearance.
    #[serde(default)]
    pub sensitive: Vec<Pattern>,
    /// Parts that may be corrected without breaking glass.
    #[serde(default)]
    pub editable: Vec<Pattern>,
    /// When a replay needs a second person.
    #[serde(default = "never")]
    pub replay_approval: ReplayApproval,
    /// How long an approval of a replay lasts.
    #[serde(default)]
    pub approval_expires: Option<Span>,
    /// Where it is performed; without one it runs in the automation only.
    #[serde(default)]
    pub destination: Option<Destination>,
    /// How to find out whether it happened.
    #[serde(default)]
    pub lookup: Option<Lookup>,
    /// Where the source record's version is read.
    #[serde(default)]
    pub source: Option<Source>,
    /// How its effect can be made good.
    #[serde(default, rename = "compensation")]
    pub compensations: Vec<Compensation>,
}

const fn nothing() -> Repeat {
    Repeat::Nothing
}
const fn never() -> ReplayApproval {
    ReplayApproval::Never
}

/// A header's value: plain, or read from a secret when it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a header is a text, or { secret = \"RECOURSE_SECRET_…\", prefix = \"…\" }")]
pub enum HeaderValue {
    /// As written.
    Plain(String),
    /// From a secret.
    Secret(SecretHeader),
}

/// A header whose value is a secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretHeader {
    /// Its name.
    pub secret: SecretName,
    /// Put before it, such as `Bearer `.
    #[serde(default)]
    pub prefix: String,
}

/// A rule that looks at one place of a JSON answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerRule {
    /// Where to look.
    pub pointer: Pointer,
    /// What must be there; left out means anything.
    #[serde(default)]
    pub equals: Option<Scalar>,
}

/// Pauses between tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backoff {
    /// Before the second try.
    pub first: Span,
    /// How much longer each further pause is.
    #[serde(default)]
    pub factor: Option<u32>,
    /// The longest pause.
    #[serde(default)]
    pub max: Option<Span>,
}

/// Where a step is performed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    /// Who delivers.
    pub kind: DestinationKind,
    /// HTTP method; POST if left out.
    #[serde(default)]
    pub method: Option<Method>,
    /// Address, with placeholders in path segments and query values.
    #[serde(default)]
    pub url: Option<Template>,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// Secret for Standard Webhooks signatures.
    #[serde(default)]
    pub sign_secret: Option<SecretName>,
    /// Header that carries the idempotency key.
    #[serde(default)]
    pub key_header: Option<String>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// How long to wait for the outcome after a 202.
    #[serde(default)]
    pub accepted_deadline: Option<Span>,
    /// Tries that Recourse may make by itself.
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// Time within which it may make them.
    #[serde(default)]
    pub max_elapsed: Option<Span>,
    /// Pauses between them.
    #[serde(default)]
    pub backoff: Option<Backoff>,
    /// Requests per second to this destination.
    #[serde(default)]
    pub rate_per_second: Option<u32>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Meanings of single status codes.
    #[serde(default)]
    pub answers: BTreeMap<StatusCode, AnswerMeans>,
    /// What a success looks like.
    #[serde(default)]
    pub success: Option<AnswerRule>,
    /// Where the record's id stands in the answer.
    #[serde(default)]
    pub record_id: Option<Pointer>,
}

/// How to find out whether an effect happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Where the record's id stands when it is there.
    #[serde(default)]
    pub found: Option<AnswerRule>,
    /// What the answer looks like when it is not there.
    #[serde(default)]
    pub absent: Option<AnswerRule>,
    /// How long after an attempt "not there" begins to count (R4).
    #[serde(default)]
    pub settle: Option<Span>,
    /// How often "not there" must be confirmed (R4).
    #[serde(default)]
    pub confirmations: Option<u32>,
}

/// Where the source record's version is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Where the version stands in the answer.
    pub version: Pointer,
}

/// How an effect can be made good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compensation {
    /// Names the plan.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What it can't undo, in words.
    pub cannot_undo: String,
    /// Whether a confirmed one opens a new epoch; `part` if left out.
    #[serde(default = "part")]
    pub undoes: Undoes,
    /// How many must approve; 1 if left out.
    #[serde(default = "one")]
    pub approvers: u32,
    /// How long an approval lasts.
    #[serde(default)]
    pub approval_expires: Option<Span>,
    /// Must hold at request, decision and before dispatch.
    #[serde(default)]
    pub only_if: Option<Condition>,
    /// What the requester fills in.
    #[serde(default, rename = "param")]
    pub params: Vec<Param>,
    /// What is sent, in order.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
}

const fn part() -> Undoes {
    Undoes::Part
}
const fn one() -> u32 {
    1
}

/// A condition on another system's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// Where to look.
    pub pointer: Pointer,
    /// What must be there.
    pub equals: Scalar,
}

/// A parameter that the requester of a compensation fills in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name in templates.
    pub key: Key,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// The least value, or the fewest characters.
    #[serde(default)]
    pub min: Option<Scalar>,
    /// The greatest value, or the most characters.
    #[serde(default)]
    pub max: Option<Scalar>,
    /// What may be chosen.
    #[serde(default)]
    pub choices: Vec<String>,
}

/// One request of a compensation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Names it among the parts.
    pub name: Key,
    /// HTTP method; POST if left out.
    #[serde(default)]
    pub method: Option<Method>,
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// Secret for Standard Webhooks signatures.
    #[serde(default)]
    pub sign_secret: Option<SecretName>,
    /// Header that carries the idempotency key.
    #[serde(default)]
    pub key_header: Option<String>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// How long to wait for the outcome after a 202.
    #[serde(default)]
    pub accepted_deadline: Option<Span>,
    /// Tries that Recourse may make by itself.
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// Time within which it may make them.
    #[serde(default)]
    pub max_elapsed: Option<Span>,
    /// Pauses between them.
    #[serde(default)]
    pub backoff: Option<Backoff>,
    /// Requests per second to this destination.
    #[serde(default)]
    pub rate_per_second: Option<u32>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Meanings of single status codes.
    #[serde(default)]
    pub answers: BTreeMap<StatusCode, AnswerMeans>,
    /// What a success looks like.
    #[serde(default)]
    pub success: Option<AnswerRule>,
    /// Where the record's id stands in the answer.
    #[serde(default)]
    pub record_id: Option<Pointer>,
    /// What is sent; a text that is exactly one placeholder becomes the raw token.
    #[serde(default)]
    pub body: Option<serde_json::Value>,
    /// How to find out whether it happened.
    #[serde(default)]
    pub lookup: Option<Lookup>,
}
