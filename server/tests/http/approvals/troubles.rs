//! Rehearsal 12: a compensation that fails, and one that ends uncertain. Visible, owned, retried only after a finding.

use rehearsal::systems::Fault;
use serde_json::json;

use super::{Office, REVERSAL, file, reversal};
use crate::app::{client, on_both};

on_both! {
    async fn r11_a_compensation_that_failed_can_be_asked_for_anew(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.ledger.faults().next(1, Fault::Status { code: 403, retry_after_s: None });
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.standing(&item).await, ("open".into(), "confirmed".into(), None), "the effect stands");
        assert!(office.ledger.reversals().is_empty());
        let packet = app.packet(&item).await;
        assert_eq!(packet.compensations[0].stage, service::CompensationStage::Failed);
        assert_eq!(packet.revisions.len(), 1, "the original is untouched");
        // The approval is used up: it takes a new request.
        office.sven.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        app.send_due().await;
        assert!(office.ledger.reversals().is_empty());
        let again = office.asked_to_reverse(&item).await;
        office.sven.decide(&item, &again, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.ledger.reversals().len(), 1, "exactly one reversal");
        assert_eq!(office.standing(&item).await.1, "compensated");
    }

    async fn r4_a_compensation_that_ends_uncertain_is_looked_up_before_anything_else(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.ledger.faults().next(1, Fault::CommitThenTimeout);
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.standing(&item).await, ("open".into(), "uncertain".into(), None));
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::Uncertain);
        office.amara.act(&item, "compensations", reversal()).await.problem(409, "not_allowed_now");
        office.amara.act(&item, "replay", json!({ "revision": 1, "reason": "r" })).await.problem(409, "not_allowed_now");
        assert_eq!(office.ledger.reversals().len(), 1, "it was kept, and no answer came");
        office.amara.act(&item, "lookup", json!({})).await.is(200);
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::Executed);
        assert_eq!(office.standing(&item).await, ("open".into(), "compensated".into(), None));
        assert_eq!(office.ledger.reversals().len(), 1, "exactly one reversal");
    }

    /// A finding that it did not happen leaves the effect as it stands.
    async fn r4_a_compensation_that_did_not_happen_leaves_the_effect(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.ledger.faults().next(1, Fault::ResetBeforeCommit);
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.standing(&item).await.1, "uncertain");
        let finding = json!({ "finding": "not_applied", "source": "the ledger", "evidence": "no reversal there" });
        office.amara.act(&item, "reconcile", finding).await.is(200);
        assert_eq!(office.standing(&item).await, ("open".into(), "confirmed".into(), None));
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::Failed);
    }

    /// What the compensation rests on is asked of the other system when it is asked for, decided and sent.
    async fn r12_a_condition_that_does_not_hold_stops_it(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        // Somebody reverses it by hand.
        let invoice = office.ledger.invoices()[0].id.clone();
        let by_hand = json!({ "invoice": invoice, "amount": 4000 });
        client().post(format!("{}/api/reversals", office.ledger.url)).json(&by_hand).send().await.unwrap();
        assert_eq!(office.ledger.reversals().len(), 1);
        office.selma.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        assert_eq!(office.selma.ended(&approval).await["state"], "void");
        office.amara.act(&item, "compensations", reversal()).await.problem(409, "not_allowed_now");
        app.send_due().await;
        assert_eq!(office.ledger.reversals().len(), 1, "exactly one reversal");
    }

    /// Parts in their order, each with its own outcome; what was done is not done again.
    async fn parts_that_were_done_are_not_done_again(app) {
        let office = Office::new(app, "").await;
        let note = "[[step.compensation.part]]\nname = \"note\"\nurl = \"{ledger}/api/invoices\"\nallow_private = true\ntimeout = \"1s\"\n\
                    success = { pointer = \"/ok\", equals = true }\nbody = { invoice_number = \"NOTE-1\", text = \"Reversed {record_id}\" }\n";
        app.register(&file(&office.ledger.url, "", &format!("{REVERSAL}{note}"))).await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.ledger.faults().matching_always("NOTE-1", Fault::Status { code: 422, retry_after_s: None });
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::PartlyDone);
        assert_eq!(office.standing(&item).await, ("open".into(), "confirmed".into(), None));
        assert_eq!((office.ledger.reversals().len(), office.ledger.invoices().len()), (1, 1));
        office.ledger.faults().clear();
        // The condition does not hold any more, for the first part has made it so: the plan is changed for the rest, and its
        // parts stand in another order, which is no reason to do one twice.
        let rest = REVERSAL.lines().filter(|line| !line.starts_with("only_if")).collect::<Vec<_>>().join("\n");
        let (plan, reversal) = rest.split_once("[[step.compensation.part]]").unwrap();
        app.register(&file(&office.ledger.url, "", &format!("{plan}{note}[[step.compensation.part]]{reversal}\n"))).await;
        let again = office.asked_to_reverse(&item).await;
        office.sven.decide(&item, &again, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.ledger.reversals().len(), 1, "the reversal is not posted again");
        assert_eq!(office.ledger.invoices().len(), 2, "the note is there");
        assert_eq!(office.standing(&item).await.1, "compensated");
    }

    /// What is stated about the step says nothing of its compensation.
    async fn r4_resolving_does_not_settle_whether_a_compensation_happened(app) {
        let office = Office::new(app, "").await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.ledger.faults().next(1, Fault::ResetBeforeCommit);
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        let closing = json!({ "resolution": "done_by_hand", "effect": "confirmed", "reason": "The invoice is there" });
        let problem = office.amara.act(&item, "resolve", closing).await.problem(422, "invalid");
        assert_eq!(problem["fields"][0]["pointer"], "/effect");
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::Uncertain);
        assert_eq!(office.standing(&item).await, ("open".into(), "uncertain".into(), None));
    }

    /// Both parts of one approval are carried out, although the first makes the condition false.
    async fn r12_the_condition_is_asked_before_the_first_part(app) {
        let office = Office::new(app, "").await;
        let note = "[[step.compensation.part]]\nname = \"note\"\nurl = \"{ledger}/api/invoices\"\nallow_private = true\ntimeout = \"1s\"\n\
                    success = { pointer = \"/ok\", equals = true }\nbody = { invoice_number = \"NOTE-1\", text = \"Reversed {record_id}\" }\n";
        app.register(&file(&office.ledger.url, "", &format!("{REVERSAL}{note}"))).await;
        let item = office.posted("INV-1042").await;
        let approval = office.asked_to_reverse(&item).await;
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!((office.ledger.reversals().len(), office.ledger.invoices().len()), (1, 2));
        assert_eq!(app.packet(&item).await.compensations[0].stage, service::CompensationStage::Executed);
        assert_eq!(office.standing(&item).await, ("open".into(), "compensated".into(), None));
    }
}
