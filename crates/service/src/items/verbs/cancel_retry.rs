//! A person cancels the retry that an automation has planned, so that it does not act while they work the item.

use domain::{audit::AuditKind, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;
use store::EndedHow;

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::CancelRetry,
    label: "Cancel the planned retry",
    explanation: "The automation will be told not to try this again by itself. Nothing is sent.",
    permission: Permission::ItemsWork,
    audit: AuditKind::RetryCancelled,
    fields: &[Field::required("reason", "Reason", "The automation and the history are told.", FieldKind::Text)],
    needs_version: false,
    answers: Answers::Item,
    run: run::<CancelRetry>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelRetry {
    reason: Said,
}

impl Verb for CancelRetry {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let live = work.act.uow.live_activity(work.item.id).await?.ok_or(Refusal::NoPlannedRetry)?;
        work.act.uow.end_activity(live.id, EndedHow::Cancelled, &work.person.name, work.act.now).await?;
        work.item.changed(format!("{} cancelled the planned retry", work.person.name));
        work.act.entry().text(self.reason.0);
        Ok(())
    }
}
