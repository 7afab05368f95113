//! Lists of items: every legal combination of view, filters and order, as SQL.
//!
//! Pages are keyset-paged on `(received_at, id)`. A list without residual filters reads just its page from one index.
//! With residual filters (a second filter beside the indexed one, or text) at most [`SCAN`] rows are examined, and the
//! page then offers to look further.

use chrono::{DateTime, Utc};
use domain::{
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId, TeamId, TokenId},
    item::{Impact, Lane, Resolution, State},
    text::{like_needle, message},
};
use sqlx::{Database, Encode, Postgres, QueryBuilder, Sqlite, Type};
use uuid::Uuid;

use crate::{Error, Result, Uow, column::MaybeWord, uow::Tx};

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

/// The order of a list, by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Longest waiting first.
    Oldest,
    /// Latest first.
    Newest,
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
    /// With exactly this key.
    pub dedupe_key: Option<String>,
    /// Only of the teams of this person.
    pub bound_to: Option<PersonId>,
    /// Only of the workflows this token is bound to.
    pub token: Option<TokenId>,
    /// The order.
    pub sort: Sort,
}

/// Where a page begins: after this row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The row's age.
    pub received_at: DateTime<Utc>,
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
    /// How much it matters.
    #[sqlx(try_from = "String")]
    pub impact: Impact,
    /// When it came.
    pub received_at: DateTime<Utc>,
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
            dedupe_key: None,
            bound_to: None,
            token: None,
            sort: Sort::Oldest,
        }
    }

    /// The clauses that walk an index, and those that are judged row by row afterwards.
    fn clauses(&self) -> (Vec<Clause<'_>>, Vec<Clause<'_>>) {
        let mut walk = vec![if self.view == View::Closed { Clause::Closed } else { Clause::NotClosed }];
        let mut judge = Vec::new();
        let filters = [
            self.dedupe_key.as_deref().map(Clause::DedupeKey),
            self.workflow.as_deref().map(Clause::Workflow),
            self.class.map(Clause::Class),
            self.step.as_deref().map(Clause::Step),
        ];
        let lane = match self.view {
            View::Lane(lane) => Some(Clause::Lane(lane)),
            View::Uncertain => Some(Clause::Uncertain),
            View::Open | View::Closed => None,
        };
        let mut filters = filters.into_iter().flatten();
        // One filter walks its own index; closed items have one index for all.
        if self.view != View::Closed || self.dedupe_key.is_some() {
            match filters.next() {
                Some(first) => {
                    walk.push(first);
                    judge.extend(lane);
                }
                None => walk.extend(lane),
            }
        }
        judge.extend(filters);
        judge.extend(self.text.as_deref().map(Clause::Text));
        walk.extend(self.bound_to.map(Clause::TeamsOf));
        walk.extend(self.token.map(Clause::WorkflowsOf));
        (walk, judge)
    }
}

/// One condition of a list.
#[derive(Debug, Clone, Copy)]
enum Clause<'f> {
    NotClosed,
    Closed,
    Lane(Lane),
    Uncertain,
    Workflow(&'f str),
    Step(&'f str),
    Class(FailureClass),
    Text(&'f str),
    DedupeKey(&'f str),
    TeamsOf(PersonId),
    WorkflowsOf(TokenId),
    Beyond(Cursor, Sort),
}

const COLUMNS: &str = "SELECT item.id, item.team_id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, \
    item.workflow_key, item.step, item.failure_class, item.message_head, item.impact, item.received_at, person.name AS owner_name, team.name AS team_name FROM ";
const NAMES: &str = " JOIN team ON team.id = item.team_id LEFT JOIN person ON person.id = item.owner_person_id";

fn push<D>(sql: &mut QueryBuilder<D>, clause: Clause<'_>)
where
    D: Database,
    for<'q> String: Encode<'q, D> + Type<D>,
    for<'q> Uuid: Encode<'q, D> + Type<D>,
    for<'q> DateTime<Utc>: Encode<'q, D> + Type<D>,
{
    match clause {
        // Literal, so that the partial indexes are recognised.
        Clause::NotClosed => drop(sql.push("item.state <> 'closed'")),
        Clause::Closed => drop(sql.push("item.state = 'closed'")),
        Clause::Uncertain => drop(sql.push("item.effect = 'uncertain'")),
        Clause::Lane(lane) => drop(sql.push("item.lane = ").push_bind(lane.as_str().to_owned())),
        Clause::Workflow(key) => drop(sql.push("item.workflow_key = ").push_bind(key.to_owned())),
        Clause::Step(key) => drop(sql.push("item.step = ").push_bind(key.to_owned())),
        Clause::Class(class) => drop(sql.push("item.failure_class = ").push_bind(class.as_str().to_owned())),
        Clause::DedupeKey(key) => drop(sql.push("item.dedupe_key = ").push_bind(key.to_owned())),
        Clause::Text(text) => {
            // Shown at intake as ␀, and no text at all to PostgreSQL.
            sql.push("item.search_text LIKE ").push_bind(like_needle(&message(text))).push(" ESCAPE '\\'");
        }
        // `IS TRUE` keeps PostgreSQL from making these a join that begins with the teams: it would have to put all their
        // items in order before it could show a page.
        Clause::TeamsOf(person) => {
            sql.push("(item.team_id IN (SELECT team_id FROM person_team WHERE person_id = ")
                .push_bind(person.0)
                .push(")) IS TRUE");
        }
        Clause::WorkflowsOf(token) => {
            sql.push("(item.workflow_key IN (SELECT workflow_key FROM token_workflow WHERE token_id = ")
                .push_bind(token.0)
                .push(")) IS TRUE");
        }
        Clause::Beyond(after, sort) => {
            sql.push("(item.received_at, item.id) ").push(if sort == Sort::Oldest { "> (" } else { "< (" });
            sql.push_bind(after.received_at).push(", ").push_bind(after.id).push(")");
        }
    }
}

fn and_all<'f, D>(sql: &mut QueryBuilder<D>, clauses: impl IntoIterator<Item = Clause<'f>>)
where
    D: Database,
    for<'q> String: Encode<'q, D> + Type<D>,
    for<'q> Uuid: Encode<'q, D> + Type<D>,
    for<'q> DateTime<Utc>: Encode<'q, D> + Type<D>,
{
    for (i, clause) in clauses.into_iter().enumerate() {
        sql.push(if i == 0 { " WHERE " } else { " AND " });
        push(sql, clause);
    }
}

/// Which statement of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Its rows.
    Rows,
    /// The last row that was examined, if the examination stopped at [`SCAN`].
    Frontier,
    /// How many there are.
    Count,
}

/// The SQL of one part of a list, with its values bound.
pub(crate) fn statement<D>(filter: &ItemFilter, after: Option<Cursor>, limit: i64, part: Part) -> QueryBuilder<D>
where
    D: Database,
    for<'q> String: Encode<'q, D> + Type<D>,
    for<'q> Uuid: Encode<'q, D> + Type<D>,
    for<'q> DateTime<Utc>: Encode<'q, D> + Type<D>,
    for<'q> i64: Encode<'q, D> + Type<D>,
{
    let (walk, judge) = filter.clauses();
    let beyond = after.map(|cursor| Clause::Beyond(cursor, filter.sort));
    let order = match filter.sort {
        Sort::Oldest => " ORDER BY item.received_at, item.id LIMIT ",
        Sort::Newest => " ORDER BY item.received_at DESC, item.id DESC LIMIT ",
    };
    let mut sql = QueryBuilder::new("");
    match part {
        Part::Frontier => {
            sql.push("SELECT item.received_at, item.id FROM item");
            and_all(&mut sql, walk.into_iter().chain(beyond));
            sql.push(order).push("1 OFFSET ").push_bind(SCAN - 1);
        }
        Part::Count => {
            sql.push("SELECT COUNT(*) FROM (SELECT ")
                .push(if judge.is_empty() { "1" } else { "item.id" })
                .push(" FROM item");
            and_all(&mut sql, walk);
            if judge.is_empty() {
                sql.push(" LIMIT ").push_bind(COUNT_LIMIT + 1).push(") AS seen");
            } else {
                sql.push(order).push_bind(SCAN).push(") AS seen JOIN item ON item.id = seen.id");
                and_all(&mut sql, judge);
            }
        }
        Part::Rows if judge.is_empty() => {
            sql.push(COLUMNS).push("item").push(NAMES);
            and_all(&mut sql, walk.into_iter().chain(beyond));
            sql.push(order).push_bind(limit);
        }
        Part::Rows => {
            sql.push(COLUMNS).push("(SELECT item.id AS seen_id FROM item");
            and_all(&mut sql, walk.into_iter().chain(beyond));
            sql.push(order).push_bind(SCAN).push(") AS seen JOIN item ON item.id = seen.seen_id").push(NAMES);
            and_all(&mut sql, judge);
            sql.push(order).push_bind(limit);
        }
    }
    sql
}

#[derive(sqlx::FromRow)]
struct Frontier {
    received_at: DateTime<Utc>,
    id: Uuid,
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
            let next = items.last().map(|last| Cursor { received_at: last.received_at, id: last.id.0 });
            return Ok(Page { items, next, look_further: false });
        }
        if filter.clauses().1.is_empty() {
            return Ok(Page { items, next: None, look_further: false });
        }
        let frontier = ask!(self, Frontier, fetch_optional, filter, after, limit, Part::Frontier)?;
        let next = frontier.map(|row| Cursor { received_at: row.received_at, id: row.id });
        Ok(Page { items, next, look_further: next.is_some() })
    }

    /// How many items a list has, counted up to a bound.
    pub async fn count_items(&mut self, filter: &ItemFilter) -> Result<Count> {
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
    for (view, sort) in views.into_iter().flat_map(|view| [(view, Sort::Oldest), (view, Sort::Newest)]) {
        for bits in 0..256u32 {
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
            };
            let after = on(7).then_some(Cursor { received_at: DateTime::UNIX_EPOCH, id: Uuid::nil() });
            shapes.push((filter, after));
        }
    }
    shapes
}
