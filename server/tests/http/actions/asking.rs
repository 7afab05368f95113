//! How scripts ask: versions, keys, bodies, and the order in which a request is refused.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::{Value, json};

use super::{finding, not_sent, resolution, wrong};
use crate::{
    app::{Token, on_both},
    wire::{Answer, race, statuses},
    words::{report, with},
};

/// Every action with a body that would do for an open, uncertain item.
fn bodies() -> Vec<(&'static str, Value, AuditKind)> {
    let until = "2026-12-01T00:00:00Z";
    vec![
        ("claim", json!({}), AuditKind::Claimed),
        ("release", json!({}), AuditKind::Released),
        ("hand_over", json!({ "team": "finance-ops", "note": "x" }), AuditKind::HandedOver),
        ("assign", json!({ "team": "finance-ops", "note": "x" }), AuditKind::Assigned),
        ("comment", json!({ "text": "x" }), AuditKind::Commented),
        ("snooze", json!({ "until": until, "reason": "x" }), AuditKind::Snoozed),
        ("wake", json!({}), AuditKind::Woken),
        ("cancel_retry", json!({ "reason": "x" }), AuditKind::RetryCancelled),
        ("reconcile", finding("applied"), AuditKind::Reconciled),
        ("resolve", resolution("discarded", "none"), AuditKind::Resolved),
        ("escalate", json!({ "team": "finance-ops", "reason": "x", "respond_by": until }), AuditKind::Escalated),
        ("reopen", json!({ "reason": "x" }), AuditKind::ReopenedByHand),
    ]
}

/// A body that is no JSON.
async fn nonsense(script: &Token<'_>, item: &str, action: &str, body: &'static [u8], version: &str) -> Answer {
    let request = script.request("POST", &format!("/api/v1/items/{item}/{action}"));
    Answer::to(request.header("if-match", version).body(body)).await
}

on_both! {
    async fn decisions_name_the_version_they_rest_on_and_anything_else_may(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        for action in ["reconcile", "resolve"] {
            let body = if action == "reconcile" { finding("cannot_tell") } else { resolution("discarded", "none") };
            amara.ask(&id, action, body.clone(), &[]).await.problem(428, "version_required");
            amara.ask(&id, action, body.clone(), &[("if-match", "*")]).await.problem(428, "version_required");
            for unreadable in ["", "two", "1.0", "\"1", "\"1\", \"2\"", "99999999999999999999"] {
                amara.ask(&id, action, body.clone(), &[("if-match", unreadable)]).await.problem(400, "malformed");
            }
        }
        sync.patch(&id, &json!({ "source_version": "etag-2" })).await.is(200);
        for (action, body, _) in bodies().into_iter().filter(|(action, ..)| *action != "assign") {
            for old in ["1", "\"1\"", "3", "0", "-1"] {
                let problem = amara.ask(&id, action, body.clone(), &[("if-match", old)]).await.problem(409, "conflict");
                let detail = problem["detail"].as_str().unwrap();
                assert!(detail.contains("version 2") && detail.contains("source record changed"), "{action}: {detail}");
            }
        }
        amara.ask(&id, "claim", json!({}), &[("if-match", "\"2\"")]).await.is(200);
        amara.ask(&id, "comment", json!({ "text": "x" }), &[("if-match", "*")]).await.is(200);
        let answer = amara.ask(&id, "reconcile", finding("cannot_tell"), &[("if-match", "2")]).await.is(200);
        assert_eq!(answer.header("etag"), "\"3\"");
    }

    async fn the_version_moves_with_what_decisions_rest_on_and_with_nothing_else(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let until = json!({ "until": "2026-12-01T00:00:00Z", "reason": "x" });
        let steps = [
            ("claim", json!({}), 0), ("comment", json!({ "text": "x" }), 0), ("claim", json!({}), 0), ("release", json!({}), 0),
            ("snooze", until, 1), ("wake", json!({}), 1), ("escalate", json!({ "team": "finance-ops", "reason": "x", "respond_by": "2026-12-01T00:00:00Z" }), 1),
            ("reconcile", finding("cannot_tell"), 1), ("resolve", resolution("discarded", "none"), 1), ("reopen", json!({ "reason": "x" }), 1),
        ];
        let mut version = 1;
        for (action, body, step) in steps {
            version += step;
            assert_eq!(amara.act(&id, action, body).await.is(200).json()["version"], version, "{action}");
        }
    }

    async fn the_same_request_again_does_nothing_more_and_another_with_its_key_is_refused(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.script("Jonas", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let other = sync.reported(&report("INV-2")).await;
        let headers = [("if-match", "1"), ("idempotency-key", "run-1/ä")];
        let first = amara.ask(&id, "resolve", resolution("discarded", "none"), &headers).await.is(200).json();
        // The same body in another order, and the version it was seen at has passed.
        let same = r#"{ "effect": "none", "reason": "Agreed with the supplier", "resolution": "discarded" }"#;
        let request = || amara.request("POST", &format!("/api/v1/items/{id}/resolve")).header("if-match", "1").header("idempotency-key", "run-1/ä");
        let (again, entries) = app.audited(Answer::to(request().body(same))).await;
        assert_eq!(again.is(200).json(), first);
        assert!(entries.is_empty(), "nothing happened");
        for (item, action, body) in [
            (&id, "resolve", resolution("discarded", "confirmed")), (&other, "resolve", resolution("discarded", "none")),
            (&id, "reopen", json!({ "reason": "x" })), (&id, "comment", json!({ "text": "x" })),
        ] {
            amara.ask(item, action, body, &headers[1..]).await;
            amara.ask(item, action, if action == "resolve" { resolution("done_by_hand", "none") } else { json!({ "reason": "y" }) }, &[("if-match", "1"), headers[1]]).await;
        }
        let used = amara.ask(&other, "comment", json!({ "text": "x" }), &headers[1..]).await;
        used.problem(409, "key_used");
        amara.ask(&other, "resolve", resolution("discarded", "none"), &headers).await.problem(409, "key_used");
        assert_eq!((app.database.rows("decision").await, app.database.rows("item_comment").await, app.database.rows("asked").await), (1, 0, 1));
        jonas.ask(&other, "resolve", resolution("discarded", "none"), &headers).await.is(200);
        for unusable in ["", "a\tb", &"x".repeat(201)] {
            amara.ask(&other, "comment", json!({ "text": "x" }), &[("idempotency-key", unusable)]).await.problem(400, "malformed");
        }
        // A refused request keeps no key: it may be asked again once it is right.
        let key = [("idempotency-key", "k-2")];
        wrong(&amara.ask(&other, "comment", json!({ "text": "" }), &key).await, "/text");
        amara.ask(&other, "comment", json!({ "text": "x" }), &key).await.is(200);
        amara.ask(&other, "comment", json!({ "text": "x" }), &key).await.is(200);
        assert_eq!(app.database.rows("item_comment").await, 1);
    }

    async fn of_twenty_requests_with_one_key_at_once_one_acts_and_all_are_answered_alike(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let other = sync.reported(&report("INV-2")).await;
        let key = [("idempotency-key", "k-1")];
        let answers = race(20, |_| amara.ask(&id, "comment", json!({ "text": "once" }), &key)).await;
        assert_eq!(statuses(&answers), [(200, 20)]);
        assert_eq!(app.audit_count(AuditKind::Commented, AuditOutcome::Done).await, 1);

        // On two items no lock of theirs is shared: the key alone decides.
        let key = [("idempotency-key", "k-2")];
        let answers = race(20, |n| amara.ask(if n % 2 == 0 { &id } else { &other }, "comment", json!({ "text": "twice" }), &key)).await;
        assert_eq!(statuses(&answers), [(200, 10), (409, 10)]);
        assert_eq!(app.database.rows("item_comment").await, 2);
        assert_eq!(app.database.rows("asked").await, 2);
    }

    async fn requests_are_refused_in_the_order_of_the_contract(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let sam = app.script("Sam", Role::Operator, "support").await;
        let aud = app.script("Aud", Role::Auditor, "support").await;
        let id = sync.reported(&report("INV-1")).await;
        sync.patch(&id, &json!({ "source_version": "etag-2" })).await.is(200);
        let unknown = Token { secret: "rcp_unknown".into(), ..amara.clone() };
        for (action, ..) in bodies() {
            // Who has no token that stands may try again after a while only.
            app.later(TimeDelta::minutes(1));
            // Everything is wrong with each of these but what was judged before.
            for body in [&b"{"[..], b"\xff", b"{\"colour\":1}"] {
                for version in ["nonsense", "1"] {
                    nonsense(&app.nobody(), &id, action, body, version).await.problem(401, "not_signed_in");
                    nonsense(&unknown, &id, action, body, version).await.problem(401, "bad_token");
                    nonsense(&sync, &id, action, body, version).await.problem(403, "forbidden");
                    nonsense(&aud, &id, action, body, version).await.problem(403, "forbidden");
                    nonsense(&sam, &id, action, body, version).await.problem(404, "not_found");
                    nonsense(&amara, &uuid::Uuid::nil().to_string(), action, body, version).await.problem(404, "not_found");
                }
            }
            if action == "assign" {
                continue;
            }
            nonsense(&amara, &id, action, b"{", "1").await.problem(400, "malformed");
            nonsense(&amara, &id, action, b"{}", "nonsense").await.problem(400, "malformed");
            wrong(&nonsense(&amara, &id, action, b"{\"colour\":1}", "1").await, "/colour");
        }
        for action in ["reconcile", "resolve"] {
            amara.ask(&id, action, json!({ "colour": 1 }), &[]).await.problem(428, "version_required");
        }
        // 422 before 409, whether for the version or for the state.
        let old = [("if-match", "1")];
        wrong(&amara.ask(&id, "reconcile", with(finding("applied"), json!({ "evidence": "" })), &old).await, "/evidence");
        wrong(&amara.ask(&id, "resolve", resolution("accepted_degraded", "none"), &old).await, "/follow_up");
        wrong(&amara.ask(&id, "snooze", json!({ "until": "2020-01-01T00:00:00Z", "reason": "x" }), &old).await, "/until");
        wrong(&amara.ask(&id, "escalate", json!({ "team": "support", "respond_by": "2020-01-01T00:00:00Z", "reason": "x" }), &old).await, "/respond_by");
        wrong(&amara.ask(&id, "hand_over", json!({ "note": "x" }), &old).await, "/person");
        wrong(&amara.ask(&id, "reopen", json!({ "reason": "" }), &old).await, "/reason");
        amara.ask(&id, "reconcile", finding("applied"), &old).await.problem(409, "conflict");
        assert_eq!(sync.item(&id).await["version"], 2);
    }

    async fn every_refusal_of_every_action_is_audited(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let aud = app.script("Aud", Role::Auditor, "finance-ops").await;
        let id = sync.reported(&not_sent("INV-1")).await;
        amara.act(&id, "resolve", resolution("discarded", "none")).await.is(200);
        for (action, body, kind) in bodies() {
            let asks = [
                (aud.ask(&id, action, body.clone(), &[]).await, "forbidden"),
                (sync.ask(&id, action, body.clone(), &[]).await, "forbidden"),
                (nonsense(&amara, &id, action, b"{", "2").await, if action == "assign" { "forbidden" } else { "malformed" }),
            ];
            for (answer, code) in &asks {
                assert_eq!(answer.json()["code"], *code, "{action}");
            }
            let refused: Vec<_> = app.audit().await.into_iter().filter(|row| row.action == kind && row.outcome == AuditOutcome::Refused).collect();
            assert_eq!(refused.len(), 3, "{action}");
            for row in refused {
                assert!(asks.iter().any(|(answer, code)| Some(*code) == row.code.as_deref() && Some(answer.header("x-request-id")) == row.request_id.as_deref()), "{action}");
            }
        }
    }

    async fn an_action_that_is_not_there_is_not_found(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        for path in ["nothing", "Claim", "cancel-retry", "claim/", "cl%61im%00"] {
            amara.ask(&id, path, json!({}), &[]).await.problem(404, "not_found");
        }
        amara.send("GET", &format!("/api/v1/items/{id}/claim"), "").await.problem(405, "method_not_allowed");
        amara.ask("not-a-uuid", "claim", json!({}), &[]).await.problem(404, "not_found");
        Answer::to(amara.request("POST", &format!("/api/v1/items/{id}/claim"))).await.is(200);
    }

    async fn a_body_above_the_limit_is_answered(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let id = sync.reported(&report("INV-1")).await;
        let huge = json!({ "text": "x".repeat(crate::app::PAYLOAD_LIMIT * 4) });
        amara.ask(&id, "comment", huge, &[]).await.problem(413, "too_large");
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let request = amara.request("POST", &format!("/api/v1/items/{id}/comment"));
        Answer::to(request.body(deep)).await.problem(400, "malformed");
    }
}
