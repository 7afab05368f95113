//! Every way Recourse says no: a stable code, a title, and a sentence that says why and what would help.

mod sentence;

use chrono::{DateTime, Utc};

use crate::{
    effect::Effect,
    ids::{AttemptId, ItemId},
    item::{ActivityKind, State},
    permission::Permission,
    replay::Accept,
};

/// What is wrong with one field of a request.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FieldProblem {
    /// JSON pointer (RFC 6901) of the field; empty for the whole document.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl FieldProblem {
    /// A problem at `pointer`.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

/// A refusal. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No session and no token.
    NotSignedIn,
    /// The token is unknown, revoked or expired.
    BadToken,
    /// E-mail or password is wrong, or the account is disabled: deliberately the same.
    BadCredentials,
    /// The code of the second step is wrong, was used before, or came too late.
    BadCode,
    /// Too many tries: from this address, or for this account.
    TooManyTries {
        /// Seconds until the next one is looked at.
        wait: i64,
    },
    /// Who they are has to be confirmed again first.
    StepUpNeeded,
    /// The identity provider's word does not let them in.
    IdentityRefused {
        /// Why, for people.
        why: String,
    },
    /// A one-time link that is unknown, used or expired.
    BadInvite,
    /// Nobody gives themselves this right.
    GrantToSelf(Permission),
    /// Nobody raises their own clearance.
    ClearanceOfSelf,
    /// Whoever asked, and whoever would get it, can't be the second admin.
    SecondAdminNeeded,
    /// Nobody who can sign in would be left to manage people.
    LastAdmin,
    /// It was changed since the page was shown.
    ChangedMeanwhile {
        /// What it is, for the beginning of a sentence.
        what: &'static str,
    },
    /// The form was sent before: what it made was shown then.
    MadeAlready,
    /// People hold the role.
    RoleHeld {
        /// How many.
        people: usize,
    },
    /// This kind of token may not do this.
    WrongTokenKind,
    /// The token is bound to other workflows.
    ForeignWorkflow {
        /// The workflow that was named.
        workflow: String,
    },
    /// The person's roles lack a permission.
    MissingPermission(Permission),
    /// The item is above the viewer's clearance.
    AboveClearance,
    /// It does not exist, or it is outside the caller's teams or workflows.
    NotFound,
    /// The request can't be read at all.
    Malformed {
        /// What is wrong.
        message: String,
    },
    /// Fields are wrong.
    Invalid(Vec<FieldProblem>),
    /// A correction touches what is not open for editing.
    NotEditable(Vec<String>),
    /// A correction fails the step's schema.
    SchemaFails(Vec<FieldProblem>),
    /// The payload was purged or is kept elsewhere.
    NoPayload,
    /// Decoded content above the limit.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// What was sent is above the limit for its kind.
    BodyTooLarge {
        /// What it is, for the beginning of a sentence.
        what: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// Too many large documents are being worked on.
    Busy,
    /// The same `report_id` was used for other content.
    ReportIdTaken {
        /// The item made from the first report.
        item: ItemId,
    },
    /// Something is live on the item (R5).
    InProgress {
        /// What it is.
        kind: ActivityKind,
        /// Who holds it.
        by: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// A person cancelled the planned retry; the automation may not start it any more.
    RetryCancelled {
        /// Who cancelled it.
        by: String,
        /// When.
        at: DateTime<Utc>,
    },
    /// There is no planned retry to cancel.
    NoPlannedRetry,
    /// The item is closed.
    Closed,
    /// The correction is the same as its parent.
    NothingChanged,
    /// The item is not closed.
    NotClosed,
    /// The item is busy, snoozed or closed.
    NotOpen {
        /// What it is instead.
        state: State,
    },
    /// The item is not snoozed.
    NotSnoozed,
    /// Another person is working the item.
    Claimed {
        /// Who.
        by: String,
        /// Until when, if they do nothing.
        until: DateTime<Utc>,
    },
    /// The person who asks is not working the item.
    NotClaimed,
    /// Nothing about the effect is unsettled.
    NothingToReconcile {
        /// What is known.
        effect: Effect,
    },
    /// Two attempts may both have had an effect (R10).
    PossibleDoubleEffect,
    /// Sending it again is ruled out by what is known of its effect (R4).
    EffectForbidsReplay {
        /// What is known.
        effect: Effect,
    },
    /// The step can't be performed from here.
    NoDestination {
        /// A worker asks for it.
        pull: bool,
    },
    /// The destination is not known to recognise a repeat by its key.
    KeysNotRecognised,
    /// The attempt carried no key, or its key may be forgotten (R7).
    KeyNoLongerHelps,
    /// The step says nothing about how to look it up.
    NoLookup,
    /// A second person has to approve it first.
    NeedsApproval,
    /// These have to be accepted explicitly (R4, R7, R18).
    NeedsDecision(Vec<Accept>),
    /// Several attempts are unsettled: which one is meant?
    WhichAttempt {
        /// Their numbers and ids.
        numbers: Vec<(i64, AttemptId)>,
    },
    /// `If-Match` is required here.
    VersionRequired,
    /// The request's `Idempotency-Key` was used for another request.
    KeyUsed,
    /// The quarantined report was already accepted or closed.
    QuarantineDecided {
        /// By whom.
        by: String,
        /// When.
        at: DateTime<Utc>,
    },
    /// `If-Match` named another version.
    Conflict {
        /// The version now.
        current: i64,
        /// What changed it last.
        last_change: String,
    },
    /// The attempt was already settled otherwise.
    AttemptSettled {
        /// The attempt's number.
        number: i64,
    },
    /// Something with this name exists.
    Taken {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
}

impl Refusal {
    /// One wrong field.
    pub fn field(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldProblem::new(pointer, message)])
    }

    /// What is wrong with which field, where that is what was refused.
    #[must_use]
    pub fn problems(&self) -> &[FieldProblem] {
        match self {
            Self::Invalid(problems) | Self::SchemaFails(problems) => problems,
            _ => &[],
        }
    }

    /// The stable code that programs may rely on.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotSignedIn => "not_signed_in",
            Self::BadToken => "bad_token",
            Self::BadCredentials => "bad_credentials",
            Self::BadInvite => "bad_invite",
            Self::BadCode => "bad_code",
            Self::TooManyTries { .. } => "too_many_tries",
            Self::StepUpNeeded => "step_up_needed",
            Self::IdentityRefused { .. } => "identity_refused",
            Self::WrongTokenKind
            | Self::ForeignWorkflow { .. }
            | Self::MissingPermission(_)
            | Self::AboveClearance
            | Self::GrantToSelf(_)
            | Self::ClearanceOfSelf
            | Self::SecondAdminNeeded => "forbidden",
            Self::ChangedMeanwhile { .. } => "conflict",
            Self::MadeAlready => "made_already",
            Self::NotFound => "not_found",
            Self::Malformed { .. } => "malformed",
            Self::Invalid(_) => "invalid",
            Self::NotEditable(_) => "not_editable",
            Self::SchemaFails(_) => "schema_fails",
            Self::NoPayload => "no_payload",
            Self::TooLarge { .. } | Self::BodyTooLarge { .. } => "too_large",
            Self::Busy => "busy",
            Self::ReportIdTaken { .. } => "report_id_taken",
            Self::InProgress { .. } | Self::RetryCancelled { .. } => "in_progress",
            Self::NoPlannedRetry
            | Self::LastAdmin
            | Self::RoleHeld { .. }
            | Self::Closed
            | Self::NotClosed
            | Self::NotOpen { .. }
            | Self::NotSnoozed
            | Self::Claimed { .. }
            | Self::NotClaimed
            | Self::NothingToReconcile { .. }
            | Self::PossibleDoubleEffect
            | Self::EffectForbidsReplay { .. }
            | Self::NoDestination { .. }
            | Self::KeysNotRecognised
            | Self::KeyNoLongerHelps
            | Self::NoLookup
            | Self::QuarantineDecided { .. }
            | Self::AttemptSettled { .. } => "not_allowed_now",
            Self::NeedsApproval => "needs_approval",
            Self::NeedsDecision(wanted) => match wanted.as_slice() {
                [first, ..] => first.as_str(),
                [] => "not_allowed_now",
            },
            Self::WhichAttempt { .. } => "which_attempt",
            Self::NothingChanged => "nothing_changed",
            Self::VersionRequired => "version_required",
            Self::KeyUsed => "key_used",
            Self::Conflict { .. } => "conflict",
            Self::Taken { .. } => "taken",
        }
    }

    /// The rule behind it, where one of R1–R20 is the reason.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Self::InProgress { .. } | Self::RetryCancelled { .. } => Some("R5"),
            Self::MissingPermission(_) | Self::AboveClearance => Some("R15"),
            Self::AttemptSettled { .. } | Self::PossibleDoubleEffect => Some("R10"),
            Self::NothingToReconcile { .. } | Self::EffectForbidsReplay { .. } => Some("R4"),
            Self::KeysNotRecognised | Self::KeyNoLongerHelps => Some("R7"),
            Self::NeedsApproval | Self::GrantToSelf(_) | Self::ClearanceOfSelf | Self::SecondAdminNeeded => Some("R11"),
            Self::NeedsDecision(wanted) => match wanted.as_slice() {
                [first, ..] => Some(first.rule()),
                [] => None,
            },
            _ => None,
        }
    }

    /// A short title, the same for every occurrence of the code's kind.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        match self {
            Self::NotSignedIn => "Not signed in",
            Self::BadToken => "The token is not valid",
            Self::BadCredentials => "Sign-in refused",
            Self::BadInvite => "The link is not valid",
            Self::BadCode => "The code does not fit",
            Self::TooManyTries { .. } => "Too many tries",
            Self::StepUpNeeded => "Confirm that it is you",
            Self::IdentityRefused { .. } => "Sign-in refused",
            Self::GrantToSelf(_) | Self::ClearanceOfSelf => "Not for yourself",
            Self::SecondAdminNeeded => "It takes a second admin",
            Self::MadeAlready => "It was made already",
            Self::WrongTokenKind | Self::ForeignWorkflow { .. } | Self::MissingPermission(_) => "Not permitted",
            Self::AboveClearance => "Above your clearance",
            Self::NotFound => "Not found",
            Self::Malformed { .. } => "The request can't be read",
            Self::Invalid(_) => "Some fields are wrong",
            Self::NotEditable(_) => "Not open for editing",
            Self::SchemaFails(_) => "It does not fit the schema",
            Self::NoPayload => "No payload is kept here",
            Self::TooLarge { .. } | Self::BodyTooLarge { .. } => "Too large",
            Self::Busy => "Busy with other large documents",
            Self::ReportIdTaken { .. } => "The report id was used before",
            Self::InProgress { .. } | Self::RetryCancelled { .. } => "Something else is under way",
            Self::NoPlannedRetry
            | Self::LastAdmin
            | Self::RoleHeld { .. }
            | Self::Closed
            | Self::NotClosed
            | Self::NotOpen { .. }
            | Self::NotSnoozed
            | Self::NotClaimed
            | Self::NothingToReconcile { .. }
            | Self::PossibleDoubleEffect
            | Self::EffectForbidsReplay { .. }
            | Self::NoDestination { .. }
            | Self::KeysNotRecognised
            | Self::KeyNoLongerHelps
            | Self::NoLookup
            | Self::QuarantineDecided { .. }
            | Self::AttemptSettled { .. } => "Not possible now",
            Self::NeedsApproval => "It needs an approval",
            Self::NeedsDecision(_) => "It needs your explicit decision",
            Self::Claimed { .. } => "Somebody else is working it",
            Self::WhichAttempt { .. } => "Which attempt?",
            Self::NothingChanged => "Nothing was changed",
            Self::KeyUsed => "The key was used before",
            Self::VersionRequired => "Say which version you looked at",
            Self::Conflict { .. } | Self::ChangedMeanwhile { .. } => "Somebody was quicker",
            Self::Taken { .. } => "The name is taken",
        }
    }
}
