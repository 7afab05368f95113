use proptest::prelude::*;

use super::*;
use crate::document::pattern::Matcher;

const PARENT: &str = "{\n  \"amount\": 1.10,\r\n  \"vendor\": {\"iban\": \"NO93\\u0038\", \"name\": \"A\"},\n  \"body\": \"{\\\"pin\\\":1}\",\n  \"ids\": [12345678901234567890, 2]\n}\n";
const PATTERNS: [&str; 3] = ["/vendor/iban", "/body#/pin", "/ids"];

fn masked(text: &str, patterns: &[&str]) -> Masked {
    let json = Json::read(text).unwrap();
    Masked::over(&json, &Matcher::new(patterns.iter().copied()).all(&json), "draft 1")
}

fn taken(parent: &str, patterns: &[&str], edited: &str) -> Result<String, Tampered> {
    let matcher = Matcher::new(patterns.iter().copied());
    unmask(&Json::read(parent).unwrap(), &masked(parent, patterns), |json| matcher.all(json), edited)
}

/// What becomes of [`PARENT`] where the person replaces one text by another in what they see; `#0` is the first placeholder.
fn edited(from: &str, to: &str) -> Result<String, Tampered> {
    let masked = masked(PARENT, &PATTERNS);
    let said = |text: &str| {
        masked
            .parts
            .iter()
            .enumerate()
            .fold(text.to_owned(), |text, (ordinal, part)| text.replace(&format!("#{ordinal}"), &part.placeholder))
    };
    assert!(masked.text.contains(&said(from)), "nothing to edit: {from}");
    taken(PARENT, &PATTERNS, &masked.text.replacen(&said(from), &said(to), 1))
}

#[test]
fn hidden_values_are_placeholders_and_the_rest_stays() {
    let masked = masked(PARENT, &PATTERNS);
    let mut expected = PARENT.to_owned();
    for (raw, part) in ["\"NO93\\u0038\"", "\"{\\\"pin\\\":1}\"", "[12345678901234567890, 2]"].iter().zip(&masked.parts)
    {
        expected = expected.replace(raw, &format!("\"{}\"", part.placeholder));
        assert_eq!(masked.text[part.span.clone()], format!("\"{}\"", part.placeholder));
    }
    assert_eq!(masked.text, expected);
    assert_eq!(masked.parts.len(), 3);
    let json = Json::read(PARENT).unwrap();
    let hidden = Matcher::new(PATTERNS).all(&json);
    assert_eq!(shown(&json, &hidden).matches("\"•••• hidden\"").count(), 3);
    assert_eq!(shown(&json, &[json.root()]), "\"•••• hidden\"\n");
    assert_eq!(Masked::over(&json, &hidden, "draft 1"), masked);
    let other = Masked::over(&json, &hidden, "draft 2");
    assert!(other.parts.iter().all(|part| !masked.text.contains(&part.placeholder)));
}

#[test]
fn a_placeholder_tells_nothing_of_its_value() {
    let placeholder = |value: &str| masked(&format!("{{\"a\":{value}}}"), &["/a"]).text;
    for value in ["0", "\"\"", "null", "true", "{\"x\":[1,2,3]}", "\"a long text that is hidden\""] {
        assert_eq!(placeholder(value), placeholder("1"));
    }
}

#[test]
fn a_placeholder_is_never_what_a_string_says_already() {
    let first = masked(r#"{"a":1,"b":""}"#, &["/a"]).parts[0].placeholder.clone();
    let parent = format!("{{\"a\":1,\"b\":\"{}\"}}", first.replace('h', "\\u0068"));
    let masked = masked(&parent, &["/a"]);
    assert_ne!(masked.parts[0].placeholder, first);
    assert_eq!(taken(&parent, &["/a"], &masked.text), Ok(parent));
}

#[test]
fn r2_what_the_person_edited_is_all_that_differs() {
    assert_eq!(taken(PARENT, &PATTERNS, &masked(PARENT, &PATTERNS).text).as_deref(), Ok(PARENT));
    for (from, to) in
        [("1.10", "1.20"), ("\"A\"", "\"B\""), (" \"name\"", " \"bic\": 1,\r\"name\""), (", \"name\": \"A\"", "")]
    {
        assert_eq!(edited(from, to), Ok(PARENT.replacen(from, to, 1)), "{from}");
    }
    let moved_on = edited("\"vendor\"", "\"bank\": {\"iban\": 1}, \"vendor\"").unwrap();
    assert_eq!(moved_on, PARENT.replace("\"vendor\"", "\"bank\": {\"iban\": 1}, \"vendor\""));
    let written_otherwise = edited("\"#0\"", "\"\\u2022••• hidden#0\"");
    assert!(matches!(written_otherwise, Err(Tampered::Changed(_))));
    let new = taken(
        r#"{"a":[1],"b":2}"#,
        &["/a/*", "/c"],
        &masked(r#"{"a":[1],"b":2}"#, &["/a/*", "/c"]).text.replace("],\"b\"", ",5],\"c\":3,\"b\""),
    );
    assert_eq!(new.as_deref(), Ok(r#"{"a":[1,5],"c":3,"b":2}"#), "new values in hidden places are taken");
}

#[test]
fn what_happened_to_a_placeholder_is_told() {
    let at = str::to_owned;
    for (from, to, expected) in [
        ("\"#0\"", "null", Tampered::Missing(at("/vendor/iban"))),
        ("\"iban\": \"#0\", ", "", Tampered::Missing(at("/vendor/iban"))),
        ("#0", "#0 ", Tampered::Changed(at("/vendor/iban"))),
        ("#0", "•••• hidden", Tampered::Changed(at("/vendor/iban"))),
        ("#0", "x\\u2022••• hidden 1", Tampered::Changed(at("/vendor/iban"))),
        ("\"name\"", "\"#0\"", Tampered::Changed(at("/vendor/#0"))),
        ("\"A\"", "\"see #0\"", Tampered::Changed(at("/vendor/name"))),
        ("\"A\"", "\"•••• hidden 0123456789\"", Tampered::Changed(at("/vendor/name"))),
        ("\"A\"", "\"#0\"", Tampered::Twice(at("/vendor/name"))),
        ("\"iban\": \"#0\", \"name\": \"A\"", "\"iban\": \"A\", \"name\": \"#0\"", Tampered::Moved(at("/vendor/name"))),
        ("\"iban\"", "\"bic\"", Tampered::Moved(at("/vendor/bic"))),
        ("\"vendor\"", "\"buyer\"", Tampered::Moved(at("/buyer/iban"))),
        ("\"body\"", "\"note\"", Tampered::Moved(at("/note"))),
        ("\"#0\"", "[\"#0\"], \"iban\": 1", Tampered::Moved(at("/vendor/iban/0"))),
        ("\"iban\"", "\"ib\\u0061n\": 1, \"iban\"", Tampered::Beside(at("/vendor/iban"))),
        ("\"body\"", "\"vendor\": {}, \"body\"", Tampered::Beside(at("/vendor/iban"))),
    ] {
        let masked = masked(PARENT, &PATTERNS);
        let told = edited(from, to).unwrap_err();
        let plain = format!("{told:?}").replace(&masked.parts[0].placeholder, "#0");
        assert_eq!(plain, format!("{expected:?}"), "{from} -> {to}");
    }
    assert!(matches!(edited("\"A\"", "A"), Err(Tampered::Broken(wrong)) if wrong.line == 3));
    assert_eq!(
        edited("\"iban\"", "\"bic\"").unwrap_err().to_string(),
        "a hidden value was moved to `/vendor/bic`: it has to stay in its place, and in its order"
    );
}

#[test]
fn twins_that_the_parent_has_may_stay() {
    let parent = r#"{"a":1,"b":null,"a":2,"v":{"a":3},"v":{"a":4}}"#;
    let masked = masked(parent, &["/a", "/v/a"]);
    assert_eq!(masked.parts.len(), 4);
    assert_eq!(taken(parent, &["/a", "/v/a"], &masked.text).as_deref(), Ok(parent));
    let third = masked.text.replace("\"b\"", "\"a\"");
    assert!(matches!(taken(parent, &["/a", "/v/a"], &third), Err(Tampered::Beside(_))));
}

#[test]
fn values_named_by_several_rules_are_hidden_once() {
    let json = Json::read(r#"{"a":{"b":[1,2]},"c":3}"#).unwrap();
    let nodes = ["/c", "/a/b/1", "/a/b", "/c", "/a/b/0"].map(|pointer| json.find(pointer).unwrap());
    assert_eq!(outermost(&json, &nodes), [nodes[2], nodes[0]]);
    assert_eq!(shown(&json, &nodes), r#"{"a":{"b":"•••• hidden"},"c":"•••• hidden"}"#);
}

#[test]
fn neither_depth_nor_number_matters() {
    let deep = r#"{"a":"#.repeat(200_000) + r#"{"iban":1}"# + &"}".repeat(200_000);
    assert_eq!(taken(&deep, &["/**/iban"], &masked(&deep, &["/**/iban"]).text), Ok(deep));
    let many = format!("[{}0]", r#"{"iban":1,"n":2},"#.repeat(10_000));
    assert_eq!(taken(&many, &["/*/iban"], &masked(&many, &["/*/iban"]).text), Ok(many));
}

fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        "-?[1-9][0-9]{0,12}(\\.[0-9]{1,3})?",
        "[a-zé\u{202e} ]{0,9}".prop_map(|text| serde_json::Value::String(text).to_string()),
        "[a-c]{1,6}".prop_map(|text| format!("\"\\u0041{text}\\n\"")),
        "[a-c]".prop_map(|name| serde_json::Value::from(format!("{{\"{name}\":1234567}}")).to_string()),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|all| format!("[{}]", all.join(" ,"))),
            proptest::collection::vec(("[abc0]", inner), 0..4).prop_map(|all| {
                format!(
                    "{{{}}}",
                    all.into_iter().map(|(key, value)| format!("\"{key}\": {value}")).collect::<Vec<_>>().join(",\r\n")
                )
            }),
        ]
    })
}

fn patterns() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("(/(a|b|c|0|\\*|\\*\\*)#?){1,3}", 0..4)
}

proptest! {
    #[test]
    fn what_stands_only_in_hidden_places_is_not_in_the_text(text in document(), patterns in patterns()) {
        let json = Json::read(&text).unwrap();
        let hidden = Matcher::new(patterns.iter().map(String::as_str)).all(&json);
        let masked = Masked::over(&json, &hidden, "seed");
        let is_hidden = |node: Node| hidden.iter().any(|outer| json.holds(*outer, node));
        let seen: Vec<&str> = json.nodes().filter(|node| !is_hidden(*node)).map(|node| json.raw(node)).collect();
        for raw in json.nodes().filter(|node| is_hidden(*node)).map(|node| json.raw(node)).filter(|raw| raw.len() >= 4) {
            let occurs_outside = json.text().match_indices(raw).any(|(at, _)| {
                !hidden.iter().any(|outer| json.span(*outer).contains(&at))
            });
            // A value that holds hidden ones is not what the text shows of it.
            prop_assert!(occurs_outside || !masked.text.contains(raw), "{} of {:?}", raw, seen);
            prop_assert!(occurs_outside || !shown(&json, &hidden).contains(raw));
        }
    }

    #[test]
    fn r2_there_and_back_is_the_same_bytes(text in document(), patterns in patterns()) {
        let json = Json::read(&text).unwrap();
        let matcher = Matcher::new(patterns.iter().map(String::as_str));
        let masked = Masked::over(&json, &matcher.all(&json), "seed");
        prop_assert_eq!(unmask(&json, &masked, |json| matcher.all(json), &masked.text), Ok(text.clone()));
    }

    #[test]
    fn r2_an_edit_beside_hidden_values_is_that_edit(
        text in document(), patterns in patterns(), pick in any::<prop::sample::Index>(), new in "[1-9][0-9]{0,8}"
    ) {
        let json = Json::read(&text).unwrap();
        let matcher = Matcher::new(patterns.iter().map(String::as_str));
        let hidden = matcher.all(&json);
        let masked = Masked::over(&json, &hidden, "seed");
        let free: Vec<Node> = json.nodes()
            .filter(|node| !matches!(json.shape(*node), Shape::Object | Shape::Array))
            .filter(|node| !hidden.iter().any(|outer| json.holds(*outer, *node)))
            .collect();
        prop_assume!(!free.is_empty());
        let span = json.span(*pick.get(&free));
        let at = span.start + masked.parts.iter().filter(|part| json.span(part.node).start < span.start)
            .map(|part| part.span.len()).sum::<usize>()
            - masked.parts.iter().map(|part| json.span(part.node)).filter(|part| part.start < span.start)
            .map(|part| part.len()).sum::<usize>();
        let mut edited = masked.text.clone();
        edited.replace_range(at..at + span.len(), &new);
        let mut expected = text.clone();
        expected.replace_range(span, &new);
        prop_assert_eq!(unmask(&json, &masked, |json| matcher.all(json), &edited), Ok(expected));
    }
}
