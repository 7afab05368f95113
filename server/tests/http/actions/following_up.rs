//! What is accepted as degraded leaves a follow-up (R9): an item of its own, for people, of which nothing is sent again.

use std::collections::BTreeSet;

use domain::{
    audit::{AuditKind, AuditOutcome},
    failure::FailureClass,
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::{Value, json};

use super::{attempt_ids, resolution, with_effect};
use crate::{
    app::on_both,
    approvals::{Office, reversal},
    wire::{race, statuses},
    words::{self, report, with},
};

/// What an action says that is refused because the item is a follow-up, and nothing else on its pages.
const WHY: &str = "so nothing is sent, corrected, looked up or reported for it";
/// The actions that are.
const NOT_FOR_IT: [&str; 5] = ["ask_again", "compensations", "correct", "lookup", "replay"];

/// What accepts an item of which something is left to do.
fn degraded(left: &str) -> Value {
    with(resolution("accepted_degraded", "confirmed"), json!({ "follow_up": left }))
}

/// The ids of what follows an item up.
fn follow_ups(item: &Value) -> Vec<String> {
    let rows = item["follow_ups"].as_array().unwrap_or_else(|| panic!("{item}"));
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// The actions of an item that are refused because it is a follow-up.
fn refused(item: &Value) -> BTreeSet<&str> {
    let rows = item["actions"].as_array().unwrap().iter();
    let why = |row: &&Value| row["allowed"] == false && row["reason"].as_str().unwrap().contains(WHY);
    rows.filter(why).map(|row| row["action"].as_str().unwrap()).collect()
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
            ("dedupe_key", json!(format!("acme:INV-1042:follow-up:{left}"))), ("revisions", json!([])), ("attempts", json!([])), ("version", json!(1)),
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

    async fn r4_whatever_happened_of_it_a_follow_up_is_never_sent_corrected_or_made_good(app) {
        let office = Office::new(app, "").await;
        let (sync, amara) = (&office.sync, &office.amara);
        for effect in ["none", "partial", "confirmed"] {
            let id = sync.reported(&with_effect(&format!("INV-{effect}"), "confirmed")).await;
            let item = amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200).json();
            let left = &follow_ups(&item)[0];
            let mut attempts = vec![uuid::Uuid::nil().to_string()];
            if effect != "none" {
                amara.act(left, "resolve", resolution("done_by_hand", effect)).await.is(200);
                let again = amara.act(left, "reopen", json!({ "reason": "Not all of it" })).await.is(200).json();
                attempts = attempt_ids(&again);
            }
            let before = amara.item(left).await;
            assert_eq!((&before["effect"]["status"], &before["state"]), (&json!(effect), &json!("open")));
            let correction = json!({ "parent": 1, "text": "x", "reason": "x" });
            for (action, body) in [
                ("replay", json!({ "revision": 1, "reason": "x" })),
                ("replay", json!({ "revision": 1, "reason": "x", "request_approval": true })),
                ("correct", correction.clone()),
                ("correct", with(correction, json!({ "completing": true }))),
                ("ask_again", json!({ "attempt": attempts[0], "reason": "x" })),
                ("lookup", json!({})),
                ("compensations", reversal()),
                ("compensations", with(reversal(), json!({ "attempt": attempts[0] }))),
            ] {
                let problem = amara.act(left, action, body).await.problem(409, "not_allowed_now");
                assert!(problem["detail"].as_str().unwrap().contains(WHY), "{action}, {effect}: {problem}");
            }
            assert_eq!(refused(&before), BTreeSet::from(NOT_FOR_IT), "{effect}");
            assert_eq!(amara.item(left).await, before, "{effect}");
            // The work itself can be made good all the same, once it is open again.
            let item = amara.act(&id, "reopen", json!({ "reason": "The amount is wrong" })).await.is(200).json();
            assert_eq!(refused(&item), BTreeSet::new());
            let made_good = item["actions"].as_array().unwrap().iter().find(|row| row["action"] == "compensations").unwrap();
            assert_eq!(made_good["allowed"], true, "{made_good}");
        }
        assert_eq!((app.database.rows("approval").await, app.send_due().await), (0, 0));
        assert!(office.ledger.invoices().is_empty() && office.ledger.reversals().is_empty(), "nothing left");
    }

    async fn r4_nothing_is_reported_for_a_follow_up_and_its_pages_say_why_nothing_is_sent(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&with_effect("INV-1", "confirmed")).await;
        let item = amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200).json();
        let left = &follow_ups(&item)[0];
        let before = amara.item(left).await;
        // Whatever its automation says of this key is not about the follow-up.
        sync.report(&report(before["dedupe_key"].as_str().unwrap())).await.kept(409, "not_allowed_now");
        sync.attempt(left, &json!({ "number": 1, "outcome": "failed", "sent": false })).await.kept(409, "not_allowed_now");
        sync.patch(left, &json!({ "source_version": "8" })).await.kept(409, "not_allowed_now");
        sync.attempt(left, &json!({ "number": 1 })).await.problem(409, "not_allowed_now");

        let browser = app.browser();
        browser.sign_in("amara@example.test").await.is(303);
        let page = browser.get(&format!("/items/{left}")).await.is(200).text();
        assert_eq!(page.matches(WHY).count(), NOT_FOR_IT.len(), "R15: each action says why: {page}");
        assert!(page.contains("A follow-up has no payload."), "{page}");
        let version = before["version"].to_string();
        let nothing = uuid::Uuid::nil().to_string();
        for (form, mut fields) in [
            ("replay", vec![("revision", "1"), ("reason", "x")]),
            ("compensations", vec![("plan", "reverse_invoice"), ("reason", "x")]),
            ("ask_again", vec![("attempt", nothing.as_str()), ("reason", "x")]),
            ("lookup", vec![]),
        ] {
            let path = format!("/items/{left}/{form}");
            assert!(browser.get(&path).await.is(200).text().contains(WHY), "{form} says why before it is asked for");
            fields.push(("version", version.as_str()));
            assert!(browser.post(&path, &fields).await.is(409).text().contains(WHY), "{form} says why");
        }
        let page = browser.get(&format!("/items/{left}/correct")).await.is(404).text();
        assert!(page.contains("No payload is kept here"), "{page}");
        let page = browser.get(&format!("/items/{left}/resolve")).await.is(200).text();
        assert!(page.contains("name=\"resolution\"") && !page.contains(WHY), "what is left to do can be done: {page}");
        assert_eq!(amara.item(left).await, before);
    }

    /// What an item is that nobody reported is for Recourse to say.
    async fn no_automation_reports_a_follow_up(app) {
        let sync = app.invoices().await;
        let of_class = |key: &str, class: &str| with(report(key), json!({ "failure": { "class": class, "message": "Tell the supplier" } }));
        let answer = sync.report(&of_class("INV-1", "follow_up")).await;
        answer.kept_for("/failure/class");
        let message = answer.json()["fields"][0]["message"].as_str().unwrap().to_owned();
        let listed = message.split_once("expected one of").expect("the remedy").1;
        assert!(listed.contains("`timeout`") && !listed.contains("follow_up"), "{message}");
        assert_eq!(app.database.rows("item").await, 0);
        let theirs = || FailureClass::ALL.iter().filter(|class| **class != FailureClass::FollowUp);
        for class in theirs() {
            sync.reported(&of_class(&format!("INV-{class}"), class.as_str())).await;
        }
        assert_eq!(app.database.rows("item").await, theirs().count());
    }

    async fn what_is_accepted_again_leaves_another_follow_up_under_a_key_of_its_own(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let long = "x".repeat(200);
        // An automation may come upon such names by itself: they are its own work, before and after.
        let taken = sync.reported(&with_effect("INV-1:follow-up-1", "none")).await;
        let mut all = Vec::new();
        for (key, kept) in [("INV-1", "INV-1"), (long.as_str(), &long[..153])] {
            let id = sync.reported(&with_effect(key, "confirmed")).await;
            amara.act(&id, "resolve", degraded("Tell the supplier")).await.is(200);
            app.later(chrono::TimeDelta::minutes(1));
            amara.act(&id, "reopen", json!({ "reason": "Looked at again" })).await.is(200);
            let item = amara.act(&id, "resolve", degraded("And the bank")).await.is(200).json();
            let ids = follow_ups(&item);
            let keys: Vec<_> = item["follow_ups"].as_array().unwrap().iter().map(|row| row["dedupe_key"].clone()).collect();
            let expected: Vec<_> = ids.iter().map(|left| format!("{kept}:follow-up:{left}")).collect();
            assert_eq!(keys, expected);
            assert_eq!(ids.len(), 2);
            let follow_up = amara.item(&ids[1]).await;
            assert_eq!((&follow_up["follow_up_of"], follow_up["failure"]["message"].as_str().unwrap().ends_with(": And the bank")), (&json!(id), true));
            all.extend(ids);
        }
        for key in ["INV-1:follow-up-2", "INV-1:follow-up:", "INV-1:follow-up:1"] {
            sync.reported(&with_effect(key, "none")).await;
        }
        let kept = amara.item(&taken).await;
        assert_eq!((&kept["version"], &kept["follow_up_of"]), (&json!(1), &Value::Null), "the automation's own work is left alone");
        // A follow-up may be accepted as degraded, too.
        let key = format!("INV-1:follow-up:{}", all[0]);
        let found = amara.get(&format!("/api/v1/items?dedupe_key={key}")).await.is(200).json();
        assert_eq!(found["items"][0]["id"], all[0]);
        let body = with(resolution("accepted_degraded", "none"), json!({ "follow_up": "Next month" }));
        let item = amara.act(&all[0], "resolve", body).await.is(200).json();
        assert_eq!(item["follow_ups"][0]["dedupe_key"], format!("{key}:follow-up:{}", follow_ups(&item)[0]));
    }

    async fn one_closing_leaves_one_follow_up_however_often_it_is_asked_for(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let (one, other) = (sync.reported(&with_effect("INV-1", "confirmed")).await, sync.reported(&with_effect("INV-2", "confirmed")).await);
        let (plain, keyed) = ([("if-match", "1")], [("if-match", "1"), ("idempotency-key", "close-1")]);
        let answers = race(12, |_| amara.ask(&one, "resolve", degraded("Tell the supplier"), &keyed)).await;
        assert_eq!(statuses(&answers), [(200, 12)], "they are one request");
        let answers = race(12, |_| amara.ask(&other, "resolve", degraded("Tell the supplier"), &plain)).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 11)]);
        for id in [&one, &other] {
            assert_eq!(follow_ups(&amara.item(id).await).len(), 1);
        }
        assert_eq!(app.database.rows("item").await, 4);
        assert_eq!(app.audit_count(AuditKind::FollowedUp, AuditOutcome::Done).await, 2);
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
        assert_eq!(follow_ups(&amara.item(&id).await), std::slice::from_ref(left));
        assert_eq!(follow_ups(&sam.item(&id).await), Vec::<String>::new());
        sam.get(&format!("/api/v1/items/{left}")).await.problem(404, "not_found");
    }
}
