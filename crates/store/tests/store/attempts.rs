//! Attempts, and possible double effects.

use domain::{
    attempt::{AttemptBy, Outcome},
    effect::Effect,
    ids::{AttemptId, ItemId},
};
use store::{Attempt, NewRevision};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, a_try, at, moment},
};

fn filled(attempt: Attempt) -> Attempt {
    let text = || Some(HOSTILE.to_owned());
    Attempt {
        made_by: AttemptBy::Person,
        by_name: HOSTILE.into(),
        reported_number: Some(i64::MIN),
        revision: Some(1),
        epoch: i64::MAX,
        idempotency_key: text(),
        outcome: Outcome::Failed,
        effect: Effect::Partial,
        sent: Some(false),
        status_code: Some(599),
        record_id: text(),
        message: text(),
        late: true,
        started_at: Some(moment("0001-01-01T00:00:00.000001Z")),
        finished_at: Some(moment("9999-12-31T23:59:59.999999Z")),
        received_at: moment("2026-09-21T13:14:15.123456Z"),
        destination: text(),
        request: text(),
        ..attempt
    }
}

async fn attempts_of(db: &Database, item: ItemId) -> Vec<Attempt> {
    db.look(async |uow| uow.attempts(item).await).await
}

on_both! {
    async fn r3_every_attempt_comes_back_as_it_was_recorded_and_in_order(db) {
        let item = db.an_item().await;
        let payload = db.payload(b"{}").await;
        let new = NewRevision { number: 1, payload, media_type: "application/json", source_version: None };
        db.change(async |uow| uow.add_automation_revision(item.id, &new, (Uuid::nil(), "sync"), at(0)).await).await;
        let attempts = [a_try(&item, 1), filled(a_try(&item, 2)), Attempt { sent: Some(true), ..a_try(&item, 10) }];
        for attempt in attempts.iter().rev() {
            db.change(async |uow| uow.add_attempt(attempt).await).await;
        }
        assert_eq!(format!("{:#?}", attempts_of(db, item.id).await), format!("{attempts:#?}"));
    }

    async fn r3_settling_an_attempt_changes_what_became_of_it_and_never_what_was_sent(db) {
        let item = db.an_item().await;
        let payload = db.payload(b"{}").await;
        let new = NewRevision { number: 1, payload, media_type: "application/json", source_version: None };
        db.change(async |uow| uow.add_automation_revision(item.id, &new, (Uuid::nil(), "sync"), at(0)).await).await;
        let begun = Attempt { idempotency_key: Some("key-1".into()), ..a_try(&item, 1) };
        let other = a_try(&item, 2);
        db.change(async |uow| uow.add_attempt(&begun).await).await;
        db.change(async |uow| uow.add_attempt(&other).await).await;

        let wished = filled(begun.clone());
        db.change(async |uow| uow.settle_attempt(&wished).await).await;
        let settled = Attempt {
            made_by: begun.made_by,
            by_name: begun.by_name,
            reported_number: begun.reported_number,
            revision: begun.revision,
            epoch: begun.epoch,
            idempotency_key: begun.idempotency_key,
            started_at: begun.started_at,
            received_at: begun.received_at,
            destination: begun.destination,
            request: begun.request,
            ..wished
        };
        assert_eq!(format!("{:#?}", attempts_of(db, item.id).await), format!("{:#?}", [settled, other]));
    }

    async fn r3_an_attempt_names_a_revision_that_is_there_and_a_number_that_is_free(db) {
        let item = db.an_item().await;
        let unknown = Attempt { revision: Some(1), ..a_try(&item, 1) };
        assert!(db.try_change(async |uow| uow.add_attempt(&unknown).await).await.is_err());
        db.change(async |uow| uow.add_attempt(&a_try(&item, 1)).await).await;
        assert!(is_duplicate(&db.try_change(async |uow| uow.add_attempt(&a_try(&item, 1)).await).await));
        let compensated = Attempt { effect: Effect::Compensated, ..a_try(&item, 2) };
        assert!(db.try_change(async |uow| uow.add_attempt(&compensated).await).await.is_err());
        assert_eq!(attempts_of(db, item.id).await.len(), 1);
    }

    async fn every_outcome_of_an_attempt_can_be_kept(db) {
        let item = db.an_item().await;
        let mut number = 0;
        for outcome in Outcome::ALL {
            for made_by in AttemptBy::ALL {
                for effect in Effect::ALL.iter().filter(|effect| **effect != Effect::Compensated) {
                    number += 1;
                    let (outcome, made_by, effect) = (*outcome, *made_by, *effect);
                    let attempt = Attempt { outcome, made_by, effect, ..a_try(&item, number) };
                    db.change(async |uow| uow.add_attempt(&attempt).await).await;
                }
            }
        }
        assert_eq!(i64::try_from(attempts_of(db, item.id).await.len()).unwrap(), number);
    }

    async fn r10_a_possible_double_effect_names_both_attempts_until_it_is_settled(db) {
        let item = db.an_item().await;
        let (first, late) = (a_try(&item, 1), a_try(&item, 2));
        db.change(async |uow| {
            uow.add_attempt(&first).await?;
            uow.add_attempt(&late).await?;
            uow.raise_double_effect(Uuid::from_u128(2), item.id, Some(first.id), late.id, at(5)).await?;
            uow.raise_double_effect(Uuid::from_u128(1), item.id, None, late.id, at(5)).await
        })
        .await;
        let doubles = db.look(async |uow| uow.double_effects(item.id).await).await;
        let named: Vec<_> = doubles.iter().map(|d| (d.attempt_id, d.late_attempt_id, d.raised_at)).collect();
        assert_eq!(named, [(None, late.id, at(5)), (Some(first.id.0), late.id, at(5))]);

        let nobody = AttemptId(Uuid::new_v4());
        let unknown =
            async |uow: &mut store::Uow| uow.raise_double_effect(Uuid::new_v4(), item.id, None, nobody, at(6)).await;
        assert!(db.try_change(unknown).await.is_err());
        let settled = format!("UPDATE double_effect SET ended_at = '{}'", at(9).to_rfc3339());
        assert_eq!(db.as_server(&settled).await, Ok(2));
        assert!(db.look(async |uow| uow.double_effects(item.id).await).await.is_empty());
    }
}
