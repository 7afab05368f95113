//! Opening and migrating a database.

use std::{str::FromStr, time::Duration};

use sqlx::{
    ConnectOptions as _, Connection as _, PgConnection, PgPool, SqlitePool,
    migrate::{Migrate, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{
    Error, Result,
    uow::{Tx, Uow},
};

static SQLITE: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../../migrations/postgres");

/// The role under which the server works on PostgreSQL; migrations make it.
const SERVER_ROLE: &str = "recourse_server";

/// Where sqlx notes which migrations were applied.
const APPLIED: &str = "_sqlx_migrations";

/// How to open a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite://PATH` or `postgres://…`.
    pub url: String,
    /// Accept a PostgreSQL that may lose what it confirmed (`fsync` or `synchronous_commit` off). For tests only.
    pub allow_unsafe: bool,
}

/// Which database is behind a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// Embedded, one machine.
    Sqlite,
    /// Shared.
    Postgres,
}

#[derive(Clone)]
enum Pools {
    /// One writer at a time; readers see the last commit.
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
    Postgres(PgPool),
}

/// An open database.
#[derive(Clone)]
pub struct Store {
    pools: Pools,
}

impl Store {
    /// Opens the database; its tables must be up to date ([`migrate`] makes them so).
    pub async fn open(options: &Options) -> Result<Self> {
        let pools = if is_sqlite(&options.url) {
            let connect = sqlite_options(&options.url)?.create_if_missing(false);
            let writer = SqlitePoolOptions::new()
                .max_connections(1)
                .acquire_timeout(Duration::from_secs(30))
                .connect_with(connect.clone())
                .await
                .map_err(|error| cannot_open(&options.url, &error))?;
            let readers = SqlitePoolOptions::new()
                .max_connections(8)
                .acquire_timeout(Duration::from_secs(30))
                .connect_with(connect.pragma("query_only", "ON"))
                .await
                .map_err(|error| cannot_open(&options.url, &error))?;
            check_applied(
                &SQLITE,
                Migrate::list_applied_migrations(
                    &mut *writer.acquire().await.map_err(|e| cannot_open(&options.url, &e))?,
                    APPLIED,
                )
                .await,
            )?;
            Pools::Sqlite { writer, readers }
        } else {
            let pool = PgPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(30))
                .after_connect(|connection, _| {
                    Box::pin(async move { sqlx::query("SET ROLE recourse_server").execute(connection).await.map(drop) })
                })
                .connect_lazy_with(postgres_options(&options.url)?);
            let mut probe = connect_postgres(&options.url).await?;
            check_postgres(&mut probe, options).await?;
            drop(probe);
            // As the server's role: the login itself may have no rights of its own.
            let mut server = pool.acquire().await.map_err(|error| cannot_open(&options.url, &error))?;
            check_applied(&POSTGRES, server.list_applied_migrations(APPLIED).await)?;
            drop(server);
            Pools::Postgres(pool)
        };
        Ok(Self { pools })
    }

    /// Which database it is.
    #[must_use]
    pub fn backend(&self) -> Backend {
        match self.pools {
            Pools::Sqlite { .. } => Backend::Sqlite,
            Pools::Postgres(_) => Backend::Postgres,
        }
    }

    /// Begins a unit of work that may change things. On SQLite it waits for the writer before it, never upgrading a lock.
    pub async fn begin(&self) -> Result<Uow> {
        let tx = match &self.pools {
            Pools::Sqlite { writer, .. } => writer.begin_with("BEGIN IMMEDIATE").await.map(Tx::Sqlite),
            Pools::Postgres(pool) => pool.begin().await.map(Tx::Postgres),
        };
        tx.map(|tx| Uow { tx }).map_err(|error| Error::sort(error, "begin"))
    }

    /// Begins a unit of work that only reads, on one state of the data.
    pub async fn read(&self) -> Result<Uow> {
        let tx = match &self.pools {
            Pools::Sqlite { readers, .. } => readers.begin().await.map(Tx::Sqlite),
            Pools::Postgres(pool) => {
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await.map(Tx::Postgres)
            }
        };
        tx.map(|tx| Uow { tx }).map_err(|error| Error::sort(error, "begin"))
    }

    /// Closes every connection.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres(pool) => pool.close().await,
        }
    }
}

/// Brings the tables up to date, making the SQLite file where it is missing. Answers how many steps were taken; of
/// several that run at once one takes them and the others wait for it.
pub async fn migrate(url: &str) -> Result<usize> {
    let cannot = |error: &sqlx::Error| cannot_open(url, error);
    if is_sqlite(url) {
        let pool = connect_to_new(sqlite_options(url)?.create_if_missing(true)).await.map_err(|e| cannot(&e))?;
        let mut tx = pool.begin_with("BEGIN IMMEDIATE").await.map_err(|e| cannot(&e))?;
        let before = applied(&mut *tx).await;
        SQLITE.run(&mut *tx).await.map_err(|error| migration_failed(&error))?;
        tx.commit().await.map_err(|e| cannot(&e))?;
        pool.close().await;
        Ok(SQLITE.iter().count().saturating_sub(before))
    } else {
        let mut connection = connect_postgres(url).await?;
        // Held until the connection closes.
        connection.lock().await.map_err(|error| migration_failed(&error))?;
        let before = applied(&mut connection).await;
        POSTGRES.run(&mut connection).await.map_err(|error| migration_failed(&error))?;
        Ok(POSTGRES.iter().count().saturating_sub(before))
    }
}

/// Connects to a file that others may be making at the same moment: SQLite does not wait for its locks, as it does
/// everywhere else, while one of them switches the file to WAL.
async fn connect_to_new(options: SqliteConnectOptions) -> sqlx::Result<SqlitePool> {
    let mut tries = 0;
    loop {
        let connected = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await;
        match connected {
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("5") && tries < 400 => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            outcome => return outcome,
        }
    }
}

/// How many migrations a database has; none before the first, when the table they are noted in is missing.
async fn applied(connection: &mut impl Migrate) -> usize {
    connection.list_applied_migrations(APPLIED).await.map_or(0, |list| list.len())
}

fn is_sqlite(url: &str) -> bool {
    url.starts_with("sqlite:")
}

fn migration_failed(error: &sqlx::migrate::MigrateError) -> Error {
    Error::Open(format!("The database could not be brought up to date: {error}."))
}

fn cannot_open(url: &str, error: &sqlx::Error) -> Error {
    // Neither the part before the host nor what follows the database's name: a password may stand in both.
    let place = url.rsplit_once('@').map_or(url, |(_, host)| host);
    let place = place.split('?').next().unwrap_or_default();
    let help = if is_sqlite(url) { "run `recourse migrate` if it is not there yet" } else { "and that it is running" };
    Error::Open(format!("The database at {place} can't be opened: {error}. Check RECOURSE_DATABASE_URL, {help}."))
}

fn check_applied(
    known: &Migrator,
    applied: Result<Vec<sqlx::migrate::AppliedMigration>, sqlx::migrate::MigrateError>,
) -> Result<()> {
    let applied = applied.map_or(0, |list| list.len());
    let wanted = known.iter().count();
    match applied.cmp(&wanted) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(Error::Open(format!(
            "The database is behind this program (it has {applied} of {wanted} migrations). Run `recourse migrate`."
        ))),
        std::cmp::Ordering::Greater => {
            Err(Error::Open("The database was written by a newer version of this program. Use that version.".into()))
        }
    }
}

/// One connection, at once: a pool would wait and then only say that it waited.
async fn connect_postgres(url: &str) -> Result<PgConnection> {
    let options = postgres_options(url)?;
    let connecting = PgConnection::connect_with(&options);
    match tokio::time::timeout(Duration::from_secs(10), connecting).await {
        Ok(connected) => connected.map_err(|error| cannot_open(url, &error)),
        Err(_) => Err(cannot_open(url, &sqlx::Error::PoolTimedOut)),
    }
}

async fn check_postgres(connection: &mut PgConnection, options: &Options) -> Result<()> {
    async fn ask(connection: &mut PgConnection, url: &str, sql: &'static str) -> Result<String> {
        let answer = sqlx::query_as::<_, (String,)>(sql).fetch_one(connection).await;
        answer.map(|(value,)| value).map_err(|error| cannot_open(url, &error))
    }
    for setting in ["SHOW fsync", "SHOW synchronous_commit"] {
        if ask(connection, &options.url, setting).await? == "off" && !options.allow_unsafe {
            let name = setting.trim_start_matches("SHOW ");
            return Err(Error::Open(format!(
                "PostgreSQL runs with {name} off, so it may lose what it confirmed. Switch {name} on, or set RECOURSE_ALLOW_UNSAFE_DATABASE=true for a test."
            )));
        }
    }
    let member = "SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'recourse_server') \
                  AND pg_has_role(current_user, (SELECT oid FROM pg_roles WHERE rolname = 'recourse_server'), 'MEMBER') THEN 'yes' ELSE 'no' END";
    if ask(connection, &options.url, member).await? != "yes" {
        return Err(Error::Open(format!(
            "This PostgreSQL login may not act as the role {SERVER_ROLE}. Run `recourse migrate` as the owner of the database, then `GRANT {SERVER_ROLE} TO` this login."
        )));
    }
    Ok(())
}

fn sqlite_options(url: &str) -> Result<SqliteConnectOptions> {
    let options = SqliteConnectOptions::from_str(url).map_err(|error| {
        Error::Open(format!("RECOURSE_DATABASE_URL is not a SQLite address: {error}. Write sqlite://PATH."))
    })?;
    Ok(options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(20))
        .foreign_keys(true)
        // Else REPLACE deletes rows without asking the triggers (R1).
        .pragma("recursive_triggers", "ON")
        .pragma("secure_delete", "ON")
        .disable_statement_logging())
}

fn postgres_options(url: &str) -> Result<PgConnectOptions> {
    let no_address = |why: &dyn std::fmt::Display| {
        Error::Open(format!("RECOURSE_DATABASE_URL is neither sqlite://PATH nor a PostgreSQL address: {why}."))
    };
    // sqlx takes any scheme for PostgreSQL's.
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(no_address(&"it begins with neither sqlite:// nor postgres://"));
    }
    let options = PgConnectOptions::from_str(url).map_err(|error| no_address(&error))?;
    Ok(options.application_name("recourse").options([("timezone", "UTC")]).disable_statement_logging())
}
