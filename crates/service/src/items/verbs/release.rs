//! Releasing one's claim.

use domain::{audit::AuditKind, moves::Move, permission::Permission};
use serde::Deserialize;

use super::{Verb, Work, run};
use crate::{
    Result,
    items::actions::{Answers, ItemAction},
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Release,
    label: "Release",
    explanation: "Ends your claim, so that others can work it.",
    permission: Permission::ItemsWork,
    audit: AuditKind::Released,
    fields: &[],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Release>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Release {}

impl Verb for Release {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        work.release().await
    }
}
