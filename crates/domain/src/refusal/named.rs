//! What programs and headings call a refusal: its code, the rule behind it, its title.

use super::Refusal;

impl Refusal {
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
            | Self::Excluded(_)
            | Self::NotAsker
            | Self::SecondAdminNeeded => "forbidden",
            Self::ChangedMeanwhile { .. } | Self::ApprovalStale(_) => "conflict",
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
            | Self::FollowUp
            | Self::QuarantineDecided { .. }
            | Self::NotWaiting { .. }
            | Self::DecidedBefore
            | Self::ConditionFails { .. }
            | Self::SourceUnreadable { .. }
            | Self::NothingToCompensate { .. }
            | Self::NoCompensation
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
            Self::NothingToReconcile { .. } | Self::EffectForbidsReplay { .. } | Self::NothingToCompensate { .. } => {
                Some("R4")
            }
            Self::ApprovalStale(_) | Self::ConditionFails { .. } => Some("R12"),
            Self::SourceUnreadable { .. } => Some("R18"),
            Self::KeysNotRecognised | Self::KeyNoLongerHelps => Some("R7"),
            Self::NeedsApproval
            | Self::Excluded(_)
            | Self::GrantToSelf(_)
            | Self::ClearanceOfSelf
            | Self::SecondAdminNeeded => Some("R11"),
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
            Self::WrongTokenKind | Self::ForeignWorkflow { .. } | Self::MissingPermission(_) | Self::NotAsker => {
                "Not permitted"
            }
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
            | Self::FollowUp
            | Self::QuarantineDecided { .. }
            | Self::NotWaiting { .. }
            | Self::DecidedBefore
            | Self::ConditionFails { .. }
            | Self::SourceUnreadable { .. }
            | Self::NothingToCompensate { .. }
            | Self::NoCompensation
            | Self::AttemptSettled { .. } => "Not possible now",
            Self::Excluded(_) => "Another person has to decide",
            Self::ApprovalStale(_) => "It has changed since",
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
