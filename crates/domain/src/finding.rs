//! Findings: what a person or a lookup found out about an attempt whose outcome was unsettled.

use crate::{effect::Effect, word::words};

words! {
    /// What was found.
    Finding { Applied = "applied", NotApplied = "not_applied", Partial = "partial", CannotTell = "cannot_tell" }
}

impl Finding {
    /// The effect it settles an attempt with; `None`: it settles nothing.
    #[must_use]
    pub const fn settles(self) -> Option<Effect> {
        match self {
            Self::Applied => Some(Effect::Confirmed),
            Self::NotApplied => Some(Effect::None),
            Self::Partial => Some(Effect::Partial),
            Self::CannotTell => None,
        }
    }

    /// The finding that says the same as an effect a person states when resolving.
    #[must_use]
    pub const fn saying(effect: Effect) -> Option<Self> {
        match effect {
            Effect::None => Some(Self::NotApplied),
            Effect::Confirmed => Some(Self::Applied),
            Effect::Partial => Some(Self::Partial),
            Effect::Uncertain | Effect::Compensated => None,
        }
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Applied => "It happened",
            Self::NotApplied => "It did not happen",
            Self::Partial => "It happened in part",
            Self::CannotTell => "I can't tell",
        }
    }
}
