//! Compensations that were approved: their parts are sent in order, each as an attempt of its own, by the engine that sends
//! replays. What came of each decides how the whole stands.

use domain::{
    approval::Sending,
    audit::AuditKind,
    effect::Effect,
    ids::{ApprovalId, AttemptId, CompensationId, PayloadId},
    item::{ActivityKind, State},
    notice::NoticeKind,
    workflow::Undoes,
};
use store::{Approval, Attempt, Compensation, CompensationStage, Item, NewActivity, Replay, Stage, Stored};
use uuid::Uuid;

use crate::{
    Error, Result,
    action::{Act, Entry},
    approvals::{
        ask::name_of,
        draw::{Drawn, address},
    },
    delivery::{QUEUE_LASTS, waiting_attempt},
    items::{actions::in_progress, standing},
    new_id, outcomes,
};

/// Begins a compensation that was approved: its first part goes into the outbox.
pub(crate) async fn begin(act: &mut Act<'_>, item: &mut Item, approval: &Approval, drawn: Drawn) -> Result<()> {
    let gone = || Error::Fault("an approved compensation has no plan, attempt or part");
    let plan = drawn.plan.ok_or_else(gone)?;
    let compensation = Compensation {
        id: new_id(act.now),
        item_id: item.id,
        approval_id: approval.id,
        attempt_id: drawn.bound.attempt.ok_or_else(gone)?,
        plan: Stored(plan),
        stage: CompensationStage::Running,
        started_at: act.now,
        ended_at: None,
    };
    act.uow.add_compensation(&compensation).await?;
    act.entry().detail("compensation", compensation.id.to_string());
    let first = drawn.bound.sends.first().ok_or_else(gone)?;
    let body = drawn.bodies.first().ok_or_else(gone)?;
    send(act, item, (approval, &compensation), first, body).await
}

/// Puts one part into the outbox and holds the item for it (R5).
async fn send(
    act: &mut Act<'_>,
    item: &mut Item,
    (approval, compensation): (&Approval, &Compensation),
    sending: &Sending,
    body: &[u8],
) -> Result<()> {
    let now = act.now;
    let part = compensation.plan.parts.iter().position(|part| Some(part.name.as_str()) == sending.part.as_deref());
    let part = part.ok_or(Error::Fault("a plan has not the part that was approved"))?;
    let body_id: PayloadId = new_id(now);
    act.uow.add_payload(body_id, body).await?;
    let mut replay = Replay {
        id: new_id(now),
        item_id: item.id,
        activity_id: new_id(now),
        asks_again: false,
        revision: approval.bound.revision,
        epoch: item.epoch,
        key: sending.key.clone(),
        destination: Stored(sending.destination.clone()),
        reason: approval.reason.clone(),
        accepted: Stored(Vec::new()),
        requested_by: approval.requested_by.0,
        requested_by_name: approval.requested_by_name.clone(),
        requested_at: now,
        stage: Stage::Queued,
        attempt_id: new_id(now),
        due_at: now,
        tries: 0,
        first_try_at: None,
        fence: 0,
        approval_id: Some(approval.id.0),
        compensation_id: Some(compensation.id.0),
        part: Some(i64::try_from(part).unwrap_or(i64::MAX)),
        body_id: Some(body_id.0),
        address: address(&sending.request),
    };
    let number = act.uow.attempts(item.id).await?.last().map_or(1, |last| last.number + 1);
    let attempt = waiting_attempt(item, &replay, number, Some(sending.request.clone()), now);
    replay.attempt_id = attempt.id;
    act.uow.add_attempt(&attempt).await?;
    let holder = NewActivity {
        id: replay.activity_id,
        item_id: item.id,
        kind: ActivityKind::Compensation,
        attempt_id: Some(attempt.id),
        by: (approval.requested_by.0, &approval.requested_by_name),
        due_at: None,
        lease_until: now + QUEUE_LASTS,
    };
    act.uow.begin_activity(&holder, now).await?.map_err(|winner| in_progress(&winner))?;
    act.uow.add_replay(&replay).await?;
    item.state = State::Compensating;
    let plan = &compensation.plan;
    item.changed(format!("{} of the compensation “{}” waits to be sent", plan.parts[part].name, plan.name));
    Ok(())
}

/// A part was acknowledged: the next one follows, or the whole is done. Nothing of the part is live any more.
pub(crate) async fn part_done(act: &mut Act<'_>, item: &mut Item, replay: &Replay) -> Result<()> {
    let Some(compensation) = of(act, replay.compensation_id).await? else { return Ok(()) };
    let approval = approval_of(act, &compensation).await?;
    let name = |number: Option<i64>| {
        let number = number.and_then(|number| usize::try_from(number).ok())?;
        compensation.plan.parts.get(number).map(|part| part.name.to_string())
    };
    let here = approval.bound.sends.iter().position(|sending| sending.part == name(replay.part));
    let next = here.and_then(|here| approval.bound.sends.get(here + 1));
    let waits = item.state == State::Compensating && compensation.stage == CompensationStage::Running;
    let Some(next) = next.filter(|_| waits) else { return ended(act, item, compensation.id).await };
    let body = body_again(act, item, &approval, &compensation, next).await?;
    match body {
        Ok(body) => send(act, item, (&approval, &compensation), next, &body).await,
        // What follows is not what was approved any more: what was done stays done.
        Err(why) => {
            act.entry().text(why);
            ended(act, item, compensation.id).await
        }
    }
}

/// The body of a further part, if it is still the one that was approved.
async fn body_again(
    act: &mut Act<'_>,
    item: &Item,
    approval: &Approval,
    compensation: &Compensation,
    next: &Sending,
) -> Result<Result<Vec<u8>, String>> {
    use crate::approvals::{
        draw::{Intent, again_as},
        outside::Outside,
    };
    let intent = match Intent::of(&approval.bound) {
        Intent::Compensation { plan, attempt, parameters, .. } => {
            Intent::Compensation { plan, attempt, parameters, running: Some(compensation.id) }
        }
        intent @ Intent::Replay { .. } => intent,
    };
    let outside = Outside { source_version: approval.bound.source_version.clone() };
    let again = again_as(&mut act.uow, item, (&approval.bound, &intent, approval.id), &outside, act.now).await?;
    Ok(match again {
        Err(changes) => Err(changes.join(" ")),
        Ok(drawn) => {
            let at = drawn.bound.sends.iter().position(|sending| sending.part == next.part);
            let body = at.and_then(|at| drawn.bodies.into_iter().nth(at));
            body.ok_or_else(|| "The plan has not the part that was approved.".to_owned())
        }
    })
}

/// Nothing of a compensation is being sent any more, or something was found out about one of its parts: how it stands, and
/// what follows for the item.
pub(crate) async fn ended(act: &mut Act<'_>, item: &mut Item, id: CompensationId) -> Result<()> {
    let Some(compensation) = act.uow.compensation(id).await? else { return Ok(()) };
    let approval = approval_of(act, &compensation).await?;
    let attempts = act.uow.attempts(item.id).await?;
    let own: Vec<&Attempt> = attempts.iter().filter(|a| a.compensation_id == Some(id.0)).collect();
    let stage = stage(&compensation, &approval, &own);
    // Another compensation may be under way by now.
    if item.state == State::Compensating && act.uow.live_activity(item.id).await?.is_none() {
        item.state = State::Open;
    }
    if stage == compensation.stage {
        return Ok(());
    }
    act.uow.end_compensation(id, stage, act.now).await?;
    let plan = &compensation.plan;
    if stage == CompensationStage::Executed && plan.undoes == Undoes::Whole {
        made_good(act, item, compensation.attempt_id).await?;
    } else {
        standing::derive(&mut act.uow, item).await?;
    }
    item.changed(format!("the compensation “{}” has ended: {}", plan.name, stage.label().to_lowercase()));
    let mut entry = Entry::new(AuditKind::CompensationEnded);
    entry
        .item(item)
        .detail("compensation", id.to_string())
        .detail("approval", approval.id.to_string())
        .detail("stage", stage.as_str())
        .detail("effect", item.effect.as_str());
    act.also(entry);
    let about = format!("{} has ended: {}", name_of(item), stage.label().to_lowercase());
    act.tell(approval.requested_by, NoticeKind::CompensationEnded, &about, Some(item.id)).await?;
    if stage == CompensationStage::Executed {
        outcomes::tell_of(act, item, "compensated").await?;
    }
    Ok(())
}

/// How a compensation stands by what came of its parts.
fn stage(compensation: &Compensation, approval: &Approval, own: &[&Attempt]) -> CompensationStage {
    if own.iter().any(|a| a.effect == Effect::Uncertain) {
        return CompensationStage::Uncertain;
    }
    let number = |sending: &Sending| {
        compensation.plan.parts.iter().position(|part| Some(part.name.as_str()) == sending.part.as_deref())
    };
    let has_effect = |sending: &Sending, effect: Effect| {
        let number = number(sending).and_then(|number| i64::try_from(number).ok());
        own.iter().any(|a| a.part == number && a.effect == effect)
    };
    let wanted = &approval.bound.sends;
    let done = wanted.iter().filter(|sending| has_effect(sending, Effect::Confirmed)).count();
    let partly = wanted.iter().any(|sending| has_effect(sending, Effect::Partial));
    match done {
        done if done == wanted.len() => CompensationStage::Executed,
        0 if !partly => CompensationStage::Failed,
        _ => CompensationStage::PartlyDone,
    }
}

/// The whole effect of an attempt was made good.
async fn made_good(act: &mut Act<'_>, item: &mut Item, attempt: AttemptId) -> Result<()> {
    act.uow.made_good(attempt).await?;
    act.uow.end_double_effects(item.id, attempt, act.now).await?;
    standing::derive(&mut act.uow, item).await
}

async fn of(act: &mut Act<'_>, id: Option<Uuid>) -> Result<Option<Compensation>> {
    match id {
        Some(id) => Ok(act.uow.compensation(CompensationId(id)).await?),
        None => Ok(None),
    }
}

async fn approval_of(act: &mut Act<'_>, compensation: &Compensation) -> Result<Approval> {
    let id: ApprovalId = compensation.approval_id;
    act.uow.approval(id).await?.ok_or(Error::Fault("a compensation's approval is not there"))
}
