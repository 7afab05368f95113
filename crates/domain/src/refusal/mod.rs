//! Every way Recourse says no: a stable code, a title, and a sentence that says why and what would help.

mod named;
mod sentence;

use chrono::{DateTime, Utc};

use crate::{
    approval::{ApprovalState, Excluded},
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
    /// It follows up work that was accepted: nothing is sent for it.
    FollowUp,
    /// A second person has to approve it first.
    NeedsApproval,
    /// Another person has to decide it (R11).
    Excluded(Excluded),
    /// It does not wait for a decision any more.
    NotWaiting {
        /// How it ended.
        state: ApprovalState,
        /// By whom.
        by: Option<String>,
    },
    /// Only whoever asked for it can take it back.
    NotAsker,
    /// They decided it before.
    DecidedBefore,
    /// What it is about has changed (R12); how.
    ApprovalStale(Vec<String>),
    /// The other system does not show what must hold.
    ConditionFails {
        /// Why, for people.
        why: String,
        /// It was read, and is not so; otherwise it could not be read.
        seen: bool,
    },
    /// The source record's version can't be read (R18).
    SourceUnreadable {
        /// Why, for people.
        why: String,
    },
    /// There is no effect that could be made good.
    NothingToCompensate {
        /// What is known.
        effect: Effect,
    },
    /// The step has no plan that makes its effect good.
    NoCompensation,
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
}
