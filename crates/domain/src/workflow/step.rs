//! A step of a workflow: what it does to the world, and how a replay of it is handled.

use serde::{Deserialize, Serialize};

use super::{Compensation, Destination, Key, Lookup, Pattern, Repeat, ReplayApproval, SideEffect, Source};
use crate::{item::Impact, sensitivity::Sensitivity, span::Span};

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
