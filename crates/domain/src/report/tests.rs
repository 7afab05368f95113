use super::*;
use crate::refusal::Refusal;

const LIMIT: usize = 16 << 20;

fn report(rest: &str) -> String {
    format!(
        r#"{{"workflow":"invoice-sync","dedupe_key":"k","step":"create_invoice","failure":{{"message":"It broke"}}{rest}}}"#
    )
}
fn pointers(json: &str) -> Vec<String> {
    match parse(json.as_bytes(), LIMIT) {
        Err(Refusal::Invalid(problems)) => problems.into_iter().map(|p| p.pointer).collect(),
        other => panic!("expected wrong fields, found {other:?}"),
    }
}
fn bytes(json: &str) -> Vec<u8> {
    match parse(json.as_bytes(), LIMIT).unwrap().payload {
        Payload::Bytes { bytes, .. } => bytes,
        Payload::Reference(to) => panic!("expected bytes, found a reference to {to}"),
    }
}

#[test]
fn r1_json_payloads_keep_their_text_as_sent() {
    for text in
        [r#"{ "amount": 40.00, "n": 1e400, "a":1,"a":2, "é":"\u00e9\/" }"#, "null", "0.70", r#""x""#, "[]", "-0.0"]
    {
        assert_eq!(bytes(&report(&format!(r#","payload":{{"json": {text} }}"#))), text.as_bytes(), "{text}");
    }
}

#[test]
fn payloads_nest_200_000_levels_deep() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(bytes(&report(&format!(r#","payload":{{"json":{deep}}}"#))), deep.as_bytes());
}

#[test]
fn a_payload_is_exactly_one_of_three_or_a_reference() {
    assert_eq!(bytes(&report(r#","payload":{"text":"a=1&b=%2B"}"#)), b"a=1&b=%2B");
    assert_eq!(bytes(&report(r#","payload":{"base64":"/w=="}"#)), [0xff]);
    assert_eq!(pointers(&report(r#","payload":{"text":"a","base64":""}"#)), ["/payload"]);
    assert_eq!(pointers(&report(r#","payload":{"base64":"%%"}"#)), ["/payload/base64"]);
    assert_eq!(pointers(&report("")), ["/payload"]);
    assert_eq!(pointers(&report(r#","payload":null"#)), ["/payload_ref"]);
    let by_reference = parse(report(r#","payload":null,"payload_ref":"s3://b/k""#).as_bytes(), LIMIT).unwrap();
    assert_eq!(by_reference.payload, Payload::Reference("s3://b/k".into()));
}

#[test]
fn every_wrong_field_is_named_by_its_pointer() {
    let payload = r#","payload":{"json":1}"#;
    let cases = [
        (r#","colour":"red""#, "/colour"),
        (r#","lane":"somewhere""#, "/lane"),
        (r#","lane":"needs_review""#, "/effect/status"),
        (r#","effect":{"status":"compensated"}"#, "/effect/status"),
        (r#","attempts":[{"outcome":"failed"},{"outcome":"failed","number":-1}]"#, "/attempts/1/number"),
        (r#","attempts":[{"outcome":"failed","number":4294967296}]"#, "/attempts/0/number"),
        (r#","attempts":[{"outcome":"failed","number":2.5}]"#, "/attempts/0/number"),
        (r#","attempts":[{"outcome":"failed","number":"3"}]"#, "/attempts/0/number"),
        (r#","attempts":[{"number":1}]"#, "/attempts/0/outcome"),
        (r#","occurred_at":253402300800000"#, "/occurred_at"),
        (r#","occurred_at":"yesterday""#, "/occurred_at"),
        (r#","report_id":"a\u0000b""#, "/report_id"),
        (r#","affected":[{"system":"crm","id":"1","url":"javascript:alert(1)"}]"#, "/affected/0/url"),
        (r#","ai":{"confidence":1.5}"#, "/ai/confidence"),
        (r#","proposed_action":{}"#, "/proposed_action/action"),
    ];
    for (rest, pointer) in cases {
        assert_eq!(pointers(&report(&format!("{payload}{rest}"))), [pointer], "{rest}");
    }
}

#[test]
fn a_report_names_any_class_but_that_of_what_recourse_makes() {
    let of_class = |class: &str| {
        let named = format!(r#"{{"class":"{class}","message":"It broke"}}"#);
        report(r#","payload":{"json":1}"#).replace(r#"{"message":"It broke"}"#, &named)
    };
    for class in FailureClass::ALL.iter().filter(|class| **class != FailureClass::FollowUp) {
        assert_eq!(parse(of_class(class.as_str()).as_bytes(), LIMIT).unwrap().failure.class, *class);
    }
    for class in ["follow_up", "time_out"] {
        let Err(Refusal::Invalid(problems)) = parse(of_class(class).as_bytes(), LIMIT) else { panic!("{class}") };
        assert_eq!((problems.len(), problems[0].pointer.as_str()), (1, "/failure/class"));
        assert!(problems[0].message.contains("`timeout`"), "the remedy: {}", problems[0].message);
        let listed = problems[0].message.split_once("expected").unwrap().1;
        assert!(!listed.contains("follow_up"), "{listed}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let many = report(r#","payload":{"json":1},"business_ref":"","lane":"needs_review","ai":{"confidence":-1}"#);
    assert_eq!(pointers(&many), ["/business_ref", "/effect/status", "/ai/confidence"]);
}

#[test]
fn broken_empty_and_foreign_bytes_are_told_apart() {
    for (body, word) in [
        (&b""[..], "empty"),
        (b"  \n", "empty"),
        (br#"{"workflow":"x""#, "not valid JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b"{} {}", ""),
    ] {
        let refusal = parse(body, LIMIT).unwrap_err();
        assert!(refusal.sentence().contains(word), "{refusal:?}");
    }
}

#[test]
fn nul_in_a_message_is_shown_and_in_a_key_refused() {
    let json = report(r#","payload":{"json":1}"#).replace("It broke", r"It\u0000broke");
    assert_eq!(parse(json.as_bytes(), LIMIT).unwrap().failure.message, "It␀broke");
}

#[test]
fn the_request_body_can_be_the_payload() {
    let head = report("");
    let parsed =
        parse_with_body(head.as_bytes(), "application/xml; charset=iso-8859-1", b"<a>\xb5</a>", LIMIT).unwrap();
    let expected =
        Payload::Bytes { media_type: "application/xml; charset=iso-8859-1".into(), bytes: b"<a>\xb5</a>".to_vec() };
    assert_eq!(parsed.payload, expected);
    let both = report(r#","payload":{"json":1}"#);
    assert!(parse_with_body(both.as_bytes(), "text/plain", b"x", LIMIT).is_err());
}

#[test]
fn the_limit_counts_decoded_bytes() {
    let json = report(r#","payload":{"base64":"AAAA"}"#);
    assert!(parse(json.as_bytes(), 3).is_ok());
    assert_eq!(parse(json.as_bytes(), 2).unwrap_err(), Refusal::TooLarge { limit: 2 });
}

#[test]
fn a_running_attempt_has_a_lease_and_no_outcome() {
    assert_eq!(parse_attempt(br#"{"lease_s":60}"#).unwrap().1, Some(60));
    assert!(parse_attempt(br#"{"lease_s":3601}"#).is_err());
    assert!(parse_attempt(br#"{"lease_s":60,"outcome":"failed"}"#).is_err());
    assert!(parse_attempt(br#"{"finished_at":"2026-11-29T10:00:00Z"}"#).is_err());
}
