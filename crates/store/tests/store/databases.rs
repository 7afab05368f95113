//! A migrated database of each test's own, gone when the test is over.

use std::{
    fmt::Write as _,
    panic::{AssertUnwindSafe, resume_unwind},
    path::{Path, PathBuf},
    str::FromStr as _,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::FutureExt as _;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection, PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use store::{Backend, Error, Options, Store, Uow, migrate, registry};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Makes two tests of one story: `name::sqlite` and `name::postgres`.
macro_rules! on_both {
    ($($(#[$about:meta])* async fn $name:ident($db:ident) $story:block)+) => { $(
        $(#[$about])*
        async fn $name($db: &$crate::databases::Database) $story

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::databases::on_sqlite(super::$name).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $crate::databases::on_postgres(super::$name).await;
            }
        }
    )+ };
}
pub(crate) use on_both;

/// A database, open the way the server opens it, with a second way in for what only its owner can do.
pub(crate) struct Database {
    pub(crate) store: Store,
    pub(crate) url: String,
    owner: Owner,
}

enum Owner {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

pub(crate) async fn on_sqlite(story: impl AsyncFnOnce(&Database)) {
    let folder = Folder::new();
    let url = sqlite_url(folder.path());
    migrate(&url).await.unwrap();
    let database = Database {
        store: Store::open(&as_in_tests(&url)).await.unwrap(),
        owner: Owner::Sqlite(sqlite_owner(&url).await),
        url,
    };
    assert_eq!(database.store.backend(), Backend::Sqlite);
    story(&database).await;
    database.close().await;
}

pub(crate) async fn on_postgres(story: impl AsyncFnOnce(&Database)) {
    let server = Server::of_this_run();
    let name = server.new_name();
    server.execute(&format!("CREATE DATABASE {name} TEMPLATE {}", server.template)).await;
    let outcome = AssertUnwindSafe(async {
        let url = server.url_of(&name);
        let database = Database {
            store: Store::open(&as_in_tests(&url)).await.unwrap(),
            owner: Owner::Postgres(postgres_owner(&url).await),
            url,
        };
        assert_eq!(database.store.backend(), Backend::Postgres);
        assert_eq!(database.ask("SELECT current_database()::text").await, [name.as_str()]);
        story(&database).await;
        database.close().await;
    })
    .catch_unwind()
    .await;
    server.drop_database(&name).await;
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// An address of a PostgreSQL database that is there but empty, for a story about migrating it.
pub(crate) async fn on_empty_postgres(story: impl AsyncFnOnce(&str)) {
    let server = Server::of_this_run();
    let name = server.new_name();
    server.execute(&format!("CREATE DATABASE {name}")).await;
    let outcome = AssertUnwindSafe(story(&server.url_of(&name))).catch_unwind().await;
    server.drop_database(&name).await;
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// The test clusters are careless about their data, which a store refuses unless told.
pub(crate) fn as_in_tests(url: &str) -> Options {
    Options { url: url.to_owned(), allow_unsafe: true }
}

pub(crate) fn sqlite_url(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("recourse.db").display())
}

async fn sqlite_owner(url: &str) -> SqlitePool {
    let options = SqliteConnectOptions::from_str(url).unwrap().foreign_keys(true).pragma("recursive_triggers", "ON");
    SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap()
}

async fn postgres_owner(url: &str) -> PgPool {
    let options = PgConnectOptions::from_str(url).unwrap().options([("timezone", "UTC")]);
    PgPoolOptions::new().max_connections(2).connect_with(options).await.unwrap()
}

impl Database {
    pub(crate) fn is_sqlite(&self) -> bool {
        self.store.backend() == Backend::Sqlite
    }

    /// Of two ways to say it, the one this database understands.
    pub(crate) fn either<T>(&self, sqlite: T, postgres: T) -> T {
        if self.is_sqlite() { sqlite } else { postgres }
    }

    /// Does something in a unit of work and keeps it.
    pub(crate) async fn change<T>(&self, work: impl AsyncFnOnce(&mut Uow) -> store::Result<T>) -> T {
        self.try_change(work).await.unwrap()
    }

    /// The same, where it may be refused.
    pub(crate) async fn try_change<T>(&self, work: impl AsyncFnOnce(&mut Uow) -> store::Result<T>) -> store::Result<T> {
        let mut uow = self.store.begin().await?;
        let done = work(&mut uow).await?;
        uow.commit().await?;
        Ok(done)
    }

    /// Looks something up in a unit of work that only reads.
    pub(crate) async fn look<T>(&self, question: impl AsyncFnOnce(&mut Uow) -> store::Result<T>) -> T {
        let mut uow = self.store.read().await.unwrap();
        question(&mut uow).await.unwrap()
    }

    /// Runs a statement with the store's own rights and settings; a refusal is told in the database's words.
    pub(crate) async fn as_server(&self, sql: &str) -> Result<u64, String> {
        self.try_change(async |uow| registry::execute(uow, sql).await).await.map_err(|error| words_of(&error))
    }

    /// Runs a statement as the database's owner.
    pub(crate) async fn as_owner(&self, sql: &str) -> Result<u64, String> {
        let sql = AssertSqlSafe(sql.to_owned());
        match &self.owner {
            Owner::Sqlite(pool) => sqlx::raw_sql(sql).execute(pool).await.map(|done| done.rows_affected()),
            Owner::Postgres(pool) => sqlx::raw_sql(sql).execute(pool).await.map(|done| done.rows_affected()),
        }
        .map_err(|error| error.to_string())
    }

    /// Asks the database, as its owner, for one column of text.
    pub(crate) async fn ask(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        match &self.owner {
            Owner::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
            Owner::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
        }
        .unwrap()
    }

    /// The names of a table's columns, in their order.
    pub(crate) async fn columns_of(&self, table: &str) -> Vec<String> {
        let columns = self.either(
            format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"),
            format!(
                "SELECT attname::text FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0
                 AND NOT attisdropped ORDER BY attnum"
            ),
        );
        self.ask(&columns).await
    }

    /// A table's content, byte for byte, so that two moments can be compared.
    pub(crate) async fn content_of(&self, table: &str) -> Vec<String> {
        if self.is_sqlite() {
            let columns: Vec<String> =
                self.columns_of(table).await.iter().map(|column| format!("quote({column})")).collect();
            self.ask(&format!("SELECT {} AS line FROM {table} ORDER BY line", columns.join(" || ', ' || "))).await
        } else {
            self.ask(&format!("SELECT t::text AS line FROM {table} AS t ORDER BY line")).await
        }
    }

    /// Bytes as a literal.
    pub(crate) fn blob(&self, bytes: &[u8]) -> String {
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        self.either(format!("X'{hex}'"), format!("'\\x{hex}'::bytea"))
    }

    /// An id as a literal.
    pub(crate) fn id(&self, id: Uuid) -> String {
        self.either(self.blob(id.as_bytes()), format!("'{id}'::uuid"))
    }

    async fn close(&self) {
        self.store.close().await;
        match &self.owner {
            Owner::Sqlite(pool) => pool.close().await,
            Owner::Postgres(pool) => pool.close().await,
        }
    }
}

/// An error with all its causes.
pub(crate) fn words_of(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(words, ": {error}");
        cause = error.source();
    }
    words
}

/// Whether the store itself says that it was refused, and not that it failed.
pub(crate) fn is_duplicate<T>(outcome: &store::Result<T>) -> bool {
    matches!(outcome, Err(Error::Duplicate(_)))
}

/// A folder that is removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("recourse-store-{}", Uuid::new_v4().simple()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The PostgreSQL this run was given, with one migrated database in it that the tests' own are copied from.
pub(crate) struct Server {
    options: PgConnectOptions,
    template: String,
    made: AtomicUsize,
    /// Says that this run is alive: the next one removes what was left by runs that no longer hold their lock. Both
    /// live as long as the process.
    _lock: Mutex<(PgConnection, Runtime)>,
}

const NO_SERVER: &str = "The PostgreSQL half needs RECOURSE_TEST_POSTGRES, a superuser's address of a throw-away \
                         PostgreSQL: run `make test`, or start one with `cargo xtask postgres`.";

static SERVER: LazyLock<Result<Server, String>> = LazyLock::new(|| {
    #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own to read it from")]
    let url = std::env::var("RECOURSE_TEST_POSTGRES").map_err(|_| NO_SERVER.to_owned())?;
    // In a thread of its own: the caller's has a runtime already.
    std::thread::spawn(move || Server::start(&url))
        .join()
        .map_err(|_| format!("PostgreSQL at RECOURSE_TEST_POSTGRES could not be made ready. {NO_SERVER}"))
});

impl Server {
    pub(crate) fn of_this_run() -> &'static Self {
        match &*SERVER {
            Ok(server) => server,
            Err(sentence) => panic!("{sentence}"),
        }
    }

    fn start(url: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let options = PgConnectOptions::from_str(url).unwrap();
        let template = format!("recourse_store_{}", &Uuid::new_v4().simple().to_string()[..12]);
        let lock = runtime.block_on(async {
            let mut lock = PgConnection::connect_with(&options).await.unwrap();
            let locked = format!("SELECT pg_advisory_lock(hashtext('{template}'))");
            lock.execute(AssertSqlSafe(locked)).await.unwrap();
            sweep(&mut lock).await;
            lock.execute(AssertSqlSafe(format!("CREATE DATABASE {template}"))).await.unwrap();
            migrate(options.clone().database(&template).to_url_lossy().as_str()).await.unwrap();
            lock
        });
        Self { options, template, made: AtomicUsize::new(0), _lock: Mutex::new((lock, runtime)) }
    }

    pub(crate) fn url_of(&self, database: &str) -> String {
        self.options.clone().database(database).to_url_lossy().to_string()
    }

    /// The address of a database, for somebody else.
    pub(crate) fn url_for(&self, database: &str, login: &str) -> String {
        self.options.clone().username(login).database(database).to_url_lossy().to_string()
    }

    /// A name that nothing in the cluster has.
    pub(crate) fn new_name(&self) -> String {
        format!("{}_{}", self.template, self.made.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs a statement as the cluster's owner.
    pub(crate) async fn execute(&self, sql: &str) {
        let mut connection = PgConnection::connect_with(&self.options).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }

    async fn drop_database(&self, name: &str) {
        self.execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }
}

/// Removes the databases and logins of runs that have ended.
async fn sweep(connection: &mut PgConnection) {
    let ended = "LIKE 'recourse\\_store\\_%' AND pg_try_advisory_lock_shared(hashtext(substring";
    let left = format!(
        "SELECT 'DATABASE IF EXISTS ' || datname || ' WITH (FORCE)' FROM pg_database
         WHERE datname {ended}(datname from 1 for 27)))
         UNION ALL SELECT 'ROLE IF EXISTS ' || rolname FROM pg_roles WHERE rolname {ended}(rolname from 1 for 27)))"
    );
    let left: Vec<String> = sqlx::query_scalar(AssertSqlSafe(left)).fetch_all(&mut *connection).await.unwrap();
    for thing in left {
        // Another run may be sweeping too.
        let _ = connection.execute(AssertSqlSafe(format!("DROP {thing}"))).await;
    }
}
