//! What an automation adds to an item later: evidence, a new source version, "succeeded after all".

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use serde_json::json;

use crate::{
    app::on_both,
    wire::{Answer, race, statuses},
    words::{report, time, with},
};

on_both! {
    async fn evidence_is_added_to_what_is_there(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "evidence": [{ "label": "mail", "text": "Please pay" }] }))).await;
        let before = sync.item(&id).await;
        let (answer, entries) = app.audited(sync.patch(&id, &json!({ "evidence": [{ "label": "log", "text": "a\0b" }], "proposed_action": { "action": "reconcile", "confidence": 0.8 } }))).await;
        assert_eq!(answer.is(200).json()["version"], before["version"], "no decision rests on it");
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::ItemAmended, AuditOutcome::Done));
        let item = app.service.packet(&crate::app::command_line(), id.parse().unwrap()).await.unwrap().item;
        let labels: Vec<_> = item.evidence.0.iter().map(|piece| (piece.label.as_str(), piece.text.as_deref())).collect();
        assert_eq!(labels, [("mail", Some("Please pay")), ("log", Some("a␀b"))]);
        assert_eq!(item.proposed_action.0.unwrap().action, "reconcile");
    }

    async fn a_new_source_version_is_a_new_version_and_an_old_one_in_hand_is_a_conflict(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "source_version": "etag-1" }))).await;
        let first = sync.get(&format!("/api/v1/items/{id}")).await;
        assert_eq!(first.header("etag"), "\"1\"");
        let second = sync.patch(&id, &json!({ "source_version": "etag-2" })).await.is(200);
        assert_eq!((second.header("etag"), &second.json()["source_version"]), ("\"2\"", &json!("etag-2")));
        assert_eq!(sync.patch(&id, &json!({ "source_version": "etag-2" })).await.is(200).header("etag"), "\"2\"", "nothing changed");

        let change = |if_match: &'static str| {
            let body = json!({ "source_version": "etag-3" }).to_string();
            Answer::to(sync.request("PATCH", &format!("/api/v1/items/{id}")).header("if-match", if_match).body(body))
        };
        for old in ["1", "\"1\"", "W/\"1\"", "3", "0", "-1"] {
            let problem = change(old).await;
            problem.kept(409, "conflict");
            let detail = problem.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains("version 2") && detail.contains("source record changed"), "{old}: {detail}");
        }
        for nonsense in ["", "two", "\"2", "2\"", "2.0", "\"1\", \"2\"", "99999999999999999999"] {
            change(nonsense).await.kept(400, "malformed");
        }
        assert_eq!(sync.item(&id).await["source_version"], "etag-2");
        change("\"2\"").await.is(200);
        change("*").await.is(200);
        assert_eq!(sync.item(&id).await["source_version"], "etag-3");
    }

    async fn of_many_who_change_the_same_version_one_wins(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let answers = race(20, |n| {
            let body = json!({ "source_version": format!("etag-{n}") }).to_string();
            Answer::to(sync.request("PATCH", &format!("/api/v1/items/{id}")).header("if-match", "1").body(body))
        }).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 19)]);
        assert_eq!(sync.item(&id).await["version"], 2);
    }

    async fn succeeded_after_all_closes_the_item_with_its_record(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        app.later(TimeDelta::minutes(1));
        let word = json!({ "succeeded": { "attempt": 1, "record_id": "L-1042", "at": time(app.service.now()) } });
        let (answer, entries) = app.audited(sync.patch(&id, &word)).await;
        let item = answer.is(200).json();
        assert_eq!((&item["state"], &item["resolution"]), (&json!("closed"), &json!("succeeded_meanwhile")));
        assert_eq!(item["effect"], json!({ "status": "confirmed", "record_id": "L-1042" }));
        assert_eq!(item["closed_at"], time(app.service.now()));
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::SucceededMeanwhile));
        let again = sync.patch(&id, &word).await.is(200).json();
        assert_eq!(again["version"], item["version"], "the same word again changes nothing");
        sync.attempt(&id, &json!({})).await.problem(409, "not_allowed_now");
    }

    async fn r4_another_unsettled_attempt_keeps_the_item_open(app) {
        let sync = app.invoices().await;
        let tries = json!([{ "number": 1, "outcome": "uncertain", "sent": true }, { "number": 2, "outcome": "uncertain", "sent": true }]);
        let id = sync.reported(&with(report("INV-1"), json!({ "attempts": tries }))).await;
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 2, "record_id": "L-2" } })).await.is(200).json();
        assert_eq!((&item["state"], &item["effect"]["status"]), (&json!("open"), &json!("uncertain")));
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1, "record_id": "L-1" } })).await.is(200).json();
        assert_eq!(item["state"], "closed");
    }

    async fn r5_what_runs_keeps_the_item_open_and_its_own_success_ends_it(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        sync.attempt(&id, &json!({})).await.is(201);
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1 } })).await.is(200).json();
        assert_eq!(item["state"], "open", "another attempt is under way");
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 2, "record_id": "L-2" } })).await.is(200).json();
        assert_eq!(item["state"], "closed");

        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(report("INV-2"), plan)).await;
        assert_eq!(sync.patch(&id, &json!({ "succeeded": {} })).await.is(200).json()["state"], "closed");
        app.later(TimeDelta::hours(2));
        assert_eq!(app.keep_leases().await, 0, "the plan ended with it");
    }

    async fn what_can_not_be_read_is_kept_and_changes_nothing(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let before = sync.item(&id).await;
        sync.patch(&id, &json!({})).await.kept_for("");
        sync.patch(&id, &json!({ "state": "closed" })).await.kept_for("/state");
        sync.patch(&id, &json!({ "succeeded": { "attempt": 9 } })).await.kept_for("/succeeded/attempt");
        sync.patch(&id, &json!({ "evidence": [{ "label": "x", "url": "javascript:1" }] })).await.kept_for("/evidence/0/url");
        sync.patch(&id, &json!({ "proposed_action": { "action": "x", "confidence": 2 } })).await.kept_for("/proposed_action/confidence");
        let kept = sync.send("PATCH", &format!("/api/v1/items/{id}"), "{").await.kept(400, "malformed");
        let case = app.service.quarantine_case(&crate::app::command_line(), kept.parse().unwrap()).await.unwrap();
        assert_eq!((case.bytes.unwrap().as_slice(), case.report.door.as_str()), (&b"{"[..], "amend"));
        assert_eq!(sync.item(&id).await, before);
    }
}
