//! What is live on an item.

use std::sync::Arc;

use domain::{
    ids::{ActivityId, ItemId},
    item::ActivityKind,
};
use store::{Activity, EndedHow, NewActivity};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, an_item_of, at},
};

fn begin(item_id: ItemId, kind: ActivityKind, name: &str) -> NewActivity<'_> {
    let id = ActivityId(Uuid::new_v4());
    NewActivity {
        id,
        item_id,
        kind,
        attempt_id: None,
        by: (Uuid::from_u128(7), name),
        due_at: None,
        lease_until: at(60),
    }
}

async fn begun(db: &Database, new: &NewActivity<'_>, seconds: i64) -> Result<(), Activity> {
    db.change(async |uow| uow.begin_activity(new, at(seconds)).await).await
}

on_both! {
    async fn r5_of_fifty_racers_exactly_one_begins_and_the_others_are_told_who(db) {
        let item = db.an_item().await;
        let start = Arc::new(Barrier::new(50));
        let mut racers = JoinSet::new();
        for n in 0..50_usize {
            let (store, start, item) = (db.store.clone(), start.clone(), item.id);
            racers.spawn(async move {
                // Each has seen the item with nothing live on it before anybody acts.
                let mut uow = store.read().await?;
                assert!(uow.item(item).await?.is_some() && uow.live_activity(item).await?.is_none());
                drop(uow);
                start.wait().await;
                let name = format!("racer {n}");
                let kind = ActivityKind::ALL[n % ActivityKind::ALL.len()];
                let new = begin(item, kind, &name);
                let mut uow = store.begin().await?;
                let outcome = uow.begin_activity(&new, at(1)).await?;
                uow.commit().await?;
                store::Result::Ok((new.id, outcome))
            });
        }
        let outcomes = racers.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
        let winners: Vec<_> = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).map(|(id, _)| *id).collect();
        assert_eq!(winners.len(), 1);
        let told: Vec<_> = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().err()).collect();
        assert_eq!(told.len(), 49);
        for live in told {
            assert_eq!((live.id, live.started_at, live.ended_at), (winners[0], at(1), None));
        }
        let live = db.look(async |uow| uow.live_activity(item.id).await).await.unwrap();
        assert_eq!(live.id, winners[0]);
    }

    async fn r5_the_next_may_begin_once_the_first_has_ended(db) {
        let item = db.an_item().await;
        let mut number = 0;
        for how in [EndedHow::Finished, EndedHow::Started, EndedHow::Replaced, EndedHow::Lapsed, EndedHow::Cancelled] {
            let first = begin(item.id, ActivityKind::Replay, HOSTILE);
            assert!(begun(db, &first, number).await.is_ok());
            let refused =
                begun(db, &begin(item.id, ActivityKind::PlannedRetry, "second"), number + 1).await.unwrap_err();
            assert_eq!((refused.id, refused.by_name.as_str()), (first.id, HOSTILE));
            assert!(db.change(async |uow| uow.end_activity(first.id, how, HOSTILE, at(number + 2)).await).await);
            assert!(!db.change(async |uow| uow.end_activity(first.id, how, "late", at(number + 3)).await).await);
            assert!(db.look(async |uow| uow.live_activity(item.id).await).await.is_none());
            number += 10;
        }
        let ended = db.ask("SELECT ended_by || ' ' || ended_how FROM activity ORDER BY started_at").await;
        let words = ["finished", "started", "replaced", "lapsed", "cancelled"];
        assert_eq!(ended, words.map(|word| format!("{HOSTILE} {word}")));
    }

    async fn r5_another_item_is_nobodys_business(db) {
        let item = db.an_item().await;
        let workflow = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
        let other = db.keep(an_item_of(&workflow, "INV-2")).await;
        assert!(begun(db, &begin(item.id, ActivityKind::Replay, "a"), 1).await.is_ok());
        assert!(begun(db, &begin(other.id, ActivityKind::Replay, "b"), 1).await.is_ok());
    }

    async fn r5_a_second_live_row_is_refused_by_the_database_itself(db) {
        let item = db.an_item().await;
        begun(db, &begin(item.id, ActivityKind::Replay, "a"), 1).await.unwrap();
        let second = format!(
            "INSERT INTO activity (id, item_id, kind, by_id, by_name, fence, started_at, lease_until)
             SELECT {}, item_id, 'ledger_lease', by_id, by_name, 1, started_at, lease_until FROM activity",
            db.id(Uuid::new_v4())
        );
        let refused = db.as_server(&second).await.unwrap_err();
        assert!(refused.to_lowercase().contains("unique"), "{refused}");
    }

    async fn the_last_planned_retry_is_remembered_after_it_was_cancelled(db) {
        let item = db.an_item().await;
        assert!(db.look(async |uow| uow.last_planned_retry(item.id).await).await.is_none());
        for (seconds, name) in [(1, "first"), (2, "second")] {
            let planned = NewActivity { due_at: Some(at(90)), ..begin(item.id, ActivityKind::PlannedRetry, name) };
            begun(db, &planned, seconds).await.unwrap();
            let cancelled = EndedHow::Cancelled;
            db.change(async |uow| uow.end_activity(planned.id, cancelled, "Amara", at(seconds)).await).await;
        }
        begun(db, &begin(item.id, ActivityKind::Replay, "replay"), 3).await.unwrap();
        let last = db.look(async |uow| uow.last_planned_retry(item.id).await).await.unwrap();
        assert_eq!(
            (last.by_name.as_str(), last.kind, last.due_at),
            ("second", ActivityKind::PlannedRetry, Some(at(90)))
        );
        assert_eq!((last.ended_at, last.ended_how.as_deref()), (Some(at(2)), Some("cancelled")));
        assert_eq!(last.ended_by.as_deref(), Some("Amara"));
    }

    async fn a_lease_lapses_at_its_end_and_what_has_ended_does_not_lapse(db) {
        let item = db.an_item().await;
        let workflow = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
        for (key, seconds) in [("c", 62), ("a", 60), ("b", 59)] {
            let item = db.keep(an_item_of(&workflow, key)).await;
            let new = NewActivity { lease_until: at(seconds), ..begin(item.id, ActivityKind::LedgerLease, key) };
            begun(db, &new, 1).await.unwrap();
        }
        let ended = NewActivity { lease_until: at(1), ..begin(item.id, ActivityKind::LedgerLease, "ended") };
        begun(db, &ended, 1).await.unwrap();
        db.change(async |uow| uow.end_activity(ended.id, EndedHow::Finished, "a", at(2)).await).await;
        let lapsed = db.look(async |uow| uow.lapsed_activities(at(60)).await).await;
        assert_eq!(lapsed.iter().map(|activity| activity.by_name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    }
}
