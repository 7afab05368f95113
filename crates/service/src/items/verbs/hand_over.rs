//! Whoever is working an item hands it over to another person or team.

use chrono::{DateTime, Utc};
use domain::{audit::AuditKind, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{
    Verb, Work,
    input::{Name, Said},
    run,
};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
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
    answers: Answers::Item,
    run: run::<HandOver>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandOver {
    person: Option<Name>,
    team: Option<Name>,
    note: Said,
}

impl Verb for HandOver {
    const ACTION: ItemAction = ACTION;

    fn check(&self, _: DateTime<Utc>) -> Result<(), Refusal> {
        super::one_of(self.person.as_ref(), self.team.as_ref()).map(drop)
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let to = work.give(super::one_of(self.person.as_ref(), self.team.as_ref())?).await?;
        work.release().await?;
        work.act.entry().detail("to", to).text(self.note.0);
        Ok(())
    }
}
