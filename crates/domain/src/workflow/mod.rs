//! A workflow as its owner describes it in a TOML file: steps, destinations, compensations, targets.
//!
//! Every default errs on the safe side. [`file::read`] is the only way in from a file; what was applied is stored as
//! JSON of the same shape.

pub mod body;
pub mod change;
pub mod compensation;
pub mod file;
pub mod fill;
mod param;
pub mod request;
mod step;
mod values;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use compensation::{Compensation, Condition, Param, Part};
pub use request::{AnswerRule, Backoff, Destination, HeaderValue, Lookup, SecretHeader, Source};
pub use step::Step;
pub use values::{ClockTime, Date, Key, Pattern, Pointer, Scalar, SecretName, StatusCode, Template, Zone};

use crate::{item::Impact, span::Span, word::words};

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

impl Definition {
    /// The step with this key.
    #[must_use]
    pub fn step(&self, key: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.key.as_str() == key)
    }
}
