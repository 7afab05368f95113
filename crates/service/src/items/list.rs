//! Lists of items: the queue, and what automations find by key.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    item::Lane,
    permission::Permission,
    refusal::Refusal,
    sensitivity::Sensitivity,
};
use store::{Count, Cursor, ItemFilter, ListedItem, Mine, Sort, View};

use crate::{Request, Result, Service, action::Entry, calendar, clearance::Veil};

/// Rows of a page.
pub const PAGE: i64 = 50;

/// What the queue shows.
#[derive(Debug, Clone)]
pub struct Queue {
    /// The page's rows.
    pub rows: Vec<ListedItem>,
    /// Where the next page begins.
    pub next: Option<Cursor>,
    /// The page is short because only so many rows were examined; there may be more further on.
    pub look_further: bool,
    /// How many rows the filter has.
    pub count: Count,
    /// When the longest waiting one of them came; only where it is known at no further cost.
    pub oldest: Option<DateTime<Utc>>,
    /// How many there are in each view, without further filters.
    pub tabs: Tabs,
    /// Keys of workflows to filter by.
    pub workflows: Vec<String>,
    /// Keys of steps to filter by.
    pub steps: Vec<String>,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

/// How many items each view has.
#[derive(Debug, Clone, Copy)]
pub struct Tabs {
    /// In the dead-letter lane.
    pub dead_letter: Count,
    /// In the needs-review lane.
    pub needs_review: Count,
    /// With an uncertain effect, in either lane.
    pub uncertain: Count,
    /// Open in all.
    pub open: Count,
    /// In quarantine.
    pub quarantine: i64,
}

impl Service {
    /// The queue as the caller may see it.
    pub async fn queue(&self, request: &Request, filter: ItemFilter, after: Option<Cursor>) -> Result<Queue> {
        let read = self.read_queue(&request.caller, filter, after);
        self.reading(request, Entry::new(AuditKind::ItemRead), None, read).await
    }

    async fn read_queue(&self, caller: &Caller, mut filter: ItemFilter, after: Option<Cursor>) -> Result<Queue> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        bound(&mut filter, caller, self.now());
        self.whose(&mut filter, caller).await?;
        let after = after.map(place);
        let mut uow = self.store.read().await?;
        let mut page = uow.items(&filter, after, PAGE).await?;
        page.items.iter_mut().for_each(|row| Veil::over_row(caller, row));
        let count = uow.count_items(&filter).await?;
        let oldest = match (filter.sort, after) {
            (Sort::Oldest, None) => page.items.first().map(|row| row.received_at),
            _ if filter.text.is_none() => {
                let oldest = ItemFilter { sort: Sort::Oldest, ..filter.clone() };
                uow.items(&oldest, None, 1).await?.items.first().map(|row| row.received_at)
            }
            _ => None,
        };
        let tabs = tabs(&mut uow, &filter).await?;
        let of = filter.bound_to.map(|person| person.0);
        let (workflows, steps) = (uow.workflow_keys(of).await?, uow.step_keys(of).await?);
        let as_of = self.now();
        Ok(Queue {
            rows: page.items,
            next: page.next,
            look_further: page.look_further,
            count,
            oldest,
            tabs,
            workflows,
            steps,
            as_of,
        })
    }

    /// How many of the filter's items came after `since`: the queue offers them without moving a row.
    pub async fn arrivals(&self, caller: &Caller, mut filter: ItemFilter, since: DateTime<Utc>) -> Result<Count> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        bound(&mut filter, caller, self.now());
        self.whose(&mut filter, caller).await?;
        filter.sort = Sort::Oldest;
        let after = place(Cursor { at: since, id: uuid::Uuid::max() });
        let page = self.store.read().await?.items(&filter, Some(after), 100).await?;
        Ok(Count { number: i64::try_from(page.items.len()).unwrap_or(i64::MAX), more: page.next.is_some() })
    }

    /// Fills in who asks, where somebody asks for their own.
    async fn whose(&self, filter: &mut ItemFilter, caller: &Caller) -> Result<()> {
        if filter.mine.is_none() {
            return Ok(());
        }
        let Caller::Person(person) = caller else { return Err(Refusal::WrongTokenKind.into()) };
        let claimed = self.store.read().await?.claimed_by(person.id, self.now()).await?;
        filter.mine = Some(Mine { person: person.id, claimed });
        Ok(())
    }

    /// Items by key, for automations and scripts.
    pub async fn find_items(
        &self,
        request: &Request,
        filter: ItemFilter,
        after: Option<Cursor>,
    ) -> Result<store::Page> {
        let read = self.read_items(&request.caller, filter, after);
        self.reading(request, Entry::new(AuditKind::ItemRead), None, read).await
    }

    async fn read_items(&self, caller: &Caller, mut filter: ItemFilter, after: Option<Cursor>) -> Result<store::Page> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        bound(&mut filter, caller, self.now());
        self.whose(&mut filter, caller).await?;
        let mut page = self.store.read().await?.items(&filter, after.map(place), PAGE).await?;
        page.items.iter_mut().for_each(|row| Veil::over_row(caller, row));
        Ok(page)
    }
}

/// A place that somebody may have typed.
fn place(at: Cursor) -> Cursor {
    Cursor { at: calendar::within(at.at), ..at }
}

/// Narrows a filter to what the caller may see.
fn bound(filter: &mut ItemFilter, caller: &Caller, now: DateTime<Utc>) {
    filter.as_of = now;
    filter.restricted_by_name = !caller.sees(Sensitivity::Restricted);
    match caller {
        Caller::Person(person) => filter.bound_to = person.bounds().map(|_| person.id),
        Caller::Automation(token) => filter.token = token.workflows.as_ref().map(|_| token.id),
        Caller::CommandLine | Caller::Job(_) | Caller::Anonymous => {}
    }
}

async fn tabs(uow: &mut store::Uow, filter: &ItemFilter) -> Result<Tabs> {
    let view = |view| ItemFilter {
        view,
        as_of: filter.as_of,
        bound_to: filter.bound_to,
        token: filter.token,
        ..ItemFilter::open()
    };
    Ok(Tabs {
        dead_letter: uow.count_items(&view(View::Lane(Lane::DeadLetter))).await?,
        needs_review: uow.count_items(&view(View::Lane(Lane::NeedsReview))).await?,
        uncertain: uow.count_items(&view(View::Uncertain)).await?,
        open: uow.count_items(&view(View::Open)).await?,
        quarantine: uow.count_quarantine(filter.bound_to.map(|person| person.0)).await?,
    })
}
