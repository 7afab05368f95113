//! Escalating an item to a team, with a time by which it must respond.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind, ids::PersonId, moves::Move, notice::NoticeKind, permission::Permission, refusal::Refusal,
};
use serde::Deserialize;

use super::{
    Verb, Work,
    input::{Moment, Name, Said},
    run,
};
use crate::{
    Result,
    ageing::hand_up,
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
        let team = work.find_team(&self.team).await?;
        let holders = [work.item.owner_person_id, work.claim.as_ref().map(|claim| claim.person_id)];
        work.item.owner_person_id = None;
        let by = Some(work.person.id.0);
        hand_up(work.act, work.item, &team, by, &self.reason.0, Some(self.respond_by.0)).await?;
        // Whoever claims it next answers.
        work.release().await?;
        let level = work.item.escalations;
        work.act
            .entry()
            .detail("team", team.name)
            .detail("level", level)
            .detail("respond_by", self.respond_by.0.to_rfc3339())
            .text(self.reason.0);
        let members = work.act.uow.members_of(team.id).await?;
        let own = work.person.id;
        let holders: BTreeSet<PersonId> = holders.into_iter().flatten().filter(|holder| *holder != own).collect();
        for holder in &holders {
            work.tell(*holder, NoticeKind::EscalatedAway).await?;
        }
        for member in members.into_iter().filter(|member| member.id != own && !holders.contains(&member.id)) {
            if let Some(person) = work.worker(member).await? {
                work.tell(person.id, NoticeKind::Escalated).await?;
            }
        }
        Ok(())
    }
}
