//! A revision's payload: exact bytes, and how it can be shown.

use domain::{
    access::Caller,
    audit::AuditKind,
    digest::Sha256,
    document::{self, Kind},
    ids::ItemId,
    refusal::Refusal,
};

use crate::{Error, Request, Result, Service, action::Entry};

/// A payload's exact bytes.
#[derive(Debug, Clone)]
pub struct Payload {
    /// Which revision.
    pub revision: i64,
    /// As declared.
    pub media_type: String,
    /// SHA-256 of the bytes.
    pub sha256: Sha256,
    /// Exactly as received.
    pub bytes: Vec<u8>,
    /// How it can be shown.
    pub kind: Kind,
}

impl Service {
    /// The exact bytes of a revision; without a number, of the newest. Refused above the caller's clearance, and that is recorded.
    pub async fn payload(&self, request: &Request, id: ItemId, revision: Option<i64>) -> Result<Payload> {
        let mut entry = Entry::new(AuditKind::PayloadRead);
        entry.detail("revision", revision);
        self.reading(request, entry, Some(id), self.read_payload(&request.caller, id, revision)).await
    }

    async fn read_payload(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Payload> {
        let mut uow = self.store.read().await?;
        let item = super::readable(&mut uow, caller, id).await?;
        if !caller.sees(item.sensitivity) {
            return Err(Refusal::AboveClearance.into());
        }
        let revisions = uow.revisions(id).await?;
        let found = match revision {
            Some(number) => revisions.into_iter().find(|r| r.number == number).ok_or(Refusal::NotFound)?,
            None => revisions.into_iter().next_back().ok_or(Refusal::NoPayload)?,
        };
        let stored = uow.payload(found.payload_id).await?.ok_or(Error::Fault("a revision has no payload"))?;
        let bytes = stored.bytes.ok_or(Refusal::NoPayload)?;
        let kind = document::kind(&found.media_type, &bytes);
        Ok(Payload { revision: found.number, media_type: found.media_type, sha256: stored.sha256, bytes, kind })
    }

    /// The same for a page that shows it: `None` where it may not be shown or there is none.
    pub async fn payload_to_show(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Option<Payload>> {
        match self.read_payload(caller, id, revision).await {
            Err(Error::Refused(Refusal::NoPayload | Refusal::AboveClearance)) => Ok(None),
            other => other.map(Some),
        }
    }
}
