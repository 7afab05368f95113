//! The words that describe where an item stands.

use crate::word::words;

words! {
    /// Why the item is here.
    Lane { DeadLetter = "dead_letter", NeedsReview = "needs_review" }
}

words! {
    /// What is going on with the item. Only `Closed` items are out of the queues.
    State {
        Open = "open", Replaying = "replaying", AwaitingOutcome = "awaiting_outcome",
        AwaitingApproval = "awaiting_approval", Compensating = "compensating", Snoozed = "snoozed", Closed = "closed",
    }
}

words! {
    /// How a closed item ended.
    Resolution {
        Replayed = "replayed", Accepted = "accepted", DoneByHand = "done_by_hand", AcceptedDegraded = "accepted_degraded",
        Discarded = "discarded", Duplicate = "duplicate", Compensated = "compensated", SucceededMeanwhile = "succeeded_meanwhile",
    }
}

words! {
    /// How much it matters. Ordered.
    Impact { Low = "low", Medium = "medium", High = "high" }
}

words! {
    /// What is live on a piece of work: at most one at a time (R5).
    ActivityKind {
        AutomationAttempt = "automation_attempt", PlannedRetry = "planned_retry", Replay = "replay",
        Compensation = "compensation", LedgerLease = "ledger_lease",
    }
}

impl Lane {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::DeadLetter => "Dead letter",
            Self::NeedsReview => "Needs review",
        }
    }
}

impl State {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Replaying => "Replaying",
            Self::AwaitingOutcome => "Outcome awaited",
            Self::AwaitingApproval => "Waiting for approval",
            Self::Compensating => "Compensating",
            Self::Snoozed => "Snoozed",
            Self::Closed => "Closed",
        }
    }
}

impl Resolution {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Replayed => "Replayed",
            Self::Accepted => "Accepted as it was",
            Self::DoneByHand => "Done by hand",
            Self::AcceptedDegraded => "Accepted as degraded",
            Self::Discarded => "Discarded",
            Self::Duplicate => "Duplicate of another item",
            Self::Compensated => "Made good",
            Self::SucceededMeanwhile => "Succeeded after all",
        }
    }
}

impl Impact {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Low => "Low impact",
            Self::Medium => "Medium impact",
            Self::High => "High impact",
        }
    }
}

impl ActivityKind {
    /// For people: what is happening, as the start of a sentence.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::AutomationAttempt => "The automation is trying it now",
            Self::PlannedRetry => "The automation will try again by itself",
            Self::Replay => "A replay is being delivered",
            Self::Compensation => "A compensation is being carried out",
            Self::LedgerLease => "The automation holds a lease on this effect",
        }
    }
}
