//! Putting aside and talking: snooze, wake, comment, reopen, and cancelling a planned retry.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::{Value, json};

use super::{finding, not_sent, only, resolution, wrong};
use crate::{
    app::on_both,
    words::{report, time, with},
};

on_both! {
    async fn a_snoozed_item_is_woken_by_a_person_or_at_its_time_once(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let now = app.service.now();
        let until = |until: Value| json!({ "until": until, "reason": "Waits for the supplier" });
        for wrong_time in [time(now), time(now - TimeDelta::days(1)), time(now + TimeDelta::days(90) + TimeDelta::microseconds(1)), "soon".into(), String::new()] {
            wrong(&amara.act(&id, "snooze", until(json!(wrong_time))).await, "/until");
        }
        wrong(&amara.act(&id, "snooze", json!({ "until": time(now + TimeDelta::hours(1)), "reason": "" })).await, "/reason");
        amara.act(&id, "wake", json!({})).await.problem(409, "not_allowed_now");

        let (snoozed, entries) = app.audited(amara.act(&id, "snooze", until(json!(time(now + TimeDelta::hours(1)))))).await;
        assert_eq!(snoozed.is(200).json()["state"], "snoozed");
        only(entries, AuditKind::Snoozed, AuditOutcome::Done);
        amara.act(&id, "snooze", until(json!(time(now + TimeDelta::hours(2))))).await.problem(409, "not_allowed_now");
        assert_eq!(amara.act(&id, "wake", json!({})).await.is(200).json()["state"], "open");

        let version = app.version(&id).await;
        amara.act(&id, "snooze", until(json!(time(now + TimeDelta::hours(1))))).await.is(200);
        app.later(TimeDelta::hours(1) - TimeDelta::microseconds(1));
        assert_eq!(app.service.wake_due().await.unwrap(), 0);
        app.later(TimeDelta::microseconds(1));
        let (woken, entries) = app.audited(app.service.wake_due()).await;
        assert_eq!(woken.unwrap(), 1);
        assert_eq!(only(entries, AuditKind::Woken, AuditOutcome::Done).actor_name, "snooze keeper");
        let (woken, entries) = app.audited(app.service.wake_due()).await;
        assert_eq!((woken.unwrap(), entries.len()), (0, 0), "once");
        let item = sync.item(&id).await;
        assert_eq!((&item["state"], &item["version"]), (&json!("open"), &json!(version + 2)));
    }

    async fn two_keepers_wake_each_item_once(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for n in 0..5 {
            let id = sync.reported(&report(&format!("INV-{n}"))).await;
            amara.act(&id, "snooze", json!({ "until": time(app.service.now() + TimeDelta::hours(1)), "reason": "later" })).await.is(200);
        }
        app.later(TimeDelta::hours(1));
        let woken = crate::wire::race(4, |_| async { app.service.wake_due().await.unwrap() }).await;
        assert_eq!(woken.iter().sum::<usize>(), 5);
        assert_eq!(app.audit_count(AuditKind::Woken, AuditOutcome::Done).await, 5);
    }

    async fn a_snoozed_item_is_settled_resolved_and_closed_like_any_other(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let snooze = json!({ "until": time(app.service.now() + TimeDelta::hours(1)), "reason": "later" });
        let mut ids = Vec::new();
        for key in ["found", "resolved", "told"] {
            let id = sync.reported(&report(key)).await;
            amara.act(&id, "snooze", snooze.clone()).await.is(200);
            ids.push(id);
        }
        assert_eq!(amara.act(&ids[0], "reconcile", finding("applied")).await.is(200).json()["state"], "closed");
        assert_eq!(amara.act(&ids[1], "resolve", resolution("discarded", "none")).await.is(200).json()["state"], "closed");
        assert_eq!(sync.patch(&ids[2], &json!({ "succeeded": {} })).await.is(200).json()["state"], "closed");
        app.later(TimeDelta::hours(2));
        assert_eq!(app.service.wake_due().await.unwrap(), 0);
    }

    async fn anybody_who_sees_an_item_comments_on_it_even_when_it_is_closed(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let aud = app.script("Aud", Role::Auditor, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        for text in ["", " \n", "\u{2003}"] {
            wrong(&amara.act(&id, "comment", json!({ "text": text })).await, "/text");
        }
        wrong(&amara.act(&id, "comment", json!({ "text": "x".repeat(8_001) })).await, "/text");
        let hostile = "'; DROP TABLE item; -- <b>\u{0}</b> \u{202e}مرحبا 👩‍👩‍👧";
        let (said, entries) = app.audited(amara.act(&id, "comment", json!({ "text": hostile }))).await;
        assert_eq!(said.is(200).json()["version"], 1, "no decision rests on it");
        only(entries, AuditKind::Commented, AuditOutcome::Done);
        amara.act(&id, "comment", json!({ "text": "é".repeat(8_000) })).await.is(200);
        amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200);
        amara.act(&id, "comment", json!({ "text": "After all" })).await.is(200);
        let comments = app.packet(&id).await.comments;
        assert_eq!(comments.len(), 3);
        assert!(comments.iter().any(|comment| comment.text == hostile.replace('\0', "␀") && comment.person_name == "Amara"));
        let (refused, entries) = app.audited(aud.act(&id, "comment", json!({ "text": "seen" }))).await;
        refused.problem(403, "forbidden");
        only(entries, AuditKind::Commented, AuditOutcome::Refused);
        let browser = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let page = browser.get(&format!("/items/{id}")).await.is(200).text();
        assert!(page.contains("After all") && !page.contains("<b>␀"), "a comment is text");
    }

    async fn a_closed_item_is_reopened_with_a_reason_and_ages_anew(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "reopen", json!({ "reason": "x" })).await.problem(409, "not_allowed_now");
        amara.act(&id, "reconcile", finding("applied")).await.is(200);
        app.later(TimeDelta::hours(1));
        wrong(&amara.act(&id, "reopen", json!({})).await, "/reason");
        let (reopened, entries) = app.audited(amara.act(&id, "reopen", json!({ "reason": "The wrong invoice was found" }))).await;
        let item = reopened.is(200).json();
        assert_eq!((&item["state"], &item["resolution"], &item["closed_at"]), (&json!("open"), &Value::Null, &Value::Null));
        assert_eq!((&item["received_at"], &item["effect"]["status"]), (&json!(time(app.service.now())), &json!("confirmed")));
        only(entries, AuditKind::ReopenedByHand, AuditOutcome::Done);
        let told = sync.get("/api/v1/outcomes?workflow=invoice-sync").await.is(200).json();
        let events: Vec<_> = told["items"].as_array().unwrap_or_else(|| panic!("{told}")).iter().map(|event| event["event"].clone()).collect();
        assert_eq!(events, ["closed", "reopened"], "R9: the automation is told");
    }

    async fn a_cancelled_retry_is_told_to_the_automation_and_there_must_be_one(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&not_sent("INV-1")).await;
        amara.act(&id, "cancel_retry", json!({ "reason": "x" })).await.problem(409, "not_allowed_now");
        sync.attempt(&id, &json!({ "number": 2, "lease_s": 60 })).await.is(201);
        let problem = amara.act(&id, "cancel_retry", json!({ "reason": "x" })).await.problem(409, "in_progress");
        assert_eq!(problem["rule"], "R5");
        for action in ["reconcile", "resolve"] {
            let body = if action == "reconcile" { finding("applied") } else { resolution("discarded", "none") };
            amara.act(&id, action, body).await.problem(409, "in_progress");
        }
        // The lease has run out though nobody swept it: what a person asks for now is judged as if it had been.
        app.later(TimeDelta::seconds(60));
        let item = amara.act(&id, "reconcile", finding("not_applied")).await.is(200).json();
        assert_eq!((&item["effect"]["status"], &item["attempts"][1]["outcome"]), (&json!("none"), &json!("uncertain")));

        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(not_sent("INV-2"), plan)).await;
        amara.act(&id, "resolve", resolution("discarded", "none")).await.problem(409, "in_progress");
        amara.act(&id, "cancel_retry", json!({ "reason": "Paid by hand" })).await.is(200);
        let detail = sync.attempt(&id, &json!({})).await.problem(409, "in_progress")["detail"].clone();
        assert!(detail.as_str().unwrap().contains("Amara"), "{detail}");
        amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200);
        assert!(app.service.packet(&crate::app::command_line(), id.parse().unwrap()).await.unwrap().live.is_none());
    }
}
