use base64::{Engine, prelude::BASE64_STANDARD};
use rehearsal::{
    report::{Carried, Effect, Failure, FailureClass, Payload, Report},
    samples,
};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Read<'a> {
    #[serde(borrow)]
    payload: ReadPayload<'a>,
}

#[derive(Deserialize)]
struct ReadPayload<'a> {
    /// `null` is a value like any other.
    #[serde(borrow, default, deserialize_with = "present")]
    json: Option<&'a RawValue>,
    text: Option<String>,
    base64: Option<String>,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

fn report() -> Report {
    Report {
        workflow: "invoice-sync".into(),
        dedupe_key: "key".into(),
        step: "create_invoice".into(),
        failure: Failure { class: FailureClass::Timeout, message: "\"quoted\"\n".into(), detail: None },
        effect: Some(Effect::none("ledger", "not sent")),
        ..Report::default()
    }
}

/// The payload's bytes as whoever reads the report gets them.
fn arrived(text: &[u8]) -> Vec<u8> {
    let read: Read<'_> = serde_json::from_slice(text).unwrap();
    match (read.payload.json, read.payload.text, read.payload.base64) {
        (Some(json), None, None) => json.get().as_bytes().to_vec(),
        (None, Some(text), None) => text.into_bytes(),
        (None, None, Some(base64)) => BASE64_STANDARD.decode(base64).unwrap(),
        (json, text, base64) => unreachable!("exactly one of json, text, base64: {json:?} {text:?} {base64:?}"),
    }
}

#[test]
fn every_sample_arrives_byte_for_byte() {
    for sample in samples::ALL {
        let text = report().text(&Payload::exact(sample.media_type, sample.bytes)).unwrap();
        assert_eq!(arrived(&text), sample.bytes, "{}", sample.name);
    }
}

#[test]
fn json_stands_in_the_report_as_it_is() {
    let amount = br#"{ "amount": 40.00, "a":1,"a":2, "b": 1e400, "c":"\u00e9\/" }"#;
    let text = report().text(&Payload::exact("application/json", amount)).unwrap();
    assert!(text.windows(amount.len()).any(|window| window == amount));
}

#[test]
fn what_json_cannot_carry_exactly_travels_otherwise() {
    let carried = |media_type: &str, bytes: &[u8]| Payload::exact(media_type, bytes).carried;
    assert!(matches!(carried("application/json", b"{}"), Carried::Json(_)));
    assert!(matches!(carried("application/cloudevents+json; charset=utf-8", b"1.50"), Carried::Json(_)));
    // White space around the value, a byte-order mark and nothing at all are no part of a JSON value.
    for bytes in [&b"{}\n"[..], b" 1", b"\xef\xbb\xbf{}", b""] {
        assert!(matches!(carried("application/json", bytes), Carried::Text(_)), "{bytes:?}");
    }
    assert!(matches!(carried("text/csv", b"1"), Carried::Text(_)));
    assert!(matches!(carried("application/json", b"\"\xff\""), Carried::Base64(_)));
}

#[test]
fn the_envelope_has_no_payload_and_no_empty_parts() {
    let envelope = report().envelope().unwrap();
    let value: serde_json::Value = serde_json::from_str(&envelope).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["workflow", "lane", "dedupe_key", "step", "failure", "effect"]);
}
