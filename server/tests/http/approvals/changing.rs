//! Whatever an approval is about changes voids it, and both are told (R12).

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use rehearsal::systems::Sink;
use serde_json::json;

use super::{Office, REVERSAL, WRONG, file};
use crate::app::{App, on_both};

const ALWAYS: &str = "replay_approval = \"always\"";

on_both! {
    /// Rehearsal 10: the target changes before the action.
    async fn r12_a_destination_that_changed_voids_the_approval(app) {
        let office = Office::new(app, ALWAYS).await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        app.register(&file(&office.ledger.url, ALWAYS, REVERSAL).replace("/api/invoices\"\nallow", "/api/invoices?v=2\"\nallow")).await;
        let problem = office.selma.decide(&item, &approval, "approve").await.problem(409, "conflict");
        let told = problem["detail"].as_str().unwrap();
        assert!(told.contains("/api/invoices;") && told.contains("?v=2"), "the difference is told: {told}");
        assert_eq!(office.selma.ended(&approval).await["state"], "void");
        assert_eq!(office.standing(&item).await.0, "open");
        app.send_due().await;
        assert!(office.ledger.receipts().is_empty(), "nothing was sent");
        assert_eq!(app.audit_count(AuditKind::ApprovalVoided, AuditOutcome::Done).await, 1);
        // It can be asked for anew.
        let approval = office.asked(&item, 1).await;
        office.selma.decide(&item, &approval, "approve").await.is(200);
    }

    /// Between the approval and the first byte.
    async fn r12_what_changes_after_the_approval_is_not_sent(app) {
        let office = Office::new(app, ALWAYS).await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        office.selma.decide(&item, &approval, "approve").await.is(200);
        app.register(&file(&office.ledger.url, "replay_approval = \"when_corrected\"", REVERSAL)).await;
        assert_eq!(app.send_due().await, 1);
        assert!(office.ledger.receipts().is_empty(), "nothing was sent");
        assert_eq!(office.selma.ended(&approval).await["state"], "void");
        assert_eq!(office.standing(&item).await, ("open".into(), "none".into(), None));
    }

    /// Rehearsal 14: access is revoked after preparation, before execution.
    async fn r16_who_asked_and_has_lost_the_right_stops_what_was_approved(app) {
        loses_the_right(app, "amara", "operator").await;
    }

    async fn r16_who_approved_and_has_lost_the_right_stops_what_was_approved(app) {
        loses_the_right(app, "selma", "supervisor").await;
    }

    /// Rehearsal 9: the source record changes while somebody approves.
    async fn r18_a_source_that_moved_voids_the_approval(app) {
        let office = Office::new(app, ALWAYS).await;
        let sink = Sink::start(office.clock()).await.unwrap();
        sink.set_source("order-7", "etag-1");
        let source = format!("\n[step.source]\nurl = \"{}/source/order-7\"\nallow_private = true\nversion = \"/etag\"\n{REVERSAL}", sink.url);
        app.register(&file(&office.ledger.url, ALWAYS, &source)).await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        sink.set_source("order-7", "etag-2");
        let problem = office.selma.decide(&item, &approval, "approve").await.problem(409, "conflict");
        assert!(problem["detail"].as_str().unwrap().contains("etag-1"), "{problem}");
        assert_eq!(office.selma.ended(&approval).await["state"], "void");

        // After the approval, before the first byte.
        let approval = office.asked(&item, 1).await;
        office.selma.decide(&item, &approval, "approve").await.is(200);
        sink.set_source("order-7", "etag-3");
        app.send_due().await;
        assert!(office.ledger.receipts().is_empty(), "nothing was sent");
        assert_eq!(office.selma.ended(&approval).await["state"], "void");

        // One that can't be read is no reason to go on.
        let approval = office.asked(&item, 1).await;
        app.register(&file(&office.ledger.url, ALWAYS, &source.replace("/etag\"", "/nothing\""))).await;
        office.selma.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        assert!(office.ledger.invoices().is_empty());
    }

    /// What happens to the item meanwhile ends what waits.
    async fn r12_an_item_that_moved_on_ends_what_waits(app) {
        let office = Office::new(app, ALWAYS).await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        let by_hand = json!({ "resolution": "done_by_hand", "effect": "confirmed", "reason": "Entered it" });
        office.amara.act(&item, "resolve", by_hand).await.is(200);
        assert_eq!(app.service.settle_approvals().await.unwrap(), 1);
        assert_eq!(office.selma.ended(&approval).await["state"], "void");
        assert_eq!(office.standing(&item).await.0, "closed");
        // What it does not rest on leaves it waiting.
        let item = office.unsent("INV-1043", WRONG).await;
        let approval = office.asked(&item, 1).await;
        office.amara.act(&item, "escalate", json!({ "team": "finance-ops", "reason": "Slow", "respond_by": "2027-01-01T00:00:00Z" })).await.is(200);
        assert_eq!(app.service.settle_approvals().await.unwrap(), 0);
        office.selma.decide(&item, &approval, "approve").await.is(200);
    }

    /// A substitute acts for whom they stand in for, and is excluded from what these are excluded from.
    async fn r11_whoever_acts_for_an_excluded_person_is_excluded(app) {
        let office = Office::new(app, ALWAYS).await;
        let amara = app.browser();
        amara.sign_in("amara@example.test").await.is(303);
        let until = (app.service.now() + chrono::TimeDelta::days(3)).format("%Y-%m-%dT%H:%M").to_string();
        let named = [("person", "selma@example.test"), ("until", until.as_str()), ("confirm", crate::app::PASSWORD)];
        amara.post("/me/substitutes", &named).await.is(303);
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        let problem = office.selma.decide(&item, &approval, "approve").await.problem(403, "forbidden");
        assert!(problem["detail"].as_str().unwrap().contains("stand in"), "{problem}");
        office.sven.decide(&item, &approval, "approve").await.is(200);
        app.add("Zed", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let nobody = [("person", "zed@example.test"), ("until", until.as_str())];
        amara.post("/me/substitutes", &nobody).await.is(422);
    }
}

async fn loses_the_right(app: &App, who: &str, role: &str) {
    let office = Office::new(app, ALWAYS).await;
    let item = office.unsent("INV-1042", WRONG).await;
    let approval = office.asked(&item, 1).await;
    office.selma.decide(&item, &approval, "approve").await.is(200);
    app.database.take_role(&format!("{who}@example.test"), role).await;
    app.send_due().await;
    assert!(office.ledger.receipts().is_empty(), "nothing was sent");
    let ended = office.sven.ended(&approval).await;
    assert_eq!(ended["state"], "void");
    assert!(ended["ended_why"].as_str().unwrap().to_lowercase().contains(who), "{ended}");
    assert_eq!(office.standing(&item).await.0, "open");
}
