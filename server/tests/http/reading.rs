//! What automations read back: lists, items, problems.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::{
    app::{Token, on_both},
    words::{report, time, with},
};

/// Every id of a list, page by page.
async fn walk(token: &Token<'_>, query: &str) -> (Vec<String>, usize) {
    let (mut ids, mut pages, mut after) = (Vec::new(), 0, String::new());
    loop {
        let page = token.get(&format!("/api/v1/items?{query}{after}")).await.is(200).json();
        pages += 1;
        ids.extend(page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return (ids, pages),
        }
    }
}

on_both! {
    async fn a_hundred_and_twenty_items_are_paged_each_exactly_once_oldest_first(app) {
        let sync = app.invoices().await;
        let mut reported = Vec::new();
        for number in 0..120 {
            // Three come in each moment, so that the time alone does not tell them apart.
            if number % 3 == 0 {
                app.later(TimeDelta::seconds(1));
            }
            reported.push(sync.reported(&report(&format!("INV-{number}"))).await);
        }
        for query in ["", "workflow=invoice-sync", "step=create_invoice", "workflow=invoice-sync&step=create_invoice", "state=open"] {
            let (ids, pages) = walk(&sync, query).await;
            assert_eq!(pages, 3, "{query}");
            assert_eq!(ids.len(), 120, "{query}");
            assert_eq!(ids.iter().collect::<BTreeSet<_>>(), reported.iter().collect::<BTreeSet<_>>(), "{query}");
            let moments: Vec<_> = ids.iter().map(|id| reported.iter().position(|other| other == id).unwrap() / 3).collect();
            assert!(moments.is_sorted(), "{query}: {moments:?}");
        }
        assert_eq!(walk(&sync, "workflow=other").await, (vec![], 1));
    }

    async fn the_items_of_one_key_are_found_open_and_closed_each_exactly_once(app) {
        let sync = app.invoices().await;
        let mut reported = BTreeSet::new();
        // Closed ones older, newer and between the open ones.
        for number in 0..130 {
            app.later(TimeDelta::seconds(1));
            let id = sync.reported(&with(report("INV-1"), json!({ "step": format!("step {number}") }))).await;
            if !(60..120).contains(&number) && number % 3 > 0 {
                sync.patch(&id, &json!({ "succeeded": {} })).await.is(200);
            }
            reported.insert(id);
        }
        sync.reported(&report("INV-2")).await;
        let (ids, _) = walk(&sync, "workflow=invoice-sync&dedupe_key=INV-1").await;
        assert_eq!(ids.len(), 130);
        assert_eq!(ids.into_iter().collect::<BTreeSet<_>>(), reported);
        let (open, _) = walk(&sync, "dedupe_key=INV-1&state=open").await;
        let (closed, _) = walk(&sync, "dedupe_key=INV-1&state=closed").await;
        assert_eq!(open.len() + closed.len(), 130);
        let found = sync.get("/api/v1/items?dedupe_key=INV-1&step=step%207").await.is(200).json();
        assert_eq!(found["items"].as_array().unwrap().len(), 1);
    }

    async fn a_key_is_found_exactly_as_it_is(app) {
        let sync = app.invoices().await;
        let keys = ["a.b/c~d", " a ", "__proto__", "\u{e9}", "e\u{301}", "%41", "1e5", "0001", "50%_\\", "'; --", "A", "a", "+", "&x=y", "\u{1f4b6}"];
        for key in keys {
            sync.reported(&report(key)).await;
        }
        for key in keys {
            let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("dedupe_key", key).finish();
            let found = sync.get(&format!("/api/v1/items?{query}")).await.is(200).json();
            let found: Vec<_> = found["items"].as_array().unwrap().iter().map(|item| item["dedupe_key"].as_str().unwrap()).collect();
            assert_eq!(found, [key]);
        }
    }

    async fn an_item_reads_as_agreed(app) {
        let sync = app.invoices().await;
        let now = app.service.now();
        let whole = with(report("supplier-invoice:ACME:INV-1042"), json!({
            "report_id": "run-7f3a/step-3/1", "business_ref": "INV-1042", "correlation_id": "run-7f3a", "sequence_key": "ACME",
            "failure": { "class": "timeout", "message": "The ledger did not answer in 10 s", "detail": "at line 3" },
            "effect": { "status": "uncertain", "system": "ledger", "idempotency_key": "supplier-invoice:ACME:INV-1042", "evidence": "request written, no response" },
            "occurred_at": time(now - TimeDelta::minutes(2)),
            "attempts": [
                { "number": 1, "started_at": time(now - TimeDelta::minutes(3)), "finished_at": time(now - TimeDelta::seconds(170)), "outcome": "failed", "sent": false, "message": "refused" },
                { "number": 2, "started_at": time(now - TimeDelta::minutes(2)), "outcome": "uncertain", "sent": true, "status_code": 504, "message": "no answer" },
            ],
            "steps": [{ "name": "extract", "status": "confirmed" }],
            "affected": [{ "system": "ledger", "kind": "invoice", "id": "INV-1042", "url": "https://ledger.example/1042", "state": "unknown" }],
            "ai": { "model": "m-1", "confidence": 0.62 }, "proposed_action": { "action": "reconcile", "confidence": 0.8, "by": "rule:ledger-timeouts" },
            "impact": "high", "customer_impact": "Supplier payment may be late", "source_version": "etag-991",
        }));
        let id = sync.reported(&whole).await;
        app.later(TimeDelta::minutes(1));
        sync.report(&with(whole, json!({ "report_id": "2", "attempts": [], "payload": { "json": { "amount": 42 } } }))).await.is(200);
        let mut item = sync.item(&id).await;
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!("item", serde_json::to_string_pretty(redacted(&mut item)).unwrap());
        });
    }

    async fn what_is_outside_the_tokens_workflows_is_not_there(app) {
        let sync = app.invoices().await;
        let stranger = app.token(&["support-replies", "other"]).await;
        let id = sync.reported(&report("INV-1")).await;
        stranger.get(&format!("/api/v1/items/{id}")).await.problem(404, "not_found");
        stranger.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.problem(404, "not_found");
        assert_eq!(walk(&stranger, "").await.0, [""; 0]);
        assert_eq!(walk(&stranger, "workflow=invoice-sync").await.0, [""; 0]);
        assert_eq!(walk(&stranger, "dedupe_key=INV-1").await.0, [""; 0]);
        let master = app.token_named("any", None).await;
        assert_eq!(walk(&master, "").await.0, [id]);
    }

    async fn addresses_that_lead_nowhere_are_problems_too(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        for path in [
            "/api/v1/items/not-a-uuid", "/api/v1/items/0", "/api/v1/items/%00", "/api/v1/items/%ff", "/api/v1/items/00000000-0000-0000-0000-000000000000",
            "/api/v1/items/not-a-uuid/revisions/1/payload", "/api/v1/nothing", "/api/v1", "/api/v1/", "/api/v2/items", "/api/v1/items/", "/api/v1/items/x/attempts/y",
        ] {
            sync.get(path).await.problem(404, "not_found");
        }
        for number in ["0", "-1", "2", "one", "9223372036854775807", "9223372036854775808", "1.0"] {
            sync.get(&format!("/api/v1/items/{id}/revisions/{number}/payload")).await.problem(404, "not_found");
        }
        for (method, path) in [("DELETE", format!("/api/v1/items/{id}")), ("PUT", "/api/v1/items".into()), ("GET", "/api/v1/items/batch".into()), ("GET", format!("/api/v1/items/{id}/attempts")), ("POST", format!("/api/v1/items/{id}"))] {
            let answer = sync.send(method, &path, "{}").await;
            // "batch" is read as an item's id: there is none.
            assert!(matches!(answer.status, 404 | 405), "{method} {path}: {}", answer.status);
            answer.problem(answer.status, if answer.status == 404 { "not_found" } else { "method_not_allowed" });
        }
    }

    async fn a_filter_that_can_not_be_read_is_refused(app) {
        let sync = app.invoices().await;
        for query in ["colour=red", "state=half", "after=x", "after=1-2", "after=99999999999999999999-00000000000000000000000000000000", "workflow=a&workflow=b", "after=%00", "state=%ff"] {
            let answer = sync.get(&format!("/api/v1/items?{query}")).await;
            assert!(matches!(answer.status, 400 | 422), "{query}: {}", answer.text());
            answer.problem(answer.status, if answer.status == 400 { "malformed" } else { "invalid" });
        }
        for harmless in ["dedupe_key=", "workflow=%00", "step=%25", "after=0-00000000000000000000000000000000", "after=-62135596800000000-ffffffffffffffffffffffffffffffff", "after=8210266876799999999-ffffffffffffffffffffffffffffffff"] {
            let answer = sync.get(&format!("/api/v1/items?{harmless}")).await;
            assert!(answer.status < 500, "{harmless}: {}", answer.text());
        }
    }
}

/// Ids differ from run to run, and there will be further actions.
fn redacted(item: &mut Value) -> &Value {
    item["id"] = json!("[item]");
    for attempt in item["attempts"].as_array_mut().unwrap() {
        assert!(attempt["id"].as_str().is_some_and(|id| id.parse::<uuid::Uuid>().is_ok()));
        attempt["id"] = json!(format!("[attempt {}]", attempt["number"]));
    }
    let first = item["actions"][0].clone();
    item["actions"] = json!([first]);
    item
}
