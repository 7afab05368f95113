//! Settings that SQLite forgets with every connection, proved on the store's own by statements that would pass without.

use std::{fs, path::Path, str::FromStr as _};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, SqliteConnection, sqlite::SqliteConnectOptions};
use uuid::Uuid;

use crate::{
    databases::{Database, on_sqlite},
    world::at,
};

/// A connection like any program's that knows nothing of Recourse.
async fn careless(db: &Database) -> SqliteConnection {
    let options = SqliteConnectOptions::from_str(&db.url).unwrap().foreign_keys(false).pragma("secure_delete", "OFF");
    SqliteConnection::connect_with(&options).await.unwrap()
}

async fn carelessly(db: &Database, sql: &str) -> u64 {
    let mut connection = careless(db).await;
    let done = connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
    connection.close().await.unwrap();
    done.rows_affected()
}

#[tokio::test]
async fn r1_replace_asks_the_triggers() {
    on_sqlite(async |db| {
        let payload = db.payload(b"original").await;
        let replace =
            "REPLACE INTO payload (id, sha256, size, bytes) SELECT id, sha256, size, X'66616C736521212E' FROM payload";
        let refused = db.as_server(replace).await.unwrap_err();
        assert!(refused.contains("R1"), "{refused}");
        let kept = db.look(async |uow| uow.payload(payload).await).await.unwrap();
        assert_eq!(kept.bytes.as_deref(), Some(&b"original"[..]));
        assert_eq!(carelessly(db, replace).await, 1, "the statement proves nothing");
    })
    .await;
}

#[tokio::test]
async fn rows_refer_to_rows_that_are_there() {
    on_sqlite(async |db| {
        let nobody = db.id(Uuid::new_v4());
        let member = format!("INSERT INTO person_team (person_id, team_id) VALUES ({nobody}, {nobody})");
        let refused = db.as_server(&member).await.unwrap_err();
        assert!(refused.contains("FOREIGN KEY"), "{refused}");
        assert_eq!(carelessly(db, &member).await, 1, "the statement proves nothing");
    })
    .await;
}

#[tokio::test]
async fn every_commit_is_on_the_disk_and_readers_do_not_wait_for_writers() {
    on_sqlite(async |db| {
        for (n, setting) in ["pragma_synchronous) = 2", "pragma_journal_mode) = 'wal'", "pragma_busy_timeout) >= 10000"]
            .into_iter()
            .enumerate()
        {
            let insert = format!(
                "INSERT INTO team (id, key, name, created_at)
                 SELECT {}, '{n}', '', '{}' WHERE (SELECT * FROM {setting}",
                db.id(Uuid::new_v4()),
                at(0).to_rfc3339()
            );
            assert_eq!(db.as_server(&insert).await, Ok(1), "{setting} does not hold");
        }
    })
    .await;
}

/// How often a word is in the database's files, once everything is in the main one.
fn traces(db: &Database, word: &str) -> usize {
    let file = Path::new(db.url.trim_start_matches("sqlite://"));
    let files = fs::read_dir(file.parent().unwrap()).unwrap();
    let content = files.flat_map(|file| fs::read(file.unwrap().path()).unwrap()).collect::<Vec<_>>();
    content.windows(word.len()).filter(|window| *window == word.as_bytes()).count()
}

async fn written_back(db: &Database) {
    db.as_owner("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    let log = fs::metadata(format!("{}-wal", db.url.trim_start_matches("sqlite://"))).unwrap();
    assert_eq!(log.len(), 0, "somebody still reads");
}

#[tokio::test]
async fn r19_what_was_erased_leaves_no_trace_in_the_file() {
    for (word, store_erases) in [("by-the-store", true), ("carelessly", false)] {
        on_sqlite(async |db| {
            let payload = db.payload(word.repeat(10_000).as_bytes()).await;
            written_back(db).await;
            assert!(traces(db, word) > 9_000, "the payload is not in the file to begin with");
            let erase = format!(
                "INSERT INTO erasure (id, payload_id, reason, by_name, at) SELECT id, id, '', '', '' FROM payload;
                 UPDATE payload SET bytes = NULL WHERE id = {}",
                db.id(payload.0)
            );
            if store_erases {
                db.as_server(&erase).await.unwrap();
            } else {
                carelessly(db, &erase).await;
            }
            written_back(db).await;
            if store_erases {
                assert_eq!(traces(db, word), 0);
            } else {
                assert!(traces(db, word) > 9_000, "erasing carelessly leaves no trace either: this proves nothing");
            }
        })
        .await;
    }
}
