//! A migrated database of each test's own, gone when the test is over, with a second way in for what no use case does.
//! The only file of these tests that knows SQL.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    str::FromStr as _,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, Utc};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection, PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// A database, with its owner's way in.
pub(crate) struct Database {
    pub(crate) url: String,
    owner: Owner,
}

enum Owner {
    Sqlite(SqlitePool, Folder),
    Postgres(PgPool, String),
}

/// What tables hold, row by row, so that two moments can be compared.
pub(crate) type Content = BTreeMap<String, Vec<String>>;

impl Database {
    /// A new SQLite database.
    pub(crate) async fn sqlite() -> Self {
        let folder = Folder::new();
        let file = folder.0.join("recourse.db");
        std::fs::write(&file, &*MIGRATED_FILE).unwrap();
        let url = format!("sqlite://{}", file.display());
        let options = SqliteConnectOptions::from_str(&url).unwrap().foreign_keys(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
        Self { url, owner: Owner::Sqlite(pool, folder) }
    }

    /// A new database on the PostgreSQL of this run.
    pub(crate) async fn postgres() -> Self {
        let server = Server::of_this_run();
        let name = format!("{}_{}", server.template, server.made.fetch_add(1, Ordering::Relaxed));
        server.execute(&format!("CREATE DATABASE {name} TEMPLATE {}", server.template)).await;
        let options = server.options.clone().database(&name);
        let url = options.to_url_lossy().to_string();
        let pool = PgPoolOptions::new().max_connections(2).connect_with(options.options([("timezone", "UTC")])).await;
        let database = Self { url, owner: Owner::Postgres(pool.unwrap(), name.clone()) };
        assert_eq!(database.ask("SELECT current_database()::text").await, [name]);
        database
    }

    /// Removes it.
    pub(crate) async fn remove(self) {
        match self.owner {
            Owner::Sqlite(pool, folder) => {
                pool.close().await;
                drop(folder);
            }
            Owner::Postgres(pool, name) => {
                pool.close().await;
                Server::of_this_run().execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
            }
        }
    }

    /// Everything in every table but those named.
    pub(crate) async fn content_without(&self, left_out: &[&str]) -> Content {
        let mut content = Content::new();
        for table in self.tables().await.into_iter().filter(|table| !left_out.contains(&table.as_str())) {
            let rows = match self.owner {
                Owner::Sqlite(..) => {
                    let columns =
                        self.ask(&format!("SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')")).await;
                    let line = columns.join(" || ', ' || ");
                    format!(
                        "SELECT COALESCE(GROUP_CONCAT(line, char(30)), '') FROM (SELECT {line} AS line FROM {table} ORDER BY line)"
                    )
                }
                Owner::Postgres(..) => {
                    format!("SELECT COALESCE(STRING_AGG(t::text, chr(30) ORDER BY t::text), '') FROM {table} AS t")
                }
            };
            // In one piece: row by row takes several times as long.
            let rows = self.ask(&rows).await.remove(0);
            content.insert(table, rows.split_terminator('\u{1e}').map(str::to_owned).collect());
        }
        content
    }

    /// How many rows a table has.
    pub(crate) async fn rows(&self, table: &str) -> usize {
        self.ask(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}")).await[0].parse().unwrap()
    }

    /// Items on which more than one thing is live.
    pub(crate) async fn crowded_items(&self) -> Vec<String> {
        let sql =
            "SELECT CAST(COUNT(*) AS TEXT) FROM activity WHERE ended_at IS NULL GROUP BY item_id HAVING COUNT(*) > 1";
        self.ask(sql).await
    }

    /// Gives an account another address.
    pub(crate) async fn change_address(&self, of: &str, to: &str) {
        self.change(&format!("UPDATE person SET email = '{to}' WHERE email = '{of}'")).await;
    }

    /// Revokes the token of this name.
    pub(crate) async fn revoke_token(&self, name: &str, at: DateTime<Utc>) {
        self.change(&format!("UPDATE token SET revoked_at = {} WHERE name = '{name}'", self.time(at))).await;
    }

    /// Lets the token of this name end at a time.
    pub(crate) async fn expire_token(&self, name: &str, at: DateTime<Utc>) {
        self.change(&format!("UPDATE token SET expires_at = {} WHERE name = '{name}'", self.time(at))).await;
    }

    /// Binds the token of this name to one more workflow.
    pub(crate) async fn bind_token(&self, name: &str, workflow: &str) {
        let sql = "INSERT INTO token_workflow (token_id, workflow_key) SELECT id, '{workflow}' FROM token WHERE name = '{name}'";
        self.change(&sql.replace("{workflow}", workflow).replace("{name}", name)).await;
    }

    /// Takes a role from the person with this address.
    pub(crate) async fn take_role(&self, email: &str, role: &str) {
        let sql = "DELETE FROM person_role WHERE role = '{role}' AND person_id = (SELECT id FROM person WHERE email = '{email}')";
        self.change(&sql.replace("{role}", role).replace("{email}", email)).await;
    }

    /// Gives a person another clearance.
    pub(crate) async fn keep_clearance(&self, email: &str, clearance: &str) {
        self.change(&format!("UPDATE person SET clearance = '{clearance}' WHERE email = '{email}'")).await;
    }

    /// Keeps this as the hash of a person's password.
    pub(crate) async fn keep_password_hash(&self, email: &str, hash: &str) {
        self.change(&format!("UPDATE person SET password_hash = '{hash}' WHERE email = '{email}'")).await;
    }

    /// The hash of a person's password.
    pub(crate) async fn password_hash(&self, email: &str) -> String {
        self.ask(&format!("SELECT password_hash FROM person WHERE email = '{email}'")).await.remove(0)
    }

    /// Writes the approval of somebody by hand, as whoever owns the database could; answers why it was refused.
    pub(crate) async fn approval_by_hand(&self, approval: &str, name: &str) -> Result<u64, String> {
        let (id, at) = match self.owner {
            Owner::Sqlite(..) => (format!("x'{}'", approval.replace('-', "")), self.time(DateTime::UNIX_EPOCH)),
            Owner::Postgres(..) => (format!("'{approval}'::uuid"), self.time(DateTime::UNIX_EPOCH)),
        };
        let sql = format!(
            "INSERT INTO approval_decision (approval_id, person_id, person_name, verdict, reason, hash, at)
             SELECT approval.id, person.id, person.name, 'approve', 'by hand', approval.hash, {at} FROM approval, person
             WHERE approval.id = {id} AND person.name = '{name}'"
        );
        let sql = AssertSqlSafe(sql);
        let done = match &self.owner {
            Owner::Sqlite(pool, _) => sqlx::raw_sql(sql).execute(pool).await.map(|done| done.rows_affected()),
            Owner::Postgres(pool, _) => sqlx::raw_sql(sql).execute(pool).await.map(|done| done.rows_affected()),
        };
        done.map_err(|error| error.to_string())
    }

    /// Runs a statement that must take effect on exactly one row.
    async fn change(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        let changed = match &self.owner {
            Owner::Sqlite(pool, _) => sqlx::raw_sql(sql).execute(pool).await.unwrap().rows_affected(),
            Owner::Postgres(pool, _) => sqlx::raw_sql(sql).execute(pool).await.unwrap().rows_affected(),
        };
        assert_eq!(changed, 1, "a set-up that took no effect");
    }

    async fn tables(&self) -> Vec<String> {
        self.ask(match self.owner {
            Owner::Sqlite(..) => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            }
            Owner::Postgres(..) => {
                "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
            }
        })
        .await
    }

    async fn ask(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        match &self.owner {
            Owner::Sqlite(pool, _) => sqlx::query_scalar(sql).fetch_all(pool).await,
            Owner::Postgres(pool, _) => sqlx::query_scalar(sql).fetch_all(pool).await,
        }
        .unwrap()
    }

    fn time(&self, at: DateTime<Utc>) -> String {
        match self.owner {
            // As sqlx writes it.
            Owner::Sqlite(..) => format!("'{}'", at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, false)),
            Owner::Postgres(..) => format!("'{}'::timestamptz", at.to_rfc3339()),
        }
    }
}

/// A SQLite file with every table and no row, made once.
static MIGRATED_FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    // In a thread of its own: the caller's has a runtime already.
    let make = || {
        let folder = Folder::new();
        let file = folder.0.join("template.db");
        let url = format!("sqlite://{}", file.display());
        Runtime::new().unwrap().block_on(store::migrate(&url)).unwrap();
        assert!(!Path::new(&format!("{}-wal", file.display())).exists(), "the template is whole without its log");
        std::fs::read(file).unwrap()
    };
    std::thread::spawn(make).join().unwrap()
});

/// A folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("recourse-http-{}", Uuid::new_v4().simple()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The PostgreSQL this run was given, with one migrated database in it that the tests' own are copied from.
struct Server {
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
    std::thread::spawn(move || Server::start(&url))
        .join()
        .map_err(|_| format!("PostgreSQL at RECOURSE_TEST_POSTGRES could not be made ready. {NO_SERVER}"))
});

impl Server {
    fn of_this_run() -> &'static Self {
        match &*SERVER {
            Ok(server) => server,
            Err(sentence) => panic!("{sentence}"),
        }
    }

    fn start(url: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let options = PgConnectOptions::from_str(url).unwrap();
        let template = format!("recourse_http_{}", &Uuid::new_v4().simple().to_string()[..12]);
        let lock = runtime.block_on(async {
            let mut lock = PgConnection::connect_with(&options).await.unwrap();
            let locked = format!("SELECT pg_advisory_lock(hashtext('{template}'))");
            lock.execute(AssertSqlSafe(locked)).await.unwrap();
            sweep(&mut lock).await;
            lock.execute(AssertSqlSafe(format!("CREATE DATABASE {template}"))).await.unwrap();
            store::migrate(options.clone().database(&template).to_url_lossy().as_str()).await.unwrap();
            lock
        });
        Self { options, template, made: AtomicUsize::new(0), _lock: Mutex::new((lock, runtime)) }
    }

    /// Runs a statement as the cluster's owner.
    async fn execute(&self, sql: &str) {
        let mut connection = PgConnection::connect_with(&self.options).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }
}

/// Removes the databases of runs that have ended.
async fn sweep(connection: &mut PgConnection) {
    let left = "SELECT datname::text FROM pg_database WHERE datname LIKE 'recourse\\_http\\_%'
                AND pg_try_advisory_lock_shared(hashtext(substring(datname from 1 for 26)))";
    let left: Vec<String> = sqlx::query_scalar(left).fetch_all(&mut *connection).await.unwrap();
    for database in left {
        // Another run may be sweeping too.
        let _ = connection.execute(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"))).await;
    }
}
