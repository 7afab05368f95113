//! Putting an item aside until a certain time.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{audit::AuditKind, item::State, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{
    Verb, Work,
    input::{Moment, Said},
    run,
};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
};

/// The longest snooze.
const AT_MOST: TimeDelta = TimeDelta::days(90);

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Snooze,
    label: "Snooze…",
    explanation: "Puts it aside until a time. It stays in the queue and goes on ageing.",
    permission: Permission::ItemsWork,
    audit: AuditKind::Snoozed,
    fields: &[
        Field::required("until", "Until (UTC)", "At most 90 days ahead.", FieldKind::Time),
        Field::required("reason", "Reason", "What it waits for.", FieldKind::Text),
    ],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Snooze>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snooze {
    until: Moment,
    reason: Said,
}

impl Verb for Snooze {
    const ACTION: ItemAction = ACTION;

    fn check(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        if self.until.0 <= now || self.until.0 > now + AT_MOST {
            return Err(Refusal::field("/until", "Choose a time in the next 90 days."));
        }
        Ok(())
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        work.item.state = State::Snoozed;
        work.item.snoozed_until = Some(self.until.0);
        work.item.worked_until = Some(self.until.0);
        work.item.changed(format!("{} snoozed it", work.person.name));
        work.act.entry().detail("until", self.until.0.to_rfc3339()).text(self.reason.0);
        Ok(())
    }
}
