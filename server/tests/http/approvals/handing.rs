//! Handing on: whoever waits for a decision may give it to somebody who may take it, with a note.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;

use super::{Office, RIGHT, WRONG};
use crate::app::on_both;

on_both! {
    async fn r11_what_is_handed_on_is_told_with_its_note_and_decided_by_whoever_may(app) {
        let office = Office::new(app, "replay_approval = \"always\"").await;
        let item = office.unsent("INV-1042", WRONG).await;
        // A supervisor who has worked on it, too: she can't decide it.
        let eva = app.add("Eva", &[Role::Operator, Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
        let script = app.script_of(&eva, &[]).await;
        script.act(&item, "correct", json!({ "parent": 1, "text": RIGHT, "reason": "A nought too many" })).await.is(200);
        script.act(&item, "release", json!({})).await.is(200);
        let approval = office.asked(&item, 2).await;
        let stine = app.signed_in("Stine", Role::Supervisor, "finance-ops").await;
        let path = format!("/approvals/{approval}/hand_on");
        for (person, note, told) in [
            ("sven@example.test", " ", "Say it in words"),
            ("nobody@example.test", "Please", "Nobody who can sign in has this address"),
            ("amara@example.test", "Please", "can't decide things of this team"),
            (eva.as_str(), "Please", "had a hand in it"),
        ] {
            let refused = stine.post(&path, &[("person", person), ("note", note)]).await.is(422);
            assert!(refused.words().contains(told) && refused.text().contains(person), "{told}: {}", refused.words());
        }
        stine.post(&path, &[("person", "sven@example.test"), ("note", "You know the supplier")]).await.is(303);
        assert_eq!(app.audit_count(AuditKind::ApprovalHandedOn, AuditOutcome::Done).await, 1);
        let sven = app.browser();
        sven.sign_in("sven@example.test").await.is(303);
        assert!(sven.get("/notices").await.is(200).words().contains("You know the supplier"));
        let page = sven.get(&format!("/approvals/{approval}")).await.is(200).words();
        assert!(page.contains("Handed to") && page.contains("Eva"), "{page}");
        office.sven.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 1, "the ledger holds one invoice");
        app.later(TimeDelta::minutes(1));
        let late = stine.post(&path, &[("person", "sven@example.test"), ("note", "Please")]).await.is(409);
        assert!(late.words().contains("Approved") || late.words().contains("approved"), "{}", late.words());
    }
}
