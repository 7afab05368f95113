use proptest::prelude::*;

use super::*;

fn schema(text: &str) -> Schema {
    Schema::read(text).unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

fn findings(schema: &Schema, document: &str) -> Vec<Finding> {
    match schema.check(&Json::read(document).unwrap()) {
        Checked::Findings { first, more: 0 } => first,
        other => panic!("{other:?}"),
    }
}

/// What is said about a document: pointer, keyword and message of each finding.
fn said(text: &str, document: &str) -> Vec<String> {
    let told = findings(&schema(text), document);
    told.into_iter().map(|finding| format!("{} {}: {}", finding.pointer, finding.keyword, finding.message)).collect()
}

fn fits(text: &str, document: &str) -> bool {
    said(text, document).is_empty()
}

#[test]
fn money_big_numbers_and_dates_are_judged_by_what_is_written() {
    let target = r#"{"properties":{"amount":{"multipleOf":0.01},"id":{"type":"integer","maximum":9007199254740992},
        "at":{"format":"date-time"},"share":{"multipleOf":0.1}}}"#;
    for (document, expected) in [
        (r#"{"amount":1070468.14}"#, None),
        (r#"{"amount":1.11}"#, None),
        (r#"{"amount":19.00}"#, None),
        (r#"{"amount":0.005}"#, Some("/amount multipleOf: must be a multiple of 0.01")),
        (r#"{"share":10.1}"#, None),
        (r#"{"id":9007199254740992}"#, None),
        (r#"{"id":9007199254740993}"#, Some("/id maximum: must be at most 9007199254740992")),
        (r#"{"id":1.0}"#, None),
        (r#"{"id":1e2}"#, None),
        (r#"{"id":-123456789012345678901234567890}"#, None),
        (r#"{"id":-123456789012345678901234567890.5}"#, Some("/id type: must be a whole number, not another number")),
        (r#"{"id":"7"}"#, Some("/id type: must be a whole number, not a string")),
        (r#"{"at":"2026-02-28T00:00:00Z"}"#, None),
        (r#"{"at":"2026-02-30T00:00:00Z"}"#, Some("/at format: must be written as \"date-time\"")),
    ] {
        assert_eq!(said(target, document), Vec::from_iter(expected), "{document}");
    }
}

#[test]
fn limits_hold_as_they_are_written_wherever_they_stand() {
    let limit = r#"{"maximum":123456789012345678901234567890.5}"#;
    let (inside, outside) = ("123456789012345678901234567890.50", "123456789012345678901234567890.51");
    for (schema, before, after) in [
        (format!(r##"{{"$defs":{{"a":{limit}}},"$ref":"#/$defs/a"}}"##), "", ""),
        (format!(r##"{{"definitions":{{"maximum":{limit}}},"$ref":"#/definitions/maximum"}}"##), "", ""),
        (format!(r##"{{"components":{{"schemas":{{"a":{limit}}}}},"$ref":"#/components/schemas/a"}}"##), "", ""),
        (
            format!(
                r##"{{"$defs":{{"a":{{"$id":"https://example.com/a","allOf":[{limit}]}}}},"$ref":"https://example.com/a"}}"##
            ),
            "",
            "",
        ),
        (format!(r#"{{"allOf":[{{"anyOf":[{limit}]}}]}}"#), "", ""),
        (format!(r#"{{"items":{limit}}}"#), "[", "]"),
        (format!(r#"{{"prefixItems":[true,{limit}]}}"#), "[1,", "]"),
        (format!(r#"{{"properties":{{"maximum":{limit}}}}}"#), "{\"maximum\":", "}"),
        (format!(r#"{{"properties":{{"enum":{limit},"const":{limit}}}}}"#), "{\"const\":", "}"),
        (format!(r#"{{"additionalProperties":{limit}}}"#), "{\"x\":", "}"),
        (format!(r#"{{"not":{{"not":{limit}}}}}"#), "", ""),
        (format!(r#"{{"if":{limit},"else":false}}"#), "", ""),
    ] {
        assert!(fits(&schema, &format!("{before}{inside}{after}")), "{schema}");
        assert!(!fits(&schema, &format!("{before}{outside}{after}")), "{schema}");
    }
}

#[test]
fn every_limit_is_exact() {
    for (schema, good, bad) in [
        (r#"{"minimum":9007199254740993}"#, "9007199254740993", "9007199254740992"),
        (r#"{"exclusiveMinimum":9007199254740992}"#, "9007199254740993", "9007199254740992"),
        (r#"{"exclusiveMaximum":1e400}"#, "9e399", "1e400"),
        (r#"{"maximum":1,"maximum":18446744073709551617}"#, "18446744073709551617", "18446744073709551618"),
        (r#"{"multipleOf":1e-400}"#, "1", "1e-401"),
        (r#"{"multipleOf":3}"#, "135107988821114880000000000000", "135107988821114880000000000001"),
        (r#"{"const":18446744073709551617}"#, "18446744073709551617.0", "18446744073709551616"),
        (r#"{"enum":["a",0.1]}"#, "1e-1", "0.10000000000000001"),
        (r#"{"enum":[9007199254740993,null]}"#, "9007199254740993", "9007199254740992"),
        (
            r#"{"const":{"a":[9007199254740993],"b":"\u0041"}}"#,
            r#"{"b":"A","a":[9007199254740993.0]}"#,
            r#"{"b":"A","a":[9007199254740992]}"#,
        ),
        (
            r#"{"const":{"maximum":1,"x":{"enum":[1]}}}"#,
            r#"{"maximum":1.0,"x":{"enum":[1]}}"#,
            r#"{"maximum":2,"x":{"enum":[1]}}"#,
        ),
        (r#"{"uniqueItems":true}"#, "[9007199254740992,9007199254740993]", "[1,1.0]"),
        (r#"{"uniqueItems":true}"#, r#"[1e400,1e401,{"a":1}]"#, r#"[{"a":1,"b":2},{"b":2.0,"a":10e-1}]"#),
        (r#"{"type":"integer"}"#, "1e400", "1e-400"),
        (r##"{"$schema":"http://json-schema.org/draft-04/schema#","maximum":2,"exclusiveMaximum":true}"##, "1", "2"),
        (
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"exclusiveMaximum":2}},"$ref":"#/definitions/a"}"##,
            "1",
            "2",
        ),
    ] {
        assert!(fits(schema, good), "{schema} {good} {:?}", said(schema, good));
        assert!(!fits(schema, bad), "{schema} {bad}");
    }
    let told = said(r#"{"maximum":5}"#, "1e99999999999999999999999");
    assert_eq!(told, [" maximum: must be at most 5, and the number is too long to tell"]);
}

#[test]
fn a_finding_says_what_is_wrong_and_where() {
    let text = r#"{
        "type": "object", "required": ["id"], "additionalProperties": false, "maxProperties": 7,
        "properties": {
            "id": true, "tags": {"minItems": 2, "items": {"minLength": 2}}, "state": {"enum": ["open", "closed"]},
            "code": {"pattern": "^[A-Z]+$"}, "one": {"oneOf": [{"type": "string"}, {"minimum": 3}]}, "no": false,
            "any": {"anyOf": [{"type": "string"}, {"type": "null"}]}
        }
    }"#;
    let document = "{\"tags\":\n  [\"é\"],\r\n \"state\": \"shut\", \"code\": \"abc\",\r \"one\": 2,\n\"x/y\": 1, \"no\":1,\n\"any\": 1}";
    let told: Vec<_> = findings(&schema(text), document)
        .into_iter()
        .map(|finding| {
            assert_eq!(Json::read(document).unwrap().find(&finding.pointer), finding.node);
            (finding.line, finding.column, finding.pointer, finding.keyword, finding.message)
        })
        .collect();
    let expected = [
        (1, 1, "", "required", "must have a member \"id\""),
        (2, 3, "/tags", "minItems", "must have at least 2 elements"),
        (2, 4, "/tags/0", "minLength", "must have at least 2 characters"),
        (3, 11, "/state", "enum", "must be one of [\"open\", \"closed\"]"),
        (3, 27, "/code", "pattern", "must match the pattern ^[A-Z]+$"),
        (4, 9, "/one", "oneOf", "must fit exactly one of 2 alternatives and fits none"),
        (5, 8, "/x~1y", "additionalProperties", "must not have a member \"x/y\""),
        (5, 16, "/no", "falseSchema", "must not be there"),
        (6, 8, "/any", "anyOf", "must fit at least one of 2 alternatives and fits none"),
    ];
    let told: Vec<_> = told.iter().map(|(line, column, a, b, c)| (*line, *column, &**a, &**b, &**c)).collect();
    assert_eq!(told, expected);
}

#[test]
fn of_two_members_with_one_name_the_last_counts() {
    let text = r#"{"properties":{"a":{"type":"string"}},"maxProperties":1}"#;
    assert!(fits(text, r#"{"a":1,"\u0061":"x"}"#));
    let told = findings(&schema(text), "{\"a\":\"x\",\n\"a\":1}");
    assert_eq!((told.len(), told[0].line), (1, 2));
}

#[test]
fn what_machines_cannot_hold_is_checked_all_the_same() {
    let text =
        r#"{"properties":{"n":{"type":"number"},"s":{"type":"string","maxLength":1}},"propertyNames":{"maxLength":2}}"#;
    assert!(fits(text, r#"{"n":1e400,"s":"\ud800"}"#));
    assert_eq!(
        said(text, r#"{"abc":1}"#),
        [" propertyNames: has a name that is not allowed: it must have at most 2 characters"]
    );
}

#[test]
fn every_member_too_many_is_told_where_it_stands() {
    let document = r#"{"b":1,"a":2}"#;
    let expected = [
        "/b additionalProperties: must not have a member \"b\"",
        "/a additionalProperties: must not have a member \"a\"",
    ];
    for text in [
        r#"{"additionalProperties":false}"#,
        r#"{"additionalProperties":false,"required":["a"]}"#,
        r#"{"additionalProperties":false,"patternProperties":{"^x":true}}"#,
        r#"{"additionalProperties":false,"properties":{"c":true}}"#,
    ] {
        assert_eq!(said(text, document), expected, "{text}");
    }
    assert_eq!(said(r#"{"propertyNames":false}"#, document), [" falseSchema: must not have any members"]);
    let told = said(r#"{"properties":{"a":true},"unevaluatedProperties":false}"#, document);
    assert_eq!(told, ["/b unevaluatedProperties: must not have a member \"b\""]);
}

#[test]
fn nothing_is_fetched_and_a_reference_that_leads_nowhere_is_named() {
    for (text, named) in [
        (r#"{"$ref":"https://example.com/x.json"}"#, "https://example.com/x.json"),
        (
            r#"{"properties":{"a":{"items":{"$ref":"https://example.com/x.json#/$defs/y"}}}}"#,
            "https://example.com/x.json",
        ),
        (r#"{"$id":"https://example.com/base/","$ref":"other"}"#, "https://example.com/base/other"),
        (r#"{"$ref":"file:///etc/hostname"}"#, "file:///etc/hostname"),
        (r##"{"$ref":"#/$defs/none"}"##, "/$defs/none"),
        (r##"{"$ref":"#none"}"##, "none"),
        (r#"{"$schema":"https://example.com/own"}"#, "https://example.com/own"),
    ] {
        let problem = Schema::read(text).unwrap_err();
        assert_eq!(problem, SchemaProblem::Unreachable(named.to_owned()), "{text}");
        assert!(problem.to_string().contains(named));
    }
    assert!(fits(r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, r#"{"type":"string"}"#));
}

#[test]
fn a_text_that_is_no_schema_is_refused_with_the_place() {
    let place = |text: &str| match Schema::read(text).unwrap_err() {
        SchemaProblem::Invalid { pointer, line, .. } => (pointer, line),
        other => panic!("{other}"),
    };
    assert_eq!(place("{\"properties\":\n{\"a\":{\"maximum\":\"5\"}}}"), ("/properties/a/maximum".to_owned(), 2));
    assert_eq!(place("{\"multipleOf\":\n0}"), ("/multipleOf".to_owned(), 2));
    assert_eq!(place(r#"{"type":"strng"}"#).0, "/type");
    assert_eq!(place(r#"{"pattern":"("}"#).0, "/pattern");
    assert_eq!(place("7").0, "");
    assert!(matches!(Schema::read("{").unwrap_err(), SchemaProblem::NotJson(_)));
    let deep = format!("{}{}{}", "{\"not\":".repeat(DEEPEST_SCHEMA), "{}", "}".repeat(DEEPEST_SCHEMA));
    assert_eq!(Schema::read(&deep).unwrap_err(), SchemaProblem::TooLarge);
    assert!(Schema::read(&"[".repeat(200_000)).unwrap_err().to_string().starts_with("the schema is not JSON"));
}

#[test]
fn a_document_is_checked_up_to_a_depth_and_a_number_of_values() {
    let recursive = schema(r##"{"anyOf":[{"type":"number"},{"allOf":[{"items":{"$ref":"#"}}],"type":"array"}]}"##);
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(recursive.check(&Json::read(&nested(DEEPEST)).unwrap()).fits());
    for text in [nested(DEEPEST + 1), nested(200_000), format!("[{}0]", "0,".repeat(MOST_VALUES))] {
        let checked = recursive.check(&Json::read(&text).unwrap());
        assert!(matches!(checked, Checked::NotChecked(_)));
        assert!(!checked.fits());
    }
}

/// A schema that leads through this many references at every level of an array.
fn chain(references: usize, inner: &str) -> String {
    let link = |at: usize| match at + 1 {
        next if next < references => format!("\"d{at}\":{{\"{inner}\":[{{\"$ref\":\"#/$defs/d{next}\"}}]}}"),
        _ => format!("\"d{at}\":{{\"items\":{{\"$ref\":\"#/$defs/d0\"}},\"maxItems\":1}}"),
    };
    format!("{{\"$defs\":{{{}}},\"$ref\":\"#/$defs/d0\"}}", (0..references).map(link).collect::<Vec<_>>().join(","))
}

#[test]
fn chains_of_schemas_exhaust_no_stack() {
    let nested = |levels: usize, inner: &str| format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
    for (inner, broken) in [("allOf", 24), ("anyOf", 1), ("oneOf", 1)] {
        // Two steps a link: the list and the reference.
        let long = schema(&chain(999, inner));
        let levels = stack::MOST_STEPS / (2 * 999 + 1);
        assert!(long.check(&Json::read(&nested(levels, "")).unwrap()).fits());
        assert!(matches!(long.check(&Json::read(&nested(levels + 1, "")).unwrap()), Checked::NotChecked(_)));
        let checked = long.check(&Json::read(&nested(broken, "[],[]")).unwrap());
        assert!(!checked.fits() && matches!(checked, Checked::Findings { .. }));
        let deep = schema(&chain(stack::MOST_STEPS / DEEPEST / 2, inner));
        assert!(deep.check(&Json::read(&nested(DEEPEST, "")).unwrap()).fits());
        assert_eq!(Schema::read(&chain(1_001, inner)).unwrap_err(), SchemaProblem::TooLarge);
    }
}

#[test]
fn of_many_findings_the_first_are_told_and_the_rest_counted() {
    let strings = schema(r#"{"items":{"type":"string"}}"#);
    let text = format!("[{}0]", "0,\n".repeat(99_999));
    let Checked::Findings { first, more } = strings.check(&Json::read(&text).unwrap()) else { panic!() };
    assert_eq!((first.len(), more), (MOST_FINDINGS, 100_000 - MOST_FINDINGS));
    assert!(
        first.iter().enumerate().all(|(at, finding)| finding.line == at + 1 && finding.pointer == format!("/{at}"))
    );
    let closed = schema(r#"{"additionalProperties":false}"#);
    let members: Vec<_> = (0..250).map(|number| format!("\"m{number}\":0")).collect();
    let text = format!("{{{}}}", members.join(","));
    let Checked::Findings { first, more } = closed.check(&Json::read(&text).unwrap()) else { panic!() };
    assert_eq!((first.len(), more), (MOST_FINDINGS, 150));
}

proptest! {
    #[test]
    fn no_message_carries_a_value(secret in "[a-z]{12,20}", number in 10_000_000_000_u64..u64::MAX) {
        let text = r#"{
            "properties": {
                "a": {"type": "boolean"}, "b": {"const": 1}, "c": {"enum": [1, 2]}, "d": {"pattern": "^Q"}, "e": {"format": "date"},
                "f": {"maxLength": 3}, "g": {"maximum": 5}, "h": {"multipleOf": 1e30}, "i": {"not": {}}, "j": {"uniqueItems": true},
                "k": {"anyOf": [{"type": "null"}, {"maximum": 1}]}, "l": {"oneOf": [{"type": "null"}, true, true]},
                "m": {"contains": {"const": 1}}, "n": {"unevaluatedItems": false}, "o": {"items": false}, "p": {"maxItems": 0},
                "q": {"prefixItems": [true], "items": false}, "r": {"minProperties": 9}, "s": {"unevaluatedProperties": false},
                "t": {"dependentRequired": {"x": ["y"]}}, "u": {"exclusiveMinimum": 1e99}, "v": {"type": ["null", "boolean"]},
                "w": {"propertyNames": {"maxLength": 0}}, "x": false, "y": {"if": true, "then": {"const": 0}}
            }
        }"#;
        let strings = ('a'..='y').map(|name| format!("\"{name}\":[\"{secret}\",\"{secret}\",{number}]")).collect::<Vec<_>>();
        let objects = ('a'..='y').map(|name| format!("\"{name}\":{{\"x\":\"{secret}\",\"z\":{number}}}")).collect::<Vec<_>>();
        let plain = ('a'..='y').map(|name| format!("\"{name}\":\"{secret}\"")).collect::<Vec<_>>();
        let numbers = ('a'..='y').map(|name| format!("\"{name}\":{number}")).collect::<Vec<_>>();
        let (schema, mut keywords) = (schema(text), std::collections::BTreeSet::new());
        for members in [strings, objects, plain, numbers] {
            let document = format!("{{{}}}", members.join(","));
            let told = findings(&schema, &document);
            prop_assert!(told.len() >= 5);
            for finding in told {
                prop_assert!(!finding.message.contains(&secret), "{}", finding.message);
                prop_assert!(!finding.message.contains(&number.to_string()), "{}", finding.message);
                prop_assert!(!finding.message.contains("does not do what"), "no words for {}", finding.keyword);
                keywords.insert(finding.keyword);
            }
        }
        prop_assert!(keywords.len() >= 20, "{:?}", keywords);
    }

    #[test]
    fn whatever_does_not_fit_is_found_where_its_pointer_says(document in "\\PC{0,10}", names in proptest::collection::vec("[a-c/~\u{e9}]{0,3}", 1..6)) {
        let value = serde_json::to_string(&document).unwrap();
        let members: Vec<_> = names.iter().map(|name| format!("{}:\n[{value}]", serde_json::to_string(name).unwrap())).collect();
        let text = format!("{{{}}}", members.join(","));
        let json = Json::read(&text).unwrap();
        let distinct = names.iter().collect::<std::collections::BTreeSet<_>>().len();
        let told = findings(&schema(r#"{"additionalProperties":{"items":{"type":"null"}}}"#), &text);
        prop_assert_eq!(told.len(), distinct);
        for finding in told {
            let node = json.find(&finding.pointer);
            prop_assert_eq!(node, finding.node);
            let before = &text[..json.span(node.unwrap()).start];
            prop_assert_eq!(finding.line, before.matches('\n').count() + 1);
        }
    }
}
