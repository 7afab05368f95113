//! The audit trail (R14).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::{
    audit::{ActorKind, AuditKind, AuditOutcome},
    digest::Sha256,
    ids::{AuditId, ItemId, TeamId},
};
use serde_json::{Map, Value, json};
use store::{AuditFilter, AuditRow, NewAudit};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{Dice, HOSTILE, at, moment},
};

fn nothing() -> &'static Map<String, Value> {
    static NOTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    &NOTHING
}

fn entry(actor_name: &str) -> NewAudit<'_> {
    NewAudit {
        id: AuditId(Uuid::new_v4()),
        actor_kind: ActorKind::Job,
        actor_id: None,
        actor_name,
        action: AuditKind::ItemReported,
        outcome: AuditOutcome::Done,
        code: None,
        team: None,
        workflow_key: None,
        item: None,
        detail: nothing(),
        text: None,
        request_id: None,
    }
}

/// Every page of a filter, turned until the end.
async fn pages(db: &Database, filter: &AuditFilter, limit: i64) -> Vec<AuditRow> {
    let (mut filter, mut seen) = (filter.clone(), Vec::new());
    loop {
        let page = db.look(async |uow| uow.audit_page(&filter, limit).await).await;
        assert!(page.len() <= usize::try_from(limit).unwrap());
        let Some(last) = page.last() else { return seen };
        filter.before = Some((last.at, last.id.0));
        seen.extend(page);
    }
}

/// What the naive filter of these tests knows of an entry.
struct Told {
    at: chrono::DateTime<chrono::Utc>,
    id: AuditId,
    actor: &'static str,
    action: AuditKind,
    outcome: AuditOutcome,
    workflow: Option<&'static str>,
    item: Option<ItemId>,
    team: Option<TeamId>,
    account: Option<Uuid>,
}

on_both! {
    async fn r14_an_entry_comes_back_as_it_was_written_with_its_text_apart(db) {
        let detail = json!({"number": 9_007_199_254_740_993_i64, "from": "open", "list": [1, 2.5, null]});
        let detail = detail.as_object().unwrap();
        let salt = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 255, 254];
        let (item, when) = (ItemId(Uuid::new_v4()), moment("2026-09-21T13:14:15.000001Z"));
        let new = NewAudit {
            actor_kind: ActorKind::Person,
            actor_id: Some(Uuid::from_u128(7)),
            action: AuditKind::LateNews,
            outcome: AuditOutcome::Refused,
            code: Some("forbidden"),
            team: Some(TeamId(Uuid::from_u128(8))),
            workflow_key: Some(HOSTILE),
            item: Some(item),
            detail,
            text: Some((HOSTILE, salt)),
            request_id: Some(HOSTILE),
            ..entry(HOSTILE)
        };
        db.change(async |uow| uow.add_audit(&new, when).await).await;

        let found = db.look(async |uow| uow.item_history(item).await).await;
        let [found] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((found.id, found.at, found.actor_kind), (new.id, when, ActorKind::Person));
        assert_eq!((found.actor_name.as_str(), found.action), (HOSTILE, AuditKind::LateNews));
        assert_eq!((found.outcome, found.code.as_deref()), (AuditOutcome::Refused, Some("forbidden")));
        assert_eq!((found.workflow_key.as_deref(), found.item_id), (Some(HOSTILE), Some(item.0)));
        assert_eq!((&found.detail.0, found.text.as_deref()), (detail, Some(HOSTILE)));
        assert_eq!(found.request_id.as_deref(), Some(HOSTILE));

        let digest = Sha256::of_parts(&[&salt, HOSTILE.as_bytes()]).hex();
        let hex = db.either(
            "SELECT lower(hex(text_digest)) FROM audit_entry",
            "SELECT encode(text_digest, 'hex') FROM audit_entry",
        );
        assert_eq!(db.ask(hex).await, [digest]);
    }

    async fn r14_an_entry_without_text_has_no_digest_and_empty_text_is_not_no_text(db) {
        let (without, empty) = (entry("without"), NewAudit { text: Some(("", [1; 16])), ..entry("empty") });
        db.change(async |uow| uow.add_audit(&without, at(1)).await).await;
        db.change(async |uow| uow.add_audit(&empty, at(2)).await).await;
        let seen = pages(db, &AuditFilter::default(), 10).await;
        let texts: Vec<_> = seen.iter().map(|row| (row.actor_name.as_str(), row.text.as_deref())).collect();
        assert_eq!(texts, [("empty", Some("")), ("without", None)]);
        let digests = "SELECT actor_name FROM audit_entry WHERE text_digest IS NOT NULL";
        assert_eq!(db.ask(digests).await, ["empty"]);
    }

    async fn r14_a_change_that_is_given_up_leaves_no_entry_and_no_text(db) {
        let mut uow = db.store.begin().await.unwrap();
        uow.add_audit(&NewAudit { text: Some(("why", [1; 16])), ..entry("given up") }, at(1)).await.unwrap();
        drop(uow);
        assert!(pages(db, &AuditFilter::default(), 10).await.is_empty());
        assert!(db.content_of("audit_text").await.is_empty());
    }

    async fn every_kind_of_entry_can_be_written(db) {
        for (n, action) in AuditKind::ALL.iter().enumerate() {
            for outcome in AuditOutcome::ALL {
                let actor_kind = ActorKind::ALL[n % ActorKind::ALL.len()];
                let new = NewAudit { action: *action, outcome: *outcome, actor_kind, ..entry("anyone") };
                db.change(async |uow| uow.add_audit(&new, at(1)).await).await;
            }
        }
        let seen = pages(db, &AuditFilter::default(), 10).await;
        assert_eq!(seen.len(), AuditKind::ALL.len() * AuditOutcome::ALL.len());
    }

    async fn pages_visit_every_entry_exactly_once_when_all_have_one_time(db) {
        let mut ids = BTreeSet::new();
        db.change(async |uow| {
            for _ in 0..200 {
                let new = entry("same");
                ids.insert(new.id);
                uow.add_audit(&new, at(1)).await?;
            }
            Ok(())
        })
        .await;
        for limit in [1, 7, 199, 200, 201] {
            let seen: Vec<_> = pages(db, &AuditFilter::default(), limit).await.iter().map(|row| row.id).collect();
            assert!(seen.iter().rev().eq(ids.iter()), "pages of {limit}");
        }
    }

    async fn each_filter_alone_and_all_of_them_together_show_what_a_naive_filter_shows(db) {
        let teams = [db.team("finance").await, db.team("sales").await];
        let amara = db.person("amara@example.test").await;
        db.change(async |uow| uow.join_team(amara.id, teams[0].id).await).await;
        let items = [ItemId(Uuid::new_v4()), ItemId(Uuid::new_v4())];
        let mut dice = Dice(14);
        let mut all = Vec::new();
        for _ in 0..150 {
            let told = Told {
                at: at(0) + TimeDelta::microseconds(i64::try_from(dice.below(40)).unwrap()),
                id: AuditId(Uuid::new_v4()),
                actor: dice.pick::<&str>(&["Amara", "amara", HOSTILE]),
                action: *dice.pick(&[AuditKind::ItemReported, AuditKind::SignedIn]),
                outcome: *dice.pick(AuditOutcome::ALL),
                workflow: *dice.pick(&[None, Some("invoice-sync"), Some("crm-sync")]),
                item: *dice.pick(&[None, Some(items[0]), Some(items[1])]),
                team: *dice.pick(&[None, Some(teams[0].id), Some(teams[1].id)]),
                account: *dice.pick(&[None, Some(amara.id.0), Some(items[0].0)]),
            };
            let new = NewAudit {
                id: told.id,
                action: told.action,
                outcome: told.outcome,
                team: told.team,
                workflow_key: told.workflow,
                item: told.item,
                actor_id: told.account,
                ..entry(told.actor)
            };
            db.change(async |uow| uow.add_audit(&new, told.at).await).await;
            all.push(told);
        }
        all.sort_by_key(|told| std::cmp::Reverse((told.at, told.id)));
        for bits in 0..256_u32 {
            let on = |n: u32| bits & (1 << n) != 0;
            let filter = AuditFilter {
                actor: on(0).then(|| (*dice.pick(&["Amara", HOSTILE])).to_owned()),
                action: on(1).then_some(AuditKind::SignedIn),
                outcome: on(2).then(|| *dice.pick(AuditOutcome::ALL)),
                workflow: on(3).then(|| "crm-sync".to_owned()),
                item: on(4).then_some(items[1]),
                from: on(5).then(|| at(0) + TimeDelta::microseconds(i64::try_from(dice.below(40)).unwrap())),
                before: None,
                bound_to: on(6).then_some(amara.id.0),
                actor_id: on(7).then_some(amara.id.0),
            };
            let shown = |told: &&Told| {
                filter.actor.as_deref().is_none_or(|actor| told.actor == actor)
                    && filter.action.is_none_or(|action| told.action == action)
                    && filter.outcome.is_none_or(|outcome| told.outcome == outcome)
                    && filter.workflow.as_deref().is_none_or(|workflow| told.workflow == Some(workflow))
                    && filter.item.is_none_or(|item| told.item == Some(item))
                    && filter.from.is_none_or(|from| told.at >= from)
                    && filter.actor_id.is_none_or(|account| told.account == Some(account))
                    && (filter.bound_to.is_none() || told.team.is_none_or(|team| team == teams[0].id))
            };
            let expected: Vec<_> = all.iter().filter(shown).map(|told| told.id).collect();
            let seen: Vec<_> = pages(db, &filter, 9).await.iter().map(|row| row.id).collect();
            assert_eq!(seen, expected, "{filter:?}");
        }
    }

    async fn c32_an_entry_says_since_when_its_persons_account_is_gone_and_keeps_their_name(db) {
        let (gone, stays) = (db.person("amara@example.test").await, db.person("bo@example.test").await);
        let item = ItemId(Uuid::new_v4());
        for person in [&gone, &stays] {
            let by = NewAudit { actor_id: Some(person.id.0), item: Some(item), ..entry(&person.name) };
            db.change(async |uow| uow.add_audit(&by, at(1)).await).await;
        }
        db.change(async |uow| uow.delete_person(gone.id, at(5)).await).await;
        let history = db.look(async |uow| uow.item_history(item).await).await;
        for rows in [history, pages(db, &AuditFilter::default(), 10).await] {
            let mut told: Vec<_> = rows.into_iter().map(|row| (row.actor_name, row.actor_deleted_at)).collect();
            told.sort_unstable();
            assert_eq!(told, [(gone.name.clone(), Some(at(5))), (stays.name.clone(), None)]);
        }
    }

    async fn an_items_history_shows_its_last_200_entries(db) {
        let (item, other) = (ItemId(Uuid::new_v4()), ItemId(Uuid::new_v4()));
        db.change(async |uow| {
            for n in 0..205 {
                uow.add_audit(&NewAudit { item: Some(item), ..entry(&n.to_string()) }, at(n)).await?;
            }
            uow.add_audit(&NewAudit { item: Some(other), ..entry("other") }, at(300)).await
        })
        .await;
        let shown = db.look(async |uow| uow.item_history(item).await).await;
        let names: Vec<_> = shown.iter().map(|row| row.actor_name.clone()).collect();
        assert_eq!(names, (5..205).rev().map(|n: i32| n.to_string()).collect::<Vec<_>>());
    }
}
