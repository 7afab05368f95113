//! The catalogue of what the audit records (R14).

use crate::word::words;

words! {
    /// What happened.
    AuditKind {
        ItemReported = "item.reported", AttemptAdded = "item.attempt_added", AttemptFinished = "item.attempt_finished",
        ItemAmended = "item.amended", SucceededMeanwhile = "item.succeeded_meanwhile", ItemReopened = "item.reopened",
        LateNews = "item.late_news", RetryCancelled = "item.retry_cancelled", ActivityLapsed = "item.activity_lapsed",
        PayloadRead = "item.payload_read", PayloadRevealed = "item.payload_revealed", DraftKept = "item.draft_kept", ItemRead = "item.read", AuditRead = "audit.read", QuarantineRead = "quarantine.read",
        TokenUsed = "token.used",
        Claimed = "item.claimed", Released = "item.released", HandedOver = "item.handed_over", Assigned = "item.assigned",
        Commented = "item.commented", Snoozed = "item.snoozed", Woken = "item.woken", Reconciled = "item.reconciled",
        Resolved = "item.resolved", Corrected = "item.corrected", Escalated = "item.escalated", ReopenedByHand = "item.reopened_by_hand",
        FollowedUp = "item.followed_up",
        ReplayRequested = "item.replay_requested", AskedAgain = "item.asked_again", LookedUp = "item.looked_up",
        ReplayStarted = "replay.started", ReplayAnswered = "replay.answered", ReplayStopped = "replay.stopped",
        ApprovalAsked = "approval.asked", Approved = "approval.approved", ApprovalRejected = "approval.rejected",
        ApprovalWithdrawn = "approval.withdrawn", ApprovalExpired = "approval.expired", ApprovalVoided = "approval.voided",
        ApprovalHandedOn = "approval.handed_on", ApprovalsRead = "approvals.read",
        SubstituteNamed = "substitute.named", SubstituteEnded = "substitute.ended",
        CompensationAsked = "compensation.asked", CompensationEnded = "compensation.ended",
        AlertRaised = "alert.raised", AlertAcknowledged = "alert.acknowledged", AlertsRead = "alerts.read",
        OutcomesAcknowledged = "outcomes.acknowledged",
        ReportQuarantined = "quarantine.kept", QuarantineAccepted = "quarantine.accepted", QuarantineClosed = "quarantine.closed",
        WorkflowApplied = "workflow.applied", WorkflowDiscovered = "workflow.discovered", TeamCreated = "team.created",
        PersonAdded = "person.added", PersonDisabled = "person.disabled", SignedIn = "person.signed_in",
        SignedOut = "person.signed_out", TokenCreated = "token.created", InviteCreated = "invite.created",
        FirstAdminCreated = "person.first_admin",
        PersonInvited = "person.invited", PersonJoined = "person.joined", PersonRenamed = "person.renamed",
        PersonEnabled = "person.enabled", PersonDeleted = "person.deleted", RolesChanged = "person.roles_changed",
        TeamsChanged = "person.teams_changed", ClearanceChanged = "person.clearance_changed",
        ResetLinkMade = "person.reset_link", ResetAsked = "person.reset_asked", PasswordSet = "person.password_set",
        SessionsEnded = "person.sessions_ended", SteppedUp = "person.stepped_up", TwoStepOn = "person.two_step_on",
        TwoStepOff = "person.two_step_off", RecoveryCodesMade = "person.recovery_codes", IdentityLinked = "person.identity_linked",
        PeopleRead = "people.read", RoleSaved = "role.saved", RoleRemoved = "role.removed", TeamRenamed = "team.renamed",
        TokenRevoked = "token.revoked", GrantAsked = "grant.asked", GrantConfirmed = "grant.confirmed",
        GrantRefused = "grant.refused", GrantLapsed = "grant.lapsed", GrantTookEffect = "grant.took_effect",
        ChannelAdded = "channel.added", ChannelChanged = "channel.changed", ChannelDisabled = "channel.disabled",
        ChannelEnabled = "channel.enabled", ChannelTested = "channel.tested", ChannelsRead = "channels.read",
        ChannelGaveUp = "channel.gave_up",
        NoticesChosen = "person.notices_chosen",
    }
}

words! {
    /// Whether it was done or refused.
    AuditOutcome { Done = "done", Refused = "refused" }
}

words! {
    /// What kind of caller acted.
    ActorKind { Person = "person", Automation = "automation", CommandLine = "command_line", Job = "job", Anonymous = "anonymous" }
}

impl AuditKind {
    /// What the actor did, as the end of the sentence "NAME …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::ItemReported => "reported the item",
            Self::AttemptAdded => "added an attempt",
            Self::AttemptFinished => "finished an attempt",
            Self::ItemAmended => "added to the item",
            Self::SucceededMeanwhile => "reported that it succeeded after all",
            Self::ItemReopened => "reopened the item with a new failure",
            Self::LateNews => "reported late news",
            Self::RetryCancelled => "cancelled the planned retry",
            Self::ActivityLapsed => "ended a lease that had run out",
            Self::PayloadRead => "read the payload",
            Self::PayloadRevealed => "revealed what is hidden of the payload",
            Self::DraftKept => "kept a draft of a correction",
            Self::ItemRead => "looked at items",
            Self::AuditRead => "looked at the audit trail",
            Self::QuarantineRead => "looked at quarantine",
            Self::TokenUsed => "used a token",
            Self::Claimed => "claimed the item",
            Self::Released => "released the item",
            Self::HandedOver => "handed the item over",
            Self::Assigned => "assigned the item",
            Self::Commented => "commented",
            Self::Snoozed => "snoozed the item",
            Self::Woken => "woke the item",
            Self::Reconciled => "recorded a finding",
            Self::Resolved => "resolved the item",
            Self::Corrected => "corrected the payload",
            Self::Escalated => "escalated the item",
            Self::ReopenedByHand => "reopened the item",
            Self::FollowedUp => "made the item, to follow up what was accepted",
            Self::ReplayRequested => "asked for a replay",
            Self::AskedAgain => "asked again with the same key",
            Self::LookedUp => "looked it up in the other system",
            Self::ReplayStarted => "began to send it",
            Self::ReplayAnswered => "wrote down what came of sending it",
            Self::ReplayStopped => "ended a replay before anything was sent",
            Self::ApprovalAsked => "asked for an approval",
            Self::Approved => "approved what was asked for",
            Self::ApprovalRejected => "rejected what was asked for",
            Self::ApprovalWithdrawn => "withdrew what they had asked for",
            Self::ApprovalExpired => "let an approval expire",
            Self::ApprovalVoided => "voided an approval, because what it was about had changed",
            Self::ApprovalHandedOn => "handed an approval on",
            Self::ApprovalsRead => "looked at approvals",
            Self::AlertRaised => "raised an alert",
            Self::AlertAcknowledged => "acknowledged an alert",
            Self::AlertsRead => "read alerts",
            Self::SubstituteNamed => "named a substitute",
            Self::SubstituteEnded => "ended a substitution",
            Self::CompensationAsked => "asked for a compensation",
            Self::CompensationEnded => "wrote down how a compensation ended",
            Self::OutcomesAcknowledged => "took note of how items ended",
            Self::ReportQuarantined => "sent a report that was kept in quarantine",
            Self::QuarantineAccepted => "accepted a report from quarantine",
            Self::QuarantineClosed => "closed a report in quarantine",
            Self::WorkflowApplied => "applied a workflow file",
            Self::WorkflowDiscovered => "named a workflow or step that was not registered",
            Self::TeamCreated => "created a team",
            Self::PersonAdded => "added a person",
            Self::PersonDisabled => "disabled a person",
            Self::SignedIn => "signed in",
            Self::SignedOut => "signed out",
            Self::TokenCreated => "created a token",
            Self::InviteCreated => "made a one-time link for the first admin",
            Self::FirstAdminCreated => "became the first admin",
            Self::PersonInvited => "invited a person",
            Self::PersonJoined => "accepted an invitation",
            Self::PersonRenamed => "changed a person's name or address",
            Self::PersonEnabled => "enabled a person again",
            Self::PersonDeleted => "deleted a person's account",
            Self::RolesChanged => "changed a person's roles",
            Self::TeamsChanged => "changed a person's teams",
            Self::ClearanceChanged => "changed a person's clearance",
            Self::ResetLinkMade => "made a link to set a person's password anew",
            Self::ResetAsked => "asked for a link to set a password anew",
            Self::PasswordSet => "set a password",
            Self::SessionsEnded => "ended sessions",
            Self::SteppedUp => "confirmed who they are",
            Self::TwoStepOn => "added a second step to signing in",
            Self::TwoStepOff => "took away the second step of signing in",
            Self::RecoveryCodesMade => "made new recovery codes",
            Self::IdentityLinked => "linked an account to an identity provider",
            Self::PeopleRead => "looked at people, roles or tokens",
            Self::RoleSaved => "saved a role",
            Self::RoleRemoved => "removed a role",
            Self::TeamRenamed => "renamed a team",
            Self::TokenRevoked => "revoked a token",
            Self::GrantAsked => "asked to give a right that needs a second admin",
            Self::GrantConfirmed => "confirmed a right as the second admin",
            Self::GrantRefused => "turned down a right that waited",
            Self::GrantLapsed => "let a right lapse that waited",
            Self::GrantTookEffect => "put a confirmed right into effect",
            Self::ChannelAdded => "added a channel",
            Self::ChannelChanged => "changed a channel",
            Self::ChannelDisabled => "disabled a channel",
            Self::ChannelEnabled => "enabled a channel again",
            Self::ChannelTested => "tried a channel out",
            Self::ChannelGaveUp => "began to give up what does not arrive through a channel",
            Self::ChannelsRead => "looked at channels",
            Self::NoticesChosen => "chose what they are told by e-mail",
        }
    }

    /// The same for an attempt at it that was refused: "NAME …".
    #[must_use]
    pub const fn refused_phrase(self) -> &'static str {
        match self {
            Self::ItemReported => "was refused a report",
            Self::AttemptAdded | Self::AttemptFinished => "was refused an attempt",
            Self::ItemAmended | Self::SucceededMeanwhile => "was refused a change of the item",
            Self::RetryCancelled => "was refused cancelling the planned retry",
            Self::PayloadRead => "was refused the payload",
            Self::PayloadRevealed => "was refused what is hidden of the payload",
            Self::DraftKept => "was refused keeping a draft",
            Self::ItemRead => "was refused looking at items",
            Self::AuditRead => "was refused looking at the audit trail",
            Self::QuarantineRead => "was refused looking at quarantine",
            Self::TokenUsed => "was refused for want of a token that stands",
            Self::Claimed => "was refused claiming the item",
            Self::Released => "was refused releasing the item",
            Self::HandedOver => "was refused handing the item over",
            Self::Assigned => "was refused assigning the item",
            Self::Commented => "was refused a comment",
            Self::Snoozed => "was refused snoozing the item",
            Self::Woken => "was refused waking the item",
            Self::Reconciled => "was refused recording a finding",
            Self::Resolved => "was refused resolving the item",
            Self::Corrected => "was refused correcting the payload",
            Self::Escalated => "was refused escalating the item",
            Self::ReopenedByHand => "was refused reopening the item",
            Self::ReplayRequested => "was refused a replay",
            Self::AskedAgain => "was refused asking again",
            Self::LookedUp => "was refused looking it up",
            Self::Approved => "was refused approving it",
            Self::ApprovalRejected => "was refused rejecting it",
            Self::ApprovalWithdrawn => "was refused withdrawing it",
            Self::ApprovalHandedOn => "was refused handing an approval on",
            Self::ApprovalsRead => "was refused looking at approvals",
            Self::AlertRaised => "was refused raising an alert",
            Self::AlertAcknowledged => "was refused acknowledging an alert",
            Self::AlertsRead => "was refused reading alerts",
            Self::SubstituteNamed => "was refused naming a substitute",
            Self::SubstituteEnded => "was refused ending a substitution",
            Self::CompensationAsked => "was refused a compensation",
            Self::OutcomesAcknowledged => "was refused taking note of how items ended",
            Self::QuarantineAccepted => "was refused accepting a report from quarantine",
            Self::QuarantineClosed => "was refused closing a report in quarantine",
            Self::SignedIn => "was refused signing in",
            Self::FirstAdminCreated => "was refused becoming the first admin",
            Self::WorkflowApplied => "was refused a workflow file",
            Self::PersonAdded => "was refused adding a person",
            Self::PersonDisabled => "was refused disabling a person",
            Self::TokenCreated => "was refused creating a token",
            Self::TokenRevoked => "was refused revoking a token",
            Self::PersonInvited => "was refused inviting a person",
            Self::PersonJoined => "was refused accepting an invitation",
            Self::PersonRenamed => "was refused changing a person's name or address",
            Self::PersonEnabled => "was refused enabling a person",
            Self::PersonDeleted => "was refused deleting a person's account",
            Self::RolesChanged => "was refused changing a person's roles",
            Self::TeamsChanged => "was refused changing a person's teams",
            Self::ClearanceChanged => "was refused changing a person's clearance",
            Self::ResetLinkMade => "was refused making a link to set a password anew",
            Self::PasswordSet => "was refused setting a password",
            Self::SessionsEnded => "was refused ending sessions",
            Self::SteppedUp => "was refused confirming who they are",
            Self::TwoStepOn => "was refused adding a second step to signing in",
            Self::TwoStepOff => "was refused taking away a second step of signing in",
            Self::RecoveryCodesMade => "was refused new recovery codes",
            Self::PeopleRead => "was refused looking at people, roles or tokens",
            Self::RoleSaved => "was refused saving a role",
            Self::RoleRemoved => "was refused removing a role",
            Self::TeamCreated | Self::TeamRenamed => "was refused changing a team",
            Self::GrantConfirmed => "was refused confirming a right",
            Self::GrantRefused => "was refused turning a right down",
            Self::ChannelAdded | Self::ChannelChanged => "was refused changing channels",
            Self::ChannelDisabled => "was refused disabling a channel",
            Self::ChannelEnabled => "was refused enabling a channel",
            Self::ChannelTested => "was refused trying a channel out",
            Self::ChannelsRead => "was refused looking at channels",
            Self::NoticesChosen => "was refused choosing what they are told by e-mail",
            Self::ApprovalAsked
            | Self::ChannelGaveUp
            | Self::ApprovalExpired
            | Self::ApprovalVoided
            | Self::CompensationEnded
            | Self::ResetAsked
            | Self::IdentityLinked
            | Self::GrantAsked
            | Self::GrantLapsed
            | Self::GrantTookEffect
            | Self::ItemReopened
            | Self::FollowedUp
            | Self::LateNews
            | Self::ActivityLapsed
            | Self::ReplayStarted
            | Self::ReplayAnswered
            | Self::ReplayStopped
            | Self::ReportQuarantined
            | Self::WorkflowDiscovered
            | Self::SignedOut
            | Self::InviteCreated => "was refused",
        }
    }
}
