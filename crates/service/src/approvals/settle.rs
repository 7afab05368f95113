//! How an approval ends without its action: decided against, withdrawn, too old, or void because something changed.

use domain::{
    access::Caller,
    approval::ApprovalState,
    audit::AuditKind,
    ids::{ApprovalId, PersonId},
    item::State,
    notice::NoticeKind,
};
use store::{Approval, Item};

use super::{ask::name_of, draw, outside::Outside};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    outcomes,
};

/// Ends an approval; the item is open again, and whoever had to do with it is told.
pub(crate) async fn end(
    act: &mut Act<'_>,
    item: &mut Item,
    approval: &Approval,
    state: ApprovalState,
    why: &str,
) -> Result<()> {
    let by = act.caller.name().to_owned();
    act.uow.end_approval(approval.id, state, &by, Some(why), act.now).await?;
    if item.state == State::AwaitingApproval {
        item.state = State::Open;
    }
    item.changed(format!("what was to be approved is {}", state.as_str()));
    let (kind, about) = match state {
        ApprovalState::Void => (NoticeKind::ApprovalVoided, format!("{}. {why}", name_of(item))),
        state => (NoticeKind::ApprovalDecided, format!("{}: {}", name_of(item), state.label().to_lowercase())),
    };
    let mut told = vec![approval.requested_by];
    told.extend(act.uow.approval_decisions(approval.id).await?.iter().map(|decision| decision.person_id));
    told.extend(approval.delegate_id.map(PersonId));
    told.sort_unstable();
    told.dedup();
    for person in told.into_iter().filter(|person| !crate::rights::give::is_self(act.caller, *person)) {
        act.tell(person, kind, &about, Some(item.id)).await?;
    }
    Ok(())
}

/// Ends what waits where it is too old, or is not what was asked for any more.
struct Settle {
    approval: ApprovalId,
    /// What was seen to have changed in another system.
    changed: Option<String>,
}

impl Action for Settle {
    const NAME: &'static str = "settle_approval";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ApprovalVoided;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        let nothing = |act: &mut Act<'_>| {
            act.nothing_changed();
            Ok(false)
        };
        let Some(found) = act.uow.approval(self.approval).await? else { return nothing(act) };
        let mut item =
            act.uow.lock_item(found.item_id).await?.ok_or(Error::Fault("an approval's item is not there"))?;
        let approval = act.uow.approval(self.approval).await?.filter(|row| row.state == ApprovalState::Waiting);
        let Some(approval) = approval else { return nothing(act) };
        let before = item.state;
        // Other systems are looked at when it is decided; here only what is known is compared.
        let outside = Outside { source_version: approval.bound.source_version.clone() };
        let ends = if let Some(why) = self.changed {
            Some((ApprovalState::Void, why))
        } else if approval.expires_at <= act.now {
            Some((ApprovalState::Expired, "Nobody decided it in time.".to_owned()))
        } else if item.state != State::AwaitingApproval {
            Some((ApprovalState::Void, format!("The item has moved on: {}.", item.last_change)))
        } else {
            let again = draw::again(&mut act.uow, &item, (&approval.bound, approval.id), &outside, act.now).await?;
            again.err().map(|changes| (ApprovalState::Void, changes.join(" ")))
        };
        let Some((state, why)) = ends else {
            act.uow.approval_seen(approval.id, item.version).await?;
            act.no_entry();
            return Ok(false);
        };
        let kind = if state == ApprovalState::Expired { AuditKind::ApprovalExpired } else { AuditKind::ApprovalVoided };
        act.record_as(kind).item(&item).detail("approval", approval.id.to_string()).text(&why);
        end(act, &mut item, &approval, state, &why).await?;
        outcomes::save(act, before, &mut item).await?;
        Ok(true)
    }
}

fn keeper() -> Request {
    Request::of(Caller::Job("approval keeper"))
}

impl Service {
    /// Ends one approval that may not wait any more; answers whether it did.
    pub(crate) async fn settle_approval(&self, approval: ApprovalId) -> Result<bool> {
        self.run(&keeper(), Settle { approval, changed: None }).await
    }

    /// Voids an approval that was seen not to be what was asked for any more (R12).
    pub(crate) async fn void_approval(&self, approval: ApprovalId, why: String) -> Result<bool> {
        self.run(&keeper(), Settle { approval, changed: Some(why) }).await
    }

    /// Ends every approval that is too old, or whose item has changed; answers how many. Several processes may do it at once.
    pub async fn settle_approvals(&self) -> Result<usize> {
        let due = self.store.read().await?.unsettled_approvals(self.now()).await?;
        let mut ended = 0;
        for approval in due {
            match self.settle_approval(approval).await {
                Ok(has_ended) => ended += usize::from(has_ended),
                Err(error) if error.is_unavailable() => return Err(error),
                Err(error) => {
                    tracing::error!(%approval, error = &error as &dyn std::error::Error, "an approval could not be settled");
                }
            }
        }
        Ok(ended)
    }
}
