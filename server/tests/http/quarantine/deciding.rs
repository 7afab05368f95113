//! Correcting, accepting and closing what was kept: once, by one person, told to the others.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;

use super::{accept, case, through_a_browser};
use crate::{
    app::on_both,
    wire::{race, statuses},
    words::{report, with, with_payload_text},
};

on_both! {
    async fn r2_a_corrected_report_differs_only_where_the_person_edited(app) {
        let sync = app.invoices().await;
        let payload = "{\n  \"amount\": 40.00,\r\n  \"note\":\t\"caf\\u00e9\",\n\n  \"a\":1, \"a\":2\n}";
        let sent = format!("\n{}\n", with_payload_text(report("INV-1"), payload).replacen("\"step\"", "\"stepp\"", 1));
        let kept = sync.report_text(sent.clone()).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let page = olga.get(&format!("/quarantine/{kept}")).await.is(200).text();
        assert!(page.contains("\n\n{"), "a textarea drops its first newline, so the page writes one more");

        let edited = through_a_browser(&sent).replacen("\"stepp\"", "\"step\"", 1);
        let item = accept(&olga, &kept, &[("mode", "report"), ("text", &edited)]).await;
        let stored = sync.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.is(200);
        assert_eq!(stored.text(), payload, "its line ends and spelling are the sender's");
        let found = case(app, &kept).await;
        assert_eq!(found.bytes.unwrap(), sent.as_bytes(), "R1: what was sent stays beside it");
        assert_eq!(found.corrected.unwrap(), sent.replacen("\"stepp\"", "\"step\"", 1).as_bytes());
    }

    async fn a_correction_that_is_still_wrong_is_told_and_everything_typed_is_there(app) {
        let sync = app.invoices().await;
        let kept = sync.report(&with(report("INV-1"), json!({ "colour": "red" }))).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let before = app.database.content_without(&["audit_entry", "audit_text"]).await;
        for (text, status) in [("{", 400), ("", 400), (r#"{"workflow":"invoice-sync","typed":"with care"}"#, 422)] {
            let (page, entries) = app.audited(olga.post(&format!("/quarantine/{kept}/accept"), &[("mode", "report"), ("text", text), ("note", "typed as well")])).await;
            assert_eq!(page.status, status, "{}", page.shown());
            assert!(page.text().contains("typed as well"), "{}", page.shown());
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::QuarantineAccepted, AuditOutcome::Refused));
        }
        assert_eq!(app.database.content_without(&["audit_entry", "audit_text"]).await, before);
    }

    async fn bytes_that_are_no_report_become_the_payload_of_one(app) {
        let sync = app.invoices().await;
        let bytes = b"\xff\xfeISA*00*\x00 not json".to_vec();
        let kept = sync.report_text(bytes.clone()).await.kept(400, "malformed");
        let tess = app.signed_in("Tess", Role::Operator, "triage").await;
        let fields = [("workflow", "invoice-sync"), ("step", "create_invoice"), ("dedupe_key", "INV-9"), ("lane", "needs_review"), ("effect", "none"), ("message", "A partner sent EDI")];
        for (left_out, pointer) in [("workflow", "/workflow"), ("step", "/step"), ("dedupe_key", "/dedupe_key"), ("message", "/message")] {
            let rest: Vec<_> = fields.iter().copied().filter(|(name, _)| *name != left_out).collect();
            let page = tess.post(&format!("/quarantine/{kept}/accept"), &[&[("mode", "map"), ("note", "x")], rest.as_slice()].concat()).await;
            assert_eq!(page.status, 422, "{pointer}: {}", page.shown());
        }
        let item = accept(&tess, &kept, &[&[("mode", "map")], fields.as_slice()].concat()).await;
        let shown = sync.item(&item).await;
        assert_eq!((&shown["lane"], &shown["effect"]["status"], &shown["failure"]["message"]), (&json!("needs_review"), &json!("none"), &json!("A partner sent EDI")));
        assert_eq!(sync.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.body, bytes);
    }

    async fn a_body_with_its_report_in_the_header_is_accepted_with_both(app) {
        app.invoices().await;
        let night = app.token_named("night run", Some(&["other"])).await;
        let head = crate::words::without(report("INV-1"), "payload").to_string();
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let request = night.request("POST", "/api/v1/items").header("recourse-item", URL_SAFE_NO_PAD.encode(head)).header("content-type", "application/edifact").body(&b"UNA:+\xff"[..]);
        let kept = crate::wire::Answer::to(request).await.kept(403, "forbidden");
        app.database.bind_token("night run", "invoice-sync").await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let item = accept(&olga, &kept, &[("mode", "unchanged")]).await;
        let payload = night.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.is(200);
        assert_eq!((payload.body.as_slice(), payload.header("content-type")), (&b"UNA:+\xff"[..], "application/edifact"));
    }

    async fn closing_needs_a_reason_and_is_done_once(app) {
        let sync = app.invoices().await;
        let kept = sync.report(&with(report("INV-1"), json!({ "x": 1 }))).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let close = format!("/quarantine/{kept}/close");
        for reason in ["", " \r\n\t ", &"x".repeat(8_001)] {
            let (page, entries) = app.audited(olga.post(&close, &[("note", reason)])).await;
            page.is(422);
            assert_eq!((entries.len(), entries[0].outcome), (1, AuditOutcome::Refused));
        }
        let (done, entries) = app.audited(olga.post(&close, &[("note", "A test of\0 ours")])).await;
        assert_eq!(done.location(), format!("/quarantine/{kept}"));
        assert_eq!((entries.len(), entries[0].action, entries[0].text.as_deref()), (1, AuditKind::QuarantineClosed, Some("A test of␀ ours")));
        let html = olga.get(&format!("/quarantine/{kept}")).await.is(200).text();
        assert!(html.contains("Olga") && html.contains("A test of␀ ours"));
        let later = olga.post(&close, &[("note", "again")]).await.is(409);
        assert!(later.text().contains("Olga"));
        olga.post(&format!("/quarantine/{kept}/accept"), &[("mode", "unchanged"), ("note", "x")]).await.is(409);
        assert!(olga.get("/quarantine?view=done").await.is(200).text().contains(&kept));
        assert!(!olga.get("/quarantine").await.is(200).text().contains(&kept));
        assert_eq!(app.database.rows("item").await, 0);
    }

    async fn of_two_who_decide_at_once_one_wins_and_the_other_is_told_who(app) {
        let sync = app.invoices().await;
        let people = [app.signed_in("Olga", Role::Operator, "finance-ops").await, app.signed_in("Peer", Role::Supervisor, "finance-ops").await];
        let right = report("INV").to_string();
        for round in 0..8 {
            let key = format!("INV-{round}");
            let kept = sync.report(&with(report(&key), json!({ "x": 1 }))).await.kept(422, "invalid");
            let text = right.replace("\"INV\"", &format!("\"{key}\""));
            let texts = [text.clone(), text.replace("timeout", "network")];
            let answers = race(2, |n| {
                let (browser, kept, text) = (&people[n], &kept, &texts[if round % 2 == 0 { 0 } else { n }]);
                async move {
                    if round % 4 == 3 && n == 1 {
                        browser.post(&format!("/quarantine/{kept}/close"), &[("note", "no")]).await
                    } else {
                        browser.post(&format!("/quarantine/{kept}/accept"), &[("mode", "report"), ("text", text), ("note", "yes")]).await
                    }
                }
            }).await;
            assert_eq!(statuses(&answers), [(303, 1), (409, 1)], "{}", answers.iter().map(|answer| answer.shown()).collect::<String>());
            let winner = case(app, &kept).await.report.decided_by.unwrap();
            let loser = answers.iter().find(|answer| answer.status == 409).unwrap();
            assert!(loser.text().contains(&format!("{winner} already dealt with this report")), "{}", loser.shown());
            assert_eq!(app.database.rows("item").await, app.audit_count(AuditKind::QuarantineAccepted, AuditOutcome::Done).await);
        }
    }

    async fn accepted_twice_is_told_and_makes_nothing_more(app) {
        let sync = app.invoices().await;
        let kept = sync.report(&with(report("INV-1"), json!({ "x": 1 }))).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let right = report("INV-1").to_string();
        let item = accept(&olga, &kept, &[("mode", "report"), ("text", &right)]).await;
        for text in [right.as_str(), &right.replace("INV-1", "INV-2")] {
            let later = olga.post(&format!("/quarantine/{kept}/accept"), &[("mode", "report"), ("text", text), ("note", "x")]).await;
            assert_eq!(later.status, 409, "{}", later.shown());
            assert!(later.text().contains("Olga already dealt with this report"), "{}", later.shown());
        }
        assert_eq!(app.database.rows("item").await, 1);
        assert_eq!(sync.item(&item).await["attempts"].as_array().unwrap().len(), 1);
    }

    async fn a_corrected_report_of_known_work_adds_to_it(app) {
        let sync = app.invoices().await;
        let known = sync.reported(&with(report("INV-1"), json!({ "report_id": "r-1" }))).await;
        let kept = sync.report(&with(report("INV-1"), json!({ "report_id": "r-1", "impact": "low" }))).await.kept(409, "report_id_taken");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let item = accept(&olga, &kept, &[("mode", "unchanged")]).await;
        assert_eq!(item, known);
        let shown = sync.item(&item).await;
        assert_eq!((shown["attempts"].as_array().unwrap().len(), &shown["impact"]), (2, &json!("low")));
    }

    async fn word_about_an_item_is_not_accepted_as_a_report(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let kept = sync.patch(&id, &json!({ "x": 1 })).await.kept(422, "invalid");
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let page = olga.get(&format!("/quarantine/{kept}")).await.is(200).text();
        assert!(page.contains(&format!("/items/{id}")), "it leads to the item");
        olga.post(&format!("/quarantine/{kept}/accept"), &[("mode", "report"), ("text", &report("INV-2").to_string()), ("note", "x")]).await.is(422);
        olga.post(&format!("/quarantine/{kept}/close"), &[("note", "done by hand")]).await.is(303);
    }

    async fn the_report_of_a_token_that_ended_is_not_lost_either(app) {
        let sync = app.invoices().await;
        let kept = sync.report(&with(report("INV-1"), json!({ "x": 1 }))).await.kept(422, "invalid");
        app.database.revoke_token("invoice-sync", app.service.now()).await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        let page = olga.post(&format!("/quarantine/{kept}/accept"), &[("mode", "report"), ("text", &report("INV-1").to_string()), ("note", "x")]).await;
        assert_eq!(page.status, 303, "it came while the token stood: {}", page.shown());
        assert_eq!(app.database.rows("item").await, 1);
    }

    async fn the_ward_is_paged_each_case_exactly_once(app) {
        let sync = app.invoices().await;
        let mut kept = std::collections::BTreeSet::new();
        for number in 0..110 {
            if number % 3 == 0 {
                app.later(chrono::TimeDelta::seconds(1));
            }
            kept.insert(sync.report(&with(report(&format!("Q-{number}")), json!({ "x": 1 }))).await.kept(422, "invalid"));
        }
        app.add("Aud", &[Role::Auditor], &["nowhere"], Clearance::Restricted).await;
        let aud = app.browser();
        aud.sign_in("aud@example.test").await.is(303);
        let (mut seen, mut path) = (Vec::new(), "/quarantine".to_owned());
        for _ in 0..3 {
            let html = aud.get(&path).await.is(200).text();
            seen.extend(html.split("/quarantine/").skip(1).map(|rest| rest[..36].to_owned()));
            match html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&")).find(|link| link.contains("before=")) {
                Some(next) => path = next,
                None => break,
            }
        }
        assert_eq!(seen.len(), 110);
        assert_eq!(seen.into_iter().collect::<std::collections::BTreeSet<_>>(), kept);
    }
}
