//! Corrections, for those who check afterwards: what a person made of a payload, and whether it was sent.

use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    ids::ItemId,
    permission::Permission,
    refusal::Refusal,
};
use store::{Attempt, Correction, CorrectionFilter, Item, Replay, Revision};

use crate::{
    Request, Result, Service,
    action::Entry,
    calendar,
    clearance::Veil,
    items::actions::scope,
    payloads::{
        difference::{Difference, Extent, compare, sight_of},
        sight::Sight,
    },
};

/// Rows of a page.
pub const PAGE: i64 = 50;

/// One page of corrections.
#[derive(Debug, Clone)]
pub struct Corrections {
    /// Newest first. Above the caller's clearance a reason is left out.
    pub rows: Vec<Correction>,
    /// Whether there are older ones.
    pub more: bool,
    /// Keys of workflows to filter by.
    pub workflows: Vec<String>,
}

/// A correction beside what it was made from.
#[derive(Debug, Clone)]
pub struct Corrected {
    /// Its item.
    pub item: Item,
    /// As received.
    pub original: Revision,
    /// What it was made from, where that is not the original.
    pub parent: Option<Revision>,
    /// The correction.
    pub correction: Revision,
    /// Why the content may not be shown, if it may not.
    pub hidden: Option<Refusal>,
    /// Something of the content is hidden, and with it digests, sizes and reasons.
    pub masked: bool,
    /// From the original to the correction; `None` where hidden or erased.
    pub from_original: Option<Difference>,
    /// From the parent to the correction, where that is not the original.
    pub from_parent: Option<Difference>,
    /// The attempts that sent it, or are to, oldest first.
    pub attempts: Vec<Attempt>,
    /// The replays that asked for it to be sent, newest first.
    pub replays: Vec<Replay>,
}

impl Service {
    /// Corrections as the caller may see them.
    pub async fn corrections(&self, request: &Request, filter: CorrectionFilter) -> Result<Corrections> {
        let read = self.read_corrections(&request.caller, filter);
        self.reading(request, Entry::new(AuditKind::AuditRead), None, read).await
    }

    async fn read_corrections(&self, caller: &Caller, mut filter: CorrectionFilter) -> Result<Corrections> {
        access::may(caller, Permission::AuditRead, Scope::Installation)?;
        if let Caller::Person(person) = caller {
            filter.bound_to = person.bounds().map(|_| person.id.0);
        }
        filter.before = filter.before.map(|(at, item, number)| (calendar::within(at), item, number));
        let mut uow = self.store.read().await?;
        let mut rows = uow.corrections(&filter, PAGE + 1).await?;
        let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
        if more {
            rows.pop();
        }
        for row in rows.iter_mut().filter(|row| !caller.sees(row.sensitivity)) {
            row.reason = None;
        }
        Ok(Corrections { rows, more, workflows: uow.workflow_keys(filter.bound_to).await? })
    }

    /// One correction: who made it of what and why, what it changed, and which attempts sent it.
    pub async fn correction(&self, request: &Request, id: ItemId, number: i64) -> Result<Corrected> {
        let mut entry = Entry::new(AuditKind::AuditRead);
        entry.detail("revision", number);
        self.reading(request, entry, Some(id), self.read_correction(&request.caller, id, number)).await
    }

    async fn read_correction(&self, caller: &Caller, id: ItemId, number: i64) -> Result<Corrected> {
        access::may(caller, Permission::AuditRead, Scope::Installation)?;
        let mut uow = self.store.read().await?;
        let item = uow.item(id).await?.ok_or(Refusal::NotFound)?;
        access::may(caller, Permission::AuditRead, scope(&item))?;
        let revisions = uow.revisions(id).await?;
        let numbered = |number: i64| revisions.iter().find(|revision| revision.number == number).cloned();
        let correction = numbered(number).filter(|it| it.author_kind == "person").ok_or(Refusal::NotFound)?;
        let original = numbered(1).ok_or(Refusal::NotFound)?;
        let parent = correction.parent.filter(|parent| *parent != 1).and_then(numbered);
        let sight = sight_of(&mut uow, caller, &item).await?;
        let hidden = hidden(caller, &item, &sight);
        let masked = matches!(sight, Sight::Parts(_));
        let (from_original, from_parent) = match hidden {
            Some(_) => (None, None),
            None => (
                compare(&mut uow, &sight, Some(&original), &correction, Extent::Whole).await?,
                compare(&mut uow, &sight, parent.as_ref(), &correction, Extent::Whole).await?,
            ),
        };
        let mut attempts = uow.attempts(id).await?;
        attempts.retain(|attempt| attempt.revision == Some(number));
        let mut replays = uow.replays(id).await?;
        replays.retain(|replay| replay.revision == number);
        let veil = Veil::of(caller, item.sensitivity);
        let mut seen = Corrected {
            item,
            original,
            parent,
            correction,
            hidden,
            masked,
            from_original,
            from_parent,
            attempts,
            replays,
        };
        veil.over_correction(&mut seen);
        Ok(seen)
    }
}

/// Reading the trail is no right to read what people work on: content needs both.
fn hidden(caller: &Caller, item: &Item, sight: &Sight) -> Option<Refusal> {
    let above = || matches!(sight, Sight::Nothing).then_some(Refusal::AboveClearance);
    access::may(caller, Permission::ItemsRead, scope(item)).err().or_else(above)
}
