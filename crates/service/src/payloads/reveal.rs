//! Revealing what is hidden of a payload: for this once, with a reason, after confirming who asks, and in the audit trail.

use domain::{
    access::may, audit::AuditKind, document, ids::ItemId, permission::Permission, refusal::Refusal, report::TEXT_LIMIT,
};

use crate::{
    Error, Result,
    action::{Act, Action, Gate},
    items::{self, actions::scope, payload::Payload},
};

/// Reveals a revision.
#[derive(Debug)]
pub struct Reveal {
    /// The item.
    pub item: ItemId,
    /// The revision.
    pub revision: i64,
    /// Why it has to be seen.
    pub reason: String,
}

impl Action for Reveal {
    const NAME: &'static str = "reveal";
    const GATE: Gate = Gate::Within(Permission::PayloadsReveal);
    const AUDIT: AuditKind = AuditKind::PayloadRevealed;
    const STEP_UP: bool = true;
    type Output = Payload;

    async fn perform(self, act: &mut Act<'_>) -> Result<Payload> {
        act.person()?;
        let item = items::readable(&mut act.uow, act.caller, self.item).await?;
        act.entry().item(&item).detail("revision", self.revision);
        may(act.caller, Permission::PayloadsReveal, scope(&item))?;
        let reason = self.reason.trim();
        match reason.chars().count() {
            0 => return Err(Refusal::field("/reason", "Say why you have to see it.").into()),
            n if n > TEXT_LIMIT => {
                let why = format!("Use at most {TEXT_LIMIT} characters; this has {n}.");
                return Err(Refusal::field("/reason", why).into());
            }
            _ => {}
        }
        act.entry().text(reason);
        let revisions = act.uow.revisions(item.id).await?;
        let found = revisions.into_iter().find(|revision| revision.number == self.revision);
        let revision = found.ok_or(Refusal::NotFound)?;
        let stored = act.uow.payload(revision.payload_id).await?.ok_or(Error::Fault("a revision has no payload"))?;
        let bytes = stored.bytes.ok_or(Refusal::NoPayload)?;
        let kind = document::kind(&revision.media_type, &bytes);
        let (media_type, sha256) = (revision.media_type, Some(stored.sha256));
        Ok(Payload { revision: revision.number, media_type, sha256, bytes, kind, hidden: 0 })
    }
}
