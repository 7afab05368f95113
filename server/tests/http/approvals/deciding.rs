use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use serde_json::json;

use super::{Office, WRONG, supervisor};
use crate::{actions::not_sent, app::on_both, words::with};

/// The policy under which a correction takes a second person.
const WHEN_CORRECTED: &str = "replay_approval = \"when_corrected\"";

on_both! {
    async fn r11_a_correction_is_sent_once_when_another_person_has_approved_it(app) {
        let office = Office::new(app, WHEN_CORRECTED).await;
        let item = office.unsent("INV-1042", WRONG).await;
        office.corrected(&item).await;
        office.amara.act(&item, "replay", json!({ "revision": 2, "reason": "r" })).await.problem(409, "needs_approval");
        let approval = office.asked(&item, 2).await;
        assert_eq!(app.send_due().await, 0, "nothing is sent before");
        office.amara.act(&item, "replay", json!({ "revision": 1, "reason": "r" })).await.problem(409, "not_allowed_now");

        let waiting = office.selma.waiting().await;
        assert_eq!(waiting.len(), 1, "{waiting:?}");
        assert_eq!((&waiting[0]["id"], &waiting[0]["kind"], &waiting[0]["requested_by"]), (&json!(approval), &json!("replay"), &json!("Amara")));
        assert_eq!(office.amara.waiting().await.len(), 0, "who asked does not decide");
        let decided = office.selma.decide(&item, &approval, "approve").await.is(200).json();
        assert_eq!((&decided["state"], &decided["item_state"]), (&json!("approved"), &json!("replaying")));
        app.send_due().await;
        let invoices = office.ledger.invoices();
        assert_eq!(invoices.len(), 1, "the ledger holds one invoice");
        assert_eq!(invoices[0].body(), super::RIGHT.as_bytes(), "byte for byte the one that was approved");
        assert_eq!(office.standing(&item).await, ("closed".into(), "confirmed".into(), Some("replayed".into())));
        // Used up.
        office.sven.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        office.sven.decide(&item, &approval, "reject").await.problem(409, "not_allowed_now");
        assert_eq!(app.audit_count(AuditKind::ApprovalAsked, AuditOutcome::Done).await, 1);
        assert_eq!(app.audit_count(AuditKind::Approved, AuditOutcome::Done).await, 1);
        assert_eq!(app.audit_count(AuditKind::Approved, AuditOutcome::Refused).await, 1);
    }

    /// By account, whatever roles they hold by then, and by the database itself.
    async fn r11_whoever_had_a_hand_in_it_does_not_decide(app) {
        let office = Office::new(app, WHEN_CORRECTED).await;
        // Each may decide by their roles, and had a hand in it: one edits, one finds out, one asks.
        let both = async |name: &str| {
            let email = app.add(name, &[Role::Operator, Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
            (app.script_of(&email, &[]).await, app.script_of(&email, &[Permission::ItemsRead, Permission::ApprovalsDecide]).await)
        };
        let (edits, editor) = both("Edit").await;
        let (finds, finder) = both("Find").await;
        let (asks, asker) = both("Ask").await;
        let effect = json!({ "status": "uncertain", "idempotency_key": "k-1" });
        let report = with(not_sent("INV-1042"), json!({
            "payload": { "media_type": "application/json", "text": WRONG }, "effect": effect,
            "attempts": [{ "number": 1, "outcome": "uncertain", "sent": true }],
        }));
        let item = office.sync.reported(&report).await;
        let finding = json!({ "finding": "not_applied", "source": "the ledger", "evidence": "searched by number" });
        finds.act(&item, "reconcile", finding).await.is(200);
        finds.act(&item, "release", json!({})).await.is(200);
        edits.act(&item, "correct", json!({ "parent": 1, "text": super::RIGHT, "reason": "A nought" })).await.is(200);
        edits.act(&item, "release", json!({})).await.is(200);
        let wanted = json!({ "revision": 2, "reason": "It is right", "request_approval": true, "accept": ["key_expired"] });
        let taken = asks.act(&item, "replay", wanted).await.is(202).json();
        let approval = taken["approval"].as_str().unwrap();
        for (who, why) in [(&editor, "made a revision"), (&finder, "recorded a finding"), (&asker, "asked for it")] {
            let problem = who.decide(&item, approval, "approve").await.problem(403, "forbidden");
            assert!(problem["detail"].as_str().unwrap().contains(why), "{problem}");
            assert_eq!(problem["rule"], "R11");
            assert!(who.waiting().await.is_empty());
        }
        let stored = app.database.approval_by_hand(approval, "Ask").await;
        assert!(stored.unwrap_err().contains("R11: another person has to decide it"));
        // Another operator, without the right.
        office.amara.decide(&item, approval, "approve").await.problem(403, "forbidden");
        let elsewhere = app.add("Elsa", &[Role::Supervisor], &["support"], Clearance::Restricted).await;
        let elsewhere = app.script_of(&elsewhere, &[Permission::ItemsRead, Permission::ApprovalsDecide]).await;
        elsewhere.decide(&item, approval, "approve").await.problem(404, "not_found");
        assert_eq!(app.send_due().await, 0);
        assert!(office.ledger.invoices().is_empty());
        office.selma.decide(&item, approval, "approve").await.is(200);
        app.send_due().await;
        assert_eq!(office.ledger.invoices().len(), 1);
    }

    async fn what_is_rejected_withdrawn_or_too_old_is_never_sent(app) {
        let office = Office::new(app, "replay_approval = \"always\"\napproval_expires = \"2h\"").await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        office.selma.decide_as_seen(&approval, "reject", "1").await.problem(409, "conflict");
        let request = office.selma.request("POST", &format!("/api/v1/approvals/{approval}/reject"));
        crate::wire::Answer::to(request.body(json!({ "reason": "r" }).to_string())).await.problem(428, "version_required");
        office.selma.decide(&item, &approval, "reject").await.is(200);
        assert_eq!(office.standing(&item).await.0, "open");
        assert_eq!(office.selma.ended(&approval).await["state"], "rejected");

        let approval = office.asked(&item, 1).await;
        let withdraw = async |token: &crate::app::Token<'_>| {
            let request = token.request("POST", &format!("/api/v1/approvals/{approval}/withdraw"));
            crate::wire::Answer::to(request.body(json!({ "reason": "A mistake" }).to_string())).await
        };
        withdraw(&office.selma).await.problem(403, "forbidden");
        withdraw(&office.amara).await.is(200);
        office.selma.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        assert_eq!(office.standing(&item).await.0, "open");

        let approval = office.asked(&item, 1).await;
        app.later(chrono::TimeDelta::hours(2));
        office.selma.decide(&item, &approval, "approve").await.problem(409, "not_allowed_now");
        assert_eq!(app.service.settle_approvals().await.unwrap(), 1);
        assert_eq!(office.selma.ended(&approval).await["state"], "expired");
        assert_eq!(office.standing(&item).await.0, "open");
        app.send_due().await;
        assert!(office.ledger.invoices().is_empty());
    }

    /// Who may not see a part of it may not approve it.
    async fn what_somebody_may_not_see_they_may_not_approve(app) {
        let step = "replay_approval = \"always\"\nsensitivity = \"confidential\"\nsensitive = [\"/amount\"]";
        let office = Office::new(app, &step.replace("sensitivity = \"confidential\"\n", "")).await;
        let secret = super::file(&office.ledger.url, step, super::REVERSAL).replace("sensitivity = \"internal\"\n", "");
        app.register(&secret).await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        let low = app.add("Low", &[Role::Supervisor], &["finance-ops"], Clearance::Internal).await;
        let low = app.script_of(&low, &[Permission::ItemsRead, Permission::ApprovalsDecide]).await;
        low.decide(&item, &approval, "approve").await.problem(403, "forbidden");
        office.selma.decide(&item, &approval, "approve").await.is(200);
    }

    /// A token of a person carries the right only where it was made for it.
    async fn a_token_decides_only_where_it_was_made_for_that(app) {
        let office = Office::new(app, "replay_approval = \"always\"").await;
        let item = office.unsent("INV-1042", WRONG).await;
        let approval = office.asked(&item, 1).await;
        let email = app.add("Sol", &[Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
        let plain = app.script_of(&email, &[]).await;
        plain.decide(&item, &approval, "approve").await.problem(403, "forbidden");
        office.sync.decide(&item, &approval, "approve").await.problem(403, "forbidden");
        app.nobody().decide(&item, &approval, "approve").await.problem(401, "not_signed_in");
        supervisor(app, "Sanna").await.decide(&item, &approval, "approve").await.is(200);
    }
}
