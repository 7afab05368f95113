//! Asking another person: what is wanted waits, and the item with it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::{self, Caller},
    approval::{ApprovalKind, Excluded},
    attempt::AttemptBy,
    ids::{ApprovalId, PersonId},
    item::State,
    notice::NoticeKind,
    permission::Permission,
    span::Span,
};
use store::{Item, NewApproval, Revision, Uow};

use super::draw::Drawn;
use crate::{
    Error, Result,
    items::{actions::scope, sending, verbs::Work},
    people::who,
};

/// How long an approval waits where nothing else is said.
const WAITS: TimeDelta = TimeDelta::hours(24);

/// Lets what was drawn up wait for another person's decision. The item's lock is held.
pub(crate) async fn ask(work: &mut Work<'_, '_>, id: ApprovalId, drawn: &Drawn, reason: &str) -> Result<()> {
    let now = work.act.now;
    let hash = drawn.bound.hash().map_err(|_| Error::Fault("an approval can't be written down"))?;
    let expires_at = now + waits(&mut work.act.uow, work.item, drawn).await?;
    let excluded = excluded(&mut work.act.uow, work.item, &drawn.revision, work.person.id, now).await?;
    work.item.state = State::AwaitingApproval;
    let what = match drawn.bound.action {
        ApprovalKind::Replay => format!("sending revision {}", drawn.bound.revision),
        ApprovalKind::Compensation => "a compensation".to_owned(),
    };
    work.item.changed(format!("{} asked for {what} to be approved", work.person.name));
    let new = NewApproval {
        id,
        bound: &drawn.bound,
        hash,
        reason,
        by: (work.person.id, &work.person.name),
        expires_at,
        seen_version: work.item.version,
    };
    work.act.uow.add_approval(&new, &excluded, now).await?;
    work.approval = Some(id);
    work.act
        .entry()
        .detail("approval", id.to_string())
        .detail("hash", hash.hex())
        .detail("kind", drawn.bound.action.as_str())
        .detail("revision", drawn.bound.revision)
        .detail("expires_at", expires_at.to_rfc3339())
        .text(reason);
    let shut_out: Vec<PersonId> = excluded.iter().map(|(person, _)| *person).collect();
    for decider in deciders(&mut work.act.uow, work.item).await? {
        if !shut_out.contains(&decider) {
            work.tell(decider, NoticeKind::ApprovalWaits).await?;
        }
    }
    Ok(())
}

async fn waits(uow: &mut Uow, item: &Item, drawn: &Drawn) -> Result<TimeDelta> {
    let by_plan = drawn.plan.as_ref().and_then(|plan| plan.approval_expires.as_ref()).map(Span::delta);
    if let Some(waits) = by_plan {
        return Ok(waits);
    }
    let found = sending::step_of(uow, item).await?;
    Ok(found.and_then(|found| found.step.approval_expires.as_ref().map(Span::delta)).unwrap_or(WAITS))
}

/// Everybody who may not decide it (R11): by account, whatever roles they hold by then.
async fn excluded(
    uow: &mut Uow,
    item: &Item,
    revision: &Revision,
    asker: PersonId,
    now: DateTime<Utc>,
) -> Result<Vec<(PersonId, Excluded)>> {
    let mut excluded = vec![(asker, Excluded::Asked)];
    let editors = uow.editors(item.id, revision.number).await?;
    excluded.extend(editors.into_iter().map(|person| (person, Excluded::Edited)));
    excluded.extend(uow.finders(item.id).await?.into_iter().map(|person| (person, Excluded::Found)));
    // What somebody did by hand is their own word about it.
    let attempts = uow.attempts(item.id).await?;
    let by_hand = attempts.iter().filter(|attempt| attempt.made_by == AttemptBy::Person);
    excluded.extend(by_hand.map(|attempt| (PersonId(attempt.by_id), Excluded::Found)));
    for at in 0..excluded.len() {
        for stands_in in uow.substitutes_of(excluded[at].0, now).await? {
            excluded.push((stands_in.substitute_id, Excluded::Substitute));
        }
    }
    Ok(excluded)
}

/// Everybody who may decide about things of this item's team.
pub(crate) async fn deciders(uow: &mut Uow, item: &Item) -> Result<Vec<PersonId>> {
    let mut found = Vec::new();
    for id in uow.who_may(Permission::ApprovalsDecide).await? {
        let Some(row) = uow.person_by_id(id).await? else { continue };
        let caller = Caller::Person(who::person(uow, row).await?);
        if access::may(&caller, Permission::ApprovalsDecide, scope(item)).is_ok() {
            found.push(id);
        }
    }
    Ok(found)
}

/// What an item is called, whatever one's clearance.
pub(crate) fn name_of(item: &Item) -> &str {
    item.business_ref.as_deref().unwrap_or(&item.dedupe_key)
}
