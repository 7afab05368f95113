//! Ending a snooze: by a person, or because its time has come.

use chrono::{DateTime, Utc};
use domain::{access::Caller, audit::AuditKind, ids::ItemId, item::State, moves::Move, permission::Permission};
use serde::Deserialize;
use store::Item;

use super::{Verb, Work, run};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Gate},
    items::actions::{Answers, ItemAction},
    outcomes,
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Wake,
    label: "Wake",
    explanation: "Ends the snooze now.",
    permission: Permission::ItemsWork,
    audit: AuditKind::Woken,
    fields: &[],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Wake>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wake {}

impl Verb for Wake {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        wake(work.item, &work.person.name, work.act.now);
        Ok(())
    }
}

fn wake(item: &mut Item, by: &str, now: DateTime<Utc>) {
    item.state = State::Open;
    item.snoozed_until = None;
    item.worked_until = Some(now);
    item.changed(format!("{by} ended the snooze"));
}

/// Wakes one item whose time has come.
struct WakeWhenDue {
    item: ItemId,
}

impl Action for WakeWhenDue {
    const NAME: &'static str = "wake_when_due";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::Woken;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        let due =
            |item: &Item| item.state == State::Snoozed && item.snoozed_until.is_some_and(|until| until <= act.now);
        let Some(mut item) = act.uow.lock_item(self.item).await?.filter(due) else {
            act.nothing_changed();
            return Ok(false);
        };
        act.entry().item(&item);
        wake(&mut item, act.caller.name(), act.now);
        outcomes::save(act, State::Snoozed, &mut item).await?;
        Ok(true)
    }
}

impl Service {
    /// Wakes every item whose snooze is over; answers how many. Several processes may do it at once.
    pub async fn wake_due(&self) -> Result<usize> {
        let due = self.store.read().await?.snoozes_over(self.now()).await?;
        let mut woken = 0;
        for item in due {
            woken += usize::from(self.run(&Request::of(Caller::Job("snooze keeper")), WakeWhenDue { item }).await?);
        }
        Ok(woken)
    }
}
