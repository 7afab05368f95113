use proptest::prelude::*;

use super::*;

fn wrong(text: &str) -> (usize, usize, &'static str) {
    let wrong = Json::read(text).unwrap_err();
    (wrong.line, wrong.column, wrong.what)
}

#[test]
fn every_value_is_a_span_of_the_text() {
    let text = "\u{feff} {\"b\" : 1.10,\r\n\"a\":[1e400, {}, [] ,\"\\ud800\"],\"b\":null}\n";
    let json = Json::read(text).unwrap();
    let raws: Vec<_> = json.children(json.root()).map(|node| (json.key(node).unwrap(), json.raw(node))).collect();
    assert_eq!(raws, [("\"b\"", "1.10"), ("\"a\"", "[1e400, {}, [] ,\"\\ud800\"]"), ("\"b\"", "null")]);
    assert_eq!(json.raw(json.root()), text.trim_matches(['\u{feff}', ' ', '\n']));
    let found = |pointer: &str| json.find(pointer).map(|node| json.raw(node));
    assert_eq!(found("/b"), Some("null"), "of two members the last counts");
    assert_eq!(
        (found("/a/0"), found("/a/1"), found("/a/4"), found("/a/00"), found("a")),
        (Some("1e400"), Some("{}"), None, None, None)
    );
    for node in json.nodes() {
        let pointer = json.pointer(node);
        assert!(json.find(&pointer).is_some(), "{pointer}");
    }
}

#[test]
fn pointers_escape_and_lead_back() {
    let json = Json::read(r#"{"a/b":{"m~n":[10,[20]]},"":{"":1},"\u0065x":2}"#).unwrap();
    for node in json.nodes() {
        assert_eq!(json.find(&json.pointer(node)), Some(node));
    }
    assert_eq!(json.find("/a~1b/m~0n/1/0").map(|node| json.raw(node)), Some("20"));
    assert_eq!(json.find("/ex").map(|node| json.pointer(node)).as_deref(), Some("/ex"));
}

#[test]
fn what_is_none_is_told_with_its_place() {
    for (text, expected) in [
        ("", (1, 1, "there is no value")),
        ("\n {\"a\":\r\n  nul}", (3, 3, "only true, false and null are words")),
        ("{\"a\" 1}", (1, 6, "a colon was expected")),
        ("[1,]", (1, 4, "a value was expected")),
        ("{\"a\":1,}", (1, 8, "a name in double quotes was expected")),
        ("{'a':1}", (1, 2, "a name in double quotes or } was expected")),
        ("[1}", (1, 3, "a comma or ] was expected")),
        ("1 2", (1, 3, "there is more after the value")),
        ("[\"é\",01]", (1, 7, "a number begins with no further zero")),
        ("[1.]", (1, 4, "a digit was expected")),
        ("\"a\tb\"", (1, 3, "a control character stands in a string; write it as an escape")),
        ("\"\\x\"", (1, 2, "this escape does not exist")),
        ("\"\\u12g4\"", (1, 2, "\\u wants four hexadecimal digits")),
        ("\"a", (1, 3, "a string has no end")),
        ("[[", (1, 3, "the text ends before the value does")),
    ] {
        assert_eq!(wrong(text), expected, "{text:?}");
    }
}

#[test]
fn depth_and_number_do_not_matter_up_to_the_limit() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let json = Json::read(&deep).unwrap();
    assert_eq!(json.len(), 200_000);
    let last = json.nodes().next_back().unwrap();
    assert_eq!(json.raw(last), "[]");
    let many = format!("[{}0]", "0,".repeat(MOST_VALUES));
    assert!(wrong(&many).2.starts_with("there are too many values"));
}

#[test]
fn a_string_says_the_same_however_it_is_written() {
    for (one, other, same) in [
        (r#""é\/""#, r#""\u00e9/""#, true),
        (r#""\ud83d\ude00""#, "\"😀\"", true),
        (r#""\ud800""#, r#""\ud801""#, false),
        (r#""\ud800a""#, r#""\uD800a""#, true),
        (r#""\n\t\b\f\r\"\\""#, r#""\u000a\u0009\u0008\u000c\u000d\u0022\u005c""#, true),
    ] {
        assert_eq!(decoded(one) == decoded(other), same, "{one} {other}");
    }
    assert_eq!(plain(r#""a\u00e9""#).as_deref(), Some("aé"));
    assert_eq!(plain(r#""\ud800""#), None);
}

proptest! {
    #[test]
    fn whatever_serde_json_takes_is_taken_and_nothing_else(text in "[\\[\\]{},:\"a0-9e.\\\\u \n-]{0,16}") {
        // It refuses the two things that are taken here on purpose, too: neither can come up in these texts but by `\u`.
        prop_assert_eq!(Json::read(&text).is_ok(), serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok());
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,40}") {
        let _ = Json::read(&text);
    }
}
