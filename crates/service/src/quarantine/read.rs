//! Looking at quarantine.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    ids::{PayloadId, QuarantineId},
    permission::Permission,
    refusal::Refusal,
};
use store::{Quarantined, Uow};
use uuid::Uuid;

use crate::{Error, Result, Service, calendar};

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
    /// Exactly as it was received.
    pub bytes: Vec<u8>,
    /// What was accepted in its place, where a person corrected it.
    pub corrected: Option<Vec<u8>>,
    /// Why the viewer can't deal with it, if they can't.
    pub refusal: Option<Refusal>,
}

impl Service {
    /// Quarantine as `caller` may see it: what waits, or what was dealt with.
    pub async fn quarantine(&self, caller: &Caller, open: bool, before: Option<(DateTime<Utc>, Uuid)>) -> Result<Ward> {
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
        let next = rows.last().filter(|_| more).map(|row| (row.received_at, row.id.0));
        Ok(Ward { rows, next, waiting: uow.count_quarantine(bound_to).await? })
    }

    /// One report in quarantine, with its exact bytes.
    pub async fn quarantine_case(&self, caller: &Caller, id: QuarantineId) -> Result<QuarantineCase> {
        let mut uow = self.store.read().await?;
        let report = readable(&mut uow, caller, id, Permission::ItemsRead).await?;
        let refusal = readable(&mut uow, caller, id, Permission::QuarantineWork).await.err();
        let refusal = match refusal {
            Some(Error::Refused(refusal)) => Some(refusal),
            Some(other) => return Err(other),
            None => decided(&report),
        };
        let bytes = bytes(&mut uow, report.payload_id).await?;
        let corrected = match report.corrected_id {
            Some(id) => Some(self::bytes(&mut uow, PayloadId(id)).await?),
            None => None,
        };
        Ok(QuarantineCase { report, bytes, corrected, refusal })
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
