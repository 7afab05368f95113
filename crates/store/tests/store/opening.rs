//! Opening and migrating a database, and what is said when that is not possible.

use std::{fs, path::Path};

use futures::future::join_all;
use store::{Error, Options, Store, migrate, registry};
use uuid::Uuid;

use crate::{
    databases::{Folder, Server, as_in_tests, on_both, on_empty_postgres, on_postgres, sqlite_url, words_of},
    world::{a_person, at},
};

/// How many steps there are from an empty database to an up-to-date one.
fn all_steps() -> usize {
    fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/sqlite")).unwrap().count()
}

/// The sentence with which a store refuses to open.
async fn refusal(options: &Options) -> String {
    match Store::open(options).await {
        Err(Error::Open(sentence)) => sentence,
        Err(other) => panic!("not a sentence for a person: {other:?}"),
        Ok(_) => panic!("{} was opened", options.url),
    }
}

fn assert_says(sentence: &str, words: &[&str]) {
    for word in words {
        assert!(sentence.contains(word), "\"{word}\" is missing: {sentence}");
    }
    assert!(!sentence.contains("geheim"), "tells the password: {sentence}");
}

on_both! {
    async fn migrating_again_takes_no_step_and_changes_nothing(db) {
        let person = db.person("amara@example.test").await;
        assert_eq!(migrate(&db.url).await.unwrap(), 0);
        assert_eq!(migrate(&db.url).await.unwrap(), 0);
        assert!(db.look(async |uow| uow.person_by_id(person.id).await).await.is_some());
    }

    async fn a_database_that_is_behind_asks_to_be_migrated(db) {
        assert_eq!(
            db.as_owner("DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
                .await,
            Ok(1)
        );
        assert_says(&refusal(&as_in_tests(&db.url)).await, &["behind", "`recourse migrate`"]);
    }

    async fn a_database_of_a_newer_version_is_neither_opened_nor_migrated(db) {
        let future = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                      SELECT 9999, 'of the future', success, checksum, 1 FROM _sqlx_migrations WHERE version = 1";
        assert_eq!(db.as_owner(future).await, Ok(1));
        assert_says(&refusal(&as_in_tests(&db.url)).await, &["newer version", "Use that version."]);
        let migrated = migrate(&db.url).await;
        assert!(matches!(&migrated, Err(Error::Open(_))), "{migrated:?}");
    }

    async fn a_store_that_was_closed_is_unavailable(db) {
        db.store.close().await;
        assert!(matches!(db.store.begin().await.err(), Some(Error::Unavailable(_))));
        assert!(matches!(db.store.read().await.err(), Some(Error::Unavailable(_))));
    }
}

#[tokio::test]
async fn an_address_of_neither_database_is_told_so() {
    for url in [
        "",
        "recourse.db",
        "mysql://amara:geheim@db.test/recourse",
        "https://amara:geheim@db.test",
        "sqlite",
        "postgres:",
    ] {
        assert_says(&refusal(&as_in_tests(url)).await, &["RECOURSE_DATABASE_URL", "sqlite://PATH"]);
        assert!(matches!(migrate(url).await, Err(Error::Open(_))), "{url}");
    }
    for url in ["sqlite://x.db?mode=sideways", "postgres://amara:geheim@db.test:port/recourse"] {
        assert_says(&refusal(&as_in_tests(url)).await, &["RECOURSE_DATABASE_URL"]);
    }
}

#[tokio::test]
async fn a_sqlite_file_that_is_missing_is_not_made_by_opening_it() {
    let folder = Folder::new();
    let url = sqlite_url(folder.path());
    assert_says(&refusal(&as_in_tests(&url)).await, &["RECOURSE_DATABASE_URL", "`recourse migrate`"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = format!("sqlite://{}/no/such/folder/recourse.db", folder.path().display());
    assert_says(&refusal(&as_in_tests(&nowhere)).await, &["RECOURSE_DATABASE_URL"]);
    assert!(matches!(migrate(&nowhere).await, Err(Error::Open(_))));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_as_it_is() {
    let folder = Folder::new();
    let file = folder.path().join("recourse.db");
    fs::write(&file, "Dear diary, ".repeat(1_000)).unwrap();
    assert_says(&refusal(&as_in_tests(&sqlite_url(folder.path()))).await, &["RECOURSE_DATABASE_URL"]);
    assert!(migrate(&sqlite_url(folder.path())).await.is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "Dear diary, ".repeat(1_000));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_eight_that_migrate_one_sqlite_file_at_once_one_takes_the_steps_and_none_fails() {
    for _ in 0..5 {
        let folder = Folder::new();
        let url = sqlite_url(folder.path());
        assert_one_took_all_steps(join_all((0..8).map(|_| migrate(&url))).await);
        Store::open(&as_in_tests(&url)).await.unwrap().close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_eight_that_migrate_one_postgresql_at_once_one_takes_the_steps_and_none_fails() {
    on_empty_postgres(async |url| {
        assert_one_took_all_steps(join_all((0..8).map(|_| migrate(url))).await);
        Store::open(&as_in_tests(url)).await.unwrap().close().await;
    })
    .await;
}

fn assert_one_took_all_steps(outcomes: Vec<store::Result<usize>>) {
    let mut steps: Vec<_> = outcomes.into_iter().map(|outcome| outcome.unwrap()).collect();
    steps.sort_unstable();
    assert_eq!(steps, [0, 0, 0, 0, 0, 0, 0, all_steps()]);
}

#[tokio::test]
async fn a_postgresql_that_was_never_migrated_asks_for_it() {
    on_empty_postgres(async |url| {
        assert_says(&refusal(&as_in_tests(url)).await, &["`recourse migrate`"]);
    })
    .await;
}

#[tokio::test]
async fn a_postgresql_that_is_down_or_lacks_the_database_is_told_without_the_password() {
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let down = format!("postgres://amara:geheim@127.0.0.1:{port}/recourse?password=geheim");
    let (opened, migrated) = (as_in_tests(&down), migrate(&down));
    let (opened, migrated) = tokio::join!(refusal(&opened), migrated);
    assert_says(&opened, &["RECOURSE_DATABASE_URL", "127.0.0.1", "running"]);
    assert_says(&migrated.unwrap_err().to_string(), &["RECOURSE_DATABASE_URL", "127.0.0.1", "running"]);

    let nowhere = Server::of_this_run().url_of("no_such_database");
    assert_says(&refusal(&as_in_tests(&nowhere)).await, &["RECOURSE_DATABASE_URL", "no_such_database"]);
}

#[tokio::test]
async fn a_postgresql_that_may_lose_what_it_confirmed_is_refused_unless_told_otherwise() {
    on_postgres(async |db| {
        let [database] = &db.ask("SELECT current_database()::text").await[..] else { panic!() };
        db.as_owner(&format!("ALTER DATABASE {database} SET synchronous_commit = off")).await.unwrap();
        let sentence = refusal(&Options { url: db.url.clone(), allow_unsafe: false }).await;
        // The cluster of the tests usually has both off.
        let named = if db.ask("SHOW fsync").await == ["off"] { "fsync" } else { "synchronous_commit" };
        assert_says(&sentence, &[named, "off", "may lose", "RECOURSE_ALLOW_UNSAFE_DATABASE"]);
        Store::open(&as_in_tests(&db.url)).await.unwrap().close().await;
    })
    .await;
}

#[tokio::test]
async fn a_login_works_as_the_server_once_it_is_a_member_of_that_role_and_owns_nothing() {
    on_postgres(async |db| {
        let server = Server::of_this_run();
        let login = server.new_name();
        let [database] = &db.ask("SELECT current_database()::text").await[..] else { panic!() };
        let url = server.url_for(database, &login);
        server.execute(&format!("CREATE ROLE {login} LOGIN NOINHERIT")).await;
        let stranger = refusal(&as_in_tests(&url)).await;
        server.execute(&format!("GRANT recourse_server TO {login}")).await;
        let opened = Store::open(&as_in_tests(&url)).await;
        let outcome = match &opened {
            Ok(store) => {
                let mut uow = store.begin().await.unwrap();
                uow.add_person(&a_person("amara@example.test"), at(0)).await.unwrap();
                uow.commit().await.unwrap();
                let mut uow = store.begin().await.unwrap();
                let dropped = registry::execute(&mut uow, "DROP TABLE session").await;
                drop(uow);
                store.close().await;
                dropped.map_err(|error| words_of(&error))
            }
            Err(error) => panic!("{error:?}"),
        };
        server.execute(&format!("DROP ROLE {login}")).await;
        assert_says(&stranger, &["recourse_server", "`recourse migrate`", "GRANT"]);
        assert!(outcome.unwrap_err().contains("must be owner"));
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 1);
    })
    .await;
}

#[tokio::test]
async fn work_on_a_connection_that_postgresql_ended_is_unavailable_and_the_next_gets_another() {
    on_postgres(async |db| {
        let mut uow = db.store.begin().await.unwrap();
        uow.add_person(&a_person("amara@example.test"), at(0)).await.unwrap();
        let end = "SELECT pg_terminate_backend(pid, 10000)::text FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name = 'recourse' AND pid <> pg_backend_pid()";
        assert!(db.ask(end).await.contains(&"true".to_owned()));
        let ended = uow.person_by_id(domain::ids::PersonId(Uuid::nil())).await;
        assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
        drop(uow);
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 0);
        db.person("amara@example.test").await;
    })
    .await;
}
