//! What follows from one try: the item closes, waits, is tried again, or is open for a person.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    attempt::{AttemptBy, Outcome},
    audit::AuditKind,
    effect::Effect,
    failure::FailureClass,
    ids::CompensationId,
    item::{Resolution, State},
    replay::{KeyAge, Meaning, Retries, failure_class},
    text,
    workflow::{Repeat, SideEffect},
};
use store::{Activity, Attempt, EndedHow, Item, Replay, Stage};

use super::{begin, settle};
use crate::{
    Result,
    action::Act,
    compensations,
    items::{sending, standing},
    new_id,
};

/// How long a replay may wait in the outbox past its time. A sender that was away longer does not surprise anybody with it.
pub(crate) const QUEUE_LASTS: TimeDelta = TimeDelta::hours(1);

/// Goes on from a try that was settled in time.
pub(super) async fn go_on(
    act: &mut Act<'_>,
    item: &mut Item,
    replay: &mut Replay,
    attempt: &Attempt,
    (meaning, side_effect): (Meaning, SideEffect),
    asked_to_wait: Option<TimeDelta>,
) -> Result<()> {
    match meaning {
        Meaning::Success => return succeeded(act, item, replay, attempt).await,
        Meaning::Accepted => return accepted(act, item, replay, attempt).await,
        Meaning::NoEffect | Meaning::TryAgain | Meaning::Uncertain => {}
    }
    failed(item, attempt, attempt.status_code);
    let due = match (meaning, side_effect) {
        // Without a side effect, what is uncertain may be tried again (R8).
        (Meaning::TryAgain, _) | (Meaning::Uncertain, SideEffect::None) => next_try(act, replay, asked_to_wait),
        // A compensation's part is not known to be recognised by its key.
        (Meaning::Uncertain, _) if replay.compensation_id.is_some() => None,
        (Meaning::Uncertain, _) => match next_try(act, replay, asked_to_wait) {
            Some(due) if key_helps(act, item, replay, due).await? => Some(due),
            _ => None,
        },
        _ => None,
    };
    match due {
        Some(due) => try_again(act, item, replay, due).await,
        None => end(act, item, replay).await,
    }
}

fn next_try(act: &Act<'_>, replay: &Replay, asked_to_wait: Option<TimeDelta>) -> Option<DateTime<Utc>> {
    let tries = u32::try_from(replay.tries).unwrap_or(u32::MAX);
    // The try's own random id spreads those that failed together.
    let jitter = f64::from(replay.attempt_id.0.as_bytes()[15]) / 255.0;
    let first = replay.first_try_at.unwrap_or(act.now);
    Retries::from(&replay.destination.0).next(tries, first, settle::bounded(asked_to_wait), jitter, act.now)
}

/// Whether the destination recognises this key, and still will by then (R7).
async fn key_helps(act: &mut Act<'_>, item: &Item, replay: &Replay, due: DateTime<Utc>) -> Result<bool> {
    let Some(found) = sending::step_of(&mut act.uow, item).await? else { return Ok(false) };
    if found.step.repeat != Repeat::Key {
        return Ok(false);
    }
    let age = sending::age_of_key(&mut act.uow, item, &found.step, &replay.key, due).await?;
    Ok(matches!(age, KeyAge::RememberedUntil(_)))
}

/// The destination acknowledged it: the item closes on that evidence (R9), unless something else is in doubt.
pub(super) async fn succeeded(
    act: &mut Act<'_>,
    item: &mut Item,
    replay: &mut Replay,
    attempt: &Attempt,
) -> Result<()> {
    if replay.compensation_id.is_some() {
        stop_waiting(act, item, replay).await?;
        standing::derive(&mut act.uow, item).await?;
        item.changed(format!("attempt {} succeeded", attempt.number));
        return compensations::part_done(act, item, replay).await;
    }
    // Where the destination recognises keys, one answer speaks for every try with this key.
    for mut other in act.uow.attempts(item.id).await? {
        let same = other.id != attempt.id && other.idempotency_key == attempt.idempotency_key;
        if same && other.effect == Effect::Uncertain && replay_recognises_keys(act, item).await? {
            other.effect = Effect::Confirmed;
            other.record_id.clone_from(&attempt.record_id);
            act.uow.settle_attempt(&other).await?;
            act.entry().detail("settles", other.number);
        }
    }
    // A further try that waits is not needed any more.
    if replay.stage == Stage::Queued
        && let Some(mut next) = act.uow.attempts(item.id).await?.into_iter().find(|a| a.id == replay.attempt_id)
    {
        next.outcome = Outcome::Failed;
        next.message = Some(format!("Not sent: attempt {} has succeeded.", attempt.number));
        next.finished_at = Some(act.now);
        act.uow.settle_attempt(&next).await?;
    }
    stop_waiting(act, item, replay).await?;
    standing::derive(&mut act.uow, item).await?;
    item.changed(format!("attempt {} succeeded", attempt.number));
    standing::double_effect(act, item, attempt).await?;
    let doubtful = !act.uow.double_effects(item.id).await?.is_empty();
    if item.effect == Effect::Confirmed && !doubtful && act.uow.live_activity(item.id).await?.is_none() {
        standing::close(item, Resolution::Replayed, act.now);
        act.uow.release(item.id).await?;
        act.entry().detail("resolution", Resolution::Replayed.as_str());
    }
    Ok(())
}

async fn replay_recognises_keys(act: &mut Act<'_>, item: &Item) -> Result<bool> {
    Ok(sending::step_of(&mut act.uow, item).await?.is_some_and(|found| found.step.repeat == Repeat::Key))
}

/// The destination has taken it on; the outcome is awaited until a deadline.
async fn accepted(act: &mut Act<'_>, item: &mut Item, replay: &mut Replay, attempt: &Attempt) -> Result<()> {
    replay.stage = Stage::Awaiting;
    act.uow.save_replay(replay).await?;
    let deadline = act.now + replay.destination.accepted_deadline();
    act.uow.keep_activity(replay.activity_id, attempt.id, deadline).await?;
    if replay.compensation_id.is_none() {
        item.state = State::AwaitingOutcome;
    }
    standing::derive(&mut act.uow, item).await?;
    item.changed(format!("attempt {} was taken on, its outcome is awaited", attempt.number));
    act.entry().detail("until", deadline.to_rfc3339());
    Ok(())
}

/// A further try of the same replay is put into the outbox.
async fn try_again(act: &mut Act<'_>, item: &mut Item, replay: &mut Replay, due: DateTime<Utc>) -> Result<()> {
    let attempts = act.uow.attempts(item.id).await?;
    let last = attempts.iter().find(|a| a.id == replay.attempt_id);
    let request = last.and_then(|a| a.request.clone());
    let number = attempts.last().map_or(1, |last| last.number + 1);
    let next = waiting_attempt(item, replay, number, request, act.now);
    act.uow.add_attempt(&next).await?;
    replay.attempt_id = next.id;
    replay.stage = Stage::Queued;
    replay.due_at = due;
    act.uow.save_replay(replay).await?;
    act.uow.keep_activity(replay.activity_id, next.id, due + QUEUE_LASTS).await?;
    item.state = while_under_way(replay);
    standing::derive(&mut act.uow, item).await?;
    item.changed(format!("attempt {number} follows"));
    act.entry().detail("next_attempt", number).detail("due_at", due.to_rfc3339());
    Ok(())
}

/// What an item is while this waits to be sent, or is sent.
pub(super) const fn while_under_way(replay: &Replay) -> State {
    if replay.compensation_id.is_some() { State::Compensating } else { State::Replaying }
}

/// An attempt that waits in the outbox: nothing of it was sent.
pub(crate) fn waiting_attempt(
    item: &Item,
    replay: &Replay,
    number: i64,
    request: Option<String>,
    now: DateTime<Utc>,
) -> Attempt {
    Attempt {
        id: new_id(now),
        item_id: item.id,
        number,
        made_by: AttemptBy::Replay,
        by_id: replay.requested_by,
        by_name: replay.requested_by_name.clone(),
        reported_number: None,
        revision: Some(replay.revision),
        epoch: replay.epoch,
        idempotency_key: Some(replay.key.clone()),
        outcome: Outcome::InFlight,
        effect: Effect::None,
        sent: Some(false),
        status_code: None,
        record_id: None,
        message: None,
        late: false,
        started_at: None,
        finished_at: None,
        received_at: now,
        destination: serde_json::to_string(&replay.destination.0).ok(),
        request,
        compensation_id: replay.compensation_id,
        part: replay.part,
        made_good: false,
    }
}

/// Whether what is sent changes the world: a compensation does, whatever the step does.
pub(super) async fn side_effect_of(act: &mut Act<'_>, item: &Item, replay: &Replay) -> Result<SideEffect> {
    match replay.compensation_id {
        Some(_) => Ok(SideEffect::Irreversible),
        None => sending::side_effect(&mut act.uow, item).await,
    }
}

/// The replay is over without a success: the item is open for a person.
pub(super) async fn end(act: &mut Act<'_>, item: &mut Item, replay: &mut Replay) -> Result<()> {
    stop_waiting(act, item, replay).await?;
    standing::derive(&mut act.uow, item).await?;
    if let Some(compensation) = replay.compensation_id {
        return compensations::ended(act, item, CompensationId(compensation)).await;
    }
    item.changed("a replay has ended");
    Ok(())
}

/// Nothing of the replay is live any more.
async fn stop_waiting(act: &mut Act<'_>, item: &mut Item, replay: &mut Replay) -> Result<()> {
    if replay.stage != Stage::Ended {
        replay.stage = Stage::Ended;
        act.uow.save_replay(replay).await?;
        let held = act.uow.end_activity(replay.activity_id, EndedHow::Finished, act.caller.name(), act.now).await?;
        // Another replay may hold the item by now. Of a compensation the parts that follow decide.
        if held && matches!(item.state, State::Replaying | State::AwaitingOutcome) {
            item.state = State::Open;
        }
    }
    Ok(())
}

/// The item shows its last failure; each attempt keeps its own.
pub(super) fn failed(item: &mut Item, attempt: &Attempt, status: Option<i64>) {
    // What it failed with before it was to be made good stays what it failed with.
    let tells = item.state != State::Closed && attempt.compensation_id.is_none();
    let Some(message) = attempt.message.as_ref().filter(|_| tells) else { return };
    item.message = text::message(message);
    item.failure_class = match status.and_then(|status| u16::try_from(status).ok()) {
        Some(status) => failure_class(status),
        None if attempt.sent == Some(false) => FailureClass::Unavailable,
        None => FailureClass::Network,
    };
}

/// Ends what a replay left behind: a send whose process ended, an outcome that never came, a place in the outbox that
/// nobody served. Its lease has run out; nothing of it is sent again but what R8 allows.
pub(crate) async fn lapse(act: &mut Act<'_>, item: &mut Item, live: &Activity) -> Result<bool> {
    let Some(mut replay) = act.uow.replay_of(live.id).await? else {
        return Ok(act.uow.end_activity(live.id, EndedHow::Lapsed, "lease", act.now).await?);
    };
    let attempts = act.uow.attempts(item.id).await?;
    let Some(attempt) = attempts.iter().find(|a| a.id == replay.attempt_id) else { return Ok(false) };
    let before = act.tell_apart(AuditKind::ActivityLapsed);
    act.entry().item(item).detail("kind", live.kind.as_str()).detail("attempt", attempt.number);
    let lapsed = lapsed(act, item, live, &mut replay, attempt.clone()).await;
    act.told(before);
    lapsed
}

async fn lapsed(
    act: &mut Act<'_>,
    item: &mut Item,
    live: &Activity,
    replay: &mut Replay,
    mut attempt: Attempt,
) -> Result<bool> {
    let side_effect = side_effect_of(act, item, replay).await?;
    let why = match replay.stage {
        Stage::Queued => {
            let why = "Nobody sent it within an hour of its time. Nothing has left.";
            begin::unsent(act, item, replay, why).await?;
            return Ok(true);
        }
        Stage::Sending => {
            "Whoever was sending it ended before the answer was written down: nobody knows whether it arrived."
        }
        Stage::Awaiting => "It was taken on, and no outcome came before the deadline.",
        Stage::Ended => return Ok(act.uow.end_activity(live.id, EndedHow::Lapsed, "lease", act.now).await?),
    };
    attempt.outcome = Outcome::Uncertain;
    attempt.effect = if side_effect == SideEffect::None { Effect::None } else { Effect::Uncertain };
    attempt.message = Some(why.into());
    attempt.finished_at = Some(act.now);
    act.uow.settle_attempt(&attempt).await?;
    go_on(act, item, replay, &attempt, (Meaning::Uncertain, side_effect), None).await?;
    Ok(true)
}
