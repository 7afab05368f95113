//! Lists of items: every legal combination of view, filters and order, as SQL.
//!
//! Pages are keyset-paged on `(received_at, id)`, or on `(due_at, id)`. A list without residual filters reads just its page from one index.
//! With residual filters (a second filter beside the indexed one, or text) at most [`SCAN`] rows are examined, and the
//! page then offers to look further.

use chrono::{DateTime, Utc};
use domain::{
    ageing::Level,
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId, TeamId, TokenId},
    item::{Impact, Lane, Resolution, State},
    sensitivity::Sensitivity,
};
use sqlx::{Postgres, Sqlite};
use uuid::Uuid;

use crate::{
    Error, Result, Uow,
    column::{Due, MaybeWord, someday},
    item_sql::{Part, statement},
    items::OwnerColumn,
    uow::Tx,
};

/// Rows a residual filter examines before it offers to look further.
pub(crate) const SCAN: i64 = 5_000;
/// Counts are exact below this.
pub(crate) const COUNT_LIMIT: i64 = 10_000;

/// Which items a list is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Everything that is not closed.
    Open,
    /// Open and in this lane.
    Lane(Lane),
    /// Open, and its effect is uncertain.
    Uncertain,
    /// Closed.
    Closed,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Longest waiting first.
    Oldest,
    /// Latest first.
    Newest,
    /// What is due next first. What is closed has nothing due: the longest waiting first.
    Due,
}

/// What a list shows.
#[derive(Debug, Clone)]
pub struct ItemFilter {
    /// Which items.
    pub view: View,
    /// Of this workflow.
    pub workflow: Option<String>,
    /// Of this step.
    pub step: Option<String>,
    /// Of this failure class.
    pub class: Option<FailureClass>,
    /// With this text in reference, key or message, whatever its case.
    pub text: Option<String>,
    /// Text finds a restricted item by what names it only: whoever looks may not read its message.
    pub restricted_by_name: bool,
    /// With exactly this key.
    pub dedupe_key: Option<String>,
    /// At risk, or overdue.
    pub due: Option<Level>,
    /// What somebody answers for or works.
    pub mine: Option<Mine>,
    /// The moment by which it is told what is late.
    pub as_of: DateTime<Utc>,
    /// Only of the teams of this person.
    pub bound_to: Option<PersonId>,
    /// Only of the workflows this token is bound to.
    pub token: Option<TokenId>,
    /// The order.
    pub sort: Sort,
}

/// Whose items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mine {
    /// Who answers for them.
    pub person: PersonId,
    /// What they work now besides.
    pub claimed: Vec<ItemId>,
}

impl Mine {
    /// Nobody's, until it is known who asks.
    #[must_use]
    pub fn nobody() -> Self {
        Self { person: PersonId(Uuid::nil()), claimed: Vec::new() }
    }
}

/// Where a page begins: after this row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The row's age; when it is due, in a list that is ordered by that.
    pub at: DateTime<Utc>,
    /// The row.
    pub id: Uuid,
}

/// An item as lists show it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ListedItem {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ItemId,
    /// Its team, which bounds who sees it.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// The team it was given to, which sees it too.
    #[sqlx(try_from = "OwnerColumn")]
    pub owner_team_id: Option<TeamId>,
    /// Its lane.
    #[sqlx(try_from = "String")]
    pub lane: Lane,
    /// Its state.
    #[sqlx(try_from = "String")]
    pub state: State,
    /// How it ended.
    #[sqlx(try_from = "MaybeWord")]
    pub resolution: Option<Resolution>,
    /// Its effect.
    #[sqlx(try_from = "String")]
    pub effect: Effect,
    /// What people call it.
    pub business_ref: Option<String>,
    /// Names the work.
    pub dedupe_key: String,
    /// Its workflow.
    pub workflow_key: String,
    /// Its step.
    pub step: String,
    /// Its failure's class.
    #[sqlx(try_from = "String")]
    pub failure_class: FailureClass,
    /// The beginning of its failure message.
    pub message_head: String,
    /// How sensitive it is.
    #[sqlx(try_from = "String")]
    pub sensitivity: Sensitivity,
    /// How much it matters.
    #[sqlx(try_from = "String")]
    pub impact: Impact,
    /// When it came.
    pub received_at: DateTime<Utc>,
    /// What is due next.
    #[sqlx(flatten)]
    pub due: Due,
    /// The person who answers for it.
    pub owner_name: Option<String>,
    /// The team that answers for it.
    pub team_name: String,
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its rows.
    pub items: Vec<ListedItem>,
    /// Where the next page begins, if there may be more.
    pub next: Option<Cursor>,
    /// The page is short because only [`SCAN`] rows were examined, not because there are no more.
    pub look_further: bool,
}

impl ItemFilter {
    /// Everything open, oldest first.
    #[must_use]
    pub fn open() -> Self {
        Self {
            view: View::Open,
            workflow: None,
            step: None,
            class: None,
            text: None,
            restricted_by_name: false,
            dedupe_key: None,
            due: None,
            mine: None,
            as_of: DateTime::UNIX_EPOCH,
            bound_to: None,
            token: None,
            sort: Sort::Oldest,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Frontier {
    at: DateTime<Utc>,
    id: Uuid,
}

impl ListedItem {
    /// Its place in a list of this order.
    fn place(&self, filter: &ItemFilter) -> Cursor {
        Cursor { at: if filter.by_due() { someday(self.due.at) } else { self.received_at }, id: self.id.0 }
    }
}

macro_rules! ask {
    ($uow:expr, $row:ty, $end:ident, $($arg:expr),+) => {
        match &mut $uow.tx {
            Tx::Sqlite(tx) => statement::<Sqlite>($($arg),+).build_query_as::<$row>().$end(&mut **tx).await,
            Tx::Postgres(tx) => statement::<Postgres>($($arg),+).build_query_as::<$row>().$end(&mut **tx).await,
        }
        .map_err(|error| Error::sort(error, "item list"))
    };
}

/// How many items a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// As far as was counted.
    pub number: i64,
    /// Whether there may be more.
    pub more: bool,
}

impl Uow {
    /// One page of a list.
    pub async fn items(&mut self, filter: &ItemFilter, after: Option<Cursor>, limit: i64) -> Result<Page> {
        let mut items = ask!(self, ListedItem, fetch_all, filter, after, limit + 1, Part::Rows)?;
        let full = i64::try_from(items.len()).is_ok_and(|len| len > limit);
        if full {
            items.pop();
            let next = items.last().map(|last| last.place(filter));
            return Ok(Page { items, next, look_further: false });
        }
        if filter.clauses().1.is_empty() {
            return Ok(Page { items, next: None, look_further: false });
        }
        let frontier = ask!(self, Frontier, fetch_optional, filter, after, limit, Part::Frontier)?;
        let next = frontier.map(|row| Cursor { at: row.at, id: row.id });
        Ok(Page { items, next, look_further: next.is_some() })
    }

    /// How many items a list has, counted up to a bound.
    pub async fn count_items(&mut self, filter: &ItemFilter) -> Result<Count> {
        // The order of a list says which index it walks; a number has no order, and walks the narrowest.
        let filter = &ItemFilter { sort: Sort::Oldest, ..filter.clone() };
        let (number,) = ask!(self, (i64,), fetch_one, filter, None, 0, Part::Count)?;
        let residual = !filter.clauses().1.is_empty();
        let more = if residual {
            ask!(self, Frontier, fetch_optional, filter, None, 0, Part::Frontier)?.is_some()
        } else {
            number > COUNT_LIMIT
        };
        Ok(Count { number: number.min(COUNT_LIMIT), more })
    }
}

/// Every legal combination of view, filters, order and continuation, for the test that prepares them all.
pub(crate) fn all_shapes() -> Vec<(ItemFilter, Option<Cursor>)> {
    let views =
        [View::Open, View::Lane(Lane::DeadLetter), View::Lane(Lane::NeedsReview), View::Uncertain, View::Closed];
    let mut shapes = Vec::new();
    for (view, sort) in
        views.into_iter().flat_map(|view| [(view, Sort::Oldest), (view, Sort::Newest), (view, Sort::Due)])
    {
        for bits in 0..1_024u32 {
            let on = |n: u32| bits & (1 << n) != 0;
            let text = |n: u32| on(n).then(|| "x".to_owned());
            let filter = ItemFilter {
                view,
                sort,
                workflow: text(0),
                step: text(1),
                class: on(2).then_some(FailureClass::Timeout),
                text: text(3),
                dedupe_key: text(4),
                bound_to: on(5).then_some(PersonId(Uuid::nil())),
                token: on(6).then_some(TokenId(Uuid::nil())),
                restricted_by_name: on(7),
                due: on(9).then_some(Level::Overdue),
                mine: on(9).then(|| Mine { claimed: vec![ItemId(Uuid::nil())], ..Mine::nobody() }),
                as_of: DateTime::UNIX_EPOCH,
            };
            let after = on(8).then_some(Cursor { at: DateTime::UNIX_EPOCH, id: Uuid::nil() });
            shapes.push((filter, after));
        }
    }
    shapes
}
