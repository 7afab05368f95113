//! What is accepted as degraded leaves a follow-up (R9): an item of its own, for people, of which nothing is sent again.

use std::collections::BTreeSet;

use domain::{notice::NoticeKind, permission::Role, sensitivity::Clearance};
use serde_json::{Value, json};

use super::{resolution, with_effect};
use crate::{
    app::on_both,
    words::{self, report, with},
};

/// What accepts an item of which something is left to do.
fn degraded(left: &str) -> Value {
    with(resolution("accepted_degraded", "confirmed"), json!({ "follow_up": left }))
}

/// The ids of what follows an item up.
fn follow_ups(item: &Value) -> Vec<String> {
    let rows = item["follow_ups"].as_array().unwrap_or_else(|| panic!("{item}"));
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

on_both! {
    async fn r9_what_is_left_of_accepted_work_is_an_item_of_its_own(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        let jonas = app.add("Jonas", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        let known = json!({ "business_ref": "INV-1042", "correlation_id": "run-7", "sequence_key": "ACME", "workflow_version": "7" });
        let id = sync.reported(&with(with_effect("acme:INV-1042", "confirmed"), known)).await;
        selma.act(&id, "assign", json!({ "person": jonas, "note": "Yours" })).await.is(200);
        app.later(chrono::TimeDelta::seconds(1));
        let (answer, entries) = app.audited(amara.act(&id, "resolve", degraded("Tell the supplier"))).await;
        let item = answer.is(200).json();
        assert_eq!((&item["state"], &item["resolution"], &item["follow_up_of"]), (&json!("closed"), &json!("accepted_degraded"), &Value::Null));
        let kinds: BTreeSet<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!((kinds, entries.len()), (BTreeSet::from(["item.followed_up", "item.resolved"]), 2), "R14");

        let [left] = &follow_ups(&item)[..] else { panic!("one follow-up: {item}") };
        assert_eq!(item["follow_ups"][0]["state"], "open");
        let follow_up = amara.item(left).await;
        assert_eq!(follow_up["follow_up_of"], id);
        for same in ["workflow", "step", "business_ref", "correlation_id", "workflow_version", "sensitivity", "impact", "owner"] {
            assert_eq!(follow_up[same], item[same], "{same}");
        }
        for (field, value) in [
            ("lane", json!("needs_review")), ("state", json!("open")), ("effect", json!({ "status": "none", "record_id": null })),
            ("dedupe_key", json!("acme:INV-1042:follow-up-1")), ("revisions", json!([])), ("attempts", json!([])), ("version", json!(1)),
            ("failure", json!({ "class": "follow_up", "message": "Follow-up of INV-1042: Tell the supplier" })),
        ] {
            assert_eq!(follow_up[field], value, "{field}");
        }
        assert_eq!(app.packet(left).await.item.sequence_key.as_deref(), Some("ACME"));
        assert_eq!(app.packet(&id).await.decision.unwrap().follow_up.as_deref(), Some("Tell the supplier"));
        let told = app.told_of(&jonas, NoticeKind::Given).await;
        assert_eq!(told, ["Selma gave you INV-1042", "Amara gave you the follow-up of INV-1042"]);

        let browser = app.browser();
        browser.sign_in("amara@example.test").await.is(303);
        for (here, there) in [(&id, left), (left, &id)] {
            let page = browser.get(&format!("/items/{here}")).await.is(200).text();
            assert!(page.contains(&format!("href=\"/items/{there}\"")), "{here} names {there}");
        }
        assert!(browser.get("/queue?view=needs_review").await.is(200).text().contains(left.as_str()));
    }

    async fn r9_the_end_of_a_follow_up_is_told_to_no_automation_and_who_accepted_it_answers_for_it(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&with_effect("INV-1", "confirmed")).await;
        let item = amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200).json();
        let told = app.database.rows("outcome").await;
        assert_eq!(told, 1, "the automation is told of its own work");
        let left = &follow_ups(&item)[0];
        let follow_up = amara.item(left).await;
        assert_eq!(follow_up["owner"]["person"], "Amara");
        assert!(app.told_of("amara@example.test", NoticeKind::Given).await.is_empty(), "nobody is told of what they did themselves");
        amara.act(left, "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        amara.act(left, "reopen", json!({ "reason": "Not yet" })).await.is(200);
        amara.act(left, "resolve", resolution("accepted", "confirmed")).await.is(200);
        assert_eq!(app.database.rows("outcome").await, told);
        assert_eq!(amara.item(&id).await["follow_ups"][0]["state"], "closed");
        let browser = app.browser();
        browser.sign_in("amara@example.test").await.is(303);
        assert!(!browser.get(&format!("/items/{left}")).await.is(200).text().contains("has not taken note yet"));
    }

    async fn r4_nothing_is_sent_corrected_or_reported_for_a_follow_up(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&with_effect("INV-1", "confirmed")).await;
        let item = amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200).json();
        let left = &follow_ups(&item)[0];
        let before = amara.item(left).await;
        let nothing = uuid::Uuid::nil();
        for (action, body) in [
            ("replay", json!({ "revision": 1, "reason": "x" })),
            ("replay", json!({ "revision": 1, "reason": "x", "request_approval": true })),
            ("correct", json!({ "parent": 1, "text": "x", "reason": "x" })),
            ("ask_again", json!({ "attempt": nothing, "reason": "x" })),
            ("lookup", json!({})),
        ] {
            let problem = amara.act(left, action, body).await.problem(409, "not_allowed_now");
            assert!(problem["detail"].as_str().unwrap().contains("follows up work that was accepted"), "{problem}");
        }
        for action in before["actions"].as_array().unwrap() {
            let name = action["action"].as_str().unwrap();
            if ["replay", "correct", "ask_again", "lookup"].contains(&name) {
                assert!(action["reason"].as_str().unwrap().contains("follows up work that was accepted"), "{action}");
            }
        }
        // Whatever its automation says of this key is not about the follow-up.
        sync.report(&report("INV-1:follow-up-1")).await.kept(409, "not_allowed_now");
        sync.attempt(left, &json!({ "number": 1, "outcome": "failed", "sent": false })).await.kept(409, "not_allowed_now");
        sync.patch(left, &json!({ "source_version": "8" })).await.kept(409, "not_allowed_now");
        sync.attempt(left, &json!({ "number": 1 })).await.problem(409, "not_allowed_now");
        assert_eq!(amara.item(left).await, before);

        let browser = app.browser();
        browser.sign_in("amara@example.test").await.is(303);
        let page = browser.get(&format!("/items/{left}")).await.is(200).text();
        assert!(page.contains("follows up work that was accepted") && page.contains("A follow-up has no payload."), "R15: it says why");
        for form in ["replay", "correct", "resolve", "lookup"] {
            let status = browser.get(&format!("/items/{left}/{form}")).await.status;
            assert!([200, 404, 409].contains(&status), "{form}: {status}");
        }
    }

    async fn what_is_accepted_again_leaves_another_follow_up_under_a_key_of_its_own(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let long = "x".repeat(200);
        let taken = sync.reported(&with_effect("INV-1:follow-up-2", "none")).await;
        for (key, expected) in [
            ("INV-1", ["INV-1:follow-up-1".to_owned(), "INV-1:follow-up-3".to_owned()]),
            (long.as_str(), [format!("{}:follow-up-1", "x".repeat(188)), format!("{}:follow-up-2", "x".repeat(188))]),
        ] {
            let id = sync.reported(&with_effect(key, "confirmed")).await;
            amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200);
            app.later(chrono::TimeDelta::minutes(1));
            amara.act(&id, "reopen", json!({ "reason": "Looked at again" })).await.is(200);
            let item = amara.act(&id, "resolve", degraded("And the bank")).await.is(200).json();
            let keys: Vec<_> = item["follow_ups"].as_array().unwrap().iter().map(|row| row["dedupe_key"].clone()).collect();
            assert_eq!(keys, expected);
            let follow_up = amara.item(&follow_ups(&item)[1]).await;
            assert_eq!((&follow_up["follow_up_of"], follow_up["failure"]["message"].as_str().unwrap().ends_with(": And the bank")), (&json!(id), true));
        }
        let kept = amara.item(&taken).await;
        assert_eq!((&kept["version"], &kept["follow_up_of"]), (&json!(1), &Value::Null), "the automation's own work is left alone");
        // A follow-up may be accepted as degraded, too.
        let follow_up = amara.get("/api/v1/items?dedupe_key=INV-1:follow-up-1").await.is(200).json()["items"][0]["id"].as_str().unwrap().to_owned();
        let body = with(resolution("accepted_degraded", "none"), json!({ "follow_up": "Next month" }));
        let item = amara.act(&follow_up, "resolve", body).await.is(200).json();
        assert_eq!(item["follow_ups"][0]["dedupe_key"], "INV-1:follow-up-1:follow-up-1");
    }

    async fn r15_a_follow_up_is_named_to_those_who_may_see_it(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        let sam = app.script("Sam", Role::Operator, "support").await;
        let id = sync.reported(&with_effect("INV-1", "confirmed")).await;
        let item = amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200).json();
        let left = &follow_ups(&item)[0];
        amara.act(&id, "reopen", json!({ "reason": "The customer asks" })).await.is(200);
        selma.act(&id, "assign", json!({ "team": "support", "note": "Theirs" })).await.is(200);
        assert_eq!(follow_ups(&amara.item(&id).await), [left.clone()]);
        assert_eq!(follow_ups(&sam.item(&id).await), Vec::<String>::new());
        sam.get(&format!("/api/v1/items/{left}")).await.problem(404, "not_found");
    }
}
