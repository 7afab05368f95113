//! Every statement there is, so that a test can prepare each on both databases.

use sqlx::{AssertSqlSafe, Executor as _, Postgres, Sqlite, SqlSafeStr as _};

use crate::{
    Error, Result, Uow, activities, attempts, audit, invites,
    item_list::{self, Part},
    items, payloads, people, quarantine, reports, sessions, tokens,
    uow::Tx,
    workflows,
};

/// Prepares every static statement and every legal list; answers how many, or the name of the first that is refused.
pub async fn prepare_all(uow: &mut Uow) -> Result<usize, (String, Error)> {
    let lists = [
        activities::STATEMENTS, attempts::STATEMENTS, audit::STATEMENTS, invites::STATEMENTS, items::STATEMENTS,
        payloads::STATEMENTS, people::STATEMENTS, quarantine::STATEMENTS, reports::STATEMENTS, sessions::STATEMENTS,
        tokens::STATEMENTS, workflows::STATEMENTS,
    ];
    let mut prepared = 0;
    for (name, sql) in lists.into_iter().flatten() {
        prepare(uow, sql.sqlite, sql.postgres).await.map_err(|error| ((*name).to_owned(), error))?;
        prepared += 1;
    }
    for (filter, after) in item_list::all_shapes() {
        for part in [Part::Rows, Part::Frontier, Part::Count] {
            let sqlite = item_list::statement::<Sqlite>(&filter, after, 50, part);
            let postgres = item_list::statement::<Postgres>(&filter, after, 50, part);
            let name = || format!("{part:?} of {filter:?}");
            prepare(uow, sqlite.sql().as_str(), postgres.sql().as_str()).await.map_err(|error| (name(), error))?;
            prepared += 1;
        }
    }
    Ok(prepared)
}

async fn prepare(uow: &mut Uow, sqlite: &str, postgres: &str) -> Result<()> {
    match &mut uow.tx {
        Tx::Sqlite(tx) => (&mut **tx).prepare(AssertSqlSafe(sqlite.to_owned()).into_sql_str()).await.map(drop),
        Tx::Postgres(tx) => (&mut **tx).prepare(AssertSqlSafe(postgres.to_owned()).into_sql_str()).await.map(drop),
    }
    .map_err(|error| Error::sort(error, "prepare"))
}
