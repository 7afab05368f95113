//! One-time links.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::{InviteId, PersonId};
use store::{OpenInvite, Purpose};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::at,
};

const SECRET: &[u8] = &[9; 32];

async fn open(db: &Database, secret_hash: &[u8], now: DateTime<Utc>) -> Option<OpenInvite> {
    db.look(async |uow| uow.open_invite(secret_hash, now).await).await
}

async fn is_open(db: &Database, secret_hash: &[u8], now: DateTime<Utc>) -> bool {
    open(db, secret_hash, now).await.is_some()
}

/// A link for somebody's account, or for the first admin, that ends 60 seconds later.
async fn make(db: &Database, secret_hash: &[u8], purpose: Purpose, person: Option<PersonId>, seconds: i64) {
    let (id, ends) = (InviteId(Uuid::new_v4()), at(seconds + 60));
    db.change(async |uow| uow.add_invite(id, secret_hash, purpose, person, at(seconds), ends).await).await;
}

on_both! {
    async fn a_one_time_link_is_used_once_and_before_it_expires(db) {
        let amara = db.person("amara@example.test").await;
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), SECRET, Purpose::FirstAdmin, None, at(0), at(60)).await).await;
        let microsecond = TimeDelta::microseconds(1);
        assert!(is_open(db, SECRET, at(60) - microsecond).await);
        assert!(!is_open(db, SECRET, at(60)).await);
        assert!(!is_open(db, &[8; 32], at(1)).await);

        assert!(!db.change(async |uow| uow.use_invite(SECRET, at(60), amara.id).await).await);
        assert!(!db.change(async |uow| uow.use_invite(&[8; 32], at(1), amara.id).await).await);
        assert!(db.change(async |uow| uow.use_invite(SECRET, at(60) - microsecond, amara.id).await).await);
        assert!(!db.change(async |uow| uow.use_invite(SECRET, at(1), amara.id).await).await);
        assert!(!is_open(db, SECRET, at(1)).await);
    }

    async fn a_new_link_ends_the_ones_before_it(db) {
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), &[1; 32], Purpose::FirstAdmin, None, at(0), at(60)).await).await;
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), &[2; 32], Purpose::FirstAdmin, None, at(10), at(70)).await).await;
        assert!(!is_open(db, &[1; 32], at(10)).await);
        assert!(is_open(db, &[2; 32], at(10)).await);
        let again =
            async |uow: &mut store::Uow| uow.add_invite(InviteId(Uuid::new_v4()), &[2; 32], Purpose::FirstAdmin, None, at(11), at(71)).await;
        assert!(is_duplicate(&db.try_change(again).await));
    }

    async fn a_persons_new_link_ends_their_own_ones_and_nobody_elses(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        make(db, &[1; 32], Purpose::FirstAdmin, None, 0).await;
        make(db, &[2; 32], Purpose::Join, Some(amara), 0).await;
        make(db, &[3; 32], Purpose::Join, Some(bo), 0).await;
        let link = open(db, &[2; 32], at(1)).await.unwrap();
        assert_eq!((link.purpose, link.person_id, link.expires_at), (Purpose::Join, Some(amara.0), at(60)));

        make(db, &[4; 32], Purpose::Reset, Some(amara), 10).await;
        let opens = async |n: u8| is_open(db, &[n; 32], at(10)).await;
        assert_eq!([opens(1).await, opens(2).await, opens(3).await, opens(4).await], [true, false, true, true]);
        let waits = db.look(async |uow| uow.open_invite_of(amara, at(10)).await).await.unwrap();
        assert_eq!((waits.purpose, waits.expires_at), (Purpose::Reset, at(70)));

        make(db, &[5; 32], Purpose::FirstAdmin, None, 20).await;
        let opens = async |n: u8| is_open(db, &[n; 32], at(20)).await;
        assert_eq!([opens(1).await, opens(3).await, opens(4).await, opens(5).await], [false, true, true, true]);
    }

    async fn links_that_were_withdrawn_or_used_no_longer_wait_for_their_person(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        make(db, &[1; 32], Purpose::Join, Some(amara), 0).await;
        make(db, &[2; 32], Purpose::Join, Some(bo), 0).await;
        db.change(async |uow| uow.withdraw_invites_of(amara, at(5)).await).await;
        assert!(!is_open(db, &[1; 32], at(5)).await);
        assert!(is_open(db, &[2; 32], at(5)).await);
        assert!(db.change(async |uow| uow.use_invite(&[2; 32], at(6), bo).await).await);
        for person in [amara, bo] {
            assert!(db.look(async |uow| uow.open_invite_of(person, at(6)).await).await.is_none());
        }
    }

    async fn of_twenty_people_with_the_same_link_exactly_one_gets_in(db) {
        db.change(async |uow| uow.add_invite(InviteId(Uuid::new_v4()), SECRET, Purpose::FirstAdmin, None, at(0), at(60)).await).await;
        let start = Arc::new(Barrier::new(20));
        let mut racers = JoinSet::new();
        for n in 0..20 {
            let person = db.person(&format!("racer{n}@example.test")).await;
            let (store, start) = (db.store.clone(), start.clone());
            racers.spawn(async move {
                assert!(store.read().await?.open_invite(SECRET, at(1)).await?.is_some());
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
