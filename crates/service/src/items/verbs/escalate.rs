//! Escalating an item to a team, with a time by which it must respond.

use chrono::{DateTime, Utc};
use domain::{audit::AuditKind, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{Verb, Work, reason, run};
use crate::{
    Result,
    items::actions::{Field, FieldKind, ItemAction},
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
    run: run::<Escalate>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Escalate {
    team: String,
    reason: String,
    respond_by: DateTime<Utc>,
}

impl Verb for Escalate {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let reason = reason(&self.reason)?;
        if self.respond_by <= work.act.now {
            return Err(Refusal::field("/respond_by", "Choose a time that is still to come.").into());
        }
        let team = work.give(None, Some(&self.team)).await?;
        work.item.escalations += 1;
        work.item.respond_by = Some(self.respond_by);
        work.item.changed(format!("{} escalated it to {team}", work.person.name));
        let level = work.item.escalations;
        work.act
            .entry()
            .detail("team", team)
            .detail("level", level)
            .detail("respond_by", self.respond_by.to_rfc3339())
            .text(reason);
        Ok(())
    }
}
