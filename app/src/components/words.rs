//! Which icon and which tone stand beside the domain's words.

use domain::{
    ageing::Level,
    attempt::Outcome,
    audit::AuditKind,
    effect::Effect,
    item::{Impact, Lane, State},
    sensitivity::Sensitivity,
};

/// How late something is.
pub(crate) const fn level_icon(level: Option<Level>) -> &'static str {
    match level {
        None => "clock",
        Some(Level::AtRisk) => "clock-alert",
        Some(Level::Overdue | Level::Escalated) => "siren",
    }
}

pub(crate) const fn effect_icon(effect: Effect) -> &'static str {
    match effect {
        Effect::None => "circle-slash",
        Effect::Compensated => "undo-2",
        Effect::Confirmed => "circle-check",
        Effect::Partial => "circle-dot-dashed",
        Effect::Uncertain => "circle-help",
    }
}

pub(crate) const fn outcome_icon(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::InFlight | Outcome::Accepted => "hourglass",
        Outcome::Succeeded => "circle-check",
        Outcome::Failed => "circle-x",
        Outcome::Uncertain => "circle-help",
    }
}

pub(crate) const fn lane_icon(lane: Lane) -> &'static str {
    match lane {
        Lane::DeadLetter => "inbox",
        Lane::NeedsReview => "eye",
    }
}

pub(crate) const fn state_icon(state: State) -> &'static str {
    match state {
        State::Open => "circle",
        State::Replaying => "send",
        State::AwaitingOutcome | State::AwaitingApproval => "hourglass",
        State::Compensating => "undo-2",
        State::Snoozed => "pause",
        State::Closed => "circle-check-big",
    }
}

pub(crate) const fn impact_icon(impact: Impact) -> &'static str {
    match impact {
        Impact::Low => "chevron-down",
        Impact::Medium => "minus",
        Impact::High => "chevrons-up",
    }
}

pub(crate) const fn sensitivity_icon(sensitivity: Sensitivity) -> &'static str {
    match sensitivity {
        Sensitivity::Internal => "users",
        Sensitivity::Confidential => "lock",
        Sensitivity::Restricted => "lock-keyhole",
    }
}

pub(crate) const fn audit_icon(kind: AuditKind) -> &'static str {
    match kind {
        AuditKind::ItemReported | AuditKind::ItemReopened => "inbox",
        AuditKind::AttemptAdded | AuditKind::AttemptFinished => "repeat",
        AuditKind::ItemAmended | AuditKind::Corrected | AuditKind::DraftKept => "file-pen",
        AuditKind::SucceededMeanwhile => "circle-check",
        AuditKind::LateNews => "triangle-alert",
        AuditKind::RetryCancelled | AuditKind::Claimed | AuditKind::Released => "hand",
        AuditKind::HandedOver | AuditKind::Assigned => "user-plus",
        AuditKind::Commented => "message-square",
        AuditKind::Snoozed | AuditKind::Woken => "pause",
        AuditKind::Reconciled => "clipboard-check",
        AuditKind::ReplayRequested | AuditKind::ReplayStarted | AuditKind::ReplayAnswered => "send",
        AuditKind::ApprovalAsked
        | AuditKind::Approved
        | AuditKind::ApprovalRejected
        | AuditKind::ApprovalWithdrawn
        | AuditKind::ApprovalExpired
        | AuditKind::ApprovalVoided
        | AuditKind::ApprovalHandedOn
        | AuditKind::ApprovalsRead => "stamp",
        AuditKind::CompensationAsked | AuditKind::CompensationEnded => "rotate-ccw",
        AuditKind::AlertRaised | AuditKind::AlertAcknowledged | AuditKind::AlertsRead => "siren",
        AuditKind::SubstituteNamed | AuditKind::SubstituteEnded => "user-plus",
        AuditKind::AskedAgain => "repeat",
        AuditKind::LookedUp => "eye",
        AuditKind::ReplayStopped => "ban",
        AuditKind::Resolved | AuditKind::OutcomesAcknowledged => "check",
        AuditKind::FollowedUp => "clipboard-check",
        AuditKind::Escalated => "siren",
        AuditKind::ReopenedByHand => "undo-2",
        AuditKind::ActivityLapsed => "clock-alert",
        AuditKind::PayloadRead
        | AuditKind::PayloadRevealed
        | AuditKind::ItemRead
        | AuditKind::AuditRead
        | AuditKind::QuarantineRead => "eye",
        AuditKind::ReportQuarantined | AuditKind::QuarantineAccepted | AuditKind::QuarantineClosed => "clipboard-check",
        AuditKind::WorkflowApplied | AuditKind::WorkflowDiscovered => "settings",
        AuditKind::TeamCreated | AuditKind::PersonAdded | AuditKind::PersonDisabled | AuditKind::FirstAdminCreated => {
            "users"
        }
        AuditKind::SignedIn | AuditKind::SignedOut => "log-out",
        AuditKind::PersonInvited | AuditKind::PersonJoined => "user-plus",
        AuditKind::PersonRenamed | AuditKind::TeamRenamed | AuditKind::RoleSaved | AuditKind::RoleRemoved => "file-pen",
        AuditKind::PersonEnabled | AuditKind::PersonDeleted | AuditKind::IdentityLinked | AuditKind::PeopleRead => {
            "users"
        }
        AuditKind::RolesChanged
        | AuditKind::TeamsChanged
        | AuditKind::ClearanceChanged
        | AuditKind::GrantAsked
        | AuditKind::GrantConfirmed
        | AuditKind::GrantRefused
        | AuditKind::GrantLapsed
        | AuditKind::GrantTookEffect => "user-check",
        AuditKind::ChannelAdded
        | AuditKind::ChannelChanged
        | AuditKind::ChannelDisabled
        | AuditKind::ChannelEnabled
        | AuditKind::ChannelTested
        | AuditKind::ChannelGaveUp
        | AuditKind::ChannelsRead
        | AuditKind::NoticesChosen => "send",
        AuditKind::SessionsEnded => "log-out",
        AuditKind::SteppedUp
        | AuditKind::TwoStepOn
        | AuditKind::TwoStepOff
        | AuditKind::RecoveryCodesMade
        | AuditKind::PasswordSet => "shield-check",
        AuditKind::TokenCreated
        | AuditKind::TokenUsed
        | AuditKind::TokenRevoked
        | AuditKind::InviteCreated
        | AuditKind::ResetLinkMade
        | AuditKind::ResetAsked => "key-round",
    }
}

/// A name from outside inside a sentence: set apart where its direction could turn the words around it.
pub(crate) fn isolated(name: &str) -> String {
    if name.is_ascii() { name.to_owned() } else { format!("\u{2068}{name}\u{2069}") }
}

/// 1284 as "1,284".
pub(crate) fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("−{text}") } else { text }
}

/// `1 item`, `2 items`.
pub(crate) fn counted(number: i64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A size for people, and exactly.
pub(crate) fn size(bytes: i64) -> String {
    match bytes {
        ..10_000 => counted(bytes, "byte", "bytes"),
        10_000..1_000_000 => format!("{} kB", thousands(bytes / 1_000)),
        _ => format!("{}.{} MB", thousands(bytes / 1_000_000), bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_easily() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_284), "1,284");
        assert_eq!(thousands(-1_234_567), "−1,234,567");
        assert_eq!(counted(1, "item", "items"), "1 item");
        assert_eq!(size(1_284), "1,284 bytes");
        assert_eq!(size(5_000_000), "5.0 MB");
    }

    #[test]
    fn only_what_could_turn_the_line_is_set_apart() {
        assert_eq!(isolated("ledger"), "ledger");
        assert_eq!(isolated("חשבון"), "\u{2068}חשבון\u{2069}");
    }
}
