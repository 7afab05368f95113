//! How an item stands: its effect derived anew, and what happens when it closes, comes back, or hears late news.

use chrono::{DateTime, Utc};
use domain::{
    attempt::Outcome,
    audit::AuditKind,
    effect::{self, Effect, Standing},
    ids::AttemptId,
    item::{ActivityKind, Resolution, State},
    late_news::{self, LateNews, Trace},
    workflow::Repeat,
};
use store::{Activity, Attempt, EndedHow, Item, Uow};
use uuid::Uuid;

use super::sending;
use crate::{
    Result,
    action::{Act, Entry},
    approvals::draw::is_of_the_step,
    delivery, new_id,
};

/// Derives the item's effect from its attempts. The only place it is set.
pub(crate) async fn derive(uow: &mut Uow, item: &mut Item) -> Result<()> {
    let attempts = uow.attempts(item.id).await?;
    item.effect = effect::derive(item.epoch, attempts.iter().filter_map(|a| contributes(item, a)));
    // What was made good, with nothing else standing or in doubt beside it, ends the epoch: the right version may be sent.
    let made_good = attempts.iter().any(|a| a.made_good && a.epoch == item.epoch);
    if made_good && matches!(item.effect, Effect::None | Effect::Compensated) {
        item.epoch += 1;
        item.record_id = None;
        item.effect = effect::derive(item.epoch, attempts.iter().filter_map(|a| contributes(item, a)));
    }
    let stands = |a: &&Attempt| is_of_the_step(a) && a.effect == Effect::Confirmed;
    if item.effect == Effect::Confirmed
        && let Some(record) = attempts.iter().rev().filter(stands).find_map(|a| a.record_id.clone())
    {
        item.record_id = Some(record);
    }
    Ok(())
}

/// The other system's record of what an attempt did. What is known of the item only is its record where no other had an effect.
pub(crate) fn record_of<'a>(item: &'a Item, attempts: &[Attempt], attempt: &'a Attempt) -> Option<&'a str> {
    let had_one = |a: &Attempt| matches!(a.effect, Effect::Confirmed | Effect::Partial) && a.compensation_id.is_none();
    let alone = !attempts.iter().any(|a| a.id != attempt.id && a.epoch == item.epoch && had_one(a));
    attempt.record_id.as_deref().or_else(|| item.record_id.as_deref().filter(|_| alone))
}

/// What an attempt says of the item's effect. One that was made good says nothing any more; one of a compensation says only
/// whether something is in doubt.
fn contributes(item: &Item, a: &Attempt) -> Option<Standing> {
    match (a.compensation_id, a.effect) {
        _ if a.made_good => None,
        (None, effect) => Some(Standing { epoch: a.epoch, effect }),
        (Some(_), Effect::Uncertain) => Some(Standing { epoch: item.epoch, effect: Effect::Uncertain }),
        (Some(_), _) => None,
    }
}

/// Closes the item.
pub(crate) fn close(item: &mut Item, resolution: Resolution, now: DateTime<Utc>) {
    item.state = State::Closed;
    item.resolution = Some(resolution);
    item.closed_at = Some(now);
    item.snoozed_until = None;
    item.respond_by = None;
}

/// Opens a closed item again; ageing begins anew.
pub(crate) fn reopen(item: &mut Item, now: DateTime<Utc>) {
    item.state = State::Open;
    item.resolution = None;
    item.closed_at = None;
    item.received_at = now;
    item.claimed_at = None;
    item.worked_until = None;
}

/// The effect of an attempt once its automation has told of it. What was settled stands (R10): no word makes less of it, and a
/// word that it is open says nothing new, unless it takes back that nothing happened.
pub(crate) async fn effect_once_told(uow: &mut Uow, attempt: &Attempt, told: Effect) -> Result<Effect> {
    Ok(match (attempt.effect, told) {
        (Effect::Uncertain, told) => told,
        (Effect::None, Effect::Uncertain) if !was_found_out(uow, attempt).await? => told,
        (settled, Effect::Uncertain) => settled,
        // The whole outweighs a part.
        (Effect::Confirmed, _) | (_, Effect::Confirmed) => Effect::Confirmed,
        (settled, told) => settled.more_doubtful(told),
    })
}

/// Whether a person has found out about an attempt what settles it.
pub(crate) async fn was_found_out(uow: &mut Uow, attempt: &Attempt) -> Result<bool> {
    let findings = uow.findings(attempt.item_id).await?;
    Ok(findings.iter().any(|found| found.attempt_id == attempt.id && found.finding.settles().is_some()))
}

/// Judges news about an attempt of an item that was decided (R10); `was` is how the attempt stood before, where it is not
/// new. A contradiction is raised, and the item is open again.
pub(crate) async fn late_news(act: &mut Act<'_>, item: &mut Item, news: &Attempt, was: Option<&Attempt>) -> Result<()> {
    // What a person did by hand they did besides: an attempt that happened too is one effect more.
    if item.resolution != Some(Resolution::DoneByHand) && was.is_some_and(|was| says_the_same(was, news)) {
        return Ok(());
    }
    let (judged, _) = judge(act, item, news).await?;
    raise(act, item, news, judged).await
}

/// Raises a second effect beside one that is known already, while the item is open.
pub(crate) async fn double_effect(act: &mut Act<'_>, item: &mut Item, news: &Attempt) -> Result<()> {
    let (judged, stands) = judge(act, item, news).await?;
    if stands { raise(act, item, news, judged).await } else { Ok(()) }
}

/// What news about an attempt means beside the others of the epoch, and whether one of these had an effect for certain.
async fn judge(act: &mut Act<'_>, item: &Item, news: &Attempt) -> Result<(LateNews, bool)> {
    // One key stands for one effect where the destination recognises it.
    let keys_count = sending::step_facts(&mut act.uow, item).await?.repeat == Repeat::Key;
    let attempts = act.uow.attempts(item.id).await?;
    let revisions = act.uow.revisions(item.id).await?;
    let completes = |a: &Attempt| revisions.iter().any(|r| r.completing && Some(r.number) == a.revision);
    // A part and what does the rest of it are one effect.
    let are_one =
        |part: &Attempt, rest: &Attempt| part.effect == Effect::Partial && !completes(part) && completes(rest);
    let beside = |a: &&Attempt| a.id != news.id && is_of_the_step(a) && !are_one(a, news) && !are_one(news, a);
    let others: Vec<&Attempt> = attempts.iter().filter(beside).collect();
    let decided = effect::derive(item.epoch, others.iter().map(|a| Standing { epoch: a.epoch, effect: a.effect }));
    let traces: Vec<Trace> = others.iter().filter(|a| a.epoch == item.epoch).map(|a| trace(a, keys_count)).collect();
    let stands = traces.iter().any(|other| matches!(other.effect, Effect::Confirmed | Effect::Partial));
    Ok((late_news::judge(decided, &traces, &trace(news, keys_count)), stands))
}

fn trace(a: &Attempt, keys_count: bool) -> Trace {
    let key = a.idempotency_key.clone().filter(|_| keys_count);
    Trace { attempt: a.id, effect: a.effect, record_id: a.record_id.clone(), key }
}

async fn raise(act: &mut Act<'_>, item: &mut Item, news: &Attempt, judged: LateNews) -> Result<()> {
    let LateNews::Contradicts { decided } = judged else { return Ok(()) };
    let id: Uuid = new_id(act.now);
    act.uow.raise_double_effect(id, item.id, decided, news.id, act.now).await?;
    act.entry().detail("possible_double_effect", id.to_string()).detail("late_attempt", news.number);
    if item.state == State::Closed {
        reopen(item, act.now);
    }
    item.changed(format!("news about attempt {} contradicts what was known", news.number));
    Ok(())
}

/// Whether the news is what was known of the attempt already.
fn says_the_same(was: &Attempt, news: &Attempt) -> bool {
    let other_record = was.record_id.is_some() && news.record_id.is_some() && was.record_id != news.record_id;
    was.effect == news.effect && !other_record
}

/// Ends a lease that has run out: a running attempt becomes uncertain, a planned retry leaves the effect as it was.
/// Answers whether it did.
pub(crate) async fn lapse(act: &mut Act<'_>, item: &mut Item, live: &Activity) -> Result<bool> {
    if live.lease_until > act.now {
        return Ok(false);
    }
    if matches!(live.kind, ActivityKind::Replay | ActivityKind::Compensation) {
        return delivery::lapse(act, item, live).await;
    }
    if !act.uow.end_activity(live.id, EndedHow::Lapsed, "lease", act.now).await? {
        return Ok(false);
    }
    let mut entry = Entry::new(AuditKind::ActivityLapsed);
    entry.item(item).detail("kind", live.kind.as_str());
    if let (ActivityKind::AutomationAttempt, Some(attempt)) = (live.kind, live.attempt_id) {
        let mut attempts = act.uow.attempts(item.id).await?;
        if let Some(attempt) =
            attempts.iter_mut().find(|a| a.id == AttemptId(attempt) && a.outcome == Outcome::InFlight)
        {
            attempt.outcome = Outcome::Uncertain;
            attempt.message = Some("No word came before its lease ended.".into());
            // It may have been sending until now.
            attempt.finished_at = Some(act.now);
            act.uow.settle_attempt(attempt).await?;
            entry.detail("attempt", attempt.number);
            derive(&mut act.uow, item).await?;
            item.changed(format!("attempt {} gave no word in time", attempt.number));
        }
    }
    act.also(entry);
    Ok(true)
}

/// What is live on the item once lapsed leases are ended.
pub(crate) async fn live(act: &mut Act<'_>, item: &mut Item) -> Result<Option<Activity>> {
    match act.uow.live_activity(item.id).await? {
        // What lapsed may have been put off rather than ended.
        Some(live) if lapse(act, item, &live).await? => Ok(act.uow.live_activity(item.id).await?),
        other => Ok(other),
    }
}
