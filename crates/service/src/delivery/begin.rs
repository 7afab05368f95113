//! The point of no return (R6): "sending" is committed before the first byte leaves. Or the replay ends unsent.

use domain::{
    attempt::Outcome,
    audit::AuditKind,
    effect::Effect,
    ids::{AttemptId, ReplayId},
    replay::{Accept, KeyAge, Retries, lease},
    workflow::Repeat,
};
use store::{Attempt, Item, Replay, Stage};

use super::ending;
use crate::{
    Error, Result,
    action::{Act, Action, Gate},
    approvals::{draw::is_of_the_step, given, outside::Outside},
    items::{sending, standing},
    outcomes,
    payloads::difference::bytes_of,
};

/// A try that was committed to being sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub(super) attempt: AttemptId,
    pub(super) fence: i64,
}

/// Commits the next try of a replay to being sent. `None`: another was quicker, or it must not be sent any more.
pub(super) struct Begin {
    pub(super) replay: ReplayId,
    /// What other systems showed just before.
    pub(super) outside: Outside,
}

impl Action for Begin {
    const NAME: &'static str = "begin_sending";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ReplayStarted;
    type Output = Option<Begun>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Option<Begun>> {
        let Some((mut item, mut replay)) = waiting(act, self.replay).await? else {
            act.nothing_changed();
            return Ok(None);
        };
        let before = item.state;
        let attempts = act.uow.attempts(item.id).await?;
        if let Err(why) = may_still_be_sent(act, &item, &replay, &attempts, &self.outside).await? {
            unsent(act, &mut item, &mut replay, &why).await?;
            given::void(act, &mut item, &replay, &why).await?;
            outcomes::save(act, before, &mut item).await?;
            return Ok(None);
        }
        if !act.uow.start_attempt(replay.attempt_id, act.now).await? {
            return Err(Error::Fault("an attempt that waits to be sent was begun before"));
        }
        replay.stage = Stage::Sending;
        replay.tries += 1;
        replay.fence += 1;
        replay.first_try_at.get_or_insert(act.now);
        act.uow.save_replay(&replay).await?;
        let until = act.now + lease(replay.destination.timeout());
        act.uow.keep_activity(replay.activity_id, replay.attempt_id, until).await?;
        standing::derive(&mut act.uow, &mut item).await?;
        item.changed(format!("revision {} is being sent", replay.revision));
        act.entry().item(&item).detail("replay", replay.id.to_string()).detail("try", replay.tries);
        outcomes::save(act, before, &mut item).await?;
        Ok(Some(Begun { attempt: replay.attempt_id, fence: replay.fence }))
    }
}

/// Ends a replay whose next try can't be sent.
pub(super) struct Stop {
    pub(super) replay: ReplayId,
    pub(super) why: String,
    /// It is not what was asked for any more: an approval of it is void.
    pub(super) changed: bool,
}

impl Action for Stop {
    const NAME: &'static str = "stop_replay";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ReplayStopped;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let Some((mut item, mut replay)) = waiting(act, self.replay).await? else {
            act.nothing_changed();
            return Ok(());
        };
        let before = item.state;
        unsent(act, &mut item, &mut replay, &self.why).await?;
        if self.changed {
            given::void(act, &mut item, &replay, &self.why).await?;
        }
        outcomes::save(act, before, &mut item).await
    }
}

/// The replay and its item, locked, if it waits in the outbox and is due.
async fn waiting(act: &mut Act<'_>, id: ReplayId) -> Result<Option<(Item, Replay)>> {
    let Some(found) = act.uow.replay(id).await? else { return Ok(None) };
    let item = act.uow.lock_item(found.item_id).await?.ok_or(Error::Fault("a replay's item is not there"))?;
    // Read again under the lock: another process may have been quicker.
    let due = |replay: &Replay| replay.stage == Stage::Queued && replay.due_at <= act.now;
    Ok(act.uow.replay(id).await?.filter(due).map(|replay| (item, replay)))
}

/// What was true when it was asked for must still be true when it is sent (R4, R5, R18).
async fn may_still_be_sent(
    act: &mut Act<'_>,
    item: &Item,
    replay: &Replay,
    attempts: &[Attempt],
    outside: &Outside,
) -> Result<Result<(), String>> {
    let no = |why: &str| Ok(Err(why.to_owned()));
    let live = act.uow.live_activity(item.id).await?;
    if item.state != ending::while_under_way(replay) || live.is_none_or(|live| live.id != replay.activity_id) {
        return no("The item has moved on since this was asked for.");
    }
    if let Err(why) = given::still_stands(act, item, replay, outside).await? {
        return Ok(Err(why));
    }
    if replay.compensation_id.is_some() {
        return Ok(Ok(()));
    }
    let Some(found) = sending::step_of(&mut act.uow, item).await? else {
        return no("The workflow no longer names this step.");
    };
    if found.step.destination.as_ref() != Some(&replay.destination.0) {
        return no("The destination was changed since this was asked for. Look at it and ask again.");
    }
    if item.epoch != replay.epoch || !act.uow.double_effects(item.id).await?.is_empty() {
        return no("What is known of its effect has changed since this was asked for.");
    }
    let revisions = act.uow.revisions(item.id).await?;
    let Some(revision) = revisions.iter().find(|revision| revision.number == replay.revision) else {
        return no("Its revision is not there.");
    };
    // Only tries with this very key may be in doubt, and only where asking again is what was wanted.
    let same_key = |a: &Attempt| a.idempotency_key.as_deref() == Some(replay.key.as_str());
    let asking_again = replay.asks_again || replay.tries > 0;
    let stands = |a: &&Attempt| match a.effect {
        _ if !is_of_the_step(a) && a.effect != Effect::Uncertain => false,
        // What it does the rest of stands beside it.
        Effect::Partial if revision.completing && a.revision != Some(replay.revision) => false,
        Effect::None | Effect::Compensated => false,
        Effect::Uncertain => !(asking_again && (same_key(a) || replay.asks_again)),
        Effect::Confirmed | Effect::Partial => a.epoch == item.epoch,
    };
    if let Some(a) = attempts.iter().find(stands) {
        return Ok(Err(format!("Attempt {} has become known since: {}.", a.number, a.effect.words())));
    }
    // What is in doubt is asked again only while the destination recognises the key, and in the time there is.
    if attempts.iter().any(|a| a.effect == Effect::Uncertain) {
        let age = sending::age_of_key(&mut act.uow, item, &found.step, &replay.key, act.now).await?;
        if found.step.repeat != Repeat::Key || !matches!(age, KeyAge::RememberedUntil(_)) {
            return no("The destination would not recognise the key any more.");
        }
    }
    if replay.first_try_at.is_some_and(|first| Retries::from(&replay.destination.0).are_over(first, act.now)) {
        return no("The time for trying again by itself is over.");
    }
    if replay.asks_again {
        return Ok(Ok(()));
    }
    let mut wanted = sending::decisions(&mut act.uow, item, &found, revision, &replay.key, act.now).await?;
    let Some(bytes) = bytes_of(&mut act.uow, revision).await? else { return no("Its bytes were erased.") };
    let by_content = sending::by_content(&found, &revisions, revision, &bytes);
    if by_content.needs_approval && replay.approval_id.is_none() {
        return no("It takes a second person's approval by now.");
    }
    wanted.extend(by_content.demand);
    let made_from = revision.source_version.as_ref();
    let moved = |version: &String| made_from.is_some_and(|made| made != version);
    if outside.source_version.as_ref().is_some_and(moved) {
        wanted.push(Accept::SourceChanged);
    }
    // The key of an earlier try of this very replay was looked at above.
    let known =
        |accept: Accept| replay.accepted.contains(&accept) || (accept == Accept::KeyExpired && replay.tries > 0);
    match wanted.into_iter().find(|accept| !known(*accept)) {
        Some(accept) => no(accept.sentence()),
        None => Ok(Ok(())),
    }
}

/// The next try is over before anything of it was sent.
pub(super) async fn unsent(act: &mut Act<'_>, item: &mut Item, replay: &mut Replay, why: &str) -> Result<()> {
    let mut attempts = act.uow.attempts(item.id).await?;
    let attempt = attempts.iter_mut().find(|a| a.id == replay.attempt_id);
    let attempt = attempt.ok_or(Error::Fault("a replay's attempt is not there"))?;
    attempt.outcome = Outcome::Failed;
    attempt.effect = Effect::None;
    attempt.sent = Some(false);
    attempt.message = Some(why.to_owned());
    attempt.finished_at = Some(act.now);
    act.uow.settle_attempt(attempt).await?;
    act.record_as(AuditKind::ReplayStopped)
        .item(item)
        .detail("replay", replay.id.to_string())
        .detail("attempt", attempt.number)
        .text(why);
    ending::failed(item, attempt, None);
    ending::end(act, item, replay).await
}
