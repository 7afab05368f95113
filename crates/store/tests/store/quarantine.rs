//! Reports that were refused, kept whole (R17).

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    digest::Sha256,
    ids::{ItemId, PayloadId, QuarantineId, TokenId},
    refusal::FieldProblem,
    sensitivity::Sensitivity,
};
use store::{Decision, NewQuarantine, QuarantineState, TeamRow, Uow};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{Dice, HOSTILE, at},
};

fn refused<'a>(team: &TeamRow, token: TokenId, payload_id: PayloadId) -> NewQuarantine<'a> {
    NewQuarantine {
        id: QuarantineId(Uuid::new_v4()),
        team_id: team.id,
        workflow_key: None,
        token: (token, "sync"),
        payload_id,
        content_type: "application/json",
        item_header: None,
        door: "report",
        target_item: None,
        code: "malformed",
        reason: "The request can't be read.",
        problems: &[],
        sensitivity: Sensitivity::Confidential,
        sameness: Sha256::of(Uuid::new_v4().as_bytes()),
    }
}

async fn keep(db: &Database, team: &TeamRow, token: TokenId, received_at: DateTime<Utc>) -> QuarantineId {
    let new = refused(team, token, db.payload(b"{").await);
    db.change(async |uow| uow.add_quarantine(&new, received_at).await).await;
    new.id
}

fn by(name: &str, state: QuarantineState) -> Decision<'_> {
    Decision { state, item: None, corrected: None, by: name, note: "" }
}

fn far() -> (DateTime<Utc>, Uuid) {
    (at(1_000_000), Uuid::max())
}

/// Every page of a list, turned until the end.
async fn pages(db: &Database, open: bool, bound_to: Option<Uuid>) -> Vec<QuarantineId> {
    let (mut before, mut seen) = (far(), Vec::new());
    loop {
        let page = db.look(async |uow| uow.quarantine_page(open, before, bound_to, 7).await).await;
        let Some(last) = page.last() else { return seen };
        before = (last.received_at, last.id.0);
        seen.extend(page.iter().map(|report| report.id));
    }
}

on_both! {
    async fn r17_a_refused_report_is_kept_whole(db) {
        let (item, token) = (db.an_item().await, db.token("sync", None).await);
        let team = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
        let payload_id = db.payload(b"not json \xFF\0").await;
        let problems = [FieldProblem::new("/effect/status", HOSTILE), FieldProblem::new("", "")];
        let new = NewQuarantine {
            workflow_key: Some(HOSTILE),
            token: (token, HOSTILE),
            content_type: HOSTILE,
            item_header: Some(HOSTILE),
            door: "attempt",
            target_item: Some(item.id),
            code: HOSTILE,
            reason: HOSTILE,
            problems: &problems,
            ..refused(&team, token, payload_id)
        };
        db.change(async |uow| uow.add_quarantine(&new, at(5)).await).await;

        let kept = db.look(async |uow| uow.quarantined(new.id).await).await.unwrap();
        assert_eq!((kept.team_id, kept.team_name.as_str()), (team.id, "Team finance"));
        assert_eq!((kept.token_id, kept.token_name.as_str(), kept.payload_id), (token, HOSTILE, payload_id));
        assert_eq!((kept.workflow_key.as_deref(), kept.item_header.as_deref()), (Some(HOSTILE), Some(HOSTILE)));
        assert_eq!((kept.content_type.as_str(), kept.code.as_str(), kept.reason.as_str()), (HOSTILE, HOSTILE, HOSTILE));
        assert_eq!((kept.door.as_str(), kept.target_item, kept.received_at), ("attempt", Some(item.id.0), at(5)));
        assert_eq!((kept.problems.0.as_slice(), kept.state), (&problems[..], QuarantineState::Open));
        assert_eq!(
            (kept.item_id, kept.corrected_id, kept.decided_by, kept.decided_at, kept.note),
            (None, None, None, None, None)
        );
        let again =
            db.try_change(async |uow| uow.add_quarantine(&refused(&team, token, payload_id), at(6)).await).await;
        assert!(is_duplicate(&again), "two reports with one payload");
    }

    async fn the_same_again_is_counted_on_the_one_that_waits(db) {
        let (token, team) = (db.token("sync", None).await, db.team("finance").await);
        let new = refused(&team, token, db.payload(b"{").await);
        let repeat = async |sameness: Sha256, now| db.change(async |uow| uow.repeat_quarantined(sameness, now).await).await;
        assert_eq!(repeat(new.sameness, at(1)).await, None);
        db.change(async |uow| uow.add_quarantine(&new, at(2)).await).await;
        assert_eq!(repeat(new.sameness, at(3)).await, Some((new.id, 1)));
        assert_eq!(repeat(new.sameness, at(4)).await, Some((new.id, 2)));
        assert_eq!(repeat(Sha256::of(b"other"), at(5)).await, None);
        let kept = db.look(async |uow| uow.quarantined(new.id).await).await.unwrap();
        assert_eq!((kept.repeats, kept.last_at, kept.received_at), (2, Some(at(4)), at(2)));
        assert_eq!(kept.sensitivity, Sensitivity::Confidential);

        let twin = NewQuarantine { sameness: new.sameness, ..refused(&team, token, db.payload(b"[").await) };
        let again = db.try_change(async |uow| uow.add_quarantine(&twin, at(6)).await).await;
        assert!(is_duplicate(&again), "one of each waits at most");
        assert!(db.change(async |uow| uow.decide_quarantined(new.id, &by("Olga", QuarantineState::Closed), at(7)).await).await);
        assert_eq!(repeat(new.sameness, at(8)).await, None, "what was dealt with is not counted on");
        db.change(async |uow| uow.add_quarantine(&twin, at(9)).await).await;
    }

    async fn a_decision_names_who_what_and_why(db) {
        let (item, token) = (db.an_item().await, db.token("sync", None).await);
        let team = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
        let (id, corrected) = (keep(db, &team, token, at(1)).await, db.payload(b"{}").await);
        let accepted = QuarantineState::Accepted;
        let (item_id, corrected_id) = (Some(item.id), Some(corrected));
        let decision = Decision { state: accepted, item: item_id, corrected: corrected_id, by: HOSTILE, note: HOSTILE };
        let decide = async |uow: &mut Uow| uow.decide_quarantined(id, &decision, at(5)).await;
        assert!(db.change(decide).await);
        assert!(!db.change(decide).await, "decided twice");
        let kept = db.look(async |uow| uow.quarantined(id).await).await.unwrap();
        assert_eq!((kept.state, kept.item_id, kept.corrected_id), (accepted, Some(item.id.0), Some(corrected.0)));
        assert_eq!((kept.decided_by.as_deref(), kept.decided_at), (Some(HOSTILE), Some(at(5))));
        assert_eq!(kept.note.as_deref(), Some(HOSTILE));
        let nobody = QuarantineId(Uuid::nil());
        assert!(!db.change(async |uow| uow.decide_quarantined(nobody, &decision, at(6)).await).await);
        let no_such_item = ItemId(Uuid::new_v4());
        let other = keep(db, &team, token, at(2)).await;
        let dangling = Decision { item: Some(no_such_item), ..decision };
        assert!(db.try_change(async |uow| uow.decide_quarantined(other, &dangling, at(6)).await).await.is_err());
    }

    async fn of_two_people_who_decide_at_once_one_decides_and_the_other_is_told(db) {
        let (team, token) = (db.team("finance").await, db.token("sync", None).await);
        for round in 0..10 {
            let id = keep(db, &team, token, at(round)).await;
            let start = Arc::new(Barrier::new(2));
            let mut deciders = JoinSet::new();
            for (name, state) in [("Amara", QuarantineState::Accepted), ("Bo", QuarantineState::Closed)] {
                let (store, start) = (db.store.clone(), start.clone());
                deciders.spawn(async move {
                    let seen = store.read().await?.quarantined(id).await?;
                    assert_eq!(seen.map(|report| report.state), Some(QuarantineState::Open));
                    start.wait().await;
                    let mut uow = store.begin().await?;
                    let decided = uow.decide_quarantined(id, &by(name, state), at(5)).await?;
                    uow.commit().await?;
                    store::Result::Ok(decided.then_some((name, state)))
                });
            }
            let outcomes = deciders.join_all().await.into_iter().collect::<store::Result<Vec<_>>>().unwrap();
            let deciders: Vec<_> = outcomes.into_iter().flatten().collect();
            assert_eq!(deciders.len(), 1);
            let kept = db.look(async |uow| uow.quarantined(id).await).await.unwrap();
            assert_eq!((kept.decided_by.as_deref(), kept.state), (Some(deciders[0].0), deciders[0].1));
        }
    }

    async fn pages_of_quarantine_show_every_report_once_newest_first_and_only_to_its_team(db) {
        let teams = [db.team("finance").await, db.team("sales").await];
        let token = db.token("sync", None).await;
        let amara = db.person("amara@example.test").await;
        db.change(async |uow| uow.join_team(amara.id, teams[0].id).await).await;
        let mut dice = Dice(17);
        let mut all = Vec::new();
        for _ in 0..60 {
            let (team, open, received_at) =
                (dice.below(2), dice.below(3) > 0, at(i64::try_from(dice.below(5)).unwrap()));
            let id = keep(db, &teams[team], token, received_at).await;
            if !open {
                let closed = by("Bo", QuarantineState::Closed);
                assert!(db.change(async |uow| uow.decide_quarantined(id, &closed, at(9)).await).await);
            }
            all.push((received_at, id.0, team, open));
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        for open in [true, false] {
            for bound in [false, true] {
                let expected: Vec<_> = all
                    .iter()
                    .filter(|(_, _, team, is_open)| *is_open == open && (!bound || *team == 0))
                    .map(|(_, id, ..)| QuarantineId(*id))
                    .collect();
                let seen = pages(db, open, bound.then_some(amara.id.0)).await;
                assert_eq!(seen, expected);
                assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len());
                if open {
                    let counted = db.look(async |uow| uow.count_quarantine(bound.then_some(amara.id.0)).await).await;
                    assert_eq!(usize::try_from(counted).unwrap(), expected.len());
                }
            }
        }
        let bo = db.person("bo@example.test").await;
        assert!(pages(db, true, Some(bo.id.0)).await.is_empty());
    }
}
