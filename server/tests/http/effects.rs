//! What a report means for the effect (R4), erring on the side of doubt.

use serde_json::{Value, json};

use crate::{
    app::{Token, on_both},
    words::{report, with},
};

/// The effect of a new item whose report has these fields.
async fn effect(token: &Token<'_>, name: &str, fields: Value) -> String {
    let told = token.report(&with(report(name), fields)).await.is(201).json();
    told["effect"].as_str().unwrap().to_owned()
}

on_both! {
    async fn r4_without_a_word_on_the_effect_only_what_was_surely_not_sent_is_none(app) {
        let sync = app.invoices().await;
        let failed = |sent: Value| json!({ "outcome": "failed", "sent": sent });
        let cases = [
            ("a step with a side effect", "create_invoice", json!([]), "uncertain"),
            ("a step registered without one", "extract", json!([]), "none"),
            ("a step nobody registered", "archive", json!([]), "uncertain"),
            ("never sent", "create_invoice", json!([failed(json!(false)), failed(json!(false))]), "none"),
            ("never sent, unregistered", "archive", json!([failed(json!(false))]), "none"),
            ("sent once of two", "create_invoice", json!([failed(json!(true)), failed(json!(false))]), "uncertain"),
            ("the automation does not say", "create_invoice", json!([failed(json!(null))]), "uncertain"),
            ("sent, without side effect", "extract", json!([failed(json!(true))]), "none"),
            ("an open outcome", "create_invoice", json!([{ "outcome": "uncertain", "sent": true }]), "uncertain"),
            ("only accepted", "create_invoice", json!([{ "outcome": "accepted", "sent": true }]), "uncertain"),
            ("a success among them", "create_invoice", json!([{ "outcome": "succeeded" }, failed(json!(false))]), "confirmed"),
            ("a success that was never sent", "create_invoice", json!([{ "outcome": "succeeded", "sent": false }]), "uncertain"),
        ];
        for (name, step, attempts, expected) in cases {
            assert_eq!(effect(&sync, name, json!({ "step": step, "attempts": attempts })).await, expected, "{name}");
        }
    }

    async fn r4_the_stated_effect_counts_unless_an_attempt_is_more_doubtful(app) {
        let sync = app.invoices().await;
        for status in ["none", "confirmed", "uncertain", "partial"] {
            let alone = effect(&sync, &format!("alone {status}"), json!({ "effect": { "status": status } })).await;
            assert_eq!(alone, status, "without attempts it makes one");
        }
        let cases = [
            ("none", json!({ "outcome": "failed", "sent": true }), "none"),
            ("none", json!({ "outcome": "uncertain", "sent": true }), "uncertain"),
            ("none", json!({ "outcome": "succeeded" }), "confirmed"),
            ("confirmed", json!({ "outcome": "failed", "sent": false }), "confirmed"),
            ("confirmed", json!({ "outcome": "uncertain" }), "uncertain"),
            ("uncertain", json!({ "outcome": "succeeded" }), "uncertain"),
            ("partial", json!({ "outcome": "uncertain", "sent": true }), "partial"),
            ("partial", json!({ "outcome": "succeeded" }), "partial"),
        ];
        for (number, (stated, attempt, expected)) in cases.into_iter().enumerate() {
            let fields = json!({ "effect": { "status": stated }, "attempts": [attempt] });
            assert_eq!(effect(&sync, &format!("case {number}"), fields.clone()).await, expected, "{fields}");
        }
    }

    async fn r4_the_statement_is_about_the_last_attempt_and_settles_none_before_it(app) {
        let sync = app.invoices().await;
        let tries = json!([{ "number": 1, "outcome": "uncertain", "sent": true }, { "number": 2, "outcome": "failed", "sent": true }]);
        let id = sync.reported(&with(report("INV-1"), json!({ "effect": { "status": "none" }, "attempts": tries }))).await;
        let item = sync.item(&id).await;
        assert_eq!(item["effect"]["status"], "uncertain");
        assert_eq!((&item["attempts"][0]["effect"], &item["attempts"][1]["effect"]), (&json!("uncertain"), &json!("none")));

        let calmer = with(report("INV-1"), json!({ "effect": { "status": "none" } }));
        assert_eq!(sync.report(&calmer).await.is(200).json()["effect"], "uncertain", "a later report settles no attempt but its own");
    }

    async fn for_review_the_automation_must_say_whether_it_happened(app) {
        let sync = app.invoices().await;
        let lane = json!({ "lane": "needs_review" });
        sync.report(&with(report("R-1"), lane.clone())).await.kept_for("/effect/status");
        sync.report(&with(with(report("R-1"), lane.clone()), json!({ "effect": { "system": "ledger" } }))).await.kept_for("/effect/status");
        let said = with(with(report("R-1"), lane), json!({ "effect": { "status": "none" } }));
        assert_eq!(sync.item(&sync.reported(&said).await).await["lane"], "needs_review");
    }

    async fn a_compensation_is_decided_here_and_never_reported(app) {
        let sync = app.invoices().await;
        sync.report(&with(report("INV-1"), json!({ "effect": { "status": "compensated" } }))).await.kept_for("/effect/status");
    }
}
