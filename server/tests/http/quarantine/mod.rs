//! Nothing is lost (R17): what was refused is kept whole, seen by the right team, and one click from being accepted.

mod deciding;

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;
use service::quarantine::read::QuarantineCase;

use crate::{
    app::{App, on_both},
    browser::Browser,
    wire::race,
    words::{REPLIES, report, with},
};

async fn case(app: &App, id: &str) -> QuarantineCase {
    app.service.quarantine_case(&crate::app::command_line(), id.parse().unwrap()).await.unwrap()
}

/// Posts the form that accepts a report; answers the item's id.
async fn accept(browser: &Browser<'_>, id: &str, fields: &[(&str, &str)]) -> String {
    let done = browser
        .post(&format!("/quarantine/{id}/accept"), &[&[("note", "checked with the sender")], fields].concat())
        .await;
    assert_eq!(done.status, 303, "{}", done.shown());
    done.location().strip_prefix("/items/").unwrap().to_owned()
}

/// As a browser returns the text of a textarea.
fn through_a_browser(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

on_both! {
    async fn r17_every_kind_of_refusal_is_kept_and_seen_by_the_right_team(app) {
        let sync = app.invoices().await;
        app.register(REPLIES).await;
        let replies = app.token(&["support-replies"]).await;
        let id = sync.reported(&with(report("INV-1"), json!({ "report_id": "r-1" }))).await;
        let taken = with(report("INV-1"), json!({ "report_id": "r-1", "impact": "low" }));
        let foreign = report("INV-2");
        let (ours, theirs, nobodys) = ("finance-ops", "support", "triage");
        let kept = [
            (sync.report_text("{").await.kept(400, "malformed"), "malformed", nobodys, b"{".to_vec()),
            (sync.report(&with(report("Q"), json!({ "x": 1 }))).await.kept(422, "invalid"), "invalid", ours, with(report("Q"), json!({ "x": 1 })).to_string().into_bytes()),
            (sync.report(&taken).await.kept(409, "report_id_taken"), "report_id_taken", ours, taken.to_string().into_bytes()),
            (replies.report(&foreign).await.kept(403, "forbidden"), "forbidden", ours, foreign.to_string().into_bytes()),
            (sync.report(&with(report("Q"), json!({ "workflow": "nobody-knows" }))).await.kept(403, "forbidden"), "forbidden", nobodys, with(report("Q"), json!({ "workflow": "nobody-knows" })).to_string().into_bytes()),
            (sync.attempt(&id, &json!({ "x": 1 })).await.kept(422, "invalid"), "invalid", ours, json!({ "x": 1 }).to_string().into_bytes()),
            (sync.send("PATCH", &format!("/api/v1/items/{id}"), "[").await.kept(400, "malformed"), "malformed", ours, b"[".to_vec()),
            (replies.patch(&id, &json!({ "succeeded": {} })).await.kept(404, "not_found"), "not_found", ours, json!({ "succeeded": {} }).to_string().into_bytes()),
            (replies.report(&with(report("S"), json!({ "workflow": "support-replies", "step": 7 }))).await.kept(422, "invalid"), "invalid", theirs, with(report("S"), json!({ "workflow": "support-replies", "step": 7 })).to_string().into_bytes()),
        ];
        let teams = [(ours, app.signed_in("Olga", Role::Operator, ours).await), (theirs, app.signed_in("Sven", Role::Operator, theirs).await), (nobodys, app.signed_in("Tess", Role::Operator, nobodys).await)];
        for (id, code, team, bytes) in &kept {
            let found = case(app, id).await;
            assert_eq!((found.report.code.as_str(), found.report.team_name.as_str()), (*code, *team), "{id}");
            assert_eq!(found.bytes.as_ref(), Some(bytes));
            for (name, browser) in &teams {
                let seen = browser.get(&format!("/quarantine/{id}")).await;
                assert_eq!(seen.status, if name == team { 200 } else { 404 }, "{name} {code}");
                assert_eq!(browser.get("/quarantine").await.is(200).text().contains(id.as_str()), name == team, "{name} {code}");
            }
        }
        assert_eq!(app.database.rows("quarantine").await, kept.len());
        assert_eq!(app.audit_count(AuditKind::ReportQuarantined, AuditOutcome::Refused).await, kept.len());
    }

    async fn a_report_is_accepted_unchanged_once_what_stood_against_it_is_gone(app) {
        app.invoices().await;
        let night = app.token_named("night run", Some(&["other"])).await;
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let kept = night.report(&story).await.kept(403, "forbidden");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let unchanged = [("mode", "unchanged"), ("note", "x")];
        let still = olga.post(&format!("/quarantine/{kept}/accept"), &unchanged).await;
        assert_eq!(still.status, 403, "it is refused for the same reason: {}", still.shown());
        assert_eq!(app.database.rows("item").await, 0);

        app.database.bind_token("night run", "invoice-sync").await;
        let (item, entries) = app.audited(accept(&olga, &kept, &[("mode", "unchanged")])).await;
        let accepted = entries.iter().find(|entry| entry.action == AuditKind::QuarantineAccepted).unwrap();
        assert_eq!((entries.len(), accepted.actor_name.as_str(), accepted.text.as_deref()), (1, "Olga", Some("checked with the sender")));
        assert_eq!(accepted.detail.0["quarantine"], json!(kept));
        let shown = night.item(&item).await;
        assert_eq!((&shown["state"], &shown["effect"]["status"]), (&json!("open"), &json!("uncertain")));
        assert_eq!(shown["revisions"][0]["author"], "night run", "the automation stays the author");
        assert_eq!(night.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.text(), r#"{"amount":40}"#);
        let done = case(app, &kept).await.report;
        assert_eq!((done.decided_by.as_deref(), done.item_id.map(|id| id.to_string())), (Some("Olga"), Some(item.clone())));

        let again = night.report(&story).await.is(200).json();
        assert_eq!(again["id"], json!(item), "the automation that sends it again is told of the same item");
        assert_eq!(night.item(&item).await["attempts"].as_array().unwrap().len(), 1, "the same report changes nothing");
    }

    async fn a_report_that_was_sent_again_and_taken_meanwhile_is_known(app) {
        app.invoices().await;
        let night = app.token_named("night run", Some(&["other"])).await;
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let kept = night.report(&story).await.kept(403, "forbidden");
        app.database.bind_token("night run", "invoice-sync").await;
        let known = night.reported(&story).await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let (item, entries) = app.audited(accept(&olga, &kept, &[("mode", "unchanged")])).await;
        assert_eq!(item, known);
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::QuarantineAccepted));
        assert_eq!(night.item(&item).await["attempts"].as_array().unwrap().len(), 1);
    }

    async fn r15_a_body_above_the_clearance_is_not_shown_and_can_be_accepted_or_closed_unread(app) {
        let sync = app.invoices().await;
        let night = app.token_named("night run", Some(&["other"])).await;
        let said = |fields: serde_json::Value| with(with(report("INV-1"), json!({ "payload": { "text": "secret-content" } })), fields);
        let item = sync.reported(&with(report("PAY-9"), json!({ "step": "pay" }))).await;
        let header = {
            use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
            let head = crate::words::without(said(json!({ "step": "extract", "x": 1 })), "payload").to_string();
            let request = sync.request("POST", "/api/v1/items").header("recourse-item", URL_SAFE_NO_PAD.encode(head)).body("secret-content");
            crate::wire::Answer::to(request).await.kept(422, "invalid")
        };
        // Each with the least clearance that reads it: 0 internal, 1 confidential, 2 restricted.
        let cases = [
            (sync.report(&said(json!({ "step": "extract", "secret-field": 1 }))).await.kept(422, "invalid"), 0),
            (header, 0),
            (sync.report(&said(json!({ "step": "extract", "sensitivity": "restricted", "secret-field": 1 }))).await.kept(422, "invalid"), 2),
            (sync.report(&said(json!({ "step": "create_invoice", "sensitivity": "internal", "secret-field": 1 }))).await.kept(422, "invalid"), 1),
            (sync.report(&said(json!({ "step": "pay", "secret-field": 1 }))).await.kept(422, "invalid"), 2),
            (sync.report(&said(json!({ "step": "nobody-knows", "secret-field": 1 }))).await.kept(422, "invalid"), 2),
            (sync.report(&said(json!({ "step": ["secret-step"] }))).await.kept(422, "invalid"), 2),
            (sync.report(&said(json!({ "workflow": "nobody-knows", "sensitivity": "internal" }))).await.kept(403, "forbidden"), 1),
            (sync.report_text("{ secret-content").await.kept(400, "malformed"), 1),
            (night.report(&said(json!({ "step": "pay" }))).await.kept(403, "forbidden"), 2),
            (sync.patch(&item, &json!({ "secret-field": "secret-content" })).await.kept(422, "invalid"), 2),
        ];
        let mut readers = Vec::new();
        for (name, clearance) in [("Ines", Clearance::Internal), ("Conny", Clearance::Confidential), ("Rita", Clearance::Restricted)] {
            let email = app.add(name, &[Role::Operator], &["finance-ops", "triage"], clearance).await;
            let browser = app.browser();
            browser.sign_in(&email).await.is(303);
            readers.push(browser);
        }
        for (number, (id, least)) in cases.iter().enumerate() {
            for (rank, reader) in readers.iter().enumerate() {
                let html = reader.get(&format!("/quarantine/{id}")).await.is(200).text();
                let place = format!("case {number} at rank {rank}");
                assert_eq!(html.contains("secret-content"), rank >= *least, "{place}");
                assert_eq!(html.contains("above your clearance"), rank < *least, "{place}");
                assert_eq!(html.contains("value=\"report\"") || html.contains("value=\"map\""), rank >= *least && number != cases.len() - 1, "{place}");
                assert!(html.contains(&format!("/quarantine/{id}/close")), "{place}");
                if *least == 2 && rank < 2 {
                    assert!(!html.contains("secret-"), "{place}: a reason may repeat what it is about");
                }
            }
        }
        let ward = readers[1].get("/quarantine").await.is(200).text();
        let restricted = cases.iter().filter(|(_, least)| *least == 2).count();
        assert_eq!(ward.matches("Hidden: above your clearance").count(), restricted);
        let conny = &readers[1];
        let pay = &cases[9].0;
        let mapped = [("mode", "map"), ("note", "x"), ("workflow", "invoice-sync"), ("step", "extract"), ("dedupe_key", "k"), ("lane", "dead_letter"), ("effect", "none"), ("message", "m")];
        for fields in [&mapped[..], &[("mode", "report"), ("text", "{}"), ("note", "x")]] {
            let (page, entries) = app.audited(conny.post(&format!("/quarantine/{pay}/accept"), fields)).await;
            assert!(!page.is(403).text().contains("secret-"));
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::QuarantineAccepted, AuditOutcome::Refused));
        }
        app.database.bind_token("night run", "invoice-sync").await;
        let accepted = accept(conny, pay, &[("mode", "unchanged")]).await;
        assert!(!conny.get(&format!("/items/{accepted}")).await.is(200).text().contains("secret-"));
        conny.post(&format!("/quarantine/{}/close", cases[4].0), &[("note", "theirs")]).await.is(303);
        assert!(!conny.get("/quarantine?view=done").await.is(200).text().contains("secret-"));
    }

    async fn the_same_refused_report_is_kept_once_and_counted(app) {
        let sync = app.invoices().await;
        let other = app.token_named("other", Some(&["invoice-sync"])).await;
        let wrong = with(report("INV-1"), json!({ "x": 1 }));
        let kept = sync.report(&wrong).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        assert!(!olga.get(&format!("/quarantine/{kept}")).await.text().contains("The same again"));
        app.later(chrono::TimeDelta::minutes(7));
        for repeats in 1..=3 {
            let (answer, entries) = app.audited(sync.report(&wrong)).await;
            assert_eq!(answer.kept(422, "invalid"), kept);
            assert_eq!((entries.len(), entries[0].outcome, &entries[0].detail.0["repeats"]), (1, AuditOutcome::Refused, &json!(repeats)));
        }
        let found = case(app, &kept).await.report;
        assert_eq!((found.repeats, found.last_at, found.received_at), (3, Some(app.service.now()), crate::app::morning()));
        assert_eq!(app.database.rows("quarantine").await, 1);
        let html = olga.get(&format!("/quarantine/{kept}")).await.is(200).text();
        assert!(html.contains("The same again") && html.contains("3 times"));
        assert!(olga.get("/quarantine").await.text().contains("again 3 times"));

        // Anything else about it makes it another.
        let others = [
            other.report(&wrong).await.kept(422, "invalid"),
            sync.report_text(format!("{wrong} ")).await.kept(422, "invalid"),
            sync.send("POST", "/api/v1/items/batch", wrong.to_string()).await.kept(400, "malformed"),
        ];
        assert!(!others.contains(&kept));
        // Once it was dealt with, the next is a new one.
        olga.post(&format!("/quarantine/{kept}/close"), &[("note", "a test")]).await.is(303);
        let again = sync.report(&wrong).await.kept(422, "invalid");
        assert_ne!(again, kept);
        assert_eq!(sync.report(&wrong).await.kept(422, "invalid"), again);

        let id = sync.reported(&report("INV-2")).await;
        let word = async || sync.attempt(&id, &json!({ "x": 1 })).await.kept(422, "invalid");
        assert_eq!(word().await, word().await);
        assert_ne!(word().await, sync.patch(&id, &json!({ "x": 1 })).await.kept(422, "invalid"));
    }

    async fn of_the_same_refused_reports_at_once_one_is_kept(app) {
        let sync = app.invoices().await;
        let wrong = with(report("INV-1"), json!({ "x": 1 }));
        let kept: std::collections::BTreeSet<_> = race(20, |_| async { sync.report(&wrong).await.kept(422, "invalid") }).await.into_iter().collect();
        assert_eq!((kept.len(), app.database.rows("quarantine").await), (1, 1));
        assert_eq!(case(app, kept.first().unwrap()).await.report.repeats, 19);
    }
}
