//! One-time links.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::ids::InviteId;
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{is_duplicate, on_both},
    world::at,
};

const SECRET: &[u8] = &[9; 32];

on_both! {
    async fn a_one_time_link_is_used_once_and_before_it_expires(db) {
        let amara = db.person("amara@example.test").await;
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), SECRET, at(0), at(60)).await).await;
        let microsecond = TimeDelta::microseconds(1);
        assert!(db.look(async |uow| uow.invite_is_open(SECRET, at(60) - microsecond).await).await);
        assert!(!db.look(async |uow| uow.invite_is_open(SECRET, at(60)).await).await);
        assert!(!db.look(async |uow| uow.invite_is_open(&[8; 32], at(1)).await).await);

        assert!(!db.change(async |uow| uow.use_invite(SECRET, at(60), amara.id).await).await);
        assert!(!db.change(async |uow| uow.use_invite(&[8; 32], at(1), amara.id).await).await);
        assert!(db.change(async |uow| uow.use_invite(SECRET, at(60) - microsecond, amara.id).await).await);
        assert!(!db.change(async |uow| uow.use_invite(SECRET, at(1), amara.id).await).await);
        assert!(!db.look(async |uow| uow.invite_is_open(SECRET, at(1)).await).await);
    }

    async fn a_new_link_ends_the_ones_before_it(db) {
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), &[1; 32], at(0), at(60)).await).await;
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), &[2; 32], at(10), at(70)).await).await;
        assert!(!db.look(async |uow| uow.invite_is_open(&[1; 32], at(10)).await).await);
        assert!(db.look(async |uow| uow.invite_is_open(&[2; 32], at(10)).await).await);
        let again =
            async |uow: &mut store::Uow| uow.add_invite(InviteId(Uuid::new_v4()), &[2; 32], at(11), at(71)).await;
        assert!(is_duplicate(&db.try_change(again).await));
    }

    async fn of_twenty_people_with_the_same_link_exactly_one_gets_in(db) {
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), SECRET, at(0), at(60)).await).await;
        let start = Arc::new(Barrier::new(20));
        let mut racers = JoinSet::new();
        for n in 0..20 {
            let person = db.person(&format!("racer{n}@example.test")).await;
            let (store, start) = (db.store.clone(), start.clone());
            racers.spawn(async move {
                assert!(store.read().await?.invite_is_open(SECRET, at(1)).await?);
                start.wait().await;
                let mut uow = store.begin().await?;
                let won = uow.use_invite(SECRET, at(2), person.id).await?;
                uow.commit().await?;
                store::Result::Ok(won.then_some(person.id))
            });
        }
        let outcomes = racers.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
        let winners: Vec<_> = outcomes.into_iter().flatten().collect();
        assert_eq!(winners.len(), 1);
        let noted = db.ask(db.either("SELECT hex(used_by) FROM invite", "SELECT used_by::text FROM invite")).await;
        let winner = winners[0].0;
        assert_eq!(noted, [db.either(winner.simple().to_string().to_uppercase(), winner.to_string())]);
    }
}
