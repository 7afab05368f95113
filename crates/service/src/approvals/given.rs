//! An approval that was given, looked at once more in the transaction that commits to sending (R12).

use domain::{
    access::{self, Caller},
    approval::{ApprovalKind, ApprovalState},
    effect::Effect,
    ids::{ApprovalId, CompensationId, PersonId},
    permission::Permission,
};
use store::{Approval, Item, Replay, Uow};

use super::{
    draw::{self, Intent},
    outside::Outside,
    settle,
};
use crate::{Error, Result, action::Act, items::actions::scope, people::who};

/// Why it must not be sent, if it must not: it is not what was approved any more, or somebody who carried it may not any more.
pub(crate) async fn still_stands(
    act: &mut Act<'_>,
    item: &Item,
    replay: &Replay,
    outside: &Outside,
) -> Result<Result<(), String>> {
    let Some(id) = replay.approval_id.map(ApprovalId) else { return Ok(Ok(())) };
    let approval = act.uow.approval(id).await?.ok_or(Error::Fault("a replay's approval is not there"))?;
    if approval.state != ApprovalState::Approved {
        return Ok(Err(format!("Its approval does not stand any more: {}.", approval.state.label().to_lowercase())));
    }
    let asks = match approval.kind {
        ApprovalKind::Replay => Permission::ItemsReplay,
        ApprovalKind::Compensation => Permission::CompensationsRequest,
    };
    let mut carried = vec![(approval.requested_by, asks)];
    let decisions = act.uow.approval_decisions(id).await?;
    carried.extend(decisions.iter().map(|decision| (decision.person_id, Permission::ApprovalsDecide)));
    for (person, permission) in carried {
        if !may_still(act, item, person, permission).await? {
            let name = act.uow.person_name(person).await?.unwrap_or_default();
            return Ok(Err(format!("{name} carried this and has not the right to by now ({permission}).")));
        }
    }
    // A further try of what was begun follows the rules of trying again.
    if replay.compensation_id.is_none() && replay.tries > 0 {
        return Ok(Ok(()));
    }
    let intent = match (Intent::of(&approval.bound), replay.compensation_id) {
        (Intent::Compensation { plan, attempt, parameters, .. }, Some(running)) => {
            Intent::Compensation { plan, attempt, parameters, running: Some(CompensationId(running)) }
        }
        (intent, _) => intent,
    };
    let as_bound = Outside { source_version: approval.bound.source_version.clone() };
    let outside = if goes_on(&mut act.uow, item, replay).await? { &as_bound } else { outside };
    let again = draw::again_as(&mut act.uow, item, (&approval.bound, &intent, id), outside, act.now).await?;
    Ok(again.map(drop).map_err(|changes| changes.join(" ")))
}

/// Whether a part of the same compensation was carried out before: what it rests on was read before that, and may be changed
/// by it.
pub(crate) async fn goes_on(uow: &mut Uow, item: &Item, replay: &Replay) -> Result<bool> {
    let Some(compensation) = replay.compensation_id else { return Ok(false) };
    let attempts = uow.attempts(item.id).await?;
    Ok(attempts.iter().any(|a| a.compensation_id == Some(compensation) && a.effect == Effect::Confirmed))
}

async fn may_still(act: &mut Act<'_>, item: &Item, person: PersonId, permission: Permission) -> Result<bool> {
    let Some(row) = act.uow.person_by_id(person).await?.filter(|row| row.disabled_at.is_none()) else {
        return Ok(false);
    };
    let caller = Caller::Person(who::person(&mut act.uow, row).await?);
    Ok(access::may(&caller, permission, scope(item)).is_ok())
}

/// It was not sent: the approval is used up, and both are told.
pub(crate) async fn void(act: &mut Act<'_>, item: &mut Item, replay: &Replay, why: &str) -> Result<()> {
    let Some(id) = replay.approval_id.map(ApprovalId) else { return Ok(()) };
    let Some(approval): Option<Approval> = act.uow.approval(id).await? else { return Ok(()) };
    if approval.state != ApprovalState::Approved {
        return Ok(());
    }
    settle::end(act, item, &approval, ApprovalState::Void, why).await
}
