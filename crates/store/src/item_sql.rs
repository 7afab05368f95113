//! The SQL of item lists: which conditions walk an index, and which are judged row by row.

use chrono::{DateTime, Utc};
use domain::{
    ageing::Level,
    failure::FailureClass,
    ids::{PersonId, TokenId},
    item::Lane,
    text::{like_needle, message},
};
use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::item_list::{COUNT_LIMIT, Cursor, ItemFilter, Mine, SCAN, Sort, View};

impl ItemFilter {
    /// The clauses that walk an index, and those that are judged row by row afterwards.
    pub(crate) fn clauses(&self) -> (Vec<Clause<'_>>, Vec<Clause<'_>>) {
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
        if let Some(mine) = &self.mine {
            // They are few: they are found by who answers for them, and put in order.
            walk.push(Clause::Mine(mine));
            judge.extend(lane);
            judge.extend(filters.into_iter().flatten());
            judge.extend(self.due.map(|level| Clause::Due(level, self.as_of)));
            return self.with_the_rest(walk, judge);
        }
        if self.by_due() {
            // One index orders all that is due; whatever else is asked is judged row by row.
            judge.extend(lane);
            judge.extend(filters.into_iter().flatten());
            walk.extend(self.due.map(|level| Clause::Due(level, self.as_of)));
            return self.with_the_rest(walk, judge);
        }
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
        judge.extend(self.due.map(|level| Clause::Due(level, self.as_of)));
        self.with_the_rest(walk, judge)
    }

    /// Whether rows are in the order in which they are due.
    pub(crate) fn by_due(&self) -> bool {
        self.sort == Sort::Due && self.view != View::Closed
    }

    fn with_the_rest<'f>(
        &'f self,
        mut walk: Vec<Clause<'f>>,
        mut judge: Vec<Clause<'f>>,
    ) -> (Vec<Clause<'f>>, Vec<Clause<'f>>) {
        judge.extend(self.text.as_deref().map(Clause::Text));
        judge.extend(self.text.as_deref().filter(|_| self.restricted_by_name).map(Clause::RestrictedByName));
        walk.extend(self.bound_to.map(Clause::TeamsOf));
        walk.extend(self.token.map(Clause::WorkflowsOf));
        (walk, judge)
    }
}

/// One condition of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clause<'f> {
    NotClosed,
    Closed,
    Lane(Lane),
    Uncertain,
    Workflow(&'f str),
    Step(&'f str),
    Class(FailureClass),
    Text(&'f str),
    RestrictedByName(&'f str),
    DedupeKey(&'f str),
    TeamsOf(PersonId),
    WorkflowsOf(TokenId),
    Due(Level, DateTime<Utc>),
    Mine(&'f Mine),
    Beyond(Cursor, &'f ItemFilter),
}

const COLUMNS: &str = "SELECT item.id, item.team_id, item.owner_team_id, item.lane, item.state, item.resolution, item.effect, item.business_ref, item.dedupe_key, \
    item.workflow_key, item.step, item.failure_class, item.message_head, item.sensitivity, item.impact, item.received_at, item.due_cause, item.risk_at, item.due_at, person.name AS owner_name, team.name AS team_name FROM ";
// Each item has its team. A LEFT JOIN keeps PostgreSQL from guessing that few do: it would sort those few instead of
// walking the index.
const NAMES: &str = " LEFT JOIN team ON team.id = COALESCE(item.owner_team_id, item.team_id) LEFT JOIN person ON person.id = item.owner_person_id";

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
        // Beside the clause above, which has the message in it. The databases know fewer letters' cases than the
        // folded text: such a letter may keep a restricted item from being found, and never shows one.
        Clause::RestrictedByName(text) => {
            let needle = like_needle(&message(text));
            sql.push("(item.sensitivity <> 'restricted'");
            for name in ["business_ref", "dedupe_key", "correlation_id"] {
                sql.push(format!(" OR lower(item.{name}) LIKE ")).push_bind(needle.clone()).push(" ESCAPE '\\'");
            }
            sql.push(")");
        }
        // `IS TRUE` keeps PostgreSQL from making these a join that begins with the teams: it would have to put all their
        // items in order before it could show a page.
        Clause::TeamsOf(person) => {
            sql.push("((item.team_id IN (SELECT team_id FROM person_team WHERE person_id = ").push_bind(person.0);
            sql.push(") OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = ")
                .push_bind(person.0)
                .push("))) IS TRUE");
        }
        Clause::WorkflowsOf(token) => {
            sql.push("(item.workflow_key IN (SELECT workflow_key FROM token_workflow WHERE token_id = ")
                .push_bind(token.0)
                .push(")) IS TRUE");
        }
        Clause::Due(Level::AtRisk, now) => {
            sql.push("item.risk_at <= ").push_bind(now).push(" AND item.due_at > ").push_bind(now);
        }
        Clause::Due(Level::Overdue | Level::Escalated, now) => drop(sql.push("item.due_at <= ").push_bind(now)),
        Clause::Mine(Mine { person, claimed }) => {
            sql.push("(item.owner_person_id = ").push_bind(person.0);
            for item in claimed {
                sql.push(" OR item.id = ").push_bind(item.0);
            }
            sql.push(")");
        }
        Clause::Beyond(after, filter) => {
            sql.push("(").push(ordered(filter)).push(", item.id) ");
            sql.push(if filter.sort == Sort::Newest { "< (" } else { "> (" });
            sql.push_bind(after.at).push(", ").push_bind(after.id).push(")");
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

/// The column by which a list is in order.
fn ordered(filter: &ItemFilter) -> &'static str {
    if filter.by_due() { "item.due_at" } else { "item.received_at" }
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
    let beyond = after.map(|cursor| Clause::Beyond(cursor, filter));
    let order = match filter.sort {
        Sort::Due if filter.by_due() => " ORDER BY item.due_at, item.id LIMIT ",
        Sort::Oldest | Sort::Due => " ORDER BY item.received_at, item.id LIMIT ",
        Sort::Newest => " ORDER BY item.received_at DESC, item.id DESC LIMIT ",
    };
    let mut sql = QueryBuilder::new("");
    match part {
        Part::Frontier => {
            sql.push("SELECT ").push(ordered(filter)).push(" AS at, item.id FROM item");
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
