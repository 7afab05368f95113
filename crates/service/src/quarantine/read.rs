//! Looking at quarantine.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    ids::{PayloadId, QuarantineId},
    permission::Permission,
    refusal::Refusal,
};
use store::{Quarantined, Uow};
use uuid::Uuid;

use crate::{Error, Request, Result, Service, action::Entry, calendar, clearance::Veil};

/// Rows of a page.
pub const PAGE: i64 = 50;

/// One page of quarantine.
#[derive(Debug, Clone)]
pub struct Ward {
    /// Reports, newest first.
    pub rows: Vec<Quarantined>,
    /// Where the next page begins.
    pub next: Option<(DateTime<Utc>, Uuid)>,
    /// How many wait, counted up to 10,001.
    pub waiting: i64,
}

/// One report in quarantine, whole.
#[derive(Debug, Clone)]
pub struct QuarantineCase {
    /// What is known about it.
    pub report: Quarantined,
    /// How many bytes it has.
    pub size: i64,
    /// Exactly as it was received; `None` above the viewer's clearance.
    pub bytes: Option<Vec<u8>>,
    /// What was accepted in its place, where a person corrected it and the viewer is cleared.
    pub corrected: Option<Vec<u8>>,
    /// Why the viewer can't deal with it, if they can't.
    pub refusal: Option<Refusal>,
}

impl Service {
    /// Quarantine as the caller may see it: what waits, or what was dealt with.
    pub async fn quarantine(
        &self,
        request: &Request,
        open: bool,
        before: Option<(DateTime<Utc>, Uuid)>,
    ) -> Result<Ward> {
        let read = self.read_ward(&request.caller, open, before);
        self.reading(request, Entry::new(AuditKind::QuarantineRead), None, read).await
    }

    async fn read_ward(&self, caller: &Caller, open: bool, before: Option<(DateTime<Utc>, Uuid)>) -> Result<Ward> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        let bound_to = match caller {
            Caller::Person(person) => person.bounds().map(|_| person.id.0),
            Caller::CommandLine | Caller::Job(_) => None,
            Caller::Automation(_) | Caller::Anonymous => return Err(Refusal::WrongTokenKind.into()),
        };
        let far = DateTime::<Utc>::from_timestamp(253_402_300_799, 0).unwrap_or_default();
        let mut uow = self.store.read().await?;
        let before = before.map(|(at, id)| (calendar::within(at), id));
        let mut rows = uow.quarantine_page(open, before.unwrap_or((far, Uuid::max())), bound_to, PAGE + 1).await?;
        let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
        if more {
            rows.pop();
        }
        rows.iter_mut().for_each(|row| Veil::of(caller, row.sensitivity).over_report(row));
        let next = rows.last().filter(|_| more).map(|row| (row.received_at, row.id.0));
        Ok(Ward { rows, next, waiting: uow.count_quarantine(bound_to).await? })
    }

    /// One report in quarantine, with its exact bytes for those who are cleared.
    pub async fn quarantine_case(&self, request: &Request, id: QuarantineId) -> Result<QuarantineCase> {
        let mut entry = Entry::new(AuditKind::QuarantineRead);
        entry.detail("quarantine", id.to_string());
        self.reading(request, entry, None, self.read_case(&request.caller, id)).await
    }

    async fn read_case(&self, caller: &Caller, id: QuarantineId) -> Result<QuarantineCase> {
        let mut uow = self.store.read().await?;
        let mut report = readable(&mut uow, caller, id, Permission::ItemsRead).await?;
        let refusal = readable(&mut uow, caller, id, Permission::QuarantineWork).await.err();
        let refusal = match refusal {
            Some(Error::Refused(refusal)) => Some(refusal),
            Some(other) => return Err(other),
            None => decided(&report),
        };
        let bytes = bytes(&mut uow, report.payload_id).await?;
        let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        let veil = Veil::of(caller, report.sensitivity);
        if veil != Veil::Nothing {
            veil.over_report(&mut report);
            return Ok(QuarantineCase { report, size, bytes: None, corrected: None, refusal });
        }
        let corrected = match report.corrected_id {
            Some(id) => Some(self::bytes(&mut uow, PayloadId(id)).await?),
            None => None,
        };
        Ok(QuarantineCase { report, size, bytes: Some(bytes), corrected, refusal })
    }
}

/// The refusal of dealing with a report twice.
pub(super) fn decided(report: &Quarantined) -> Option<Refusal> {
    let (by, at) = (report.decided_by.clone()?, report.decided_at?);
    Some(Refusal::QuarantineDecided { by, at })
}

pub(super) async fn readable(
    uow: &mut Uow,
    caller: &Caller,
    id: QuarantineId,
    permission: Permission,
) -> Result<Quarantined> {
    if !matches!(caller, Caller::Person(_) | Caller::CommandLine) {
        return Err(Refusal::NotSignedIn.into());
    }
    let report = uow.quarantined(id).await?.ok_or(Refusal::NotFound)?;
    let workflow = report.workflow_key.as_deref().unwrap_or_default();
    access::may(caller, permission, Scope::Within { team: report.team_id, owner: None, workflow })?;
    Ok(report)
}

pub(super) async fn bytes(uow: &mut Uow, id: PayloadId) -> Result<Vec<u8>> {
    let stored = uow.payload(id).await?.ok_or(Error::Fault("a report in quarantine has no bytes"))?;
    Ok(stored.bytes.ok_or(Refusal::NoPayload)?)
}
