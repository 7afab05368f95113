//! The audit (R14): each change and each refusal writes exactly one entry, and the trail shows them to those who may.

use std::collections::BTreeSet;

use domain::{
    audit::{ActorKind, AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;
use service::AuditRow;

use crate::{
    app::{PASSWORD, on_both},
    wire::Answer,
    words::{REPLIES, report, time, with},
};

/// Insists on one entry, by this actor, about this, with the request's own id.
#[track_caller]
fn one(told: (Answer, Vec<AuditRow>), actor: (ActorKind, &str), action: AuditKind, outcome: AuditOutcome) -> Answer {
    let (answer, entries) = told;
    let shown: Vec<_> = entries.iter().map(|entry| (entry.action, entry.outcome)).collect();
    assert_eq!(shown, [(action, outcome)], "{}", answer.shown());
    let entry = &entries[0];
    assert_eq!((entry.actor_kind, entry.actor_name.as_str()), actor);
    assert_eq!(entry.request_id.as_deref(), Some(answer.header("x-request-id")), "the audit names the request");
    assert_eq!(entry.code.is_some(), outcome == AuditOutcome::Refused);
    answer
}

on_both! {
    async fn r14_each_change_writes_one_entry_with_actor_outcome_and_request(app) {
        use AuditKind::{AttemptAdded, AttemptFinished, ItemAmended, ItemReported, LateNews, QuarantineClosed, RetryCancelled, SignedIn, SignedOut, SucceededMeanwhile};
        use AuditOutcome::{Done, Refused};
        let sync = app.invoices().await;
        let automation = (ActorKind::Automation, "invoice-sync");
        let olga_is = (ActorKind::Person, "Olga");
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + chrono::TimeDelta::hours(1)) });
        let story = with(with(report("INV-1"), json!({ "report_id": "r-1", "attempts": [{ "outcome": "failed", "sent": false }] })), plan);
        let id = one(app.audited(sync.report(&story)).await, automation, ItemReported, Done).json()["id"].as_str().unwrap().to_owned();
        let (_, nothing) = app.audited(sync.report(&story)).await;
        assert!(nothing.is_empty(), "a repeat changes nothing and is no change");

        app.add("Olga", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let olga = app.browser();
        let anonymous = (ActorKind::Anonymous, "not signed in");
        one(app.audited(olga.post("/sign-in", &[("email", "olga@example.test"), ("password", "wrong")])).await, anonymous, SignedIn, Refused);
        one(app.audited(olga.post("/sign-in", &[("email", "olga@example.test"), ("password", PASSWORD)])).await, olga_is, SignedIn, Done);
        one(app.audited(olga.post(&format!("/items/{id}/cancel_retry"), &[("reason", "")])).await, olga_is, RetryCancelled, Refused);
        one(app.audited(olga.post(&format!("/items/{id}/cancel_retry"), &[("reason", "by hand")])).await, olga_is, RetryCancelled, Done);
        one(app.audited(sync.attempt(&id, &json!({}))).await, automation, AttemptAdded, Refused);
        app.later(chrono::TimeDelta::minutes(1));
        one(app.audited(sync.report(&with(story.clone(), json!({ "report_id": "r-2" })))).await, automation, AttemptAdded, Done);
        one(app.audited(sync.attempt(&id, &json!({ "number": 9 }))).await, automation, AttemptAdded, Done);
        one(app.audited(sync.attempt(&id, &json!({ "number": 9, "outcome": "uncertain", "sent": true }))).await, automation, AttemptFinished, Done);
        one(app.audited(sync.patch(&id, &json!({ "source_version": "2" }))).await, automation, ItemAmended, Done);
        app.later(chrono::TimeDelta::minutes(1));
        let closed = one(app.audited(sync.patch(&id, &json!({ "succeeded": { "record_id": "L-1" } }))).await, automation, SucceededMeanwhile, Done);
        assert_eq!(closed.json()["state"], "closed");
        one(app.audited(sync.attempt(&id, &json!({ "number": 10, "outcome": "succeeded" }))).await, automation, LateNews, Done);
        let kept = sync.report(&with(report("Q"), json!({ "x": 1 }))).await.kept(422, "invalid");
        one(app.audited(olga.post(&format!("/quarantine/{kept}/close"), &[("note", "ours")])).await, olga_is, QuarantineClosed, Done);
        one(app.audited(olga.post("/sign-out", &[])).await, olga_is, SignedOut, Done);
    }

    async fn r14_a_refused_report_leaves_one_entry_that_says_why_and_where_it_was_kept(app) {
        let sync = app.invoices().await;
        let stranger = app.token(&["other"]).await;
        let (answer, entries) = app.audited(stranger.report(&report("INV-1"))).await;
        answer.kept(403, "forbidden");
        let told: Vec<_> = entries.iter().map(|entry| (entry.action.as_str(), entry.outcome.as_str(), entry.code.as_deref())).collect();
        assert_eq!(told, [("quarantine.kept", "refused", Some("forbidden"))], "one refusal, one entry");
        assert_eq!(entries[0].request_id.as_deref(), Some(answer.header("x-request-id")));

        let (answer, entries) = app.audited(sync.report_text("{")).await;
        let kept = answer.kept(400, "malformed");
        let told: BTreeSet<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(told, BTreeSet::from(["quarantine.kept", "team.created"]), "the fallback team is made when it is first needed");
        let keeping = entries.iter().find(|entry| entry.action == AuditKind::ReportQuarantined).unwrap();
        assert_eq!(keeping.detail.0["quarantine"], json!(kept));
        let (_, entries) = app.audited(sync.report_text("{")).await;
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::ReportQuarantined));

        let id = sync.reported(&report("INV-2")).await;
        sync.attempt(&id, &json!({ "number": 1, "outcome": "failed" })).await.is(201);
        let (answer, entries) = app.audited(sync.attempt(&id, &json!({ "number": 1, "outcome": "succeeded" }))).await;
        answer.kept(409, "not_allowed_now");
        assert_eq!((entries.len(), entries[0].outcome), (1, AuditOutcome::Refused));
        assert_eq!(entries[0].item_id.map(|item| item.to_string()), Some(id.clone()), "it stands in the item's own trail");
        let (answer, entries) = app.audited(stranger.patch(&id, &json!({ "succeeded": {} }))).await;
        answer.kept(404, "not_found");
        assert_eq!((entries.len(), entries[0].outcome, entries[0].item_id), (1, AuditOutcome::Refused, None), "a stranger's word is not");
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for (refused, action) in [
            (amara.report(&report("INV-3")).await, AuditKind::ItemReported),
            (amara.send("POST", "/api/v1/items/batch", r#"{"items":[]}"#).await, AuditKind::ItemReported),
            (amara.attempt(&id, &json!({ "outcome": "failed" })).await, AuditKind::AttemptAdded),
            (amara.patch(&id, &json!({ "source_version": "2" })).await, AuditKind::ItemAmended),
        ] {
            assert!(matches!(refused.status, 403 | 404), "{}", refused.shown());
            let request = refused.header("x-request-id");
            let entries: Vec<_> = app.audit().await.into_iter().filter(|entry| entry.request_id.as_deref() == Some(request)).collect();
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, action, AuditOutcome::Refused), "{}", refused.shown());
        }
    }

    async fn r14_what_somebody_was_refused_to_read_is_recorded(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "step": "pay" }))).await;
        let kept = sync.report(&with(report("Q"), json!({ "x": 1 }))).await.kept(422, "invalid");
        let ada = app.signed_in("Ada", Role::Admin, "finance-ops").await;
        let olga = app.signed_in_with("Olga", Role::Operator, "finance-ops", Clearance::Internal).await;
        let (ada_is, olga_is) = ((ActorKind::Person, "Ada"), (ActorKind::Person, "Olga"));
        let (item, payload, case) = (format!("/items/{id}"), format!("/items/{id}/revisions/1/payload"), format!("/quarantine/{kept}"));
        use AuditKind::{AuditRead, ItemRead, PayloadRead, QuarantineRead, RetryCancelled};
        use AuditOutcome::Refused;
        for (path, kind) in [("/queue", ItemRead), (&item, ItemRead), (&format!("{item}/claim"), ItemRead), (&payload, PayloadRead), ("/quarantine", QuarantineRead), (&case, QuarantineRead)] {
            let (answer, entries) = app.audited(ada.get(path)).await;
            assert_eq!(answer.status, 403, "{path}");
            let about = (kind == ItemRead || kind == PayloadRead) && path != "/queue";
            assert_eq!(entries.iter().filter_map(|entry| entry.item_id).next().is_some(), about, "{path}");
            one((answer, entries), ada_is, kind, Refused);
        }
        for path in ["/audit", "/audit/corrections", &format!("/audit/corrections/{id}/2")] {
            one(app.audited(olga.get(path)).await, olga_is, AuditRead, Refused);
        }
        one(app.audited(olga.get(&payload)).await, olga_is, PayloadRead, Refused);
        one(app.audited(olga.get(&format!("{item}/correct"))).await, olga_is, PayloadRead, Refused);
        let script = app.script_of("ada@example.test", &[]).await;
        for (path, kind) in [("/api/v1/items".to_owned(), ItemRead), (format!("/api/v1{item}"), ItemRead), (format!("/api/v1{payload}"), PayloadRead)] {
            one(app.audited(script.get(&path)).await, ada_is, kind, Refused).problem(403, "forbidden");
        }
        // A refused form is shown again on a page that may not be read either: one refusal, one entry.
        one(app.audited(ada.post(&format!("{item}/cancel_retry"), &[("reason", "x")])).await, ada_is, RetryCancelled, Refused);
        // Looking at what one may look at, and at what is not there, is no refusal.
        for path in ["/queue", &item, &case, "/items/00000000-0000-0000-0000-000000000000"] {
            let (_, entries) = app.audited(olga.get(path)).await;
            assert!(entries.is_empty(), "{path}");
        }
    }

    async fn r14_a_token_that_does_not_stand_is_recorded_and_never_what_was_brought(app) {
        let sync = app.invoices().await;
        let nobody = (ActorKind::Anonymous, "not signed in");
        let told = app.audited(app.nobody().get("/api/v1/items")).await;
        one(told, nobody, AuditKind::TokenUsed, AuditOutcome::Refused).problem(401, "not_signed_in");
        let guess = "rcs_guessed-by-somebody";
        for header in [format!("Bearer {guess}"), guess.to_owned(), format!("Basic {guess}")] {
            let brought = app.nobody().request("POST", "/api/v1/items").header("authorization", header).body("{");
            one(app.audited(Answer::to(brought)).await, nobody, AuditKind::TokenUsed, AuditOutcome::Refused).problem(401, "bad_token");
        }
        app.database.revoke_token("invoice-sync", app.service.now()).await;
        let (answer, entries) = app.audited(sync.get("/api/v1/items")).await;
        assert!(entries[0].detail.0["token"].is_string(), "which one it was is known");
        one((answer, entries), nobody, AuditKind::TokenUsed, AuditOutcome::Refused).problem(401, "bad_token");
        let everything = format!("{:?}", app.database.content_without(&[]).await);
        assert!(!everything.contains("guessed-by-somebody") && !everything.contains(&sync.secret));
    }

    async fn r14_what_the_clock_ends_is_told_as_the_clocks(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        sync.attempt(&id, &json!({ "lease_s": 60 })).await.is(201);
        app.later(chrono::TimeDelta::minutes(2));
        let (_, entries) = app.audited(app.keep_leases()).await;
        assert_eq!((entries.len(), entries[0].action, entries[0].actor_kind), (1, AuditKind::ActivityLapsed, ActorKind::Job));
        assert_eq!(entries[0].item_id.map(|id| id.to_string()), Some(id));
    }

    async fn the_trail_is_narrowed_by_its_address(app) {
        let sync = app.invoices().await;
        app.register(REPLIES).await;
        let replies = app.token(&["support-replies"]).await;
        let ours = sync.reported(&report("INV-1")).await;
        app.later(chrono::TimeDelta::days(2));
        let theirs = replies.reported(&with(report("S-1"), json!({ "workflow": "support-replies", "step": "send" }))).await;
        replies.report(&report("INV-2")).await.kept(403, "forbidden");
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        let shows = async |query: &str| {
            let html = aud.get(&format!("/audit?{query}")).await.is(200).text();
            (html.contains(&ours), html.contains(&theirs))
        };
        assert_eq!(shows("").await, (true, true));
        assert_eq!(shows("workflow=invoice-sync").await, (true, false));
        assert_eq!(shows("workflow=support-replies").await, (false, true));
        assert!(!shows(&format!("item={ours}")).await.1);
        assert_eq!(shows("person=invoice-sync").await, (true, false));
        assert_eq!(shows("person=Nobody").await, (false, false));
        assert_eq!(shows("action=item.reported&outcome=done").await, (true, true));
        assert_eq!(shows("outcome=refused").await, (false, false));
        assert_eq!(shows("action=person.signed_in").await, (false, false));
        assert_eq!(shows("from=2026-11-30").await, (false, true));
        assert_eq!(shows("to=2026-11-30").await, (true, false));
        let refusals = aud.get("/audit?outcome=refused&workflow=invoice-sync").await.is(200).text();
        assert!(refusals.contains("support-replies"), "the stranger's refusal is in the team's trail");
    }

    async fn r15_the_trail_is_for_those_who_may_and_within_their_teams(app) {
        let sync = app.invoices().await;
        app.register(REPLIES).await;
        let replies = app.token(&["support-replies"]).await;
        let ours = sync.reported(&report("INV-1")).await;
        let theirs = replies.reported(&with(report("S-1"), json!({ "workflow": "support-replies", "step": "send" }))).await;
        for (name, role) in [("Olga", Role::Operator), ("Sue", Role::Supervisor)] {
            let person = app.signed_in(name, role, "finance-ops").await;
            let page = person.get("/audit").await.is(403).text();
            assert!(!page.contains(&ours) && page.contains("audit.read"));
        }
        let admin = app.signed_in("Ada", Role::Admin, "finance-ops").await;
        let page = admin.get("/audit").await.is(200).text();
        assert!(page.contains(&ours) && !page.contains(&theirs), "an admin sees the trail of their own teams");
    }

    async fn the_trail_is_paged_each_entry_exactly_once(app) {
        let sync = app.invoices().await;
        for number in 0..130 {
            if number % 4 == 0 {
                app.later(chrono::TimeDelta::milliseconds(1));
            }
            sync.report(&report(&format!("INV-{number}"))).await.is(201);
        }
        let all = app.audit().await;
        let ids: BTreeSet<_> = all.iter().map(|entry| entry.id).collect();
        assert_eq!(ids.len(), all.len());
        assert_eq!(app.database.rows("audit_entry").await, all.len());
        let filter = service::AuditFilter { workflow: Some("invoice-sync".into()), ..Default::default() };
        assert!(app.service.audit_trail(&crate::app::command_line(), filter).await.unwrap().more);
    }
}
