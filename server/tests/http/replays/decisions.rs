use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::json;

use super::{FORGETFUL, GOOD, Shape, Stage, replay, standing};
use crate::{
    actions::{finding, not_sent, only, resolution, with_effect, wrong},
    app::on_both,
    words::{report, time, with},
};

on_both! {
    /// R18: work that another version made, or that is too old, is sent only once that was accepted, which is recorded.
    async fn r18_stale_work_is_sent_only_once_that_was_accepted(app) {
        let stage = Stage::new(app, Shape { workflow: "valid_for = \"7d\"", ..GOOD }).await;
        let old = with(not_sent("INV-1"), json!({ "workflow_version": "2026-11-03", "occurred_at": time(app.service.now() - TimeDelta::days(8)) }));
        let item = stage.sync.reported(&old).await;
        let (answer, entries) = app.audited(stage.replay(&item, 1)).await;
        let problem = answer.problem(409, "version_moved");
        for word in ["version_moved", "too_old"] {
            assert!(problem["detail"].as_str().unwrap().contains(word), "{problem}");
        }
        only(entries, AuditKind::ReplayRequested, AuditOutcome::Refused);
        let half = json!({ "revision": 1, "reason": "Still right", "accept": ["version_moved"] });
        stage.amara.act(&item, "replay", half).await.problem(409, "too_old");
        let whole = json!({ "revision": 1, "reason": "Still right", "accept": ["version_moved", "too_old", "new_epoch"] });
        let (answer, entries) = app.audited(stage.amara.act(&item, "replay", whole)).await;
        answer.is(202);
        let entry = only(entries, AuditKind::ReplayRequested, AuditOutcome::Done);
        assert_eq!(entry.detail.0["accept"], json!(["version_moved", "too_old"]), "what was asked for and accepted");
        app.send_due().await;
        assert_eq!(stage.sync.item(&item).await["state"], "closed");
    }

    /// C05, R7: past the destination's memory the key protects nothing: that is accepted, or settled by a finding, first.
    async fn c05_r7_a_key_older_than_the_destinations_memory_is_a_decision(app) {
        let stage = Stage::new(app, GOOD).await;
        let began = time(app.service.now());
        let tries = json!([{ "number": 1, "outcome": "failed", "sent": true, "started_at": began, "finished_at": began }]);
        let said = json!({ "attempts": tries, "effect": { "status": "none", "idempotency_key": "K-1" } });
        let item = stage.sync.reported(&with(report("K-1"), said)).await;
        app.later(TimeDelta::hours(24) + TimeDelta::minutes(1));
        stage.replay(&item, 1).await.problem(409, "key_expired");
        let accepted = json!({ "revision": 1, "reason": "Nothing there, I looked", "accept": ["key_expired"] });
        stage.amara.act(&item, "replay", accepted).await.is(202);
        app.send_due().await;
        assert_eq!(stage.lines()[0].key.as_deref(), Some("K-1"));
    }

    /// The same where the attempt is uncertain: a finding opens it, and needs no more than that.
    async fn c05_r7_a_finding_settles_what_the_key_was_for(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.doubtful("K-1").await;
        app.later(TimeDelta::hours(25));
        let refused = stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        assert_eq!(refused["rule"], "R4", "{refused}");
        stage.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }

    /// R4, C48: what may have happened, has happened or has partly happened is not sent, whoever asks and however.
    async fn r4_c48_only_what_is_known_not_to_have_happened_is_sent(app) {
        let stage = Stage::new(app, GOOD).await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        for effect in ["uncertain", "confirmed", "partial"] {
            let item = stage.sync.reported(&with_effect(effect, effect)).await;
            let problem = stage.replay(&item, 1).await.problem(409, "not_allowed_now");
            assert_eq!(problem["rule"], "R4", "{problem}");
            let version = app.version(&item).await.to_string();
            let form = [("version", version.as_str()), ("revision", "1"), ("reason", "Again"), ("accept.key_expired", "on")];
            let page = jonas.post(&format!("/items/{item}/replay"), &form).await.is(409).text();
            assert!(page.contains("Again"), "what was typed is still there");
            // Correcting first opens nothing.
            if effect == "uncertain" {
                let correction = json!({ "parent": 1, "text": "{}", "reason": "Another try" });
                stage.amara.act(&item, "correct", correction).await.is(200);
                stage.replay(&item, 2).await.problem(409, "not_allowed_now");
            }
        }
        assert_eq!(app.send_due().await, 0);
        assert!(stage.lines().is_empty());
    }

    /// A step's policy asks for a second person: refused with its own name.
    async fn r11_a_step_that_needs_an_approval_refuses(app) {
        let stage = Stage::new(app, Shape { step: "replay_approval = \"when_corrected\"", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        let correction = json!({ "parent": 1, "text": "{\"amount\": 1}", "reason": "A try" });
        stage.amara.act(&item, "correct", correction).await.is(200);
        stage.replay(&item, 2).await.problem(409, "needs_approval");
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("closed", "confirmed", Some("replayed")), "the original needs none");
        stage.reshape(Shape { step: "replay_approval = \"always\"", ..GOOD }).await;
        let item = stage.unsent("INV-2").await;
        stage.replay(&item, 1).await.problem(409, "needs_approval");
        assert_eq!(stage.lines().len(), 1);
    }

    /// What is asked for must be said rightly, and what is not there yet is told as such.
    async fn a_replay_that_is_asked_for_wrongly_names_the_field(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        for (body, pointer) in [
            (json!({ "revision": 2, "reason": "r" }), "/revision"),
            (json!({ "revision": 0, "reason": "r" }), "/revision"),
            (json!({ "reason": "r" }), "/revision"),
            (json!({ "revision": 1 }), "/reason"),
            (json!({ "revision": 1, "reason": " " }), "/reason"),
            (json!({ "revision": 1, "reason": "r", "accept": ["everything"] }), "/accept/0"),
            (json!({ "revision": 1, "reason": "r", "not_before": "2026-12-01T09:00:00Z" }), "/not_before"),
            (json!({ "revision": 1, "reason": "r", "request_approval": "yes" }), "/request_approval"),
            (json!({ "revision": 1, "reason": "r", "force": true }), "/force"),
        ] {
            wrong(&stage.amara.act(&item, "replay", body).await, pointer);
        }
        stage.amara.ask(&item, "replay", replay(1), &[]).await.problem(428, "version_required");
        assert_eq!(app.send_due().await, 0);
    }

    /// Permission, team and claim are asked as for every action.
    async fn r15_only_who_may_replay_does(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let ines = app.script("Ines", Role::Auditor, "finance-ops").await;
        ines.act(&item, "replay", replay(1)).await.problem(403, "forbidden");
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        selma.act(&item, "replay", replay(1)).await.problem(403, "forbidden");
        let omar = app.script("Omar", Role::Operator, "support").await;
        omar.act(&item, "replay", replay(1)).await.problem(404, "not_found");
        stage.sync.act(&item, "replay", replay(1)).await.problem(403, "forbidden");
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        jonas.act(&item, "claim", json!({})).await.is(200);
        let problem = stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        assert!(problem["detail"].as_str().unwrap().contains("Jonas"), "{problem}");
        jonas.act(&item, "replay", replay(1)).await.is(202);
        app.send_due().await;
        assert_eq!(stage.lines().len(), 1);
    }

    /// A step that runs in the automation, or is handed to a worker, has nowhere to send to from here.
    async fn a_step_without_an_http_destination_says_so(app) {
        let stage = Stage::new(app, GOOD).await;
        let unregistered = with(not_sent("A"), json!({ "step": "unheard_of" }));
        let item = stage.sync.reported(&unregistered).await;
        let problem = stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        assert!(problem["detail"].as_str().unwrap().contains("runs in the automation"), "{problem}");
        stage.reshape_text(GOOD, |text| {
            let url = format!("kind = \"http\"\nurl = \"{}/ok\"", stage.sink.url);
            text.replace(&url, "kind = \"pull\"")
        }).await;
        let item = stage.unsent("B").await;
        let problem = stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        assert!(problem["detail"].as_str().unwrap().contains("worker"), "{problem}");
    }

    /// Closed and snoozed items are opened first.
    async fn what_is_not_open_is_not_sent(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        let item = stage.unsent("A").await;
        stage.amara.act(&item, "snooze", json!({ "until": time(app.service.now() + TimeDelta::days(1)), "reason": "Later" })).await.is(200);
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        stage.amara.act(&item, "wake", json!({})).await.is(200);
        stage.amara.act(&item, "resolve", resolution("discarded", "none")).await.is(200);
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        stage.amara.act(&item, "reopen", json!({ "reason": "It is to be done after all" })).await.is(200);
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }
}
