//! Who is working an item: claim, release, taking over, and what another's claim refuses.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::{Value, json};

use super::{finding, not_sent, only, resolution, wrong};
use crate::{
    app::on_both,
    wire::{race, statuses},
    words::{report, time, with},
};

on_both! {
    async fn a_claim_is_shown_with_its_lease_and_changes_no_version(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let (answer, entries) = app.audited(amara.ask(&id, "claim", json!({}), &[])).await;
        let answer = answer.is(200);
        let item = answer.json();
        assert_eq!(answer.header("etag"), "\"1\"");
        let now = app.service.now();
        assert_eq!(item["claim"], json!({ "by": "Amara", "since": time(now), "until": time(now + TimeDelta::minutes(30)) }));
        only(entries, AuditKind::Claimed, AuditOutcome::Done);

        app.later(TimeDelta::minutes(20));
        let item = amara.ask(&id, "claim", json!({}), &[]).await.is(200).json();
        assert_eq!((&item["claim"]["since"], &item["claim"]["until"]), (&json!(time(now)), &json!(time(now + TimeDelta::minutes(50)))));
        app.later(TimeDelta::minutes(30));
        assert_eq!(sync.item(&id).await["claim"], Value::Null, "at its end it is over");
    }

    async fn anothers_claim_refuses_what_changes_the_outcome_and_nothing_else(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(report("INV-1"), plan)).await;
        amara.act(&id, "claim", json!({})).await.is(200);
        let before = app.database.content_without(&["audit_entry", "audit_text", "token"]).await;
        for (action, body, kind) in [
            ("reconcile", finding("applied"), AuditKind::Reconciled),
            ("resolve", resolution("discarded", "none"), AuditKind::Resolved),
            ("cancel_retry", json!({ "reason": "mine" }), AuditKind::RetryCancelled),
            ("claim", json!({}), AuditKind::Claimed),
        ] {
            let (refused, entries) = app.audited(jonas.act(&id, action, body)).await;
            let detail = refused.problem(409, "not_allowed_now")["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains("Amara") && detail.contains("10:30"), "{action}: {detail}");
            let entry = only(entries, kind, AuditOutcome::Refused);
            assert_eq!((entry.code.as_deref(), entry.item_id.unwrap().to_string()), (Some("not_allowed_now"), id.clone()));
        }
        for action in ["release", "hand_over"] {
            let body = if action == "release" { json!({}) } else { json!({ "team": "finance-ops", "note": "yours" }) };
            jonas.act(&id, action, body).await.problem(409, "not_allowed_now");
        }
        assert_eq!(app.database.content_without(&["audit_entry", "audit_text", "token"]).await, before);
        jonas.act(&id, "comment", json!({ "text": "Can I help?" })).await.is(200);
        let item = jonas.item(&id).await;
        let refused: Vec<_> = item["actions"].as_array().unwrap().iter().filter(|action| action["allowed"] == false).map(|action| action["action"].as_str().unwrap()).collect();
        for action in ["reconcile", "resolve", "cancel_retry", "release", "hand_over"] {
            assert!(refused.contains(&action), "R15: it stays visible and says why: {refused:?}");
        }
    }

    async fn taking_over_needs_a_reason_and_is_recorded(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "claim", json!({})).await.is(200);
        for reason in ["", " \t\n ", "\u{a0}"] {
            wrong(&jonas.act(&id, "claim", json!({ "take_over_reason": reason })).await, "/take_over_reason");
        }
        wrong(&jonas.act(&id, "claim", json!({ "take_over_reason": "x".repeat(8_001) })).await, "/take_over_reason");
        let (taken, entries) = app.audited(jonas.act(&id, "claim", json!({ "take_over_reason": " She is on leave\u{0} " }))).await;
        assert_eq!(taken.is(200).json()["claim"]["by"], "Jonas");
        let entry = only(entries, AuditKind::Claimed, AuditOutcome::Done);
        assert_eq!(entry.text.as_deref(), Some("She is on leave␀"));
        assert!(entry.detail.contains_key("taken_over_from"));
        amara.act(&id, "reconcile", finding("applied")).await.problem(409, "not_allowed_now");
        jonas.act(&id, "reconcile", finding("cannot_tell")).await.is(200);
        amara.act(&id, "claim", json!({ "take_over_reason": "I am back" })).await.is(200);
    }

    async fn acting_claims_the_item_and_prolongs(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let claim = amara.act(&id, "reconcile", finding("cannot_tell")).await.is(200).json()["claim"].clone();
        assert_eq!(claim["by"], "Amara");
        app.later(TimeDelta::minutes(29));
        jonas.act(&id, "reconcile", finding("cannot_tell")).await.problem(409, "not_allowed_now");
        amara.act(&id, "reconcile", finding("cannot_tell")).await.is(200);
        app.later(TimeDelta::minutes(29));
        jonas.act(&id, "resolve", resolution("discarded", "none")).await.problem(409, "not_allowed_now");
        app.later(TimeDelta::minutes(1));
        jonas.act(&id, "resolve", resolution("discarded", "none")).await.is(200);

        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(not_sent("INV-2"), plan)).await;
        assert_eq!(amara.act(&id, "cancel_retry", json!({ "reason": "paid" })).await.is(200).json()["claim"]["by"], "Amara");
        for silent in [("comment", json!({ "text": "so?" })), ("snooze", json!({ "until": time(app.service.now() + TimeDelta::hours(1)), "reason": "later" }))] {
            let id = sync.reported(&report(silent.0)).await;
            assert_eq!(amara.act(&id, silent.0, silent.1).await.is(200).json()["claim"], Value::Null);
        }
    }

    async fn only_the_holder_releases(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "release", json!({})).await.problem(409, "not_allowed_now");
        amara.act(&id, "claim", json!({})).await.is(200);
        jonas.act(&id, "release", json!({})).await.problem(409, "not_allowed_now");
        let (released, entries) = app.audited(amara.act(&id, "release", json!({}))).await;
        assert_eq!(released.is(200).json()["claim"], Value::Null);
        only(entries, AuditKind::Released, AuditOutcome::Done);
        jonas.act(&id, "claim", json!({})).await.is(200);
        app.later(TimeDelta::minutes(30));
        jonas.act(&id, "release", json!({})).await.problem(409, "not_allowed_now");
    }

    async fn of_many_claims_of_two_people_at_once_one_person_has_it(app) {
        let sync = app.invoices().await;
        let people = [app.script("Amara", Role::Operator, "finance-ops").await, app.script("Jonas", Role::Operator, "finance-ops").await];
        let id = sync.reported(&report("INV-1")).await;
        let answers = race(40, |n| {
            let (script, id) = (&people[n % 2], &id);
            async move { script.ask(id, "claim", json!({}), &[]).await }
        })
        .await;
        assert_eq!(statuses(&answers), [(200, 20), (409, 20)]);
        let holder = sync.item(&id).await["claim"]["by"].clone();
        let winner = if holder == "Amara" { 0 } else { 1 };
        assert!(answers.iter().enumerate().all(|(n, answer)| (answer.status == 200) == (n % 2 == winner)));
        assert_eq!(app.database.rows("claim").await, 1);
    }

    async fn the_pages_forms_do_the_same(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        assert_eq!(amara.post(&format!("/items/{id}/claim"), &[("version", "1")]).await.location(), format!("/items/{id}"));
        let refused = jonas.post(&format!("/items/{id}/claim"), &[("version", "1"), ("take_over_reason", "  ")]).await.is(409);
        assert!(refused.text().contains("Amara is working this item"), "{}", refused.text());
        let fields = [("version", "1"), ("finding", "applied"), ("source", "the ledger"), ("evidence", "typed with care")];
        let refused = jonas.post(&format!("/items/{id}/reconcile"), &fields).await.is(409);
        assert!(refused.text().contains("typed with care"), "what was typed is still there");
        jonas.post(&format!("/items/{id}/claim"), &[("version", "1"), ("take_over_reason", "She left")]).await.location();
        jonas.post(&format!("/items/{id}/reconcile"), &fields).await.location();
        assert_eq!(sync.item(&id).await["state"], "closed");
        amara.post(&format!("/items/{id}/nothing"), &[]).await.is(404);
        app.browser().post(&format!("/items/{id}/claim"), &[]).await.is(401);
    }
}
