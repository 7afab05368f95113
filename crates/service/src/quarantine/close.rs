//! Closing a report in quarantine without making an item of it.

use domain::{audit::AuditKind, ids::QuarantineId, permission::Permission, refusal::Refusal, report::TEXT_LIMIT};
use store::{Decision, QuarantineState};

use super::read::{decided, readable};
use crate::{
    Error, Result,
    action::{Act, Action, Gate},
};

/// Closes a report. Its bytes stay.
#[derive(Debug)]
pub struct CloseQuarantined {
    /// Which report.
    pub id: QuarantineId,
    /// Why.
    pub note: String,
}

impl Action for CloseQuarantined {
    const NAME: &'static str = "quarantine.close";
    const GATE: Gate = Gate::Within(Permission::QuarantineWork);
    const AUDIT: AuditKind = AuditKind::QuarantineClosed;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let report = readable(&mut act.uow, act.caller, self.id, Permission::QuarantineWork).await?;
        act.entry().within(report.team_id, report.workflow_key.as_deref().unwrap_or_default());
        act.entry().detail("quarantine", self.id.to_string());
        let note = checked_note(&self.note)?;
        let by = act.caller.name().to_owned();
        let decision = Decision { state: QuarantineState::Closed, item: None, corrected: None, by: &by, note: &note };
        let won = act.uow.decide_quarantined(self.id, &decision, act.now).await?;
        if !won {
            return Err(lost(act, self.id).await);
        }
        act.uow.settle_subjects(self.id.0, act.now).await?;
        act.entry().text(note);
        Ok(())
    }
}

/// The reason a person gives for dealing with a report.
pub(super) fn checked_note(note: &str) -> Result<String, Refusal> {
    let note = note.trim();
    if note.is_empty() || note.chars().count() > TEXT_LIMIT {
        return Err(Refusal::field("/note", format!("Say why, in at most {TEXT_LIMIT} characters.")));
    }
    Ok(domain::text::message(note))
}

/// Who was quicker.
pub(super) async fn lost(act: &mut Act<'_>, id: QuarantineId) -> Error {
    match act.uow.quarantined(id).await {
        Ok(Some(report)) => {
            decided(&report).map_or(Error::Fault("a report was neither open nor decided"), Error::Refused)
        }
        Ok(None) => Refusal::NotFound.into(),
        Err(error) => error.into(),
    }
}
