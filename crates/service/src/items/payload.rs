//! A revision's payload as its reader may see it, and how it can be shown.

use domain::{
    access::Caller,
    audit::AuditKind,
    digest::Sha256,
    document::{self, Kind},
    ids::ItemId,
    refusal::Refusal,
};

use crate::{
    Error, Request, Result, Service,
    action::Entry,
    payloads::{difference::sight_of, sight::Seen},
};

/// A payload, as its reader may see it.
#[derive(Debug, Clone)]
pub struct Payload {
    /// Which revision.
    pub revision: i64,
    /// As declared.
    pub media_type: String,
    /// SHA-256 of the bytes; none where something is hidden.
    pub sha256: Option<Sha256>,
    /// Exactly as received, but for what is hidden.
    pub bytes: Vec<u8>,
    /// How it can be shown.
    pub kind: Kind,
    /// How many values are hidden.
    pub hidden: usize,
}

impl Service {
    /// A revision; without a number, the newest. Refused above the caller's clearance, and that is recorded.
    pub async fn payload(&self, request: &Request, id: ItemId, revision: Option<i64>) -> Result<Payload> {
        let mut entry = Entry::new(AuditKind::PayloadRead);
        entry.detail("revision", revision);
        self.reading(request, entry, Some(id), self.read_payload(&request.caller, id, revision)).await
    }

    async fn read_payload(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Payload> {
        let mut uow = self.store.read().await?;
        let item = super::readable(&mut uow, caller, id).await?;
        let sight = sight_of(&mut uow, caller, &item).await?;
        let revisions = uow.revisions(id).await?;
        let found = match revision {
            Some(number) => revisions.into_iter().find(|r| r.number == number).ok_or(Refusal::NotFound)?,
            None => revisions.into_iter().next_back().ok_or(Refusal::NoPayload)?,
        };
        let stored = uow.payload(found.payload_id).await?.ok_or(Error::Fault("a revision has no payload"))?;
        let bytes = stored.bytes.ok_or(Refusal::NoPayload)?;
        let (bytes, sha256, hidden) = match sight.see(&bytes) {
            Seen::Whole => (bytes, Some(stored.sha256), 0),
            Seen::Masked { text, hidden } => (text.into_bytes(), None, hidden.max(1)),
            Seen::Nothing => return Err(Refusal::AboveClearance.into()),
        };
        let kind = document::kind(&found.media_type, &bytes);
        Ok(Payload { revision: found.number, media_type: found.media_type, sha256, bytes, kind, hidden })
    }

    /// The same for a page that shows it: `None` where it may not be shown or there is none.
    pub async fn payload_to_show(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Option<Payload>> {
        match self.read_payload(caller, id, revision).await {
            Err(Error::Refused(Refusal::NoPayload | Refusal::AboveClearance)) => Ok(None),
            other => other.map(Some),
        }
    }
}
