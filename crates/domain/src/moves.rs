//! What can be done with an item, and when (R4, R5, R15 second question). One function decides for every door.

use chrono::{DateTime, Utc};

use crate::{
    effect::Effect,
    item::{ActivityKind, Lane, State},
    refusal::Refusal,
    word::words,
    workflow::{DestinationKind, Repeat, Step},
};

words! {
    /// Something a person can do with an item.
    Move {
        Claim = "claim", Release = "release", HandOver = "hand_over", Assign = "assign", Comment = "comment", Snooze = "snooze",
        Wake = "wake", CancelRetry = "cancel_retry", Correct = "correct", Reconcile = "reconcile", Resolve = "resolve", Escalate = "escalate",
        Reopen = "reopen", Replay = "replay", AskAgain = "ask_again", Lookup = "lookup",
        Compensate = "compensations",
    }
}

/// A claim that has not run out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveClaim {
    /// Whether the person who asks holds it.
    pub own: bool,
    /// Who holds it.
    pub by: String,
    /// Until when.
    pub until: DateTime<Utc>,
}

/// Something live on the item (R5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveActivity {
    /// What it is.
    pub kind: ActivityKind,
    /// Who holds it.
    pub by: String,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// What a move is judged on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Why the item is here.
    pub lane: Lane,
    /// Its state.
    pub state: State,
    /// Its effect.
    pub effect: Effect,
    /// What is live on it.
    pub live: Option<LiveActivity>,
    /// Who is working it.
    pub claim: Option<LiveClaim>,
    /// Two attempts may both have had an effect, and nobody has settled that (R10).
    pub possible_double_effect: bool,
    /// A correction is there that does the rest of what happened in part.
    pub completing: bool,
    /// It follows up work that was accepted.
    pub follow_up: bool,
    /// What its step says about sending and looking up.
    pub step: StepFacts,
}

/// What a step says about sending its work and looking it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepFacts {
    /// Who delivers; nobody where the step runs in the automation only.
    pub delivery: Option<DestinationKind>,
    /// How its destination recognises a repeat.
    pub repeat: Repeat,
    /// Whether the other system can be asked what it holds.
    pub lookup: bool,
    /// Whether it has a plan that makes its effect good.
    pub compensations: bool,
}

impl Default for StepFacts {
    /// A step that nobody registered.
    fn default() -> Self {
        Self { delivery: None, repeat: Repeat::Nothing, lookup: false, compensations: false }
    }
}

impl From<&Step> for StepFacts {
    fn from(step: &Step) -> Self {
        Self {
            delivery: step.destination.as_ref().map(|to| to.kind),
            repeat: step.repeat,
            lookup: step.lookup.is_some()
                || step.compensations.iter().any(|plan| plan.parts.iter().any(|part| part.lookup.is_some())),
            compensations: !step.compensations.is_empty(),
        }
    }
}

impl Move {
    /// Another person's live claim refuses moves that change how the item ends.
    #[must_use]
    pub const fn changes_the_outcome(self) -> bool {
        matches!(
            self,
            Self::Correct
                | Self::Reconcile
                | Self::Resolve
                | Self::CancelRetry
                | Self::Replay
                | Self::AskAgain
                | Self::Lookup
                | Self::Compensate
        )
    }

    /// Acting on an item claims it; talking about it, or giving it away, does not.
    #[must_use]
    pub const fn claims(self) -> bool {
        matches!(
            self,
            Self::Claim
                | Self::Correct
                | Self::Reconcile
                | Self::CancelRetry
                | Self::Replay
                | Self::AskAgain
                | Self::Lookup
                | Self::Compensate
        )
    }
}

/// Whether the item's state allows `step`, and if not, why and what would help.
pub fn judge(step: Move, facts: &Facts) -> Result<(), Refusal> {
    if step.changes_the_outcome()
        && let Some(claim) = facts.claim.as_ref().filter(|claim| !claim.own)
    {
        return Err(Refusal::Claimed { by: claim.by.clone(), until: claim.until });
    }
    let closed = facts.state == State::Closed;
    match step {
        Move::Comment => Ok(()),
        Move::Reopen if closed => Ok(()),
        Move::Reopen => Err(Refusal::NotClosed),
        _ if closed => Err(Refusal::Closed),
        // The work itself was accepted; what is left is done by people.
        Move::Correct | Move::Replay | Move::AskAgain | Move::Lookup | Move::Compensate if facts.follow_up => {
            Err(Refusal::FollowUp)
        }
        Move::Claim | Move::Assign | Move::Escalate => Ok(()),
        Move::Release | Move::HandOver => match &facts.claim {
            Some(claim) if claim.own => Ok(()),
            _ => Err(Refusal::NotClaimed),
        },
        Move::Snooze if facts.state == State::Open => Ok(()),
        Move::Snooze => Err(Refusal::NotOpen { state: facts.state }),
        Move::Wake if facts.state == State::Snoozed => Ok(()),
        Move::Wake => Err(Refusal::NotSnoozed),
        Move::CancelRetry => match &facts.live {
            Some(live) if live.kind == ActivityKind::PlannedRetry => Ok(()),
            Some(live) => Err(in_progress(live)),
            None => Err(Refusal::NoPlannedRetry),
        },
        Move::Correct => match &facts.live {
            Some(live) => Err(in_progress(live)),
            None if facts.state == State::Open => Ok(()),
            None => Err(Refusal::NotOpen { state: facts.state }),
        },
        // A planned retry does not settle what happened before it; anything that runs may still.
        Move::Reconcile => match (&facts.live, facts.effect) {
            (Some(live), _) if live.kind != ActivityKind::PlannedRetry => Err(in_progress(live)),
            _ if facts.possible_double_effect => Ok(()),
            (_, Effect::Uncertain | Effect::Partial) => Ok(()),
            (_, effect) => Err(Refusal::NothingToReconcile { effect }),
        },
        Move::Resolve => match &facts.live {
            Some(live) => Err(in_progress(live)),
            None if facts.possible_double_effect => Err(Refusal::PossibleDoubleEffect),
            None => Ok(()),
        },
        Move::Replay => {
            may_send(facts)?;
            match facts.effect {
                Effect::None | Effect::Compensated => Ok(()),
                Effect::Partial if facts.completing => Ok(()),
                effect => Err(Refusal::EffectForbidsReplay { effect }),
            }
        }
        Move::Compensate => match (&facts.live, facts.effect) {
            (Some(live), _) => Err(in_progress(live)),
            _ if !facts.step.compensations => Err(Refusal::NoCompensation),
            _ if facts.state != State::Open => Err(Refusal::NotOpen { state: facts.state }),
            (None, effect @ Effect::Uncertain) => Err(Refusal::NothingToCompensate { effect }),
            _ if facts.possible_double_effect => Ok(()),
            (None, Effect::Confirmed | Effect::Partial) => Ok(()),
            (None, effect) => Err(Refusal::NothingToCompensate { effect }),
        },
        Move::AskAgain => {
            may_send(facts)?;
            match (facts.effect, facts.step.repeat) {
                (Effect::Uncertain, Repeat::Key) => Ok(()),
                (Effect::Uncertain, _) => Err(Refusal::KeysNotRecognised),
                (effect, _) => Err(Refusal::NothingToReconcile { effect }),
            }
        }
        Move::Lookup => {
            judge(Move::Reconcile, facts)?;
            if facts.step.lookup { Ok(()) } else { Err(Refusal::NoLookup) }
        }
    }
}

/// Whether anything may be sent for the item at all.
fn may_send(facts: &Facts) -> Result<(), Refusal> {
    if let Some(live) = &facts.live {
        return Err(in_progress(live));
    }
    match facts.step.delivery {
        _ if facts.possible_double_effect => Err(Refusal::PossibleDoubleEffect),
        _ if facts.state != State::Open => Err(Refusal::NotOpen { state: facts.state }),
        Some(DestinationKind::Http) => Ok(()),
        Some(DestinationKind::Pull) => Err(Refusal::NoDestination { pull: true }),
        None => Err(Refusal::NoDestination { pull: false }),
    }
}

/// The refusal that names what is live.
#[must_use]
pub fn in_progress(live: &LiveActivity) -> Refusal {
    Refusal::InProgress { kind: live.kind, by: live.by.clone(), since: live.since }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(state: State, effect: Effect, live: Option<ActivityKind>, claim: Option<bool>) -> Facts {
        let since = DateTime::UNIX_EPOCH;
        let live = live.map(|kind| LiveActivity { kind, by: "sync".into(), since });
        let claim = claim.map(|own| LiveClaim { own, by: "Jonas".into(), until: since });
        let step =
            StepFacts { delivery: Some(DestinationKind::Http), repeat: Repeat::Key, lookup: true, compensations: true };
        Facts {
            lane: Lane::DeadLetter,
            state,
            effect,
            live,
            claim,
            possible_double_effect: false,
            completing: false,
            follow_up: false,
            step,
        }
    }

    /// Written by hand as the expectation: `.` allowed, else the refusal's first word.
    const TABLE: &str = "
state   effect      live            claim    claim   release     hand_over   assign  comment snooze   wake        cancel_retry    correct     reconcile   resolve     escalate reopen  replay        ask_again     lookup  compensations
open          none          -             -             .             not_claimed   not_claimed   .             .             .             not_snoozed   no_retry      .             nothing       .             .             not_closed    .             nothing       nothing  no_effect
open          none          -             own           .             .             .             .             .             .             not_snoozed   no_retry      .             nothing       .             .             not_closed    .             nothing       nothing  no_effect
open          none          -             other         .             not_claimed   not_claimed   .             .             .             not_snoozed   claimed       claimed       claimed       claimed       .             not_closed    claimed       claimed       claimed  claimed
open          uncertain     -             -             .             not_claimed   not_claimed   .             .             .             not_snoozed   no_retry      .             .             .             .             not_closed    effect        .             .  no_effect
open          partial       -             own           .             .             .             .             .             .             not_snoozed   no_retry      .             .             .             .             not_closed    effect        nothing       .  .
open          confirmed     -             -             .             not_claimed   not_claimed   .             .             .             not_snoozed   no_retry      .             nothing       .             .             not_closed    effect        nothing       nothing  .
open          uncertain     planned_retry  -             .             not_claimed   not_claimed   .             .             .             not_snoozed   .             in_progress   .             in_progress   .             not_closed    in_progress   in_progress   .  in_progress
open          none          planned_retry  other         .             not_claimed   not_claimed   .             .             .             not_snoozed   claimed       claimed       claimed       claimed       .             not_closed    claimed       claimed       claimed  claimed
open          uncertain     attempt       -             .             not_claimed   not_claimed   .             .             .             not_snoozed   in_progress   in_progress   in_progress   in_progress   .             not_closed    in_progress   in_progress   in_progress  in_progress
snoozed       uncertain     -             own           .             .             .             .             .             not_open      .             no_retry      not_open      .             .             .             not_closed    not_open      not_open      .  not_open
closed        confirmed     -             -             closed        closed        closed        closed        .             closed        closed        closed        closed        closed        closed        closed        .             closed       closed       closed  closed
closed        none          -             other         closed        closed        closed        closed        .             closed        closed        claimed       claimed       claimed       claimed       closed        .             claimed       claimed       claimed  claimed
";

    #[test]
    fn r10_a_possible_double_effect_ends_by_a_finding_before_the_item_can_be_closed() {
        let raised = Facts { possible_double_effect: true, ..facts(State::Open, Effect::Confirmed, None, None) };
        assert_eq!(judge(Move::Resolve, &raised), Err(Refusal::PossibleDoubleEffect));
        assert_eq!(judge(Move::Reconcile, &raised), Ok(()));
    }

    #[test]
    fn what_a_step_does_not_offer_is_refused_with_its_name() {
        let with = |effect, step| Facts { step, ..facts(State::Open, effect, None, None) };
        let full = facts(State::Open, Effect::None, None, None).step;
        for (delivery, pull) in [(None, false), (Some(DestinationKind::Pull), true)] {
            let nowhere = StepFacts { delivery, ..full };
            assert_eq!(judge(Move::Replay, &with(Effect::None, nowhere)), Err(Refusal::NoDestination { pull }));
            assert_eq!(judge(Move::AskAgain, &with(Effect::Uncertain, nowhere)), Err(Refusal::NoDestination { pull }));
        }
        for repeat in [Repeat::Lookup, Repeat::Nothing] {
            let forgetful = with(Effect::Uncertain, StepFacts { repeat, ..full });
            assert_eq!(judge(Move::AskAgain, &forgetful), Err(Refusal::KeysNotRecognised));
        }
        let blind = with(Effect::Uncertain, StepFacts { lookup: false, ..full });
        assert_eq!(judge(Move::Lookup, &blind), Err(Refusal::NoLookup));
        let for_good = with(Effect::Confirmed, StepFacts { compensations: false, ..full });
        assert_eq!(judge(Move::Compensate, &for_good), Err(Refusal::NoCompensation));
        assert_eq!(judge(Move::Replay, &with(Effect::Compensated, full)), Ok(()));
        for (effect, may) in [(Effect::Partial, true), (Effect::Confirmed, false), (Effect::Uncertain, false)] {
            let corrected = Facts { completing: true, ..with(effect, full) };
            assert_eq!(judge(Move::Replay, &corrected).is_ok(), may, "a correction that does the rest: {effect}");
        }
        let doubtful = Facts { possible_double_effect: true, ..with(Effect::None, full) };
        assert_eq!(judge(Move::Replay, &doubtful), Err(Refusal::PossibleDoubleEffect));
    }

    /// Written by hand: what a follow-up refuses while it is open, and nothing else.
    const NOT_FOR_A_FOLLOW_UP: &[Move] = &[Move::Correct, Move::Replay, Move::AskAgain, Move::Lookup, Move::Compensate];

    #[test]
    fn r4_nothing_is_sent_for_a_follow_up_however_it_stands() {
        for state in [State::Open, State::Snoozed, State::Closed] {
            for effect in Effect::ALL {
                let plain = facts(state, *effect, None, None);
                let follow_up = Facts { follow_up: true, ..plain.clone() };
                for step in Move::ALL {
                    let refused = NOT_FOR_A_FOLLOW_UP.contains(step) && state != State::Closed;
                    let expected = if refused { Err(Refusal::FollowUp) } else { judge(*step, &plain) };
                    assert_eq!(judge(*step, &follow_up), expected, "{step} of a follow-up that is {state}, {effect}");
                }
            }
        }
    }

    #[test]
    fn the_table_of_moves_is_as_written_by_hand() {
        let mut lines = TABLE.trim().lines();
        let moves: Vec<Move> =
            lines.next().unwrap().split_whitespace().skip(4).map(|word| word.parse().unwrap()).collect();
        assert_eq!(moves, Move::ALL, "the table has a column for every move");
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let live = match words[2] {
                "-" => None,
                "attempt" => Some(ActivityKind::AutomationAttempt),
                kind => Some(kind.parse().unwrap()),
            };
            let claim = match words[3] {
                "-" => None,
                who => Some(who == "own"),
            };
            let facts = facts(words[0].parse().unwrap(), words[1].parse().unwrap(), live, claim);
            for (step, expected) in moves.iter().zip(&words[4..]) {
                let found = match judge(*step, &facts) {
                    Ok(()) => ".",
                    Err(Refusal::Claimed { .. }) => "claimed",
                    Err(Refusal::NotClaimed) => "not_claimed",
                    Err(Refusal::NotSnoozed) => "not_snoozed",
                    Err(Refusal::NotOpen { .. }) => "not_open",
                    Err(Refusal::NotClosed) => "not_closed",
                    Err(Refusal::NoPlannedRetry) => "no_retry",
                    Err(Refusal::NothingToReconcile { .. }) => "nothing",
                    Err(Refusal::InProgress { .. }) => "in_progress",
                    Err(Refusal::Closed) => "closed",
                    Err(Refusal::EffectForbidsReplay { .. }) => "effect",
                    Err(Refusal::NothingToCompensate { .. }) => "no_effect",
                    Err(other) => panic!("{step} was refused with {other:?}"),
                };
                assert_eq!(found, *expected, "{step} in: {line}");
            }
        }
    }
}
