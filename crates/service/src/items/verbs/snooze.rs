//! Putting an item aside until a certain time.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{audit::AuditKind, item::State, moves::Move, permission::Permission, refusal::Refusal};
use serde::Deserialize;

use super::{Verb, Work, reason, run};
use crate::{
    Result,
    items::actions::{Field, FieldKind, ItemAction},
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
    run: run::<Snooze>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snooze {
    until: DateTime<Utc>,
    reason: String,
}

impl Verb for Snooze {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let reason = reason(&self.reason)?;
        if self.until <= work.act.now || self.until > work.act.now + AT_MOST {
            return Err(Refusal::field("/until", "Choose a time in the next 90 days.").into());
        }
        work.item.state = State::Snoozed;
        work.item.snoozed_until = Some(self.until);
        work.item.changed(format!("{} snoozed it", work.person.name));
        work.act.entry().detail("until", self.until.to_rfc3339()).text(reason);
        Ok(())
    }
}
