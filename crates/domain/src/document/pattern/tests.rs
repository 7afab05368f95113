use proptest::prelude::*;

use super::*;

const DOCUMENT: &str = r#"{
  "vendor": {"iban": "NO93", "name": "A"}, "\u0076endor": {"iban": "SE45"},
  "contact": {"mail": {"home": "x@y"}, "phone": 1},
  "lines": [{"price": 1, "tax": {"iban": 2}}, {"price": 3}, 4],
  "a/b": {"m~n": 5}, "": 6, "0": 7, "c#": {"amount": 8}, "*": 9
}"#;

fn named(pattern: &str) -> Vec<String> {
    let json = Json::read(DOCUMENT).unwrap();
    Matcher::new([pattern]).all(&json).into_iter().map(|node| json.raw(node).to_owned()).collect()
}

#[test]
fn a_pattern_names_values_wherever_they_stand() {
    for (pattern, expected) in [
        ("/vendor/iban", vec![r#""NO93""#, r#""SE45""#]),
        ("/vendor", vec![r#"{"iban": "NO93", "name": "A"}"#, r#"{"iban": "SE45"}"#]),
        ("/contact/**", vec![r#"{"home": "x@y"}"#, "1"]),
        ("/contact/*/home", vec![r#""x@y""#]),
        ("/lines/*/price", vec!["1", "3"]),
        ("/lines/1", vec![r#"{"price": 3}"#]),
        ("/lines/01", vec![]),
        ("/lines/*", vec![r#"{"price": 1, "tax": {"iban": 2}}"#, r#"{"price": 3}"#, "4"]),
        ("/**/iban", vec![r#""NO93""#, r#""SE45""#, "2"]),
        ("/**/*/iban", vec![r#""NO93""#, r#""SE45""#, "2"]),
        ("/lines/**/iban", vec!["2"]),
        ("/a~1b/m~0n", vec!["5"]),
        ("/", vec!["6"]),
        ("/0", vec!["7"]),
        ("/c#/amount", vec!["8"]),
        ("/c#", vec![r#"{"amount": 8}"#]),
        ("/nothing/**", vec![]),
        ("/contact/phone/**", vec![]),
        ("", vec![DOCUMENT]),
    ] {
        assert_eq!(named(pattern), expected, "{pattern}");
    }
    assert_eq!(named("/**").len(), 9);
}

#[test]
fn of_nested_matches_only_the_outer_one_is_told() {
    let json = Json::read(DOCUMENT).unwrap();
    let matcher = Matcher::new(["/vendor/iban", "/vendor", "/**/price"]);
    let all: Vec<_> = matcher.all(&json).into_iter().map(|node| json.pointer(node)).collect();
    assert_eq!(all, ["/vendor", "/vendor", "/lines/0/price", "/lines/1/price"]);
}

#[test]
fn a_sharp_reaches_into_a_string_and_what_cannot_be_read_matches_whole() {
    for (document, pattern, expected) in [
        (r#"{"body":"{\"amount\":40,\"x\":1}"}"#, "/body#/amount", vec![Some(vec!["40"])]),
        (r#"{"body":"{\"amount\":40,\"amount\":[1]}"}"#, "/body#/amount", vec![Some(vec!["40", "[1]"])]),
        (r#"{"body":"{\"x\":1}"}"#, "/body#/amount", vec![]),
        (r#"{"body":"40"}"#, "/body#/amount", vec![]),
        (r#"{"body":"40"}"#, "/body#", vec![None]),
        (r#"{"body":"{\"x\":1}"}"#, "/body#/**", vec![Some(vec!["1"])]),
        (r#"{"body":"amount=40"}"#, "/body#/amount", vec![None]),
        (r#"{"body":""}"#, "/body#/amount", vec![None]),
        (r#"{"body":"{\"a\":\"\ud800\"}"}"#, "/body#/amount", vec![None]),
        (r#"{"body":{"amount":40}}"#, "/body#/amount", vec![None]),
        (r#"{"body":null}"#, "/body#/amount", vec![]),
        (r#"{"a":["{\"b\":1}",{"c":"{\"b\":2}"}]}"#, "/**#/b", vec![Some(vec!["1"]), Some(vec!["2"])]),
        (r#"["{\"b\":1}","x",2]"#, "/*#/b", vec![Some(vec!["1"]), None]),
        (r#"{"o":"{\"i\":\"{\\\"b\\\":1}\"}"}"#, "/o#/i#/b", vec![Some(vec![r#""{\"b\":1}""#])]),
        (r#"{"o":"{\"i\":\"{\\\"c\\\":1}\"}"}"#, "/o#/i#/b", vec![]),
    ] {
        let json = Json::read(document).unwrap();
        let found = Matcher::new([pattern]).found(&json);
        let told: Vec<Option<Vec<String>>> = found
            .iter()
            .map(|found| match &found.extent {
                Extent::Whole => None,
                Extent::Within(spans) => {
                    let said = plain(json.raw(found.node)).unwrap();
                    Some(spans.iter().map(|span| said[span.clone()].to_owned()).collect())
                }
            })
            .collect();
        assert_eq!(
            told,
            expected
                .into_iter()
                .map(|e| e.map(|e| e.into_iter().map(str::to_owned).collect()))
                .collect::<Vec<Option<Vec<_>>>>(),
            "{pattern} {document}"
        );
    }
}

#[test]
fn a_pointer_is_judged_without_its_document() {
    for (pattern, pointer, expected) in [
        ("/vendor/*", "/vendor/iban", true),
        ("/vendor/*", "/vendor/iban/0", true),
        ("/vendor/*", "/vendor", false),
        ("/amount", "/amount", true),
        ("/amount", "", false),
        ("/amount", "/amounts", false),
        ("/a~1b", "/a~1b/x", true),
        ("/**/iban", "/iban", true),
        ("/**/iban", "/x/y/iban/z", true),
        ("/contact/**", "/contact", false),
        ("/lines/*/price", "/lines/10/price", true),
        ("/body#/amount", "/body", false),
        ("/body#/amount", "/body/amount", true),
        ("/body#", "/body", true),
        ("/body", "/body#/amount", false),
        ("", "/x", true),
    ] {
        assert_eq!(Matcher::new([pattern]).matches_pointer(pointer), expected, "{pattern} {pointer}");
    }
    for (pattern, pointers, expected) in [
        ("/body#/amount", ["/body", "/amount"], true),
        ("/body#/amount", ["/body", "/amount/0"], true),
        ("/body#/amount", ["/body", "/x"], false),
        ("/body#/amount", ["/body", ""], false),
        ("/body", ["/body", "/amount"], true),
        ("/body/amount", ["/body", "/amount"], false),
    ] {
        assert_eq!(Matcher::new([pattern]).matches_pointers(&pointers), expected, "{pattern} {pointers:?}");
    }
    assert!(!Matcher::new([]).matches_pointer("/a"));
}

#[test]
fn depth_does_not_matter() {
    let deep = r#"{"a":"#.repeat(200_000) + r#"{"iban":1}"# + &"}".repeat(200_000);
    let json = Json::read(&deep).unwrap();
    let matcher = Matcher::new(["/**/iban", "/**/x/**/y", "/**/a/a/x"]);
    let all = matcher.all(&json);
    assert_eq!(all.iter().map(|node| json.raw(*node)).collect::<Vec<_>>(), ["1"]);
    assert!(matcher.matches(&json, all[0]));
    let within = format!("{{\"s\":{}}}", serde_json::Value::from(deep.as_str()));
    let json = Json::read(&within).unwrap();
    assert!(
        matches!(Matcher::new(["/s#/**/iban"]).found(&json)[0].extent, Extent::Within(ref spans) if spans.len() == 1)
    );
}

/// What the patterns mean, said without a machine.
fn means(pattern: &[&str], path: &[String]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        (["**"], path) => !path.is_empty(),
        (["**", rest @ ..], path) => (0..=path.len()).any(|skip| means(rest, &path[skip..])),
        ([first, rest @ ..], [name, inside @ ..]) => (*first == "*" || first == name) && means(rest, inside),
        _ => false,
    }
}

fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("1".to_owned()), Just("\"x\"".to_owned()), Just("[]".to_owned())];
    leaf.prop_recursive(5, 30, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|all| format!("[{}]", all.join(","))),
            proptest::collection::vec(("[ab01]", inner), 0..4).prop_map(|all| {
                format!(
                    "{{{}}}",
                    all.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect::<Vec<_>>().join(",")
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn every_way_to_ask_gives_the_same_answer(
        text in document(),
        patterns in proptest::collection::vec("(/(a|b|0|1|\\*|\\*\\*)){1,4}", 0..4),
    ) {
        let json = Json::read(&text).unwrap();
        let matcher = Matcher::new(patterns.iter().map(String::as_str));
        let all = matcher.all(&json);
        for node in json.nodes() {
            let pointer = json.pointer(node);
            let path: Vec<String> = pointer.split('/').skip(1).map(str::to_owned).collect();
            let expected = patterns.iter().any(|pattern| means(&pattern.split('/').skip(1).collect::<Vec<_>>(), &path));
            prop_assert_eq!(matcher.matches(&json, node), expected, "{}", pointer);
            prop_assert_eq!(matcher.matches_pointer(&pointer), expected, "{}", pointer);
            prop_assert_eq!(all.iter().any(|outer| json.holds(*outer, node)), expected, "{}", pointer);
        }
        prop_assert!(all.windows(2).all(|pair| pair[0] < pair[1] && !json.holds(pair[0], pair[1])));
    }
}
