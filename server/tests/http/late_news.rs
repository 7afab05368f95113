//! Word that comes after an item was closed (R10): kept on its own attempt, and raised where it contradicts.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use serde_json::{Value, json};

use crate::{
    app::{App, Token, on_both},
    words::{report, time, with},
};

/// An item whose first attempt succeeded after all with record L-1.
async fn closed(app: &App, sync: &Token<'_>, key: &str) -> String {
    let id = sync.reported(&report(key)).await;
    app.later(TimeDelta::minutes(10));
    let item = sync.patch(&id, &json!({ "succeeded": { "record_id": "L-1" } })).await.is(200).json();
    assert_eq!(item["state"], "closed", "a set-up that took no effect");
    app.later(TimeDelta::minutes(10));
    id
}

/// A second attempt that began before the item was closed.
fn earlier(app: &App, fields: Value) -> Value {
    let began = time(app.service.now() - TimeDelta::minutes(15));
    json!({ "report_id": format!("late {fields}"), "attempts": [with(json!({ "number": 2, "started_at": began }), fields)] })
}

on_both! {
    async fn r10_late_news_that_contradicts_reopens_the_item_and_names_both_attempts(app) {
        let sync = app.invoices().await;
        let contradictions = [
            json!({ "outcome": "succeeded", "record_id": "L-2" }), json!({ "outcome": "succeeded" }), json!({ "outcome": "uncertain", "sent": true }),
            json!({ "outcome": "accepted" }), json!({ "outcome": "failed", "sent": true }),
        ];
        for (number, news) in contradictions.into_iter().enumerate() {
            let key = format!("INV-{number}");
            let id = closed(app, &sync, &key).await;
            let (answer, entries) = app.audited(sync.report(&with(report(&key), earlier(app, news.clone())))).await;
            assert_eq!(answer.is(200).json()["state"], "open", "{news}");
            let item = sync.item(&id).await;
            let tries: Vec<_> = item["attempts"].as_array().unwrap().iter().map(|attempt| attempt["id"].clone()).collect();
            assert_eq!(tries.len(), 2);
            assert_eq!(item["possible_double_effect"]["attempts"], json!(tries), "{news}");
            assert_eq!((&item["attempts"][0]["late"], &item["attempts"][1]["late"]), (&json!(false), &json!(true)));
            assert_eq!(item["received_at"], time(app.service.now()), "ageing begins anew");
            assert_eq!(entries.len(), 1);
            assert_eq!((entries[0].action, entries[0].outcome), (AuditKind::LateNews, AuditOutcome::Done));
        }
    }

    async fn r10_late_news_that_fits_is_kept_without_reopening(app) {
        let sync = app.invoices().await;
        let fitting = [json!({ "outcome": "failed", "sent": false }), json!({ "outcome": "succeeded", "record_id": "L-1" })];
        for (number, news) in fitting.into_iter().enumerate() {
            let key = format!("INV-{number}");
            let id = closed(app, &sync, &key).await;
            assert_eq!(sync.report(&with(report(&key), earlier(app, news.clone()))).await.is(200).json()["state"], "closed", "{news}");
            let item = sync.item(&id).await;
            assert_eq!(item["possible_double_effect"], Value::Null);
            assert_eq!(item["attempts"][1]["late"], true, "{news}");
            assert_eq!(item["failure"]["message"], "The ledger did not answer in 10 s");
        }
    }

    async fn r10_a_cumulative_report_that_agrees_with_what_was_found_raises_nothing(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", domain::permission::Role::Operator, "finance-ops").await;
        let began = time(app.service.now());
        let told = |number: i64, outcome: &str| json!({ "number": number, "started_at": began, "outcome": outcome, "sent": true });
        let id = sync.reported(&with(report("INV-1"), json!({ "attempts": [told(1, "uncertain")] }))).await;
        amara.act(&id, "reconcile", crate::actions::finding("applied")).await.is(200);
        app.later(TimeDelta::minutes(1));
        let agrees = json!({ "report_id": "r-2", "attempts": [told(1, "succeeded")] });
        assert_eq!(sync.report(&with(report("INV-1"), agrees)).await.is(200).json()["state"], "closed");
        assert_eq!(sync.item(&id).await["possible_double_effect"], Value::Null);
        // Said to have failed, what was found stands.
        let id = sync.reported(&with(report("INV-2"), json!({ "attempts": [told(1, "uncertain")], "effect": { "status": "partial" } }))).await;
        let failed = json!({ "report_id": "r-3", "effect": { "status": "none" }, "attempts": [told(1, "failed"), { "number": 2, "outcome": "failed", "sent": false }] });
        sync.report(&with(report("INV-2"), failed)).await.is(200);
        assert_eq!(sync.item(&id).await["effect"]["status"], "partial", "what happened in part is not undone by a word about another attempt");
    }

    async fn r10_every_attempt_that_is_told_late_is_judged_not_only_the_last(app) {
        let sync = app.invoices().await;
        let id = closed(app, &sync, "INV-1").await;
        let began = time(app.service.now() - TimeDelta::minutes(15));
        let told = json!({ "report_id": "late", "attempts": [
            { "number": 2, "started_at": began, "outcome": "succeeded", "record_id": "L-2" },
            { "number": 3, "started_at": began, "outcome": "failed", "sent": false },
        ] });
        sync.report(&with(report("INV-1"), told.clone())).await.is(200);
        let item = sync.item(&id).await;
        assert_eq!((&item["state"], item["possible_double_effect"].is_object()), (&json!("open"), true), "{item}");
    }

    async fn a_report_of_known_attempts_alone_opens_nothing(app) {
        let sync = app.invoices().await;
        let began = time(app.service.now());
        let tried = json!({ "attempts": [{ "number": 1, "started_at": began, "outcome": "uncertain", "sent": true }] });
        let id = sync.reported(&with(report("INV-1"), tried.clone())).await;
        app.later(TimeDelta::minutes(10));
        sync.patch(&id, &json!({ "succeeded": { "record_id": "L-1" } })).await.is(200);
        app.later(TimeDelta::minutes(10));
        let again = with(with(report("INV-1"), tried), json!({ "report_id": "again" }));
        assert_eq!(sync.report(&again).await.is(200).json()["state"], "closed");
        assert_eq!(sync.item(&id).await["attempts"].as_array().unwrap().len(), 1);
    }

    async fn a_known_attempt_that_ended_otherwise_is_news_and_no_second_effect(app) {
        let sync = app.invoices().await;
        let began = time(app.service.now());
        let tried = |outcome: &str, sent: bool| json!({ "report_id": format!("{outcome} {sent}"), "attempts": [{ "number": 1, "started_at": began, "outcome": outcome, "sent": sent }] });
        let id = sync.reported(&with(report("INV-1"), tried("failed", false))).await;
        assert_eq!(sync.item(&id).await["effect"]["status"], "none");
        sync.report(&with(report("INV-1"), tried("succeeded", true))).await.is(200);
        let item = sync.item(&id).await;
        assert_eq!((&item["effect"]["status"], &item["possible_double_effect"]), (&json!("confirmed"), &Value::Null), "{item}");
    }

    async fn c43_an_attempt_that_began_after_closing_reopens_the_item(app) {
        let sync = app.invoices().await;
        let id = closed(app, &sync, "INV-1").await;
        let began = time(app.service.now() - TimeDelta::minutes(5));
        let again = with(report("INV-1"), json!({
            "report_id": "again", "failure": { "class": "conflict", "message": "It exists already" }, "effect": { "status": "none" },
            "attempts": [{ "number": 2, "started_at": began, "outcome": "failed", "sent": true }],
        }));
        let (answer, entries) = app.audited(sync.report(&again)).await;
        assert_eq!(answer.is(200).json()["state"], "open");
        let item = sync.item(&id).await;
        assert_eq!(item["possible_double_effect"], Value::Null);
        assert_eq!(item["failure"]["message"], "It exists already", "the new failure is the item's");
        assert_eq!(item["effect"]["status"], "confirmed", "what the first attempt did still stands");
        assert_eq!(item["received_at"], time(app.service.now()));
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::ItemReopened));
        assert_eq!(item["resolution"], Value::Null);
    }

    async fn c43_a_report_without_times_began_when_it_came(app) {
        let sync = app.invoices().await;
        let id = closed(app, &sync, "INV-1").await;
        let again = with(report("INV-1"), json!({ "report_id": "again" }));
        assert_eq!(sync.report(&again).await.is(200).json()["state"], "open");
        assert_eq!(sync.item(&id).await["effect"]["status"], "uncertain");
    }

    async fn r10_an_attempt_told_by_itself_is_judged_the_same_way(app) {
        let sync = app.invoices().await;
        let id = closed(app, &sync, "INV-1").await;
        let told = sync.attempt(&id, &json!({ "number": 2, "outcome": "succeeded", "record_id": "L-2" })).await.is(201).json();
        assert_eq!(told["state"], "open");
        let item = sync.item(&id).await;
        assert_eq!(item["possible_double_effect"]["attempts"].as_array().unwrap().len(), 2);

        let id = closed(app, &sync, "INV-2").await;
        sync.attempt(&id, &json!({ "number": 2, "outcome": "failed", "sent": false })).await.is(201);
        assert_eq!(sync.item(&id).await["state"], "closed");
    }

    async fn r10_a_second_success_told_after_closing_is_a_possible_double(app) {
        let sync = app.invoices().await;
        let tries = json!([{ "number": 1, "outcome": "failed", "sent": false }, { "number": 2, "outcome": "uncertain", "sent": true }]);
        let id = sync.reported(&with(report("INV-1"), json!({ "attempts": tries }))).await;
        app.later(TimeDelta::minutes(1));
        assert_eq!(sync.patch(&id, &json!({ "succeeded": { "attempt": 2, "record_id": "L-2" } })).await.is(200).json()["state"], "closed");
        app.later(TimeDelta::minutes(1));
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1, "record_id": "L-1" } })).await.is(200).json();
        assert_eq!(item["state"], "open");
        assert_eq!(item["possible_double_effect"]["attempts"].as_array().unwrap().len(), 2);
    }

    async fn r10_a_late_payload_is_kept_as_a_revision_and_the_original_stays(app) {
        let sync = app.invoices().await;
        let id = closed(app, &sync, "INV-1").await;
        let news = with(with(report("INV-1"), earlier(app, json!({ "outcome": "failed", "sent": false }))), json!({ "payload": { "json": { "amount": 41 } } }));
        sync.report(&news).await.is(200);
        let item = sync.item(&id).await;
        assert_eq!((&item["state"], item["revisions"].as_array().unwrap().len()), (&json!("closed"), 2));
        assert_eq!(sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.text(), r#"{"amount":40}"#);
    }
}
