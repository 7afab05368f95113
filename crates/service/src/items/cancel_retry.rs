//! A person cancels the retry that an automation has planned, so that it does not act while they work the item.

use domain::{audit::AuditKind, ids::ItemId, permission::Permission, refusal::Refusal, report::TEXT_LIMIT};
use store::EndedHow;

use super::{
    actions::{Facts, ItemAction, planned_retry_is_live},
    standing,
};
use crate::{
    Result,
    action::{Act, Action, Gate},
};

/// What the actions panel and the doors know of it.
pub const ITEM_ACTION: ItemAction = ItemAction {
    name: "cancel-retry",
    label: "Cancel the planned retry",
    explanation: "The automation will be told not to try this again by itself. Nothing is sent.",
    permission: Permission::ItemsWork,
    allowed: planned_retry_is_live,
};

/// Cancels the planned retry of an item.
#[derive(Debug)]
pub struct CancelRetry {
    /// Which item.
    pub item: ItemId,
    /// Why.
    pub reason: String,
}

impl Action for CancelRetry {
    const NAME: &'static str = "cancel_retry";
    const GATE: Gate = Gate::Within(ITEM_ACTION.permission);
    const AUDIT: AuditKind = AuditKind::RetryCancelled;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let mut item = act.uow.lock_item(self.item).await?.ok_or(Refusal::NotFound)?;
        act.entry().item(&item);
        act.require(ITEM_ACTION.permission, item.team_id, &item.workflow_key)?;
        let reason = self.reason.trim();
        if reason.is_empty() || reason.chars().count() > TEXT_LIMIT {
            return Err(Refusal::field("/reason", format!("Say why, in at most {TEXT_LIMIT} characters.")).into());
        }
        let live = standing::live(act, &mut item).await?;
        (ITEM_ACTION.allowed)(&Facts { item: &item, live: live.as_ref() })?;
        let live = live.ok_or(Refusal::NoPlannedRetry)?;
        let by = act.caller.name().to_owned();
        act.uow.end_activity(live.id, EndedHow::Cancelled, &by, act.now).await?;
        item.changed(format!("{by} cancelled the planned retry"));
        act.uow.save_item(&item).await?;
        act.entry().text(reason);
        Ok(())
    }
}
