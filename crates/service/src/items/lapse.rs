//! Ends leases that have run out, so that nothing stays live longer than its lease.

use domain::{access::Caller, audit::AuditKind, ids::ItemId};

use super::standing;
use crate::{
    Request, Result, Service,
    action::{Act, Action, Gate},
    outcomes,
};

/// Ends the lapsed activity of one item.
struct Lapse {
    item: ItemId,
}

impl Action for Lapse {
    const NAME: &'static str = "lapse";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ActivityLapsed;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        act.nothing_changed();
        let Some(mut item) = act.uow.lock_item(self.item).await? else { return Ok(false) };
        let Some(live) = act.uow.live_activity(item.id).await? else { return Ok(false) };
        let lapsed = standing::lapse(act, &mut item, &live).await?;
        if lapsed {
            let state = item.state;
            outcomes::save(act, state, &mut item).await?;
        }
        Ok(lapsed)
    }
}

impl Service {
    /// Ends every lease that has run out, item by item; answers how many. Several processes may do it at once.
    pub async fn lapse_leases(&self) -> Result<usize> {
        let due = self.store.read().await?.lapsed_activities(self.now()).await?;
        let mut ended = 0;
        for activity in due {
            match self.run(&Request::of(Caller::Job("lease keeper")), Lapse { item: activity.item_id }).await {
                Ok(lapsed) => ended += usize::from(lapsed),
                Err(error) if error.is_unavailable() => return Err(error),
                // One item that can't be read is no reason to hold up the others.
                Err(error) => {
                    tracing::error!(item = %activity.item_id, error = &error as &dyn std::error::Error, "a lease could not be ended");
                }
            }
        }
        Ok(ended)
    }
}
