//! Opening a closed item again.

use domain::{audit::AuditKind, moves::Move, permission::Permission};
use serde::Deserialize;

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    items::{
        actions::{Answers, Field, FieldKind, ItemAction},
        standing,
    },
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Reopen,
    label: "Reopen…",
    explanation: "Puts it back into its queue. What was decided stays in the history.",
    permission: Permission::ItemsReopen,
    audit: AuditKind::ReopenedByHand,
    fields: &[Field::required("reason", "Reason", "What was wrong with how it ended.", FieldKind::Text)],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Reopen>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reopen {
    reason: Said,
}

impl Verb for Reopen {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        standing::reopen(work.item, work.act.now);
        work.item.changed(format!("{} reopened it", work.person.name));
        work.act.entry().text(self.reason.0);
        Ok(())
    }
}
