//! What people are told: one catalogue of kinds and sentences. A notice is written with the change that it tells of.

use crate::word::words;

words! {
    /// What a notice tells.
    NoticeKind {
        /// Somebody took the reader's item over.
        TakenOver = "item.taken_over",
        /// Somebody gave the reader an item.
        Given = "item.given",
        /// Somebody escalated an item to the reader's team.
        Escalated = "item.escalated",
        /// Somebody escalated an item that the reader worked or answered for.
        EscalatedAway = "item.escalated_away",
        /// Something the reader answers for is late.
        AlertRaised = "alert.raised",
        /// A channel's receiver wants to be told nothing any more.
        ChannelDisabled = "channel.disabled",
        /// What does not arrive through a channel begins to be given up.
        ChannelGivesUp = "channel.gives_up",
        /// Somebody named the reader in a comment.
        Mentioned = "item.mentioned",
        /// Something waits for the reader's decision.
        ApprovalWaits = "approval.waits",
        /// What the reader asked for was decided, or ended otherwise.
        ApprovalDecided = "approval.decided",
        /// What the reader had decided has changed, and was not done.
        ApprovalVoided = "approval.voided",
        /// The reader stands in for somebody.
        SubstituteNamed = "substitute.named",
        /// A compensation that the reader asked for has ended.
        CompensationEnded = "compensation.ended",
        /// Somebody was given a consequential right.
        RightGiven = "right.given",
        /// A consequential right waits for a second admin.
        RightWaits = "right.waits",
        /// A right that waited was confirmed, refused, or has lapsed.
        RightDecided = "right.decided",
        /// What the reader may do was changed.
        RightsChanged = "account.rights_changed",
        /// A link was made with which the reader's password can be set anew.
        ResetLink = "account.reset_link",
        /// Somebody asked for such a link.
        ResetAsked = "account.reset_asked",
        /// The reader's password was changed.
        PasswordChanged = "account.password_changed",
        /// A second step was added to the reader's sign-in.
        TwoStepOn = "account.two_step_on",
        /// It was taken away.
        TwoStepOff = "account.two_step_off",
        /// A recovery code was used.
        RecoveryCodeUsed = "account.recovery_code_used",
        /// A token that acts as the reader was made.
        TokenMade = "account.token_made",
    }
}

words! {
    /// What belongs together among what people are told: by it they choose what comes by e-mail, too.
    Topic {
        /// The reader's items.
        Items = "items",
        /// What waits for the reader's decision, or was decided for them.
        Approvals = "approvals",
        /// What waits too long, or for nobody.
        Alerts = "alerts",
        /// The reader's account, and who may do what.
        Account = "account",
    }
}

words! {
    /// Whether what belongs to a topic comes by e-mail, too.
    ByEmail {
        /// Where a workflow's file asks for it.
        AsAsked = "as_asked",
        /// Always.
        Always = "always",
        /// Never, whoever asks for it.
        Never = "never",
    }
}

impl ByEmail {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::AsAsked => "Where the workflow says so",
            Self::Always => "Always",
            Self::Never => "Never",
        }
    }

    /// Whether an e-mail is sent, which the workflow's file asks for or does not.
    #[must_use]
    pub const fn sends(self, asked: bool) -> bool {
        match self {
            Self::AsAsked => asked,
            Self::Always => true,
            Self::Never => false,
        }
    }

    /// As it is kept for a topic: whether it comes; nothing where it is as by default.
    #[must_use]
    pub fn kept(self, topic: Topic) -> Option<bool> {
        if self == topic.by_default() { None } else { Some(self == Self::Always) }
    }

    /// From what is kept for a topic.
    #[must_use]
    pub const fn from_kept(topic: Topic, kept: Option<bool>) -> Self {
        match kept {
            None => topic.by_default(),
            Some(true) => Self::Always,
            Some(false) => Self::Never,
        }
    }
}

impl Topic {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Items => "My items",
            Self::Approvals => "Approvals",
            Self::Alerts => "Alerts",
            Self::Account => "My account and rights",
        }
    }

    /// What belongs to it, for people.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Items => "Somebody takes over, gives you an item, or ends what you asked for.",
            Self::Approvals => "Something waits for your decision, or what you asked for was decided.",
            Self::Alerts => "Something waits too long, nobody works it, or a channel that you look after fails.",
            Self::Account => "Your password, second step, tokens and rights. Not held back by quiet hours.",
        }
    }

    /// Whether it comes by e-mail, too, where the person has not chosen.
    #[must_use]
    pub const fn by_default(self) -> ByEmail {
        match self {
            Self::Account => ByEmail::Always,
            Self::Alerts => ByEmail::AsAsked,
            Self::Items | Self::Approvals => ByEmail::Never,
        }
    }

    /// Whether workflows' files ask for e-mails of it.
    #[must_use]
    pub const fn is_asked_for(self) -> bool {
        matches!(self.by_default(), ByEmail::AsAsked)
    }

    /// Whether quiet hours hold it back. What protects an account comes at once.
    #[must_use]
    pub const fn waits(self) -> bool {
        !matches!(self, Self::Account)
    }
}

impl NoticeKind {
    /// What it belongs to.
    #[must_use]
    pub const fn topic(self) -> Topic {
        match self {
            Self::TakenOver | Self::Given | Self::Mentioned | Self::CompensationEnded => Topic::Items,
            Self::Escalated
            | Self::EscalatedAway
            | Self::AlertRaised
            | Self::ChannelDisabled
            | Self::ChannelGivesUp => Topic::Alerts,
            Self::ApprovalWaits | Self::ApprovalDecided | Self::ApprovalVoided | Self::SubstituteNamed => {
                Topic::Approvals
            }
            Self::RightGiven
            | Self::RightWaits
            | Self::RightDecided
            | Self::RightsChanged
            | Self::ResetLink
            | Self::ResetAsked
            | Self::PasswordChanged
            | Self::TwoStepOn
            | Self::TwoStepOff
            | Self::RecoveryCodeUsed
            | Self::TokenMade => Topic::Account,
        }
    }

    /// What kind of thing it is, for people who may not know what it is about.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::TakenOver => "An item was taken over",
            Self::Given => "An item was given to somebody",
            Self::Escalated => "An item was escalated to a team",
            Self::EscalatedAway => "An item was escalated away",
            Self::AlertRaised => "Something is late",
            Self::ChannelDisabled => "A channel is disabled",
            Self::ChannelGivesUp => "A channel gives up",
            Self::Mentioned => "Somebody was named in a comment",
            Self::ApprovalWaits => "A decision is asked for",
            Self::ApprovalDecided => "Something was decided",
            Self::ApprovalVoided => "A decision is void",
            Self::SubstituteNamed => "A substitute was named",
            Self::CompensationEnded => "A compensation ended",
            Self::RightGiven => "A right was given",
            Self::RightWaits => "A right waits for a second admin",
            Self::RightDecided => "A right was decided about",
            Self::RightsChanged => "Rights were changed",
            Self::ResetLink => "A link for a new password was made",
            Self::ResetAsked => "A new password was asked for",
            Self::PasswordChanged => "A password was changed",
            Self::TwoStepOn => "A second step was added",
            Self::TwoStepOff => "A second step was taken away",
            Self::RecoveryCodeUsed => "A recovery code was used",
            Self::TokenMade => "A token was made",
        }
    }

    /// The sentence, without its end: who did it, and what about.
    #[must_use]
    pub fn sentence(self, by: &str, about: &str) -> String {
        match self {
            Self::TakenOver => format!("{by} took over {about}, which you were working"),
            Self::Given => format!("{by} gave you {about}"),
            Self::Escalated => format!("{by} escalated {about} to your team"),
            Self::EscalatedAway => format!("{by} escalated {about}, which you worked or answered for"),
            Self::AlertRaised => about.to_owned(),
            Self::ChannelDisabled => {
                format!(
                    "The channel {about} is disabled: its receiver answered that it wants to be told nothing any more"
                )
            }
            Self::ChannelGivesUp => {
                format!("What is told through the channel {about} does not arrive, and is given up by now")
            }
            Self::Mentioned => format!("{by} named you in a comment about {about}"),
            Self::ApprovalWaits => format!("{by} asks you to decide about {about}"),
            Self::ApprovalDecided => format!("{by}: {about}"),
            Self::ApprovalVoided => format!("What was asked for is void, and nothing was done: {about}"),
            Self::SubstituteNamed => format!("{by} named you as a substitute {about}"),
            Self::CompensationEnded => format!("The compensation of {about}"),
            Self::RightGiven => format!("{by} gave a right that decides over others' work: {about}"),
            Self::RightWaits => format!("{by} wants to give {about}; a second admin has to confirm it"),
            Self::RightDecided => format!("{by}: {about}"),
            Self::RightsChanged => format!("{by} changed what you may do: {about}"),
            Self::ResetLink => {
                format!("{by} made a link with which your password can be set anew, and ended your sessions")
            }
            Self::ResetAsked => format!("A new password was asked for on the sign-in page: {about}"),
            Self::PasswordChanged => "Your password was changed, and your other sessions were ended".to_owned(),
            Self::TwoStepOn => "Signing in to your account takes a second step from now on".to_owned(),
            Self::TwoStepOff => format!("{by} took the second step of your sign-in away"),
            Self::RecoveryCodeUsed => format!("A recovery code was used in place of your authenticator: {about}"),
            Self::TokenMade => format!("{by} made a token that acts as you: {about}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_the_default_is_kept_and_read_back() {
        for topic in Topic::ALL {
            assert_eq!(topic.by_default().kept(*topic), None, "{topic}");
            for choice in ByEmail::ALL.iter().filter(|choice| topic.is_asked_for() || **choice != ByEmail::AsAsked) {
                assert_eq!(ByEmail::from_kept(*topic, choice.kept(*topic)), *choice, "{topic}");
            }
        }
        assert_eq!(ByEmail::Never.kept(Topic::Account), Some(false));
        assert_eq!(ByEmail::Always.kept(Topic::Alerts), Some(true));
    }

    #[test]
    fn an_alert_comes_by_e_mail_as_the_workflow_says_always_or_never() {
        let sends = |choice: ByEmail| [choice.sends(false), choice.sends(true)];
        assert_eq!(sends(ByEmail::AsAsked), [false, true]);
        assert_eq!(sends(ByEmail::Always), [true, true]);
        assert_eq!(sends(ByEmail::Never), [false, false]);
    }
}
