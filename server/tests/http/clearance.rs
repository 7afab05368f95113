//! What a person may see: their teams' work, up to their clearance (R15).

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;

use crate::{
    app::{App, Token, on_both},
    browser::Browser,
    words::{REPLIES, report, with},
};

impl App {
    /// Somebody of finance-ops who reads items and the trail up to this clearance, in a browser and by script.
    async fn reader(&self, name: &str, clearance: Clearance) -> (Browser<'_>, Token<'_>) {
        let email = self.add(name, &[Role::Supervisor, Role::Auditor], &["finance-ops"], clearance).await;
        let browser = self.browser();
        browser.sign_in(&email).await.is(303);
        (browser, self.script_of(&email, &[]).await)
    }
}

on_both! {
    async fn r15_above_the_clearance_no_byte_of_the_content_is_in_the_page(app) {
        let sync = app.invoices().await;
        let secrets = ["iban-NO93-8601", "trace-of-the-ledger", "mail-of-the-supplier", "seen-in-the-ledger", "https://secret.example/mail"];
        let story = with(report("INV-1"), json!({
            "sensitivity": "restricted", "failure": { "message": "The ledger did not answer", "detail": secrets[1] },
            "effect": { "status": "uncertain", "evidence": secrets[3] }, "evidence": [{ "label": "mail", "text": secrets[2], "url": secrets[4] }],
            "payload": { "json": { "iban": secrets[0] } },
        }));
        let id = sync.reported(&story).await;
        let digest = sync.item(&id).await["revisions"][0]["sha256"].as_str().unwrap().to_owned();
        let pages = [format!("/items/{id}"), format!("/items/{id}?revision=1&view=raw"), format!("/items/{id}/cancel_retry"), "/queue".into(), "/queue?q=iban-NO93".into()];
        for (name, clearance) in [("Ines", Clearance::Internal), ("Conny", Clearance::Confidential)] {
            let person = app.signed_in_with(name, Role::Operator, "finance-ops", clearance).await;
            for path in &pages {
                let html = person.get(path).await.is(200).text();
                for secret in secrets.iter().skip(usize::from(path.contains("q="))) {
                    assert!(!html.contains(secret), "{name} {path}: {secret}");
                }
                assert!(!html.contains(&digest), "{name} {path}: a digest tells what the content is");
            }
            let (answer, entries) = app.audited(person.get(&format!("/items/{id}/revisions/1/payload"))).await;
            assert_eq!(answer.status, 403, "{}", answer.text());
            assert!(!answer.text().contains(secrets[0]));
            assert_eq!(entries.len(), 1);
            assert_eq!((entries[0].action, entries[0].outcome, entries[0].actor_name.as_str()), (AuditKind::PayloadRead, AuditOutcome::Refused, name));
            assert_eq!(entries[0].request_id.as_deref(), Some(answer.header("x-request-id")));
        }
        let rita = app.signed_in_with("Rita", Role::Operator, "finance-ops", Clearance::Restricted).await;
        let html = rita.get(&pages[0]).await.is(200).text();
        for secret in secrets {
            assert!(html.contains(secret), "whoever is cleared sees everything: {secret}");
        }
        assert!(html.contains(&digest));
        assert!(rita.get(&format!("/items/{id}/revisions/1/payload")).await.is(200).text().contains(secrets[0]));
    }

    async fn r15_a_restricted_item_is_masked_whole(app) {
        let sync = app.invoices().await;
        let told = json!({
            "step": "pay", "business_ref": "PAY-1", "correlation_id": "run-1", "customer_impact": "secret-impact",
            "failure": { "message": "secret-message", "detail": "secret-detail" },
            "effect": { "status": "uncertain", "record_id": "secret-record", "evidence": "secret-evidence" },
            "attempts": [{ "number": 1, "outcome": "uncertain", "sent": true, "message": "secret-answer", "record_id": "secret-trace" }],
            "steps": [{ "name": "extract", "status": "confirmed", "external_id": "secret-step" }],
            "affected": [{ "system": "crm", "id": "secret-affected", "url": "https://secret-crm.example" }],
            "evidence": [{ "label": "secret-label", "text": "secret-text" }],
            "proposed_action": { "action": "reconcile", "reason": "secret-proposal" },
            "payload": { "json": { "iban": "secret-payload" } },
        });
        let id = sync.reported(&with(report("KEY-1"), told)).await;
        let related = sync.reported(&with(report("KEY-2"), json!({ "step": "extract", "correlation_id": "run-1" }))).await;
        app.add("Rita", &[Role::Operator, Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
        let rita = app.browser();
        rita.sign_in("rita@example.test").await.is(303);
        let act = async |action: &str, fields: &[(&str, &str)]| {
            let version = app.version(&id).await.to_string();
            rita.post(&format!("/items/{id}/{action}"), &[&[("version", version.as_str())], fields].concat()).await.is(303);
        };
        act("comment", &[("text", "secret-comment")]).await;
        act("reconcile", &[("finding", "cannot_tell"), ("source", "secret-source"), ("evidence", "secret-found")]).await;
        act("snooze", &[("until", "2026-12-01T10:00"), ("reason", "secret-wait")]).await;
        act("wake", &[]).await;
        let script = app.script_of("rita@example.test", &[]).await;
        script.act(&id, "correct", json!({ "parent": 1, "text": r#"{"iban":"secret-corrected"}"#, "reason": "secret-why" })).await.is(200);
        let viewers = [app.reader("Ines", Clearance::Internal).await, app.reader("Conny", Clearance::Confidential).await];
        let watch = async |paths: &[String]| {
            for (person, script) in &viewers {
                for path in paths {
                    let html = if path.starts_with("/api/") { script.get(path).await } else { person.get(path).await };
                    let html = html.is(200).text();
                    let shown = html.find("secret-").map(|at| html[at..].chars().take(40).collect::<String>());
                    assert_eq!(shown.filter(|_| !path.contains("q=secret")), None, "{path}");
                }
            }
        };
        let item = format!("/items/{id}");
        watch(&[
            item.clone(), format!("{item}?revision=1&view=raw"), format!("{item}/comment"), format!("{item}/reconcile"), format!("/api/v1{item}"),
            format!("/items/{related}"), "/queue?view=open".into(), "/queue?view=uncertain".into(), "/api/v1/items".into(), "/audit".into(), format!("/audit?item={id}"),
            format!("{item}/replay"), "/audit/corrections".into(), format!("/audit/corrections/{id}/2"),
        ]).await;
        act("resolve", &[
            ("resolution", "accepted_degraded"), ("effect", "confirmed"), ("reason", "secret-reason"), ("evidence", "secret-basis"),
            ("record_id", "secret-decided"), ("follow_up", "secret-follow-up"),
        ]).await;
        let left = script.item(&id).await["follow_ups"][0]["id"].as_str().unwrap().to_owned();
        watch(&[item.clone(), format!("/api/v1{item}"), format!("/items/{left}"), format!("/api/v1/items/{left}"), "/queue?view=closed".into(), "/audit".into()]).await;
        act("reopen", &[("reason", "secret-again")]).await;
        watch(&[item.clone(), "/audit".into()]).await;

        for (person, script) in &viewers {
            let finds = async |text: &str| person.get(&format!("/queue?view=open&q={text}")).await.is(200).text().contains(&id);
            assert!(!finds("secret-message").await, "its message can't be guessed letter by letter");
            assert!(finds("pay-1").await && finds("KEY-1").await && finds("run-1").await, "what names it is no secret");
            let queue = person.get("/queue?view=open").await.text();
            assert!(queue.contains(&id) && queue.contains("Hidden: above your clearance"));
            let shown = script.item(&id).await;
            assert_eq!((&shown["business_ref"], &shown["effect"]["record_id"], &shown["attempts"][0]["message"]), (&json!("PAY-1"), &json!(null), &json!(null)));
        }
        let everything = rita.get(&item).await.text() + &rita.get("/queue?view=open&q=secret-message").await.is(200).text();
        for secret in ["message", "detail", "impact", "evidence", "answer", "step", "affected", "crm", "label", "text", "proposal", "corrected", "comment", "source", "found", "wait", "why", "reason", "basis", "follow-up", "again"] {
            assert!(everything.contains(&format!("secret-{secret}")), "whoever is cleared sees everything: {secret}");
        }
    }

    async fn r15_of_a_confidential_item_the_content_is_hidden_and_what_is_said_of_it_is_not(app) {
        let sync = app.invoices().await;
        let told = json!({
            "failure": { "message": "said-message", "detail": "secret-detail" }, "effect": { "status": "uncertain", "evidence": "secret-evidence" },
            "evidence": [{ "label": "said-label", "text": "secret-text" }], "payload": { "json": { "iban": "secret-payload" } }, "customer_impact": "said-impact",
        });
        let id = sync.reported(&with(report("KEY-1"), told)).await;
        let rita = app.signed_in("Rita", Role::Operator, "finance-ops").await;
        let version = app.version(&id).await.to_string();
        rita.post(&format!("/items/{id}/reconcile"), &[("version", &version), ("finding", "cannot_tell"), ("source", "said-source"), ("evidence", "secret-found")]).await.is(303);
        let (ines, script) = app.reader("Ines", Clearance::Internal).await;
        for path in [format!("/items/{id}"), "/queue?view=open".into(), "/audit".into(), format!("/api/v1/items/{id}")] {
            let html = if path.starts_with("/api/") { script.get(&path).await } else { ines.get(&path).await }.is(200).text();
            assert!(!html.contains("secret-"), "{path}");
            assert!(html.contains("said-message") || path == "/audit", "{path}");
        }
        let html = ines.get(&format!("/items/{id}")).await.text();
        assert!(html.contains("Payload, technical detail and evidence are not shown."), "all of it is hidden: {html}");
        assert!(["label", "impact", "source"].iter().all(|said| html.contains(&format!("said-{said}"))));
        assert!(ines.get("/queue?view=open&q=said-message").await.text().contains(&id));
    }

    async fn r15_what_a_replay_would_send_tells_nothing_above_the_clearance(app) {
        let to = "sensitivity = \"restricted\"\n[step.destination]\nkind = \"http\"\nurl = \"https://ledger.example/{payload:/account}\"";
        app.register(&crate::words::INVOICES.replace("sensitivity = \"restricted\"", to)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let told = json!({ "step": "pay", "attempts": [{ "outcome": "failed", "sent": false }], "payload": { "json": { "account": "secret-account" } } });
        let id = sync.reported(&with(report("KEY-1"), told)).await;
        let rita = app.signed_in("Rita", Role::Operator, "finance-ops").await;
        let script = app.script_of("rita@example.test", &[]).await;
        script.act(&id, "correct", json!({ "parent": 1, "text": r#"{"account":"secret-account","typed":1}"#, "reason": "secret-why" })).await.is(200);
        let page = format!("/items/{id}/replay");
        let html = rita.get(&page).await.is(200).text();
        assert!(html.contains("secret-account") && html.contains("secret-why"));
        let (conny, _) = app.reader("Conny", Clearance::Confidential).await;
        let html = conny.get(&page).await.is(200).text();
        assert!(html.contains("ledger.example") && !html.contains("secret-"));
    }

    async fn r15_at_the_clearance_everything_is_shown(app) {
        let sync = app.invoices().await;
        let levels = [("internal", "extract"), ("confidential", "create_invoice"), ("restricted", "pay")];
        let mut ids = Vec::new();
        for (level, step) in levels {
            let story = with(report(level), json!({ "step": step, "payload": { "text": format!("content-{level}") } }));
            ids.push(sync.reported(&story).await);
        }
        for (rank, (name, clearance)) in [("Ines", Clearance::Internal), ("Conny", Clearance::Confidential), ("Rita", Clearance::Restricted)].into_iter().enumerate() {
            let person = app.signed_in_with(name, Role::Operator, "finance-ops", clearance).await;
            for (index, id) in ids.iter().enumerate() {
                let shown = person.get(&format!("/items/{id}")).await.is(200).text().contains(&format!("content-{}", levels[index].0));
                assert_eq!(shown, index <= rank, "{name} at {}", levels[index].0);
                let download = person.get(&format!("/items/{id}/revisions/1/payload")).await;
                assert_eq!(download.status, if index <= rank { 200 } else { 403 }, "{name} at {}", levels[index].0);
            }
        }
    }

    async fn r15_another_teams_work_is_not_there(app) {
        let sync = app.invoices().await;
        app.register(REPLIES).await;
        let replies = app.token(&["support-replies"]).await;
        let theirs = replies.reported(&with(report("S-1"), json!({ "workflow": "support-replies", "step": "send", "correlation_id": "run-1" }))).await;
        let ours = sync.reported(&with(report("INV-1"), json!({ "correlation_id": "run-1" }))).await;
        let kept = replies.report(&with(report("S-2"), json!({ "workflow": "support-replies", "x": 1 }))).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        for path in [format!("/items/{theirs}"), format!("/items/{theirs}/cancel_retry"), format!("/quarantine/{kept}"), format!("/items/{theirs}/revisions/1/payload")] {
            olga.get(&path).await.is(404);
        }
        let (refused, entries) = app.audited(olga.post(&format!("/items/{theirs}/cancel_retry"), &[("reason", "x")])).await;
        refused.is(404);
        assert_eq!((entries.len(), entries[0].outcome), (1, AuditOutcome::Refused));
        olga.post(&format!("/quarantine/{kept}/close"), &[("note", "x")]).await.is(404);
        olga.post(&format!("/quarantine/{kept}/accept"), &[("note", "x"), ("mode", "unchanged")]).await.is(404);
        for path in ["/queue".to_owned(), "/queue?view=open".into(), "/queue?q=S-1".into(), "/quarantine".into(), format!("/items/{ours}")] {
            let html = olga.get(&path).await.is(200).text();
            assert!(!html.contains(&theirs) && !html.contains(&kept), "{path}");
        }
        let sven = app.signed_in("Sven", Role::Operator, "support").await;
        sven.get(&format!("/items/{theirs}")).await.is(200);
        sven.get(&format!("/quarantine/{kept}")).await.is(200);
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        let html = aud.get(&format!("/items/{ours}")).await.is(200).text();
        assert!(html.contains(&theirs), "whoever sees both sees that they belong together");
    }

    async fn r15_the_workflows_of_other_teams_are_not_named(app) {
        app.register(&crate::words::INVOICES.replace("invoice-sync", "merger-plans").replace("create_invoice", "buy_rival")).await;
        app.register(REPLIES).await;
        let sven = app.signed_in("Sven", Role::Operator, "support").await;
        let html = sven.get("/queue").await.is(200).text();
        assert!(html.contains("support-replies"));
        assert!(!html.contains("merger-plans") && !html.contains("buy_rival"));
    }

    async fn r15_auditors_read_and_change_nothing(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&with(report("INV-1"), json!({ "next_attempt_by_automation_at": "2026-11-29T12:00:00Z" }))).await;
        let kept = sync.report_text("{").await.kept(400, "malformed");
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        let before = app.database.content_without(&["audit_entry", "audit_text"]).await;
        for (path, field) in [(format!("/items/{id}/cancel_retry"), "reason"), (format!("/quarantine/{kept}/close"), "note"), (format!("/quarantine/{kept}/accept"), "note")] {
            let (refused, entries) = app.audited(aud.post(&path, &[(field, "x")])).await;
            assert_eq!(refused.status, 403, "{path}: {}", refused.text());
            assert_eq!((entries.len(), entries[0].outcome, entries[0].code.as_deref()), (1, AuditOutcome::Refused, Some("forbidden")));
        }
        assert_eq!(app.database.content_without(&["audit_entry", "audit_text"]).await, before);
    }
}
