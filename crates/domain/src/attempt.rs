//! One try to perform a step, and what its outcome says about the side effect.

use crate::{effect::Effect, word::words};

words! {
    /// How an attempt ended, as far as is known.
    Outcome {
        InFlight = "in_flight", Accepted = "accepted", Succeeded = "succeeded", Failed = "failed", Uncertain = "uncertain",
    }
}

words! {
    /// Who made the attempt.
    AttemptBy { Automation = "automation", Replay = "replay", Person = "person" }
}

impl Outcome {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::InFlight => "Under way",
            Self::Accepted => "Accepted, outcome awaited",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
            Self::Uncertain => "Uncertain",
        }
    }
}

/// What is known when an attempt's effect has to be told from its outcome.
#[derive(Debug, Clone, Copy)]
pub struct Clues {
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the request was sent; `None` when the automation did not say.
    pub sent: Option<bool>,
    /// The step is registered and has no side effect.
    pub step_has_no_side_effect: bool,
    /// The effect the automation stated with the report, if any.
    pub stated: Option<Effect>,
}

/// The effect of an attempt that was reported, erring on the side of doubt.
///
/// `none` without being told so only where the step is registered without side effect or nothing was sent; a failure
/// counts as known only when the automation says what it knows of the effect.
#[must_use]
pub fn effect_of_reported(clues: Clues) -> Effect {
    match (clues.outcome, clues.sent) {
        (Outcome::InFlight, _) => Effect::Uncertain,
        // "Nothing was sent" and "it succeeded" can't both be right.
        (Outcome::Succeeded, Some(false)) => Effect::Uncertain,
        (Outcome::Succeeded, _) => Effect::Confirmed,
        (_, Some(false)) => Effect::None,
        (_, _) if clues.step_has_no_side_effect => Effect::None,
        (Outcome::Uncertain | Outcome::Accepted, _) => Effect::Uncertain,
        (Outcome::Failed, _) => match clues.stated {
            Some(_) => Effect::None,
            None => Effect::Uncertain,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clues(outcome: Outcome, sent: Option<bool>) -> Clues {
        Clues { outcome, sent, step_has_no_side_effect: false, stated: None }
    }

    #[test]
    fn a_failure_that_may_have_been_sent_is_doubtful_until_the_automation_states_an_effect() {
        assert_eq!(effect_of_reported(clues(Outcome::Failed, None)), Effect::Uncertain);
        assert_eq!(effect_of_reported(clues(Outcome::Failed, Some(true))), Effect::Uncertain);
        assert_eq!(effect_of_reported(clues(Outcome::Failed, Some(false))), Effect::None);
        let stated = Clues { stated: Some(Effect::None), ..clues(Outcome::Failed, Some(true)) };
        assert_eq!(effect_of_reported(stated), Effect::None);
    }

    #[test]
    fn a_step_without_side_effect_leaves_none() {
        let harmless = Clues { step_has_no_side_effect: true, ..clues(Outcome::Uncertain, Some(true)) };
        assert_eq!(effect_of_reported(harmless), Effect::None);
    }

    #[test]
    fn a_success_that_was_never_sent_is_doubtful() {
        assert_eq!(effect_of_reported(clues(Outcome::Succeeded, Some(false))), Effect::Uncertain);
        assert_eq!(effect_of_reported(clues(Outcome::Succeeded, Some(true))), Effect::Confirmed);
    }
}
