//! Completing corrections (R4): what happened in part is done to the end by a correction that does the rest, approved by a
//! second person. What was done is not done again.

use serde_json::json;

use super::{Office, RIGHT, WRONG, reversal};
use crate::{
    actions::{finding, with_effect},
    app::on_both,
    words::with,
};

/// The invoice's second half; the ledger holds the first.
const REST: &str = r#"{"invoice_number":"INV-1042-B","amount": 150.00,"currency":"NOK","cost_centre":"4100"}"#;

impl Office<'_> {
    /// Work that happened in part.
    async fn in_part(&self, key: &str) -> String {
        let payload = json!({ "payload": { "media_type": "application/json", "text": WRONG } });
        self.sync.reported(&with(with_effect(key, "partial"), payload)).await
    }

    async fn correct(&self, item: &str, text: &str, completing: bool) -> crate::wire::Answer {
        let correction =
            json!({ "parent": 1, "text": text, "reason": "Only line 2 is missing", "completing": completing });
        self.amara.act(item, "correct", correction).await
    }
}

on_both! {
    async fn r4_what_happened_in_part_is_completed_once_after_a_second_person_agreed(app) {
        let office = Office::new(app, "").await;
        let item = office.in_part("INV-1042").await;
        let replay = |revision: i64| json!({ "revision": revision, "reason": "The rest" });
        office.amara.act(&item, "replay", replay(1)).await.problem(409, "not_allowed_now");
        office.correct(&item, RIGHT, false).await.is(200);
        office.correct(&item, REST, true).await.is(200);
        let seen = office.sync.item(&item).await;
        let marks: Vec<_> = seen["revisions"].as_array().unwrap().iter().map(|revision| revision["completing"].clone()).collect();
        assert_eq!(marks, [json!(false), json!(false), json!(true)]);

        // Neither the whole, nor the rest without another person.
        for whole in [1, 2] {
            let problem = office.amara.act(&item, "replay", replay(whole)).await.problem(409, "not_allowed_now");
            assert_eq!(problem["rule"], "R4", "{problem}");
            office.amara.act(&item, "replay", with(replay(whole), json!({ "request_approval": true }))).await.problem(409, "not_allowed_now");
        }
        office.amara.act(&item, "replay", replay(3)).await.problem(409, "needs_approval");
        let approval = office.asked(&item, 3).await;
        app.send_due().await;
        assert!(office.ledger.invoices().is_empty(), "nothing is sent before");
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        app.send_due().await;
        let invoices = office.ledger.invoices();
        assert_eq!(invoices.len(), 1, "the rest, once");
        assert_eq!(invoices[0].body(), REST.as_bytes());
        assert_eq!(office.standing(&item).await, ("closed".into(), "confirmed".into(), Some("replayed".into())));
        let seen = office.sync.item(&item).await;
        assert_eq!(seen["possible_double_effect"], serde_json::Value::Null, "a part and its rest are one effect");
        let told: Vec<_> = seen["approvals"].as_array().unwrap().iter().map(|a| (a["kind"].clone(), a["state"].clone(), a["revision"].clone())).collect();
        assert_eq!(told, [(json!("replay"), json!("approved"), json!(3))]);
    }

    async fn r4_a_correction_completes_only_what_happened_in_part(app) {
        let office = Office::new(app, "").await;
        let item = office.unsent("INV-1042", WRONG).await;
        let problem = office.correct(&item, REST, true).await.problem(422, "invalid");
        assert_eq!(problem["fields"][0]["pointer"], "/completing", "{problem}");
        assert_eq!(app.revisions(&item).await, 1);
        // What was found out meanwhile: nothing happened, so the rest alone would be too little.
        let item = office.in_part("INV-2").await;
        office.correct(&item, REST, true).await.is(200);
        let approval = office.asked(&item, 2).await;
        office.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        office.selma.decide(&item, &approval, "approve").await.is(409);
        let problem = office.amara.act(&item, "replay", json!({ "revision": 2, "reason": "r", "request_approval": true })).await.problem(422, "invalid");
        assert_eq!(problem["fields"][0]["pointer"], "/revision", "{problem}");
        app.send_due().await;
        assert!(office.ledger.invoices().is_empty());
    }

    /// What the rest did is not done again either: of what is missing by then another correction is made.
    async fn r4_a_completing_correction_that_had_an_effect_of_its_own_is_not_sent_again(app) {
        let office = Office::new(app, "").await;
        let forgetful = super::file(&office.ledger.url, "", super::REVERSAL).replace("repeat = \"key\"\nkey_memory = \"24h\"", "repeat = \"nothing\"");
        app.register(&forgetful).await;
        let item = office.in_part("INV-1042").await;
        office.correct(&item, REST, true).await.is(200);
        let approval = office.asked(&item, 2).await;
        office.ledger.faults().next(1, rehearsal::systems::Fault::CommitThenTimeout);
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        let attempts = office.sync.item(&item).await["attempts"].clone();
        assert_eq!(attempts[1]["effect"], "uncertain", "a set-up that took no effect");
        let in_part = with(finding("partial"), json!({ "attempt": attempts[1]["id"] }));
        office.amara.act(&item, "reconcile", in_part).await.is(200);
        let again = json!({ "revision": 2, "reason": "r", "request_approval": true });
        let problem = office.amara.act(&item, "replay", again).await.problem(422, "invalid");
        assert_eq!(problem["fields"][0]["pointer"], "/revision", "{problem}");
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 1, "the ledger holds what was sent once");
    }

    /// What the part has left in the other system says nothing of the rest.
    async fn r4_looking_up_the_rest_is_not_answered_by_the_part(app) {
        let office = Office::new(app, "").await;
        let lookup = "[step.lookup]\nurl = \"{ledger}/api/invoices?reference={payload:/invoice_number}\"\nallow_private = true\nfound = { pointer = \"/items/0/id\" }\nabsent = { pointer = \"/count\", equals = 0 }\n";
        app.register(&super::file(&office.ledger.url, "", lookup).replace("repeat = \"key\"\nkey_memory = \"24h\"", "repeat = \"nothing\"")).await;
        let posted = crate::app::client().post(format!("{}/api/invoices", office.ledger.url)).header("idempotency-key", "its-own").body(WRONG);
        assert_eq!(posted.send().await.unwrap().status(), 201);
        let item = office.in_part("INV-1042").await;
        office.correct(&item, &REST.replace("INV-1042-B", "INV-1042"), true).await.is(200);
        let approval = office.asked(&item, 2).await;
        office.ledger.faults().next(1, rehearsal::systems::Fault::CommitThenTimeout);
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.standing(&item).await.1, "uncertain", "a set-up that took no effect");
        app.later(chrono::TimeDelta::minutes(10));
        office.amara.act(&item, "lookup", json!({})).await.is(200);
        assert_eq!(office.standing(&item).await, ("open".into(), "uncertain".into(), None));
    }

    /// Approved, and then it turns out that the whole happened: nothing is sent.
    async fn r12_what_is_found_out_between_the_approval_and_the_sending_stops_it(app) {
        let office = Office::new(app, "").await;
        let began = crate::words::time(app.service.now());
        // Told as an attempt of its own, or as word of the one that is known.
        for (key, started_at) in [("INV-1", serde_json::Value::Null), ("INV-2", json!(began))] {
            let tried = |told: serde_json::Value| json!({ "report_id": format!("{key} {told}"), "attempts": [with(json!({ "number": 1, "started_at": started_at }), told)] });
            let payload = json!({ "payload": { "media_type": "application/json", "text": WRONG } });
            let part = with(with_effect(key, "partial"), tried(json!({ "outcome": "uncertain" })));
            let item = office.sync.reported(&with(part, payload)).await;
            office.correct(&item, REST, true).await.is(200);
            let approval = office.asked(&item, 2).await;
            office.selma.decide(&item, &approval, "approve").await.is(200);
            let told = tried(json!({ "outcome": "succeeded", "record_id": "LED-9" }));
            office.sync.report(&with(with_effect(key, "confirmed"), told)).await.is(200);
            app.send_due().await;
            assert!(office.ledger.invoices().is_empty(), "{key}: nothing is left to complete");
            assert_eq!(office.standing(&item).await.1, "confirmed", "{key}");
        }
    }

    /// Rehearsal 22: what was said not to have happened had, and was sent again; one of the two is made good.
    async fn rehearsal_22_one_of_two_effects_is_reversed_and_the_other_stands(app) {
        let office = Office::new(app, "").await;
        // The automation has posted it and does not know.
        let posted = crate::app::client()
            .post(format!("{}/api/invoices", office.ledger.url))
            .header("idempotency-key", "its-own")
            .body(WRONG)
            .send()
            .await
            .unwrap();
        assert_eq!(posted.status(), 201);
        let first = office.ledger.invoices()[0].id.clone();
        let began = crate::words::time(app.service.now());
        let tried = |outcome: serde_json::Value| with(json!({ "number": 1, "started_at": began }), outcome);
        let payload = json!({ "payload": { "media_type": "application/json", "text": WRONG } });
        let told = with(crate::words::report("INV-1042"), payload);
        let doubt = json!({ "attempts": [tried(json!({ "outcome": "uncertain", "sent": true }))] });
        let item = office.sync.reported(&with(told.clone(), doubt)).await;
        app.later(chrono::TimeDelta::minutes(5));
        office.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        office.corrected(&item).await;
        office.amara.act(&item, "replay", json!({ "revision": 2, "reason": "It did not happen" })).await.is(202);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 2, "a set-up that took no effect");
        app.later(chrono::TimeDelta::minutes(5));
        let late = json!({ "report_id": "late", "attempts": [tried(json!({ "outcome": "succeeded", "record_id": first.as_str() }))] });
        office.sync.report(&with(told, late)).await.is(200);

        let seen = office.amara.item(&item).await;
        let attempts = seen["attempts"].as_array().unwrap().clone();
        assert!(seen["possible_double_effect"].is_object() && seen["state"] == "open", "{seen}");
        let action = |name: &str| seen["actions"].as_array().unwrap().iter().find(|action| action["action"] == name).unwrap()["allowed"].clone();
        assert_eq!((action("compensations"), action("replay"), action("resolve")), (json!(true), json!(false), json!(false)));

        // The wrong one, by its attempt: the other is not touched.
        let wrong = with(reversal(), json!({ "attempt": attempts[0]["id"] }));
        let taken = office.amara.act(&item, "compensations", wrong).await.is(202).json();
        let approval = taken["approval"].as_str().unwrap();
        office.selma.decide(&item, approval, "approve").await.is(200);
        app.send_due().await;
        let reversals = office.ledger.reversals();
        assert_eq!(reversals.len(), 1);
        assert!(String::from_utf8_lossy(reversals[0].body()).contains(&first), "the wrong invoice is reversed");
        let standing: Vec<_> = office.ledger.invoices().iter().map(|invoice| (invoice.body() == RIGHT.as_bytes(), invoice.status.clone())).collect();
        assert_eq!(standing, [(false, "reversed".to_owned()), (true, "posted".to_owned())]);
        let seen = office.sync.item(&item).await;
        assert_eq!(seen["possible_double_effect"], serde_json::Value::Null, "{seen}");
        assert_eq!(seen["effect"]["status"], "confirmed", "the right one stands");
        let times: Vec<_> = app.packet(&item).await.history.iter().map(|row| row.at).collect();
        assert!(times.is_sorted_by(|newer, older| newer >= older), "the history is in true order");
    }

    /// The record of what happened in part is told as the item's: once the rest has one of its own, it is still the part's.
    async fn the_part_is_reversed_and_the_rest_stands(app) {
        let office = Office::new(app, "").await;
        let posted = crate::app::client().post(format!("{}/api/invoices", office.ledger.url)).header("idempotency-key", "its-own").body(WRONG);
        assert_eq!(posted.send().await.unwrap().status(), 201);
        let part = office.ledger.invoices()[0].id.clone();
        let told = json!({
            "effect": { "status": "partial", "record_id": part },
            "attempts": [{ "number": 1, "outcome": "uncertain" }],
            "payload": { "media_type": "application/json", "text": WRONG },
        });
        let item = office.sync.reported(&with(crate::words::report("INV-1042"), told)).await;
        office.correct(&item, REST, true).await.is(200);
        let approval = office.asked(&item, 2).await;
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 2, "part and rest");

        office.amara.act(&item, "reopen", json!({ "reason": "The part was wrong" })).await.is(200);
        let attempt = office.amara.item(&item).await["attempts"][0]["id"].clone();
        let taken = office.amara.act(&item, "compensations", with(reversal(), json!({ "attempt": attempt }))).await.is(202).json();
        office.selma.decide(&item, taken["approval"].as_str().unwrap(), "approve").await.is(200);
        app.send_due().await;
        let standing: Vec<_> = office.ledger.invoices().iter().map(|invoice| (invoice.id == part, invoice.status.clone())).collect();
        assert_eq!(standing, [(true, "reversed".to_owned()), (false, "posted".to_owned())]);
    }
}
