//! Escalating an item to a team, with a time by which it must respond.

use chrono::{DateTime, Utc};
use domain::{audit::AuditKind, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{
    Give, Verb, Work,
    input::{Moment, Name, Said},
    run,
};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Escalate,
    label: "Escalate…",
    explanation: "Gives it to another team, with a time by which they must respond.",
    permission: Permission::ItemsEscalate,
    audit: AuditKind::Escalated,
    fields: &[
        Field::required("team", "Team", "The team's key.", FieldKind::Team),
        Field::required("reason", "Reason", "What they have to decide or do.", FieldKind::Text),
        Field::required("respond_by", "Respond by (UTC)", "", FieldKind::Time),
    ],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Escalate>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Escalate {
    team: Name,
    reason: Said,
    respond_by: Moment,
}

impl Verb for Escalate {
    const ACTION: ItemAction = ACTION;

    fn check(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        if self.respond_by.0 <= now {
            return Err(Refusal::field("/respond_by", "Choose a time that is still to come."));
        }
        Ok(())
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let team = work.give(Give::Team(&self.team)).await?;
        work.item.escalations += 1;
        work.item.respond_by = Some(self.respond_by.0);
        work.item.last_change = format!("{} escalated it to {team}", work.person.name);
        let level = work.item.escalations;
        work.act
            .entry()
            .detail("team", team)
            .detail("level", level)
            .detail("respond_by", self.respond_by.0.to_rfc3339())
            .text(self.reason.0);
        Ok(())
    }
}
