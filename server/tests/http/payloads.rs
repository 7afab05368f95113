//! Every document that real systems send comes back byte for byte, whichever way it came (R1).

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD},
};
use domain::digest::Sha256;
use rehearsal::samples::{self, Sample};
use serde_json::json;

use crate::{
    app::{Token, on_both},
    wire::Answer,
    words::{report, with, with_payload_text, without},
};

/// Whether the document starts and ends with its own JSON value.
fn is_one_value(sample: &Sample) -> bool {
    serde_json::from_slice::<&serde_json::value::RawValue>(sample.bytes)
        .is_ok_and(|value| value.get().len() == sample.bytes.len())
}

/// The item reads and downloads as exactly this document.
async fn holds(token: &Token<'_>, reported: Answer, sample: &Sample, media_type: &str) {
    let name = sample.name;
    assert_eq!(reported.status, 201, "{name}: {}", reported.text());
    let id = reported.json()["id"].as_str().unwrap().to_owned();
    let revision = token.item(&id).await["revisions"][0].clone();
    let digest = Sha256::of(sample.bytes);
    assert_eq!(revision["sha256"], digest.hex(), "{name}");
    assert_eq!(revision["size"], sample.bytes.len(), "{name}");
    assert_eq!(revision["media_type"], media_type, "{name}");

    let payload = token.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.is(200);
    assert!(payload.body == sample.bytes, "{name} came back otherwise");
    assert_eq!(payload.header("repr-digest"), digest.repr_digest(), "{name}");
    assert_eq!(payload.header("content-type"), media_type, "{name}");
    assert_eq!(payload.header("content-disposition"), "attachment", "{name}: never shown by a browser");
    assert_eq!(payload.header("x-content-type-options"), "nosniff", "{name}");
    let policy = payload.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{name}: {policy}");
}

on_both! {
    async fn r1_every_sample_survives_as_the_value_of_json(app) {
        let sync = app.invoices().await;
        let values: Vec<_> = samples::ALL.iter().filter(|sample| is_one_value(sample)).collect();
        assert!(values.len() > 10, "the samples hold JSON");
        for sample in values {
            let text = with_payload_text(report(sample.name), std::str::from_utf8(sample.bytes).unwrap());
            holds(&sync, sync.report_text(text).await, sample, "application/json").await;
        }
    }

    async fn r1_every_sample_survives_as_text(app) {
        let sync = app.invoices().await;
        let texts: Vec<_> = samples::ALL.iter().filter_map(|sample| Some((sample, std::str::from_utf8(sample.bytes).ok()?))).collect();
        assert!(texts.len() > 20, "the samples hold text");
        for (sample, text) in texts {
            let story = with(report(sample.name), json!({ "payload": { "media_type": sample.media_type, "text": text } }));
            holds(&sync, sync.report(&story).await, sample, sample.media_type).await;
        }
    }

    async fn r1_every_sample_survives_as_base64(app) {
        let sync = app.invoices().await;
        for sample in samples::ALL {
            let story = with(report(sample.name), json!({ "payload": { "media_type": sample.media_type, "base64": STANDARD.encode(sample.bytes) } }));
            holds(&sync, sync.report(&story).await, sample, sample.media_type).await;
        }
    }

    async fn r1_every_sample_survives_as_the_request_body(app) {
        let sync = app.invoices().await;
        for (number, sample) in samples::ALL.iter().enumerate() {
            let envelope = without(report(sample.name), "payload").to_string();
            let header = if number % 2 == 0 { URL_SAFE_NO_PAD.encode(envelope) } else { URL_SAFE.encode(envelope) };
            let request = sync.request("POST", "/api/v1/items").header("recourse-item", header);
            let request = request.header("content-type", sample.media_type).body(sample.bytes);
            holds(&sync, Answer::to(request).await, sample, sample.media_type).await;
        }
    }

    async fn the_rehearsals_client_speaks_this_api(app) {
        let sync = app.invoices().await;
        let client = rehearsal::client::Recourse::new(&app.url, &sync.secret).unwrap();
        let said = rehearsal::report::Report {
            workflow: "invoice-sync".into(), step: "create_invoice".into(), dedupe_key: "INV-1".into(),
            failure: rehearsal::report::Failure { message: "No answer".into(), ..Default::default() },
            ..Default::default()
        };
        let sample = samples::numbered("12").unwrap();
        let payload = rehearsal::report::Payload::exact(sample.media_type, sample.bytes);
        let reported = client.report(&said, &payload).await.unwrap();
        assert!(reported.created);
        assert_eq!(client.payload(&reported.id, 1).await.unwrap().bytes, sample.bytes);
        assert_eq!(client.find("invoice-sync", "INV-1").await.unwrap().len(), 1);
        assert_eq!(client.report_batch(&[(said, payload)]).await.unwrap().len(), 1);
    }

    async fn the_bodys_own_way_names_the_same_report_by_all_its_parts(app) {
        let sync = app.invoices().await;
        let post = |report: serde_json::Value, kind: &'static str, body: &'static str| {
            let header = URL_SAFE_NO_PAD.encode(without(report, "payload").to_string());
            Answer::to(sync.request("POST", "/api/v1/items").header("recourse-item", header).header("content-type", kind).body(body))
        };
        let story = with(report("INV-1"), json!({ "report_id": "r-1" }));
        post(story.clone(), "text/plain", "a").await.is(201);
        post(story.clone(), "text/plain", "a").await.is(200);
        post(story.clone(), "text/plain", "b").await.kept(409, "report_id_taken");
        post(story.clone(), "text/html", "a").await.kept(409, "report_id_taken");
        post(with(story, json!({ "impact": "low" })), "text/plain", "a").await.kept(409, "report_id_taken");
        let inside = with(report("INV-2"), json!({ "payload": { "text": "a" } }));
        let header = URL_SAFE_NO_PAD.encode(inside.to_string());
        let both = Answer::to(sync.request("POST", "/api/v1/items").header("recourse-item", header).body("b")).await;
        both.kept_for("/payload");
    }
}
