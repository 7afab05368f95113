//! The parts of a recovery packet that an automation supplies and Recourse only shows.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::word::words;

words! {
    /// How a step of the workflow stands.
    StepStatus {
        Confirmed = "confirmed", Failed = "failed", Uncertain = "uncertain", Partial = "partial", Pending = "pending", Skipped = "skipped",
    }
}

impl StepStatus {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Confirmed => "Done",
            Self::Failed => "Failed",
            Self::Uncertain => "Unknown",
            Self::Partial => "Partly done",
            Self::Pending => "Not started",
            Self::Skipped => "Skipped",
        }
    }
}

/// A step of the workflow's run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The step's name.
    pub name: String,
    /// How it stands.
    pub status: StepStatus,
    /// The other system's record.
    #[serde(default)]
    pub external_id: Option<String>,
    /// When.
    #[serde(default)]
    pub at: Option<DateTime<Utc>>,
}

/// A record of another system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Affected {
    /// Which system.
    pub system: String,
    /// What kind of record.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its id there.
    pub id: String,
    /// Where to look at it; http or https.
    #[serde(default)]
    pub url: Option<String>,
    /// Last known state.
    #[serde(default)]
    pub state: Option<String>,
}

/// Something the automation decided on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// What it is.
    pub label: String,
    /// Its text.
    #[serde(default)]
    pub text: Option<String>,
    /// Where to look at it; http or https.
    #[serde(default)]
    pub url: Option<String>,
}

/// Which model did it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ai {
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// The prompt's version.
    #[serde(default)]
    pub prompt_version: Option<String>,
    /// From 0 to 1.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// The contract its output was to keep.
    #[serde(default)]
    pub output_contract: Option<String>,
}

/// What the automation proposes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposedAction {
    /// The action's name.
    pub action: String,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// From 0 to 1.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// Which rule, model or person.
    #[serde(default)]
    pub by: Option<String>,
}
