//! Asking the destination again with the key of an attempt whose outcome is uncertain: it recognises the repeat (R7).

use domain::{audit::AuditKind, ids::AttemptId, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{
    Verb, Work,
    input::Said,
    replay::{Outgoing, enqueue},
    run,
};
use crate::{
    Result, delivery,
    items::{
        actions::{Answers, Field, FieldKind, ItemAction},
        sending,
    },
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::AskAgain,
    label: "Ask again with the same key…",
    explanation: "Sends the same revision with the same key. The destination recognises the repeat and does nothing twice.",
    permission: Permission::ItemsReconcile,
    audit: AuditKind::AskedAgain,
    fields: &[
        Field::required(
            "attempt",
            "About which attempt",
            "One that is uncertain and carried a key.",
            FieldKind::Attempt,
        ),
        Field::required("reason", "Reason", "", FieldKind::Text),
    ],
    needs_version: true,
    answers: Answers::Attempt,
    run: run::<AskAgain>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskAgain {
    attempt: AttemptId,
    reason: Said,
}

impl Verb for AskAgain {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let nowhere = || Refusal::NoDestination { pull: false };
        let found = sending::step_of(&mut work.act.uow, work.item).await?.ok_or_else(nowhere)?;
        let destination = found.step.destination.clone().ok_or_else(nowhere)?;
        let now = work.act.now;
        let (attempt, key) = sending::askable(&mut work.act.uow, work.item, &found.step, self.attempt, now).await?;
        let number = attempt.revision.ok_or(Refusal::NoPayload)?;
        let revisions = work.act.uow.revisions(work.item.id).await?;
        let revision = revisions.iter().find(|revision| revision.number == number).ok_or(Refusal::NoPayload)?;
        let stored = work.act.uow.payload(revision.payload_id).await?;
        let bytes = stored.and_then(|stored| stored.bytes).ok_or(Refusal::NoPayload)?;
        let address = delivery::address(&destination, &key, work.item.record_id.as_deref(), &bytes);
        work.act.entry().detail("asks_about", attempt.number);
        let what = Outgoing {
            asks_again: true,
            revision: number,
            epoch: attempt.epoch,
            key,
            request: address.ok().map(|url| format!("{} {url}", destination.method())),
            destination,
            accepted: Vec::new(),
            approval: None,
        };
        enqueue(work, what, self.reason.0).await
    }
}
