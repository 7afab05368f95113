//! What is too much, and how that is told: answered, not cut off.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    app::{PAYLOAD_LIMIT, Token, on_both},
    wire::Answer,
    words::{report, with, with_payload_text},
};

/// A JSON string of exactly so many bytes.
fn text_of(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}

on_both! {
    async fn the_payload_limit_counts_decoded_bytes_and_is_one_for_all_ways(app) {
        let sync = app.invoices().await;
        let sized = |size: usize| {
            let bytes = vec![b'x'; size];
            [
                ("json", with_payload_text(report(&format!("json {size}")), &text_of(size))),
                ("text", with(report(&format!("text {size}")), json!({ "payload": { "text": "x".repeat(size) } })).to_string()),
                ("base64", with(report(&format!("base64 {size}")), json!({ "payload": { "base64": STANDARD.encode(&bytes) } })).to_string()),
            ]
        };
        for (way, story) in sized(PAYLOAD_LIMIT) {
            let id = sync.report_text(story).await.is(201).json()["id"].as_str().unwrap().to_owned();
            assert_eq!(sync.item(&id).await["revisions"][0]["size"], PAYLOAD_LIMIT, "{way}");
        }
        let before = app.database.content_without(&["audit_entry"]).await;
        for (_, story) in sized(PAYLOAD_LIMIT + 1) {
            is_too_large(&sync.report_text(story).await);
        }
        let body = sync.request("POST", "/api/v1/items").header("recourse-item", header(&report("raw"))).body(vec![b'x'; PAYLOAD_LIMIT + 1]);
        is_too_large(&Answer::to(body).await);
        assert_eq!(app.database.content_without(&["audit_entry"]).await, before, "nothing is kept of what is too large");

        let body = sync.request("POST", "/api/v1/items").header("recourse-item", header(&report("raw"))).body(vec![b'x'; PAYLOAD_LIMIT]);
        Answer::to(body).await.is(201);
    }

    async fn a_body_above_four_times_the_limit_is_answered_and_not_reset(app) {
        let sync = app.invoices().await;
        let long = with(report("INV-1"), json!({ "failure": { "message": "x", "detail": "y".repeat(4 * PAYLOAD_LIMIT) } })).to_string();
        is_too_large(&sync.report_text(long.clone()).await);
        is_too_large(&sync.report_text(long.repeat(8)).await);
        assert_eq!(app.database.rows("quarantine").await, 0);
        let batch = format!(r#"{{"items":[{}]}}"#, with_payload_text(report("INV-1"), &text_of(PAYLOAD_LIMIT)));
        sync.send("POST", "/api/v1/items/batch", batch).await.is(200);
    }

    async fn what_has_no_payload_names_its_own_limit(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let long = |bytes: usize| format!("{}{{}}", " ".repeat(bytes));
        let names = async |path: &str, bytes: usize, what: &str, limit: usize| {
            let problem = sync.send("POST", path, long(bytes)).await.problem(413, "too_large");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with(what) && detail.contains(&limit.to_string()) && !detail.contains("payload"), "{path}: {detail}");
        };
        names("/api/v1/items/batch", 64 << 20, "A batch", 64 << 20).await;
        names(&format!("/api/v1/items/{id}/attempts"), PAYLOAD_LIMIT, "Word of an attempt", PAYLOAD_LIMIT).await;
        names("/api/v1/outcomes/ack", 64 << 10, "An acknowledgement", 64 << 10).await;
        assert_eq!(app.database.rows("quarantine").await, 0);
    }

    async fn four_large_documents_are_worked_on_at_once_and_a_fifth_is_told_to_come_back(app) {
        let sync = app.invoices().await;
        let story = |name: &str| with_payload_text(report(name), &text_of(PAYLOAD_LIMIT)).into_bytes();
        let (mut held, mut round) = (Vec::new(), 0);
        let refused = loop {
            // Four senders have sent more than counts as large, and then hold still.
            for number in 0..4 {
                held.push(Held::send_all_but_one_byte(&sync, story(&format!("held {number} {round}"))).await);
            }
            let answer = sync.report_text(story(&format!("fifth {round}"))).await;
            if answer.status != 201 {
                break answer;
            }
            // The fifth was there before the server had all four.
            held.clear();
            round += 1;
            assert!(round < 1_000, "a fifth is refused");
        };
        refused.problem(503, "busy");
        assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
        // The same where much more of it is still to come: it is answered, not cut off.
        sync.report_text(story("long").repeat(3)).await.problem(503, "busy");
        sync.report(&report("small")).await.is(201);

        for sender in held {
            assert_eq!(sender.send_the_rest().await, 201);
        }
        sync.report_text(story("after")).await.is(201);
        assert_eq!(app.database.rows("quarantine").await, 0, "R17: who is told to come back still has it");
    }

    async fn long_words_and_lists_have_limits_with_names(app) {
        let sync = app.invoices().await;
        let long = "k".repeat(201);
        for field in ["report_id", "workflow_version", "business_ref", "correlation_id", "sequence_key", "source_version"] {
            sync.report(&with(report("INV-1"), json!({ field: long }))).await.kept_for(&format!("/{field}"));
            let fits = with(report(field), json!({ field: "é".repeat(200) }));
            sync.reported(&fits).await;
        }
        sync.report(&report(&long)).await.kept_for("/dedupe_key");
        let attempts = vec![json!({ "outcome": "failed", "sent": false }); 1_001];
        sync.report(&with(report("INV-1"), json!({ "attempts": attempts }))).await.kept_for("/attempts");
        let evidence = vec![json!({ "label": "a" }); 501];
        sync.report(&with(report("INV-1"), json!({ "evidence": evidence }))).await.kept_for("/evidence");
    }
}

/// A sender that holds a request open.
struct Held {
    connection: TcpStream,
    last: u8,
}

impl Held {
    async fn send_all_but_one_byte(token: &Token<'_>, mut body: Vec<u8>) -> Self {
        let host = token.app.url.strip_prefix("http://").unwrap();
        let mut connection = TcpStream::connect(host).await.unwrap();
        let head = format!(
            "POST /api/v1/items HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            token.secret,
            body.len()
        );
        let last = body.pop().unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        connection.write_all(&body).await.unwrap();
        Self { connection, last }
    }

    /// Answers the status.
    async fn send_the_rest(mut self) -> u16 {
        self.connection.write_all(&[self.last]).await.unwrap();
        let mut answer = String::new();
        self.connection.read_to_string(&mut answer).await.unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

fn header(report: &serde_json::Value) -> String {
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    URL_SAFE_NO_PAD.encode(crate::words::without(report.clone(), "payload").to_string())
}

#[track_caller]
fn is_too_large(answer: &Answer) {
    let problem = answer.problem(413, "too_large");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains(&PAYLOAD_LIMIT.to_string()), "the limit is named: {detail}");
    assert!(detail.contains("payload_ref"), "and what to do instead: {detail}");
    assert!(problem.get("quarantine_id").is_none());
}
