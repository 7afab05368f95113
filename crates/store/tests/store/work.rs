//! Working an item: claims, comments, findings, decisions, requests by their key.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    attempt::Outcome,
    digest::Sha256,
    effect::Effect,
    finding::Finding,
    ids::{AttemptId, ItemId, PersonId},
    item::{Resolution, State},
};
use store::{Asked, Attempt, Claim, Decided, FoundOut, Item};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, a_try, an_item_of, at, moment},
};

async fn claim(db: &Database, item: ItemId, by: PersonId, from: i64, until: i64, take_over: bool) -> bool {
    db.change(async |uow| uow.claim(item, by, at(from), at(until), take_over).await).await
}

async fn claim_at(db: &Database, item: ItemId, seconds: i64) -> Option<(PersonId, DateTime<Utc>, DateTime<Utc>)> {
    let claim: Option<Claim> = db.look(async |uow| uow.claim_of(item, at(seconds)).await).await;
    claim.map(|claim| (claim.person_id, claim.since, claim.until))
}

/// Another item of the same workflow.
async fn another_item(db: &Database, key: &str) -> Item {
    let workflow = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
    db.keep(an_item_of(&workflow, key)).await
}

/// Attempts with these numbers.
async fn attempts<const N: usize>(db: &Database, item: &Item, numbers: [i64; N]) -> [Attempt; N] {
    let attempts = numbers.map(|number| Attempt { outcome: Outcome::Uncertain, ..a_try(item, number) });
    for attempt in &attempts {
        db.change(async |uow| uow.add_attempt(attempt).await).await;
    }
    attempts
}

async fn raise(db: &Database, item: &Item, decided: Option<AttemptId>, late: AttemptId) {
    db.change(async |uow| uow.raise_double_effect(Uuid::new_v4(), item.id, decided, late, at(5)).await).await;
}

async fn doubles(db: &Database, item: &Item) -> usize {
    db.look(async |uow| uow.double_effects(item.id).await).await.len()
}

fn asked(item: &Item, what: &str) -> Asked {
    Asked { digest: Sha256::of(what.as_bytes()), item_id: item.id, attempt_id: None, approval_id: None }
}

on_both! {
    async fn of_fifty_who_claim_at_once_exactly_one_has_it(db) {
        let item = db.an_item().await;
        let mut people = Vec::new();
        for n in 0..50 {
            people.push(db.person(&format!("racer{n}@example.test")).await.id);
        }
        let start = Arc::new(Barrier::new(people.len()));
        let mut racers = JoinSet::new();
        for person in people {
            let (store, start, item) = (db.store.clone(), start.clone(), item.id);
            racers.spawn(async move {
                // Each has seen that nobody holds it before anybody acts; none holds the item's lock.
                let mut uow = store.read().await?;
                assert!(uow.claim_of(item, at(1)).await?.is_none());
                drop(uow);
                start.wait().await;
                let mut uow = store.begin().await?;
                let won = uow.claim(item, person, at(1), at(60), false).await?;
                uow.commit().await?;
                store::Result::Ok((person, won))
            });
        }
        let outcomes = racers.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
        let winners: Vec<_> = outcomes.into_iter().filter(|(_, won)| *won).map(|(person, _)| person).collect();
        assert_eq!(winners.len(), 1);
        assert_eq!(claim_at(db, item.id, 1).await, Some((winners[0], at(1), at(60))));
    }

    async fn a_claim_stands_until_its_end_and_then_anybody_may_have_it(db) {
        let item = db.an_item().await;
        let amara = db.person("amara@example.test").await;
        let jonas = db.person("jonas@example.test").await;
        assert_eq!(claim_at(db, item.id, 0).await, None);
        assert!(claim(db, item.id, amara.id, 0, 60, false).await);
        assert!(!claim(db, item.id, jonas.id, 59, 120, false).await);
        assert_eq!(claim_at(db, item.id, 59).await, Some((amara.id, at(0), at(60))));
        assert_eq!(claim_at(db, item.id, 60).await, None, "at its end it is over");
        assert!(claim(db, item.id, jonas.id, 60, 120, false).await);
        assert_eq!(claim_at(db, item.id, 60).await, Some((jonas.id, at(60), at(120))));
        let named = db.look(async |uow| uow.claim_of(item.id, at(60)).await).await.unwrap();
        assert_eq!(named.name, jonas.name);

        let other = another_item(db, "INV-2").await;
        assert!(claim(db, other.id, amara.id, 60, 120, false).await, "another item is another claim");
    }

    async fn the_own_claim_is_prolonged_and_still_counts_from_its_beginning(db) {
        let (item, amara) = (db.an_item().await, db.person("amara@example.test").await);
        assert!(claim(db, item.id, amara.id, 0, 60, false).await);
        assert!(claim(db, item.id, amara.id, 30, 90, false).await);
        assert_eq!(claim_at(db, item.id, 30).await, Some((amara.id, at(0), at(90))));
        assert!(claim(db, item.id, amara.id, 40, 100, true).await, "who takes over from nobody else prolongs");
        assert_eq!(claim_at(db, item.id, 40).await, Some((amara.id, at(0), at(100))));
        assert!(claim(db, item.id, amara.id, 100, 160, false).await, "what has run out begins anew");
        assert_eq!(claim_at(db, item.id, 100).await, Some((amara.id, at(100), at(160))));
    }

    async fn a_take_over_ends_the_other_claim_and_a_release_frees_it(db) {
        let item = db.an_item().await;
        let amara = db.person("amara@example.test").await;
        let jonas = db.person("jonas@example.test").await;
        assert!(claim(db, item.id, amara.id, 0, 60, false).await);
        assert!(claim(db, item.id, jonas.id, 10, 70, true).await);
        assert_eq!(claim_at(db, item.id, 10).await, Some((jonas.id, at(10), at(70))));
        assert!(!claim(db, item.id, amara.id, 11, 71, false).await);
        db.change(async |uow| uow.release(item.id).await).await;
        assert_eq!(claim_at(db, item.id, 11).await, None);
        db.change(async |uow| uow.release(item.id).await).await;
        assert!(claim(db, item.id, amara.id, 11, 71, false).await);
        let unknown = async |uow: &mut store::Uow| uow.claim(item.id, PersonId(Uuid::nil()), at(80), at(90), true).await;
        assert!(db.try_change(unknown).await.is_err());
    }

    async fn comments_come_back_as_they_were_said_the_newest_first(db) {
        let item = db.an_item().await;
        let by = (PersonId(Uuid::from_u128(7)), HOSTILE);
        let texts = [HOSTILE.to_owned(), String::new(), HOSTILE.chars().cycle().take(200_000).collect()];
        for (n, text) in texts.iter().enumerate() {
            // Of one moment, the later id is the newer.
            let id = Uuid::from_u128(n as u128);
            db.change(async |uow| uow.add_comment(id, item.id, by, text, moment("2026-09-21T13:14:15.000001Z")).await).await;
        }
        let comments = db.look(async |uow| uow.comments(item.id).await).await;
        assert_eq!(comments.len(), 3);
        for (comment, text) in comments.iter().zip(texts.iter().rev()) {
            assert!(comment.text == *text && comment.person_name == HOSTILE);
            assert_eq!(comment.at, moment("2026-09-21T13:14:15.000001Z"));
        }
        let other = another_item(db, "INV-2").await;
        assert!(db.look(async |uow| uow.comments(other.id).await).await.is_empty());
        db.change(async |uow| {
            for n in 0..501 {
                uow.add_comment(Uuid::new_v4(), other.id, by, &n.to_string(), at(n)).await?;
            }
            Ok(())
        })
        .await;
        let last = db.look(async |uow| uow.comments(other.id).await).await;
        assert_eq!((last.len(), last[0].text.as_str(), last[499].text.as_str()), (500, "500", "1"));
    }

    async fn r9_findings_come_back_as_they_were_recorded_and_stand_beside_each_other(db) {
        let item = db.an_item().await;
        let [first, second] = attempts(db, &item, [1, 2]).await;
        let mut recorded = Vec::new();
        for (n, finding) in Finding::ALL.iter().enumerate() {
            let found = FoundOut {
                attempt_id: if n % 2 == 0 { first.id } else { second.id },
                finding: *finding,
                source: HOSTILE.into(),
                evidence: HOSTILE.repeat(50),
                record_id: (n % 2 == 0).then(|| HOSTILE.to_owned()),
                by_name: HOSTILE.into(),
                at: at(i64::try_from(n).unwrap()),
            };
            db.change(async |uow| uow.add_finding(Uuid::new_v4(), item.id, &found, Uuid::from_u128(7)).await).await;
            recorded.insert(0, found);
        }
        let found = db.look(async |uow| uow.findings(item.id).await).await;
        assert_eq!(format!("{found:#?}"), format!("{recorded:#?}"));
        let about_nothing = FoundOut { attempt_id: AttemptId(Uuid::nil()), ..recorded[0].clone() };
        let refused = db.try_change(async |uow| uow.add_finding(Uuid::new_v4(), item.id, &about_nothing, Uuid::nil()).await);
        assert!(refused.await.is_err());
        let other = another_item(db, "INV-2").await;
        assert!(db.look(async |uow| uow.findings(other.id).await).await.is_empty());
    }

    async fn r9_the_last_decision_comes_back_whole(db) {
        let item = db.an_item().await;
        let other = another_item(db, "INV-2").await;
        assert!(db.look(async |uow| uow.last_decision(item.id).await).await.is_none());
        let text = || Some(HOSTILE.to_owned());
        let bare = |resolution, effect, seconds| Decided {
            resolution,
            effect,
            reason: HOSTILE.into(),
            code: None,
            evidence: None,
            record_id: None,
            follow_up: None,
            revision: None,
            duplicate_of: None,
            by_name: HOSTILE.into(),
            at: at(seconds),
        };
        let whole = Decided {
            code: text(),
            evidence: text(),
            record_id: text(),
            follow_up: text(),
            revision: Some(i64::MAX),
            duplicate_of: Some(other.id.0),
            ..bare(Resolution::Duplicate, Effect::Partial, 1)
        };
        let mut n = 0;
        let mut keep = async |decided: &Decided| {
            n += 1;
            let id = Uuid::from_u128(n);
            db.change(async |uow| uow.add_decision(id, item.id, decided, Uuid::from_u128(7)).await).await;
            let last = db.look(async |uow| uow.last_decision(item.id).await).await.unwrap();
            assert_eq!(format!("{last:#?}"), format!("{decided:#?}"));
        };
        keep(&whole).await;
        for (resolution, effect) in Resolution::ALL.iter().zip(Effect::ALL.iter().cycle()) {
            keep(&bare(*resolution, *effect, 2)).await;
        }
        let unknown = Decided { duplicate_of: Some(Uuid::nil()), ..whole };
        let refused = db.try_change(async |uow| uow.add_decision(Uuid::new_v4(), item.id, &unknown, Uuid::nil()).await);
        assert!(refused.await.is_err());
        assert!(db.look(async |uow| uow.last_decision(other.id).await).await.is_none());
    }

    async fn r10_only_the_double_effects_that_name_the_attempt_end_and_only_once(db) {
        let item = db.an_item().await;
        let other = another_item(db, "INV-2").await;
        let [first, second, third] = attempts(db, &item, [1, 2, 3]).await;
        raise(db, &item, Some(first.id), second.id).await;
        raise(db, &item, Some(first.id), third.id).await;
        raise(db, &item, None, third.id).await;
        let end = async |item: &Item, attempt: AttemptId, seconds| {
            db.change(async |uow| uow.end_double_effects(item.id, attempt, at(seconds)).await).await
        };
        assert_eq!(end(&other, second.id, 6).await, 0, "of another item");
        assert_eq!(end(&item, AttemptId(Uuid::nil()), 6).await, 0);
        assert_eq!((end(&item, second.id, 6).await, doubles(db, &item).await), (1, 2));
        assert_eq!((end(&item, third.id, 7).await, doubles(db, &item).await), (2, 0));
        assert_eq!(end(&item, first.id, 8).await, 0, "what has ended stays as it ended");
        let ended = db.ask(db.either(
            "SELECT DISTINCT ended_at FROM double_effect ORDER BY ended_at",
            "SELECT DISTINCT ended_at::text FROM double_effect ORDER BY 1",
        ));
        assert_eq!(ended.await.len(), 2);
        raise(db, &item, Some(first.id), second.id).await;
        assert_eq!((end(&item, first.id, 9).await, doubles(db, &item).await), (1, 0), "the attempt it was decided on");
    }

    async fn a_request_is_known_by_its_key_for_each_caller_and_a_key_serves_once(db) {
        let item = db.an_item().await;
        let other = another_item(db, "INV-2").await;
        let (amara, jonas) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let look = async |caller, key| db.look(async |uow| uow.asked(caller, key).await).await;
        let add = async |caller, key, asked: &Asked| db.try_change(async |uow| uow.add_asked(caller, key, asked, at(1)).await).await;
        assert!(look(amara, HOSTILE).await.is_none());
        add(amara, HOSTILE, &asked(&item, "first")).await.unwrap();
        let known = look(amara, HOSTILE).await.unwrap();
        assert_eq!((known.digest, known.item_id), (Sha256::of(b"first"), item.id));
        for again in [asked(&item, "first"), asked(&item, "second"), asked(&other, "first")] {
            assert!(is_duplicate(&add(amara, HOSTILE, &again).await));
        }
        assert!(look(jonas, HOSTILE).await.is_none(), "a key is its caller's own");
        add(jonas, HOSTILE, &asked(&other, "second")).await.unwrap();
        assert_eq!(look(jonas, HOSTILE).await.unwrap().item_id, other.id);
        assert_eq!(look(amara, HOSTILE).await.unwrap().item_id, item.id);
        assert!(look(amara, "other").await.is_none());
    }

    async fn twenty_requests_with_one_key_at_once_leave_one_and_the_others_leave_nothing(db) {
        let item = db.an_item().await;
        let start = Arc::new(Barrier::new(20));
        let mut racers = JoinSet::new();
        for n in 0..20_i64 {
            let (store, start, asked, id) = (db.store.clone(), start.clone(), asked(&item, "same"), item.id);
            racers.spawn(async move {
                start.wait().await;
                let mut uow = store.begin().await?;
                uow.add_comment(Uuid::new_v4(), id, (PersonId(Uuid::nil()), "Amara"), "once", at(n)).await?;
                uow.add_asked(Uuid::nil(), "key", &asked, at(n)).await?;
                uow.commit().await
            });
        }
        let outcomes = racers.join_all().await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        assert_eq!(outcomes.iter().filter(|outcome| is_duplicate(outcome)).count(), 19);
        assert_eq!(db.look(async |uow| uow.comments(item.id).await).await.len(), 1);
    }

    async fn snoozes_are_over_at_their_time_the_earliest_first_a_hundred_at_once(db) {
        let open = db.an_item().await;
        let snoozed = async |key: &str, until: DateTime<Utc>| {
            let workflow = db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap();
            let item = Item { state: State::Snoozed, snoozed_until: Some(until), ..an_item_of(&workflow, key) };
            db.keep(item).await.id
        };
        let over = async |now| db.look(async |uow| uow.snoozes_over(now).await).await;
        assert!(over(at(1_000_000)).await.is_empty(), "what is open is not snoozed");
        let late = snoozed("late", moment("2026-09-21T14:13:30.000001Z")).await;
        let exact = snoozed("exact", moment("2026-09-21T14:13:30Z")).await;
        let early = snoozed("early", moment("2026-09-21T14:13:29.999999Z")).await;
        assert_eq!(over(moment("2026-09-21T14:13:30Z")).await, [early, exact]);
        assert_eq!(over(moment("2026-09-21T14:13:29.999999Z")).await, [early]);
        assert!(over(moment("2026-09-21T14:13:29.999998Z")).await.is_empty());
        for n in 0..100 {
            snoozed(&n.to_string(), at(n - 200)).await;
        }
        let first = over(at(1_000_000)).await;
        assert_eq!(first.len(), 100);
        assert!(!first.contains(&open.id) && !first.contains(&late));
    }
}
