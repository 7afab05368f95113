use std::time::Duration;

use rehearsal::systems::{Crm, Fault, Ledger, Mail, Running, Warehouse};
use serde_json::json;

use crate::outside::{Clock, caller, get, invoice, json};

const BODY: &str = "{ \"invoice_number\": \"INV-1042\",\r\n  \"total\": 40.00 }";

async fn ledger() -> Running<Ledger> {
    Ledger::start(Clock::start().now()).await.unwrap()
}

#[tokio::test]
async fn what_is_posted_is_kept_byte_for_byte_and_found_again() {
    let ledger = ledger().await;
    let answer = json(invoice(&ledger.url, "k", BODY).header("webhook-id", "msg-1").send().await.unwrap()).await;
    let id = answer["invoice"]["id"].as_str().unwrap().to_owned();

    assert_eq!(ledger.invoices()[0].body(), BODY.as_bytes());
    assert_eq!(ledger.invoices()[0].reference.as_deref(), Some("INV-1042"));
    assert_eq!(ledger.receipts()[0].webhook_id(), Some("msg-1"));
    let (_, found) = get(&format!("{}/api/invoices?key=k", ledger.url)).await;
    assert_eq!((found["count"].as_u64(), found["items"][0]["id"].as_str()), (Some(1), Some(id.as_str())));
    assert_eq!(get(&format!("{}/api/invoices?key=other", ledger.url)).await.1["count"], 0);
    assert_eq!(get(&format!("{}/api/invoices/{id}", ledger.url)).await.1["status"], "posted");
}

#[tokio::test]
async fn commit_then_timeout_keeps_exactly_one_record() {
    let ledger = ledger().await;
    ledger.faults().next(1, Fault::CommitThenTimeout);
    assert!(invoice(&ledger.url, "k", BODY).send().await.unwrap_err().is_timeout());
    assert_eq!(ledger.invoices().len(), 1);

    let again = invoice(&ledger.url, "k", BODY).send().await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(json(again).await["invoice"]["id"], ledger.invoices()[0].id);
    assert_eq!(ledger.invoices().len(), 1);
}

#[tokio::test]
async fn commit_then_reset_keeps_the_record_and_breaks_the_connection() {
    let ledger = ledger().await;
    ledger.faults().next(1, Fault::CommitThenReset);
    let error = invoice(&ledger.url, "k", BODY).send().await.unwrap_err();
    assert!(!error.is_timeout() && !error.is_connect(), "{error:?}");
    assert_eq!(ledger.invoices().len(), 1);
}

#[tokio::test]
async fn faults_before_the_commit_keep_nothing() {
    let ledger = ledger().await;
    for (fault, code) in [
        (Fault::Status { code: 503, retry_after_s: Some(7) }, Some(503)),
        (Fault::RateLimited { retry_after_s: 7 }, Some(429)),
        (Fault::Reject { pointer: "/total".into(), message: "too much".into() }, Some(422)),
        (Fault::HangBeforeCommit, None),
        (Fault::ResetBeforeCommit, None),
    ] {
        ledger.faults().next(1, fault.clone());
        let answer = invoice(&ledger.url, "k", BODY).send().await.ok();
        assert_eq!(answer.as_ref().map(|answer| answer.status().as_u16()), code, "{fault:?}");
        if matches!(code, Some(503 | 429)) {
            assert_eq!(answer.unwrap().headers()["retry-after"], "7");
        }
    }
    assert_eq!(ledger.records().len(), 0);
    assert_eq!(ledger.receipts().iter().map(|receipt| receipt.nth_with_key).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn odd_answers_come_after_the_commit() {
    let ledger = ledger().await;
    let faults = [
        Fault::WrongBody,
        Fault::CutBody,
        Fault::Drip { pause_ms: 100 },
        Fault::HugeBody { bytes: 300_000 },
        Fault::CommitThenStatus { code: 502 },
    ];
    for (at, fault) in faults.into_iter().enumerate() {
        ledger.faults().next(1, fault.clone());
        let answer = invoice(&ledger.url, &format!("k{at}"), BODY).send().await.unwrap();
        let status = answer.status().as_u16();
        let body = answer.bytes().await;
        match fault {
            Fault::WrongBody => assert!(body.unwrap().starts_with(b"<!doctype html>")),
            Fault::CutBody | Fault::Drip { .. } => assert!(body.is_err(), "{fault:?}"),
            Fault::HugeBody { bytes } => assert_eq!(body.unwrap().len() as u64, bytes),
            _ => assert_eq!(status, 502),
        }
        assert_eq!(ledger.invoices().len(), at + 1, "{fault:?}");
    }
}

#[tokio::test]
async fn accepted_work_is_found_only_when_it_is_carried_out() {
    let ledger = ledger().await;
    ledger.faults().next(1, Fault::Accepted);
    assert_eq!(invoice(&ledger.url, "k", BODY).send().await.unwrap().status(), 202);
    let lookup = format!("{}/api/invoices?key=k", ledger.url);
    assert_eq!((ledger.invoices().len(), get(&lookup).await.1["count"].as_u64()), (0, Some(0)));
    assert_eq!(ledger.finish_accepted(), 1);
    assert_eq!((ledger.invoices().len(), get(&lookup).await.1["count"].as_u64()), (1, Some(1)));
}

#[tokio::test]
async fn a_fault_can_be_for_one_business_reference_and_lookups_fail_by_themselves() {
    let ledger = ledger().await;
    ledger.faults().matching("INV-2", 1, Fault::CommitThenStatus { code: 500 });
    ledger.faults().always(Fault::LookupUnavailable);
    let post = |number: &str| invoice(&ledger.url, number, format!(r#"{{"invoice_number":"{number}"}}"#));
    assert_eq!(post("INV-1").send().await.unwrap().status(), 201);
    assert_eq!(post("INV-2").send().await.unwrap().status(), 500);
    assert_eq!(get(&format!("{}/api/invoices?key=INV-1", ledger.url)).await.0, 503);
    assert_eq!(ledger.faults().waiting(), 1);
    ledger.faults().clear();
    assert_eq!(get(&format!("{}/api/invoices?key=INV-1", ledger.url)).await.0, 200);
}

#[tokio::test]
async fn the_ledger_refuses_what_it_cannot_book_and_takes_the_correction() {
    let ledger = ledger().await;
    for (body, pointer) in [
        (r#"{"currency":"NKR"}"#, "/currency"),
        (r#"{"cost_centre":"4190"}"#, "/cost_centre"),
        (r#"{"issue_date":"2026-11-02","due_date":"2026-10-02"}"#, "/due_date"),
    ] {
        let answer = invoice(&ledger.url, pointer, body).send().await.unwrap();
        assert_eq!(answer.status(), 422);
        assert_eq!(json(answer).await["error"]["fields"][0]["pointer"], pointer);
    }
    assert_eq!(invoice(&ledger.url, "/currency", r#"{"currency":"NOK"}"#).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_reversal_is_posted_once_beside_its_invoice() {
    let ledger = ledger().await;
    invoice(&ledger.url, "k", BODY).send().await.unwrap();
    let id = ledger.invoices()[0].id.clone();
    let reverse = |key: &str| {
        let body = json!({ "invoice": id, "amount": 40, "reason": "duplicate" }).to_string();
        caller().post(format!("{}/api/reversals", ledger.url)).header("idempotency-key", key).body(body)
    };
    assert_eq!(reverse("r1").send().await.unwrap().status(), 201);
    assert_eq!(reverse("r2").send().await.unwrap().status(), 409);
    assert_eq!((ledger.reversals().len(), ledger.invoices()[0].status.as_str()), (1, "reversed"));
    assert_eq!(ledger.invoices()[0].body(), BODY.as_bytes());
}

#[tokio::test]
async fn crm_contacts_have_one_external_key_and_a_version() {
    let crm = Crm::start(Clock::start().now()).await.unwrap();
    let post = || caller().post(format!("{}/api/contacts", crm.url)).body(r#"{"external_key":"kd-1"}"#);
    let first = json(post().send().await.unwrap()).await;
    assert_eq!(post().send().await.unwrap().status(), 409);
    let id = first["contact"]["id"].as_str().unwrap();
    let patch = |etag: &str| {
        let request = caller().patch(format!("{}/api/contacts/{id}", crm.url)).header("if-match", etag.to_owned());
        request.body(r#"{"status":"withdrawn"}"#)
    };
    let etag = first["contact"]["etag"].as_str().unwrap();
    assert_eq!(patch(etag).send().await.unwrap().status(), 200);
    assert_eq!(patch(etag).send().await.unwrap().status(), 412);
    let (_, found) = get(&format!("{}/api/contacts?external_key=kd-1", crm.url)).await;
    assert_eq!((found["count"].as_u64(), found["items"][0]["status"].as_str()), (Some(1), Some("withdrawn")));
    assert_eq!(crm.contacts()[0].bodies.len(), 2);
}

#[tokio::test]
async fn mail_is_sent_as_often_as_it_is_posted_and_shipments_can_be_cancelled() {
    let mail = Mail::start(Clock::start().now()).await.unwrap();
    for _ in 0..2 {
        let message = caller().post(format!("{}/api/messages", mail.url)).header("idempotency-key", "k");
        assert_eq!(message.body(r#"{"to":"a@b.example"}"#).send().await.unwrap().status(), 201);
    }
    assert_eq!(get(&format!("{}/api/messages?key=k", mail.url)).await.1["count"], 2);

    let warehouse = Warehouse::start(Clock::start().now()).await.unwrap();
    caller().post(format!("{}/api/shipments", warehouse.url)).body(r##"{"name":"#1"}"##).send().await.unwrap();
    let id = warehouse.shipments()[0].id.clone();
    let cancel = || caller().post(format!("{}/api/shipments/{id}/cancellations", warehouse.url)).body("{}");
    assert_eq!(cancel().send().await.unwrap().status(), 201);
    assert_eq!(cancel().send().await.unwrap().status(), 409);
}

#[tokio::test]
async fn the_index_page_shows_what_is_kept_as_text() {
    let ledger = ledger().await;
    invoice(&ledger.url, "k", r#"{"invoice_number":"<img src=x>","to":"ידית"}"#).send().await.unwrap();
    let page = caller().get(&ledger.url).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("&lt;img src=x&gt;") && page.contains("ידית") && !page.contains("<img"), "{page}");
}

#[tokio::test]
async fn a_dropped_system_ends_its_connections() {
    let ledger = ledger().await;
    ledger.faults().next(1, Fault::HangBeforeCommit);
    let url = ledger.url.clone();
    let hanging = tokio::spawn(async move { invoice(&url, "k", BODY).timeout(Duration::from_secs(20)).send().await });
    while ledger.receipts().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let url = ledger.url.clone();
    drop(ledger);
    let broken = tokio::time::timeout(Duration::from_secs(5), hanging).await.unwrap().unwrap().unwrap_err();
    assert!(!broken.is_timeout(), "{broken:?}");
    assert!(invoice(&url, "k", BODY).send().await.unwrap_err().is_connect());
}
