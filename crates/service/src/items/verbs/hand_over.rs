//! Whoever is working an item hands it over to another person or team.

use domain::{audit::AuditKind, moves::Move, permission::Permission, report::TEXT_LIMIT};
use serde::Deserialize;

use super::{Verb, Work, run, said};
use crate::{
    Result,
    items::actions::{Field, FieldKind, ItemAction},
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::HandOver,
    label: "Hand over…",
    explanation: "Gives it to another person or team and ends your claim.",
    permission: Permission::ItemsWork,
    audit: AuditKind::HandedOver,
    fields: &[
        Field::optional("person", "Person", "Their e-mail address, or", FieldKind::Person),
        Field::optional("team", "Team", "the team's key.", FieldKind::Team),
        Field::required("note", "Note", "What they need to know.", FieldKind::Text),
    ],
    needs_version: false,
    run: run::<HandOver>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandOver {
    person: Option<String>,
    team: Option<String>,
    note: String,
}

impl Verb for HandOver {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let note = said("/note", &self.note, TEXT_LIMIT)?;
        let to = work.give(self.person.as_ref(), self.team.as_ref()).await?;
        work.act.uow.release(work.item.id).await?;
        work.act.entry().detail("to", to).text(note);
        Ok(())
    }
}
