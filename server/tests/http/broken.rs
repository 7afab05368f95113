//! Reports that can't be read, or say nonsense: refused with the place and the reason, and kept whole (R17).

use serde_json::json;

use crate::{
    app::{App, on_both},
    wire::Answer,
    words::{report, time, with, with_payload_text},
};

/// What was kept of a report, byte for byte.
async fn kept_bytes(app: &App, id: &str) -> Vec<u8> {
    app.service.quarantine_case(&crate::app::command_line(), id.parse().unwrap()).await.unwrap().bytes.unwrap()
}

on_both! {
    async fn what_is_no_json_is_refused_and_kept_to_the_byte(app) {
        let sync = app.invoices().await;
        let bodies: Vec<Vec<u8>> = vec![
            b"".to_vec(),
            b" \r\n\t".to_vec(),
            b"{".to_vec(),
            b"{\"workflow\": \"invoice-sync\"".to_vec(),
            b"workflow=invoice-sync".to_vec(),
            report("INV-1").to_string().replace('"', "'").into_bytes(),
            format!("{} {}", report("INV-1"), report("INV-2")).into_bytes(),
            format!("\u{feff}{}", report("INV-1")).into_bytes(),
            b"{\"workflow\": \"\xff\xfe\"}".to_vec(),
            report("INV-1").to_string().replace("ledger", "\\ud800").into_bytes(),
            report("INV-1").to_string().encode_utf16().flat_map(u16::to_le_bytes).collect(),
            with_payload_text(report("INV-1"), "01").into_bytes(),
            with_payload_text(report("INV-1"), "NaN").into_bytes(),
        ];
        for body in bodies {
            let answer = sync.report_text(body.clone()).await;
            let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
            assert_eq!(answer.status, 400, "{shown}: {}", answer.text());
            let id = answer.kept(400, "malformed");
            assert_eq!(kept_bytes(app, &id).await, body, "{shown}");
        }
        assert_eq!(app.database.rows("item").await, 0);
    }

    async fn nesting_without_end_is_refused_wherever_it_stands(app) {
        let sync = app.invoices().await;
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let objects = format!("{}1{}", r#"{"a":"#.repeat(200_000), "}".repeat(200_000));
        for nested in [&deep, &objects] {
            for place in ["HERE", r#"{"x":HERE}"#, r#"{"workflow":HERE}"#, r#"{"failure":{"message":"x","detail":HERE}}"#, r#"{"attempts":HERE}"#, r#"{"payload":HERE}"#, r#"{"ai":{"model":HERE}}"#] {
                let body = place.replace("HERE", nested);
                let answer = sync.report_text(body.clone()).await;
                assert!(matches!(answer.status, 400 | 422), "{place}: {}", answer.status);
                let id = answer.json()["quarantine_id"].as_str().unwrap().to_owned();
                assert!(kept_bytes(app, &id).await == body.as_bytes());
            }
        }
    }

    async fn other_kinds_of_json_are_refused_and_kept(app) {
        let sync = app.invoices().await;
        for body in ["null", "true", "17", "\"x\"", "[]", "{}"] {
            let id = sync.report_text(body).await.kept(422, "invalid");
            assert_eq!(kept_bytes(app, &id).await, body.as_bytes());
        }
    }

    async fn an_unknown_or_doubled_field_is_named(app) {
        let sync = app.invoices().await;
        sync.report(&with(report("INV-1"), json!({ "dedup_key": "x" }))).await.kept_for("/dedup_key");
        sync.report(&with(report("INV-1"), json!({ "a/b~c": 1 }))).await.kept_for("/a~1b~0c");
        sync.report(&with(report("INV-1"), json!({ "failure": { "message": "x", "stack": "y" } }))).await.kept_for("/failure/stack");
        sync.report(&with(report("INV-1"), json!({ "attempts": [{ "outcome": "failed" }, { "outcome": "failed", "n": 1 }] }))).await.kept_for("/attempts/1/n");
        sync.report(&with(report("INV-1"), json!({ "payload": { "xml": "<a/>" } }))).await.kept_for("/payload/xml");
        let doubled = report("INV-1").to_string().replacen('{', r#"{"workflow":"other","#, 1);
        let problem = sync.report_text(doubled.clone()).await;
        let id = problem.kept(422, "invalid");
        assert!(problem.json()["fields"][0]["message"].as_str().unwrap().contains("workflow"), "{}", problem.text());
        assert_eq!(kept_bytes(app, &id).await, doubled.as_bytes());
    }

    async fn every_required_field_is_missed_by_name(app) {
        let sync = app.invoices().await;
        for field in ["workflow", "dedupe_key", "step", "failure", "payload"] {
            sync.report(&crate::words::without(report("INV-1"), field)).await.kept_for(&format!("/{field}"));
        }
        sync.report(&with(report("INV-1"), json!({ "failure": {} }))).await.kept_for("/failure/message");
        sync.report(&with(report("INV-1"), json!({ "failure": { "message": " \n" } }))).await.kept_for("/failure/message");
        sync.report(&with(report("INV-1"), json!({ "attempts": [{ "sent": true }] }))).await.kept_for("/attempts/0/outcome");
    }

    async fn all_wrong_fields_are_told_at_once(app) {
        let sync = app.invoices().await;
        let answer = sync.report(&with(report("a\nb"), json!({
            "report_id": "", "effect": { "record_id": "\u{1}" }, "affected": [{ "system": "crm", "id": "C-1", "url": "javascript:alert(1)" }],
        }))).await;
        answer.kept(422, "invalid");
        let fields = answer.json()["fields"].clone();
        let pointers: Vec<_> = fields.as_array().unwrap().iter().map(|field| field["pointer"].as_str().unwrap()).collect();
        assert_eq!(pointers, ["/report_id", "/dedupe_key", "/effect/record_id", "/affected/0/url"]);
        assert!(fields.as_array().unwrap().iter().all(|field| !field["message"].as_str().unwrap().is_empty()));
    }

    async fn a_null_character_is_shown_in_messages_and_refused_in_keys(app) {
        let sync = app.invoices().await;
        let story = with(report("INV-1"), json!({
            "failure": { "message": "before\0after", "detail": "\0" }, "evidence": [{ "label": "mail", "text": "a\0b" }], "customer_impact": "late\0",
            "effect": { "evidence": "no\0ne" }, "proposed_action": { "action": "wait", "reason": "x\0", "by": "rule\0" },
            "ai": { "model": "m\0", "prompt_version": "p\0", "output_contract": "c\0" },
            "attempts": [{ "outcome": "failed", "sent": false, "message": "n\0" }],
        }));
        let item = sync.item(&sync.reported(&story).await).await;
        assert_eq!(item["failure"]["message"], "before␀after");
        assert_eq!(item["attempts"][0]["message"], "n␀");
        for key in ["workflow", "step", "dedupe_key", "report_id", "business_ref", "correlation_id", "source_version"] {
            let answer = sync.report(&with(report("INV-2"), json!({ key: "a\0b" }))).await;
            answer.kept_for(&format!("/{key}"));
        }
        sync.report(&with(report("INV-2"), json!({ "evidence": [{ "label": "a\0b" }] }))).await.kept_for("/evidence/0/label");
        sync.report(&with(report("INV-2"), json!({ "affected": [{ "system": "crm\0", "id": "1" }] }))).await.kept_for("/affected/0/system");
        sync.report(&with(report("INV-2"), json!({ "payload": { "media_type": "text/\0", "text": "" } }))).await.kept_for("/payload/media_type");
        let kept = sync.reported(&with(report("INV-3"), json!({ "payload": { "text": "a\0b" } }))).await;
        let payload = sync.get(&format!("/api/v1/items/{kept}/revisions/1/payload")).await.is(200);
        assert_eq!(payload.body, b"a\0b", "R1: in a payload it is a byte like any other");
    }

    async fn c87_integers_at_the_edges_are_refused_by_name_or_come_back_exactly(app) {
        let sync = app.invoices().await;
        let wrong = ["4294967296", "-1", "2.5", "\"3\"", "true", "18446744073709551616", "1e3", "0"];
        for number in wrong {
            let text = with(report("INV-1"), json!({ "attempts": [{ "outcome": "failed", "number": "HERE" }] })).to_string().replace("\"HERE\"", number);
            sync.report_text(text).await.kept_for("/attempts/0/number");
        }
        for code in ["65536", "-1", "9223372036854775808", "200.0"] {
            let text = with(report("INV-1"), json!({ "attempts": [{ "outcome": "failed", "status_code": "HERE" }] })).to_string().replace("\"HERE\"", code);
            sync.report_text(text).await.kept_for("/attempts/0/status_code");
        }
        for confidence in ["1.0000001", "-0.1", "1e400", "\"0.5\""] {
            let text = with(report("INV-1"), json!({ "ai": { "confidence": "HERE" } })).to_string().replace("\"HERE\"", confidence);
            let answer = sync.report_text(text).await;
            assert!(matches!(answer.status, 400 | 422), "{confidence}: {}", answer.text());
            assert!(answer.json()["quarantine_id"].is_string());
        }
        let id = sync.reported(&with(report("INV-1"), json!({ "attempts": [
            { "outcome": "failed", "sent": false, "number": 4_294_967_295u32, "status_code": 65_535 }, { "outcome": "failed", "sent": false, "number": 1 }] }))).await;
        assert_eq!(sync.item(&id).await["attempts"][0]["status_code"], 65_535);
    }

    async fn wrong_words_and_types_are_told_with_what_would_be_right(app) {
        let sync = app.invoices().await;
        let cases = [
            (json!({ "lane": "deadletter" }), "/lane"),
            (json!({ "failure": { "message": "x", "class": "boom" } }), "/failure/class"),
            (json!({ "effect": { "status": "maybe" } }), "/effect/status"),
            (json!({ "effect": "none" }), "/effect"),
            (json!({ "impact": "huge" }), "/impact"),
            (json!({ "sensitivity": "secret" }), "/sensitivity"),
            (json!({ "attempts": [{ "outcome": "in_flight" }] }), "/attempts/0/outcome"),
            (json!({ "attempts": [{ "outcome": "failed", "lease_s": 60 }] }), "/attempts/0/lease_s"),
            (json!({ "attempts": {} }), "/attempts"),
            (json!({ "steps": [{ "name": "extract", "status": "done" }] }), "/steps/0/status"),
            (json!({ "steps": [{ "name": "", "status": "confirmed" }] }), "/steps/0/name"),
            (json!({ "occurred_at": "yesterday" }), "/occurred_at"),
            (json!({ "occurred_at": "2026-11-29T10:00:00" }), "/occurred_at"),
            (json!({ "occurred_at": 253_402_300_800_000u64 }), "/occurred_at"),
            (json!({ "valid_until": "2026-02-30T00:00:00Z" }), "/valid_until"),
            (json!({ "payload": {} }), "/payload"),
            (json!({ "payload": { "json": 1, "text": "1" } }), "/payload"),
            (json!({ "payload": { "base64": "a" } }), "/payload/base64"),
            (json!({ "payload": { "base64": "YQ" } }), "/payload/base64"),
            (json!({ "payload": { "base64": "_-8=" } }), "/payload/base64"),
            (json!({ "payload": { "media_type": "", "text": "" } }), "/payload/media_type"),
            (json!({ "payload": { "media_type": "text/plain\r\nx: y", "text": "" } }), "/payload/media_type"),
            (json!({ "payload": "text" }), "/payload"),
            (json!({ "workflow": 7 }), "/workflow"),
            (json!({ "business_ref": "two\nlines" }), "/business_ref"),
        ];
        for (fields, pointer) in cases {
            let answer = sync.report(&with(report("INV-1"), fields.clone())).await;
            assert_eq!(answer.status, 422, "{fields}: {}", answer.text());
            answer.kept_for(pointer);
        }
        assert_eq!(app.database.rows("item").await, 0);
    }

    async fn links_lead_to_http_and_nowhere_else(app) {
        let sync = app.invoices().await;
        for url in ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "//evil.example", "file:///etc/passwd", "mailto:a@b", "x"] {
            sync.report(&with(report("INV-1"), json!({ "evidence": [{ "label": "mail", "url": url }] }))).await.kept_for("/evidence/0/url");
            sync.report(&with(report("INV-1"), json!({ "affected": [{ "system": "crm", "id": "1", "url": url }] }))).await.kept_for("/affected/0/url");
        }
        sync.reported(&with(report("INV-1"), json!({ "evidence": [{ "label": "mail", "url": "https://mail.example/1?a=b" }] }))).await;
    }

    async fn c72_a_wrong_clock_ages_nothing_and_breaks_nothing(app) {
        let sync = app.invoices().await;
        let now = app.service.now();
        let story = |at: &str| with(report(at), json!({
            "occurred_at": at, "valid_until": at, "next_attempt_by_automation_at": at,
            "attempts": [{ "outcome": "failed", "sent": false, "started_at": at, "finished_at": at, "number": 1 }],
            "steps": [{ "name": "extract", "status": "confirmed", "at": at }],
        }));
        let odd = [
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2026-11-29T11:59:59+14:00", "2026-11-28T21:59:59Z"),
        ];
        for (at, kept) in odd {
            let id = sync.reported(&story(at)).await;
            let item = sync.item(&id).await;
            assert_eq!(item["received_at"], time(now), "{at}: ageing runs from our receive time");
            assert_eq!(item["occurred_at"], kept, "the sender's time is kept beside it");
            assert_eq!(item["attempts"][0]["started_at"], kept);
            sync.report(&with(story(at), json!({ "report_id": format!("{at} told again") }))).await.is(200);
            assert_eq!(sync.item(&id).await["attempts"].as_array().unwrap().len(), 1, "{at} equals itself");
        }
        for at in ["+262142-12-31T23:59:59Z", "-262143-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"] {
            let answer = sync.report(&story(at)).await;
            answer.kept(422, "invalid");
            let pointers: Vec<_> = answer.json()["fields"].as_array().unwrap().iter().map(|field| field["pointer"].clone()).collect();
            assert_eq!(pointers, ["/attempts/0/started_at", "/attempts/0/finished_at", "/steps/0/at", "/occurred_at", "/valid_until", "/next_attempt_by_automation_at"]);
        }
        app.keep_leases().await;
        let backwards = json!([
            { "outcome": "failed", "sent": false, "number": 1, "started_at": "2026-11-29T09:00:00Z", "finished_at": "2026-11-29T08:00:00Z" },
            { "outcome": "failed", "sent": false, "number": 2, "started_at": "2026-11-29T07:00:00Z" },
        ]);
        let id = sync.reported(&with(report("backwards"), json!({ "attempts": backwards }))).await;
        assert_eq!(sync.item(&id).await["attempts"].as_array().unwrap().len(), 2);
        sync.get("/api/v1/items?workflow=invoice-sync").await.is(200);
    }

    async fn other_encodings_are_refused_because_their_bytes_would_not_be_the_payloads(app) {
        let sync = app.invoices().await;
        let gzip: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56\x02\x00";
        for coding in ["gzip", "br", "deflate", "aws-chunked", "gzip, identity"] {
            let request = sync.request("POST", "/api/v1/items").header("content-encoding", coding).body(gzip);
            let id = Answer::to(request).await.kept(400, "malformed");
            assert_eq!(kept_bytes(app, &id).await, gzip);
        }
        let request = sync.request("POST", "/api/v1/items").header("content-encoding", "Identity").body(report("INV-1").to_string());
        Answer::to(request).await.is(201);
        // The content type is not asked: automations often leave it out.
        Answer::to(sync.request("POST", "/api/v1/items").body(report("INV-2").to_string())).await.is(201);
    }

    async fn a_broken_item_header_is_refused_and_the_payload_kept(app) {
        let sync = app.invoices().await;
        for header in ["", "%%%", "bm8ganNvbg", "e30"] {
            let request = sync.request("POST", "/api/v1/items").header("recourse-item", header).body(&b"\x00\x01payload"[..]);
            let answer = Answer::to(request).await;
            assert!(matches!(answer.status, 400 | 422), "{header}: {}", answer.text());
            let id = answer.json()["quarantine_id"].as_str().unwrap().to_owned();
            assert_eq!(kept_bytes(app, &id).await, b"\x00\x01payload");
        }
    }

    async fn a_report_may_be_nested_as_deep_as_its_payload(app) {
        let sync = app.invoices().await;
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let id = sync.report_text(with_payload_text(report("INV-1"), &deep)).await.is(201).json()["id"].as_str().unwrap().to_owned();
        let payload = sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.is(200);
        assert!(payload.body == deep.as_bytes());
    }
}
