//! Tries that are counted.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use store::Pace;
use tokio::{sync::Barrier, task::JoinSet};

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

const PACE: Pace = Pace { burst: 3, every: TimeDelta::seconds(10) };

async fn take(db: &Database, bucket: &str, now: DateTime<Utc>) -> Result<(), i64> {
    db.change(async |uow| uow.take_try(bucket, PACE, now).await).await
}

/// As many as are let through at once.
async fn use_up(db: &Database, bucket: &str, now: DateTime<Utc>) {
    for n in 0..PACE.burst {
        assert_eq!(take(db, bucket, now).await, Ok(()), "try {n}");
    }
}

on_both! {
    async fn a_burst_is_let_through_and_who_comes_then_is_told_the_seconds_to_wait(db) {
        use_up(db, HOSTILE, at(0)).await;
        assert_eq!(take(db, HOSTILE, at(0)).await, Err(11), "10 s, and what the whole seconds hide");
        assert_eq!(take(db, HOSTILE, at(4)).await, Err(7));
        assert_eq!(take(db, "another", at(0)).await, Ok(()));
    }

    async fn tries_come_back_one_by_one_and_never_more_than_the_burst(db) {
        use_up(db, "a", at(0)).await;
        let microsecond = TimeDelta::microseconds(1);
        assert!(take(db, "a", at(10) - microsecond).await.is_err());
        assert_eq!(take(db, "a", at(10)).await, Ok(()));
        assert!(take(db, "a", at(10)).await.is_err());
        // One more interval gives one more; many give the burst back and no more.
        assert_eq!(take(db, "a", at(20)).await, Ok(()));
        assert!(take(db, "a", at(20)).await.is_err());
        use_up(db, "a", at(1_000_000)).await;
        assert!(take(db, "a", at(1_000_000)).await.is_err());
    }

    async fn who_is_turned_away_waits_no_longer_for_having_tried(db) {
        use_up(db, "a", at(0)).await;
        for _ in 0..20 {
            assert!(take(db, "a", at(9)).await.is_err());
        }
        assert_eq!(take(db, "a", at(10)).await, Ok(()));
    }

    async fn a_good_try_is_given_back(db) {
        use_up(db, "a", at(0)).await;
        db.change(async |uow| uow.give_try_back("a", PACE).await).await;
        assert_eq!(take(db, "a", at(0)).await, Ok(()));
        assert!(take(db, "a", at(0)).await.is_err());
        db.change(async |uow| uow.forget_tries("a").await).await;
        use_up(db, "a", at(0)).await;
        // Nothing to give back to is no error.
        db.change(async |uow| uow.give_try_back("unknown", PACE).await).await;
    }

    async fn those_turned_away_are_counted_and_told_once(db) {
        use_up(db, "a", at(0)).await;
        assert_eq!(db.change(async |uow| uow.turned_away("a").await).await, 0);
        for _ in 0..5 {
            assert!(take(db, "a", at(1)).await.is_err());
        }
        assert_eq!(db.change(async |uow| uow.turned_away("a").await).await, 5);
        assert_eq!(db.change(async |uow| uow.turned_away("a").await).await, 0);
        assert!(take(db, "a", at(2)).await.is_err());
        assert_eq!(db.change(async |uow| uow.turned_away("a").await).await, 1);
        assert_eq!(db.change(async |uow| uow.turned_away("unknown").await).await, 0);
    }

    async fn of_fifty_at_the_same_moment_exactly_the_burst_is_let_through(db) {
        let start = Arc::new(Barrier::new(50));
        let mut racers = JoinSet::new();
        for _ in 0..50 {
            let (store, start) = (db.store.clone(), start.clone());
            racers.spawn(async move {
                start.wait().await;
                let mut uow = store.begin().await?;
                let let_through = uow.take_try("sign-in", PACE, at(0)).await?;
                uow.commit().await?;
                store::Result::Ok(let_through)
            });
        }
        let outcomes = racers.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
        let through = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert_eq!(through, usize::try_from(PACE.burst).unwrap());
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(11))), "{outcomes:?}");
        assert_eq!(db.change(async |uow| uow.turned_away("sign-in").await).await, 47);
    }

    async fn only_what_holds_nobody_back_any_more_and_was_told_is_forgotten(db) {
        use_up(db, "waits", at(0)).await;
        assert_eq!(take(db, "over", at(0)).await, Ok(()));
        use_up(db, "untold", at(0)).await;
        assert!(take(db, "untold", at(0)).await.is_err());
        let forget = async |now| db.change(async |uow| uow.forget_old_tries(now, at(-100)).await).await;
        forget(at(20)).await;
        let left = async || db.ask("SELECT bucket FROM throttle ORDER BY bucket").await;
        assert_eq!(left().await, ["untold", "waits"]);
        forget(at(31)).await;
        assert_eq!(left().await, ["untold"]);
        assert_eq!(db.change(async |uow| uow.turned_away("untold").await).await, 1);
        forget(at(31)).await;
        assert!(left().await.is_empty());
    }

    async fn an_address_is_known_for_its_person_until_it_is_forgotten(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        for (person, address, second) in [(amara, "192.0.2.7", 0), (amara, HOSTILE, 0), (amara, "192.0.2.7", 10), (bo, HOSTILE, 0)] {
            db.change(async |uow| uow.know_address(person, address, at(second)).await).await;
        }
        let knows = async |person, address: &str, since| {
            db.look(async |uow| uow.knows_address(person, address, at(since)).await).await
        };
        assert!(knows(amara, "192.0.2.7", 9).await);
        assert!(!knows(amara, "192.0.2.7", 10).await);
        assert!(!knows(bo, "192.0.2.7", -1).await);

        db.change(async |uow| uow.forget_old_tries(at(0), at(5)).await).await;
        assert!(!knows(amara, HOSTILE, -1).await);
        assert!(!knows(bo, HOSTILE, -1).await);
        db.change(async |uow| uow.know_address(bo, HOSTILE, at(6)).await).await;
        db.change(async |uow| uow.forget_addresses_of(amara).await).await;
        assert!(!knows(amara, "192.0.2.7", -1).await);
        assert!(knows(bo, HOSTILE, -1).await);
    }
}
