//! The second step of signing in.

use std::sync::Arc;

use domain::ids::PersonId;
use tokio::{sync::Barrier, task::JoinSet};

use crate::{
    databases::{Database, on_both},
    world::at,
};

/// Somebody whose second step is in use.
async fn guarded(db: &Database) -> PersonId {
    let amara = db.person("amara@example.test").await.id;
    assert!(db.change(async |uow| uow.begin_two_step(amara, b"secret", at(0)).await).await);
    db.change(async |uow| uow.confirm_two_step(amara, at(1)).await).await;
    amara
}

on_both! {
    async fn a_second_step_is_set_up_anew_until_it_is_confirmed_and_then_stands(db) {
        let amara = db.person("amara@example.test").await.id;
        for (secret, second) in [(b"first", 0), (b"again", 5)] {
            assert!(db.change(async |uow| uow.begin_two_step(amara, secret, at(second)).await).await);
        }
        let row = db.look(async |uow| uow.two_step(amara).await).await.unwrap();
        assert_eq!((row.secret.as_slice(), row.created_at, row.confirmed_at), (&b"again"[..], at(5), None));

        db.change(async |uow| uow.confirm_two_step(amara, at(6)).await).await;
        db.change(async |uow| uow.confirm_two_step(amara, at(7)).await).await;
        assert!(!db.change(async |uow| uow.begin_two_step(amara, b"third", at(8)).await).await);
        let row = db.look(async |uow| uow.two_step(amara).await).await.unwrap();
        assert_eq!((row.secret.as_slice(), row.last_step, row.confirmed_at), (&b"again"[..], 0, Some(at(6))));
    }

    async fn no_time_step_is_used_twice_nor_one_before_it(db) {
        let amara = guarded(db).await;
        for (step, counts) in [(50, true), (50, false), (49, false), (51, true), (i64::MAX, true), (1, false)] {
            assert_eq!(db.change(async |uow| uow.use_two_step(amara, step).await).await, counts, "{step}");
        }
        let bo = db.person("bo@example.test").await.id;
        assert!(!db.change(async |uow| uow.use_two_step(bo, 50).await).await, "there is none to use");
    }

    async fn of_twenty_who_send_the_code_of_one_time_step_one_gets_in(db) {
        let amara = guarded(db).await;
        let start = Arc::new(Barrier::new(20));
        let mut racers = JoinSet::new();
        for _ in 0..20 {
            let (store, start) = (db.store.clone(), start.clone());
            racers.spawn(async move {
                start.wait().await;
                let mut uow = store.begin().await?;
                let won = uow.use_two_step(amara, 77).await?;
                uow.commit().await?;
                store::Result::Ok(won)
            });
        }
        let outcomes = racers.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
        assert_eq!(outcomes.into_iter().filter(|won| *won).count(), 1);
    }

    async fn a_recovery_code_is_used_once_and_by_its_person(db) {
        let (amara, bo) = (guarded(db).await, db.person("bo@example.test").await.id);
        let left = async |person| db.look(async |uow| uow.recovery_codes_left(person).await).await;
        db.change(async |uow| uow.set_recovery_codes(amara, &[[1; 32], [2; 32], [3; 32]]).await).await;
        db.change(async |uow| uow.set_recovery_codes(bo, &[[1; 32]]).await).await;
        for (person, code, counts) in
            [(amara, 1, true), (amara, 1, false), (amara, 9, false), (bo, 2, false), (bo, 1, true), (amara, 2, true)]
        {
            let used = db.change(async |uow| uow.use_recovery_code(person, &[code; 32], at(1)).await).await;
            assert_eq!(used, counts, "{code}");
        }
        assert_eq!((left(amara).await, left(bo).await), (1, 0));

        // New codes end the old ones, used or not.
        db.change(async |uow| uow.set_recovery_codes(amara, &[[1; 32], [4; 32]]).await).await;
        assert_eq!(left(amara).await, 2);
        assert!(!db.change(async |uow| uow.use_recovery_code(amara, &[3; 32], at(2)).await).await);
        assert!(db.change(async |uow| uow.use_recovery_code(amara, &[1; 32], at(2)).await).await);
    }

    async fn a_second_step_is_taken_away_with_its_codes(db) {
        let amara = guarded(db).await;
        db.change(async |uow| uow.set_recovery_codes(amara, &[[1; 32]]).await).await;
        assert!(db.change(async |uow| uow.remove_two_step(amara).await).await);
        assert!(!db.change(async |uow| uow.remove_two_step(amara).await).await);
        assert!(db.look(async |uow| uow.two_step(amara).await).await.is_none());
        assert_eq!(db.look(async |uow| uow.recovery_codes_left(amara).await).await, 0);
        assert!(db.change(async |uow| uow.begin_two_step(amara, b"new", at(9)).await).await);
    }
}
