//! SQLite has one writer at a time; waiting for it is never an error.

use std::sync::Arc;

use domain::ids::{InviteId, PersonId};
use store::{Purpose, Store};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{as_in_tests, on_sqlite},
    world::{a_person, a_session, at},
};

const WRITERS: usize = 50;
const ROUNDS: usize = 40;

/// The server and a command line on the same machine: two stores on one file, each with a writer of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c11_fifty_writers_and_readers_in_two_processes_wait_for_each_other_and_none_is_told_busy() {
    on_sqlite(async |db| {
        let other = Store::open(&as_in_tests(&db.url)).await.unwrap();
        let start = Arc::new(Barrier::new(WRITERS));
        let mut writers = JoinSet::new();
        for writer in 0..WRITERS {
            let store = if writer % 2 == 0 { db.store.clone() } else { other.clone() };
            writers.spawn(alternate(store, start.clone(), writer));
        }
        for outcome in writers.join_all().await {
            outcome.unwrap();
        }
        let sessions = db.ask("SELECT CAST(COUNT(*) AS TEXT) FROM session").await;
        assert_eq!(sessions, [(WRITERS * ROUNDS).to_string()]);
        let people = db.ask("SELECT CAST(COUNT(*) AS TEXT) FROM person").await;
        assert_eq!(people, [WRITERS.to_string()]);
        other.close().await;
    })
    .await;
}

/// Reads before it writes inside its units of work, as use cases do, and reads in between.
async fn alternate(store: Store, start: Arc<Barrier>, writer: usize) -> store::Result<()> {
    start.wait().await;
    let person = a_person(&format!("writer{writer}@example.test"));
    let mut uow = store.begin().await?;
    assert!(uow.person_by_email(&person.email).await?.is_none());
    uow.add_person(&person, at(0)).await?;
    uow.commit().await?;
    for round in 0..ROUNDS {
        write(&store, person.id, &format!("{writer} {round}")).await?;
        let mut reader = store.read().await?;
        assert!(reader.person_by_id(person.id).await?.is_some());
        assert!(reader.load_session(format!("{writer} {round}").as_bytes(), at(0)).await?.is_some());
    }
    Ok(())
}

async fn write(store: &Store, person: PersonId, name: &str) -> store::Result<()> {
    let mut uow = store.begin().await?;
    assert!(uow.load_session(name.as_bytes(), at(0)).await?.is_none());
    assert!(uow.create_session(name.as_bytes(), &a_session(Some(person), name, 60)).await?);
    let (id, hash) = (InviteId(Uuid::new_v4()), format!("secret of {name}"));
    uow.add_invite(id, hash.as_bytes(), Purpose::Join, Some(person), at(0), at(60)).await?;
    uow.commit().await
}
