//! Reading the audit trail.

use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    permission::Permission,
};
use store::{AuditFilter, AuditRow};

use crate::{Request, Result, Service, action::Entry, calendar, clearance::Veil};

/// Rows of a page.
pub const PAGE: i64 = 50;

/// One page of the audit trail.
#[derive(Debug, Clone)]
pub struct Trail {
    /// Entries, newest first.
    pub rows: Vec<AuditRow>,
    /// Whether there are older ones.
    pub more: bool,
    /// Keys of workflows to filter by.
    pub workflows: Vec<String>,
}

impl Service {
    /// The audit trail as the caller may see it.
    pub async fn audit_trail(&self, request: &Request, filter: AuditFilter) -> Result<Trail> {
        let read = self.read_trail(&request.caller, filter);
        self.reading(request, Entry::new(AuditKind::AuditRead), None, read).await
    }

    async fn read_trail(&self, caller: &Caller, mut filter: AuditFilter) -> Result<Trail> {
        access::may(caller, Permission::AuditRead, Scope::Installation)?;
        if let Caller::Person(person) = caller {
            filter.bound_to = person.bounds().map(|_| person.id.0);
        }
        filter.from = filter.from.map(calendar::within);
        filter.before = filter.before.map(|(at, id)| (calendar::within(at), id));
        let mut uow = self.store.read().await?;
        let mut rows = uow.audit_page(&filter, PAGE + 1).await?;
        let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
        if more {
            rows.pop();
        }
        for row in &mut rows {
            if let Some(sensitivity) = row.sensitivity {
                Veil::of(caller, sensitivity).over_entry(row);
            }
        }
        Ok(Trail { rows, more, workflows: uow.workflow_keys(filter.bound_to).await? })
    }
}
