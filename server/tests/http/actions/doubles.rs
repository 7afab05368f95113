//! A possible double effect (R10): it blocks the item until a finding says that one of the two did not happen.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::{Value, json};

use super::{attempt_ids, finding, resolution, wrong};
use crate::{
    app::{App, Token, on_both},
    words::{report, time, with},
};

/// An item that was closed with L-1 and then heard of L-2.
async fn doubled(app: &App, sync: &Token<'_>, key: &str) -> String {
    let id = sync.reported(&report(key)).await;
    app.later(TimeDelta::minutes(10));
    sync.patch(&id, &json!({ "succeeded": { "record_id": "L-1" } })).await.is(200);
    let began = time(app.service.now() - TimeDelta::minutes(5));
    app.later(TimeDelta::minutes(1));
    let late = json!({ "report_id": format!("late {key}"), "attempts": [{ "number": 2, "started_at": began, "outcome": "succeeded", "record_id": "L-2" }] });
    sync.report(&with(report(key), late)).await.is(200);
    assert_ne!(sync.item(&id).await["possible_double_effect"], Value::Null, "a set-up that took no effect");
    id
}

on_both! {
    async fn r10_a_possible_double_effect_ends_by_the_finding_that_one_did_not_happen(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for (key, which, stays) in [("the late one", 1, "L-1"), ("the first", 0, "L-2")] {
            let id = doubled(app, &sync, key).await;
            let ids = attempt_ids(&sync.item(&id).await);
            let refused = amara.act(&id, "resolve", with(resolution("accepted_degraded", "confirmed"), json!({ "follow_up": "x" }))).await;
            assert_eq!(refused.problem(409, "not_allowed_now")["rule"], "R10");
            wrong(&amara.act(&id, "reconcile", finding("not_applied")).await, "/attempt");
            let about = |word: &str| with(finding(word), json!({ "attempt": ids[which] }));
            for word in ["applied", "cannot_tell"] {
                let item = amara.act(&id, "reconcile", about(word)).await.is(200).json();
                assert_ne!(item["possible_double_effect"], Value::Null, "{word} settles nothing");
                assert_eq!(item["state"], "open");
            }
            let item = amara.act(&id, "reconcile", about("not_applied")).await.is(200).json();
            assert_eq!(item["possible_double_effect"], Value::Null);
            assert_eq!(item["effect"], json!({ "status": "confirmed", "record_id": stays }));
            amara.act(&id, "reconcile", with(finding("applied"), json!({ "attempt": ids[which] }))).await.problem(409, "not_allowed_now");
            let closed = amara.act(&id, "resolve", with(resolution("accepted_degraded", "confirmed"), json!({ "follow_up": "Tell the supplier" }))).await;
            assert_eq!(closed.is(200).json()["state"], "closed");
        }
    }

    async fn r10_a_second_double_effect_keeps_the_item_blocked(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = doubled(app, &sync, "INV-1").await;
        let ids = attempt_ids(&sync.item(&id).await);
        let not_applied = |attempt: &str| with(finding("not_applied"), json!({ "attempt": attempt }));
        amara.act(&id, "reconcile", not_applied(&ids[1])).await.is(200);
        let degraded = with(resolution("accepted_degraded", "confirmed"), json!({ "follow_up": "x" }));
        amara.act(&id, "resolve", degraded.clone()).await.is(200);
        app.later(TimeDelta::minutes(1));
        // What was said already says nothing new; with another record it contradicts what was found.
        assert_eq!(sync.patch(&id, &json!({ "succeeded": { "attempt": 2, "record_id": "L-2" } })).await.is(200).json()["state"], "closed");
        sync.patch(&id, &json!({ "succeeded": { "attempt": 2, "record_id": "L-3" } })).await.is(200);
        let item = sync.item(&id).await;
        assert_eq!((&item["state"], item["possible_double_effect"]["attempts"].as_array().unwrap().len()), (&json!("open"), 2));
        amara.act(&id, "resolve", degraded.clone()).await.problem(409, "not_allowed_now");
        amara.act(&id, "reconcile", not_applied(&ids[0])).await.is(200);
        assert_eq!(sync.item(&id).await["effect"]["record_id"], "L-3");
        amara.act(&id, "resolve", degraded).await.is(200);
    }

    async fn r10_what_was_done_by_hand_and_then_succeeded_too_is_a_double(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "resolve", with(resolution("done_by_hand", "confirmed"), json!({ "record_id": "L-9" }))).await.is(200);
        app.later(TimeDelta::minutes(1));
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1 } })).await.is(200).json();
        assert_eq!(item["state"], "open");
        assert_ne!(item["possible_double_effect"], Value::Null);

        let id = sync.reported(&report("INV-2")).await;
        amara.act(&id, "reconcile", finding("not_applied")).await.is(200);
        amara.act(&id, "resolve", with(resolution("done_by_hand", "confirmed"), json!({ "record_id": "L-9" }))).await.is(200);
        app.later(TimeDelta::minutes(1));
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1, "record_id": "L-1" } })).await.is(200).json();
        assert_eq!(item["possible_double_effect"]["attempts"].as_array().unwrap().len(), 2, "both are named");
        assert_eq!(item["state"], "open");
    }

    async fn r10_what_was_discarded_and_then_succeeded_is_raised(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200);
        app.later(TimeDelta::minutes(1));
        let item = sync.patch(&id, &json!({ "succeeded": { "attempt": 1, "record_id": "L-1" } })).await.is(200).json();
        assert_eq!((&item["state"], &item["effect"]["status"]), (&json!("open"), &json!("confirmed")));
        assert_ne!(item["possible_double_effect"], Value::Null);
    }
}
