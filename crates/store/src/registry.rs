//! Every statement there is, so that a test can prepare each on both databases, ask how it is carried out, and try what
//! must be refused.

use sqlx::{AssertSqlSafe, Database, Execute, Executor as _, Postgres, SqlSafeStr as _, Sqlite};

use crate::{
    Cursor, Error, ItemFilter, Result, Uow, activities, alerts, approvals, attempts, audit, channels, choices,
    compensations, corrections, drafts, escalations, follow_ups, identities, invites, item_list,
    item_sql::{self, Part},
    items, lookups, notices, outcomes, payloads, people, postings, quarantine, replays, reports, right_grants, roles,
    sessions, shift, substitutes, teams, throttles, tokens, two_step,
    uow::Tx,
    work, workflows,
};

/// Prepares every static statement and every legal list; answers how many, or the name of the first that is refused.
pub async fn prepare_all(uow: &mut Uow) -> Result<usize, (String, Error)> {
    let lists = [
        activities::STATEMENTS,
        alerts::STATEMENTS,
        approvals::STATEMENTS,
        attempts::STATEMENTS,
        audit::STATEMENTS,
        channels::STATEMENTS,
        choices::STATEMENTS,
        compensations::STATEMENTS,
        corrections::STATEMENTS,
        drafts::STATEMENTS,
        escalations::STATEMENTS,
        follow_ups::STATEMENTS,
        identities::STATEMENTS,
        invites::STATEMENTS,
        items::STATEMENTS,
        lookups::STATEMENTS,
        notices::STATEMENTS,
        outcomes::STATEMENTS,
        payloads::STATEMENTS,
        people::STATEMENTS,
        postings::STATEMENTS,
        quarantine::STATEMENTS,
        replays::STATEMENTS,
        reports::STATEMENTS,
        right_grants::STATEMENTS,
        roles::STATEMENTS,
        sessions::STATEMENTS,
        shift::STATEMENTS,
        substitutes::STATEMENTS,
        teams::STATEMENTS,
        throttles::STATEMENTS,
        tokens::STATEMENTS,
        two_step::STATEMENTS,
        work::STATEMENTS,
        workflows::STATEMENTS,
    ];
    let mut prepared = 0;
    for (name, sql) in lists.into_iter().flatten() {
        prepare(uow, sql.sqlite, sql.postgres).await.map_err(|error| ((*name).to_owned(), error))?;
        prepared += 1;
    }
    for (filter, after) in item_list::all_shapes() {
        for part in [Part::Rows, Part::Frontier, Part::Count] {
            let sqlite = item_sql::statement::<Sqlite>(&filter, after, 50, part);
            let postgres = item_sql::statement::<Postgres>(&filter, after, 50, part);
            let name = || format!("{part:?} of {filter:?}");
            prepare(uow, sqlite.sql().as_str(), postgres.sql().as_str()).await.map_err(|error| (name(), error))?;
            prepared += 1;
        }
    }
    Ok(prepared)
}

/// How the database would carry out a list: a plan for its rows, and one for the walk along an index that bounds them.
pub async fn plans(uow: &mut Uow, filter: &ItemFilter, after: Option<Cursor>) -> Result<[Vec<String>; 2]> {
    Ok([plan(uow, filter, after, Part::Rows).await?, plan(uow, filter, after, Part::Frontier).await?])
}

async fn plan(uow: &mut Uow, filter: &ItemFilter, after: Option<Cursor>, part: Part) -> Result<Vec<String>> {
    match &mut uow.tx {
        Tx::Sqlite(tx) => {
            let (sql, values) = taken_apart(item_sql::statement::<Sqlite>(filter, after, 50, part).build())?;
            let sql = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let steps: Vec<(i64, i64, i64, String)> =
                sqlx::query_as_with(sql, values).fetch_all(&mut **tx).await.map_err(refused)?;
            Ok(steps.into_iter().map(|(.., step)| step).collect())
        }
        Tx::Postgres(tx) => {
            let (sql, values) = taken_apart(item_sql::statement::<Postgres>(filter, after, 50, part).build())?;
            let sql = AssertSqlSafe(format!("EXPLAIN (COSTS OFF) {sql}"));
            let steps: Vec<(String,)> = sqlx::query_as_with(sql, values).fetch_all(&mut **tx).await.map_err(refused)?;
            Ok(steps.into_iter().map(|(step,)| step).collect())
        }
    }
}

fn taken_apart<'q, D: Database>(mut query: impl Execute<'q, D>) -> Result<(String, D::Arguments)> {
    let values = query.take_arguments().map_err(|error| refused(sqlx::Error::Encode(error)))?.unwrap_or_default();
    Ok((query.sql().as_str().to_owned(), values))
}

/// Runs a statement of a test's own inside a unit of work, with exactly the rights and settings the store has there;
/// answers how many rows it changed.
pub async fn execute(uow: &mut Uow, sql: &str) -> Result<u64> {
    let sql = AssertSqlSafe(sql.to_owned());
    match &mut uow.tx {
        Tx::Sqlite(tx) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(|done| done.rows_affected()),
        Tx::Postgres(tx) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(|done| done.rows_affected()),
    }
    .map_err(refused)
}

fn refused(error: sqlx::Error) -> Error {
    Error::sort(error, "a test's statement")
}

async fn prepare(uow: &mut Uow, sqlite: &str, postgres: &str) -> Result<()> {
    match &mut uow.tx {
        Tx::Sqlite(tx) => (&mut **tx).prepare(AssertSqlSafe(sqlite.to_owned()).into_sql_str()).await.map(drop),
        Tx::Postgres(tx) => (&mut **tx).prepare(AssertSqlSafe(postgres.to_owned()).into_sql_str()).await.map(drop),
    }
    .map_err(|error| Error::sort(error, "prepare"))
}
