//! Making an effect good: the ledger holds the wrong invoice, exactly one reversal, and exactly one right invoice.

use domain::audit::{AuditKind, AuditOutcome};
use serde_json::{Value, json};

use super::{Office, RIGHT, WRONG, reversal};
use crate::{app::on_both, words::with};

on_both! {
    async fn r11_a_wrong_invoice_is_reversed_once_and_the_right_one_is_sent_once(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        app.send_due().await;
        assert!(office.ledger.reversals().is_empty(), "nothing is sent before");
        office.amara.decide(&item, &approval, "approve").await.problem(403, "forbidden");
        let decided = office.selma.decide(&item, &approval, "approve").await.is(200).json();
        assert_eq!(decided["item_state"], "compensating");
        app.send_due().await;
        let reversals = office.ledger.reversals();
        assert_eq!(reversals.len(), 1, "exactly one reversal");
        let invoice = office.ledger.invoices()[0].id.clone();
        let body = format!(r#"{{"invoice":"{invoice}","amount":4000.00,"fee":1.5,"reason":"wrong-amount"}}"#);
        let sent = String::from_utf8_lossy(reversals[0].body()).into_owned();
        assert_eq!(sorted(&sent), sorted(&body), "{sent}");
        assert!(sent.contains("4000.00"), "the amount as it was written: {sent}");
        assert_eq!(office.standing(&item).await, ("open".into(), "compensated".into(), None));

        // A new epoch: the right version may be sent, by a recorded decision, under a new key.
        office.corrected(&item).await;
        let replay = json!({ "revision": 2, "reason": "The right amount" });
        office.amara.act(&item, "replay", replay.clone()).await.problem(409, "new_epoch");
        office.amara.act(&item, "replay", with(replay, json!({ "accept": ["new_epoch"] }))).await.is(202);
        app.send_due().await;
        let invoices = office.ledger.invoices();
        assert_eq!(invoices.len(), 2, "the wrong invoice, and exactly one right one");
        assert_eq!(invoices.iter().filter(|invoice| invoice.body() == RIGHT.as_bytes()).count(), 1);
        assert_ne!(invoices[0].key, invoices[1].key);
        assert_eq!(office.standing(&item).await, ("closed".into(), "confirmed".into(), Some("replayed".into())));
        assert_eq!(app.audit_count(AuditKind::CompensationEnded, AuditOutcome::Done).await, 1);
        let outcomes = office.sync.get("/api/v1/outcomes?workflow=invoice-sync").await.is(200).json();
        let events: Vec<&str> = outcomes["items"].as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(events, ["closed", "reopened", "compensated", "closed"], "the automation is told");
    }

    async fn what_is_asked_for_wrongly_names_the_field_and_keeps_nothing(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        for (change, pointer) in [
            (json!({ "plan": "burn_it" }), "/plan"),
            (json!({ "reason": " " }), "/reason"),
            (json!({ "parameters": { "reason_code": "wrong-amount", "fee": 100.01 } }), "/parameters/fee"),
            (json!({ "parameters": { "reason_code": "wrong-amount", "fee": -1 } }), "/parameters/fee"),
            (json!({ "parameters": { "reason_code": "whim", "fee": 1 } }), "/parameters/reason_code"),
            (json!({ "parameters": { "reason_code": "wrong-amount" } }), "/parameters/fee"),
            (json!({ "parameters": { "reason_code": "wrong-amount", "fee": 1, "more": "x" } }), "/parameters/more"),
            (json!({ "parameters": { "reason_code": ["wrong-amount"], "fee": 1 } }), "/parameters/reason_code"),
            (json!({ "parameters": [] }), "/parameters"),
            (json!({ "attempt": uuid::Uuid::new_v4() }), "/attempt"),
            (json!({ "force": true }), "/force"),
        ] {
            let problem = office.amara.act(&item, "compensations", with(reversal(), change)).await.problem(422, "invalid");
            assert_eq!(problem["fields"][0]["pointer"], pointer, "{problem}");
        }
        // A template that names a missing field.
        let broken = super::REVERSAL.replace("{payload:/amount}", "{payload:/total}");
        app.register(&super::file(&office.ledger.url, "", &broken)).await;
        let problem = office.amara.act(&item, "compensations", reversal()).await.problem(422, "invalid");
        assert!(problem.to_string().contains("/total"), "{problem}");
        assert_eq!(app.database.rows("approval").await, 0);
        assert_eq!(office.standing(&item).await, ("open".into(), "confirmed".into(), None));
    }

    /// There is nothing to make good where nothing happened, or nobody knows.
    async fn r4_only_an_effect_that_stands_is_made_good(app) {
        let office = Office::new(app, "").await;
        // An uncertain attempt is not asked again by itself where keys are not recognised.
        let forgetful = super::file(&office.ledger.url, "", super::REVERSAL).replace("repeat = \"key\"\nkey_memory = \"24h\"", "repeat = \"nothing\"");
        app.register(&forgetful).await;
        let item = office.unsent("INV-1", WRONG).await;
        office.amara.act(&item, "compensations", reversal()).await.problem(409, "not_allowed_now");
        office.ledger.faults().next(1, rehearsal::systems::Fault::CommitThenTimeout);
        office.amara.act(&item, "replay", json!({ "revision": 1, "reason": "r" })).await.is(202);
        app.send_due().await;
        let problem = office.amara.act(&item, "compensations", reversal()).await.problem(409, "not_allowed_now");
        assert_eq!(problem["rule"], "R4");
        app.register(&super::file(&office.ledger.url, "", "")).await;
        let other = office.unsent("INV-2", WRONG).await;
        office.amara.act(&other, "replay", json!({ "revision": 1, "reason": "r" })).await.is(202);
        app.send_due().await;
        office.amara.act(&other, "reopen", json!({ "reason": "r" })).await.is(200);
        office.amara.act(&other, "compensations", reversal()).await.problem(409, "not_allowed_now");
    }
}

/// A flat object's members as they are written, in any order.
fn sorted(text: &str) -> Vec<String> {
    let Value::Object(members) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
    let mut members: Vec<String> = members.iter().map(|(name, value)| format!("{name}={value}")).collect();
    members.sort();
    members
}
