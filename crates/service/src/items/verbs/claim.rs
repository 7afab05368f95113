//! Claiming an item: who is working it now, with a lease.

use domain::{audit::AuditKind, moves::Move, notice::NoticeKind, permission::Permission};
use serde::Deserialize;

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Claim,
    label: "Claim",
    explanation: "Shows the others that you are working this, for the next 30 minutes. Acting prolongs it.",
    permission: Permission::ItemsWork,
    audit: AuditKind::Claimed,
    fields: &[Field::optional(
        "take_over_reason",
        "Reason to take over",
        "Only needed while somebody else is working it; they are told.",
        FieldKind::Line,
    )],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Claim>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    take_over_reason: Option<Said>,
}

impl Verb for Claim {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let other = work.claim.as_ref().filter(|claim| claim.person_id != work.person.id).cloned();
        match (self.take_over_reason, other) {
            (Some(reason), Some(other)) => {
                work.claim_it(true).await?;
                work.act.entry().detail("taken_over_from", other.person_id.to_string()).text(reason.0);
                work.tell(other.person_id, NoticeKind::TakenOver).await
            }
            _ => work.claim_it(false).await,
        }
    }
}
