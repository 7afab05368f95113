//! A document field by field: each single value with its place, edited apart from the text around it (R2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    browser_text,
    json::{Json, Node, Shape, plain},
    mask::outermost,
    patch::splices,
};
use crate::refusal::FieldProblem;

/// A single value, as a person edits it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Where it stands.
    pub pointer: String,
    /// What it is.
    pub shape: Shape,
    /// What a string says; any other value as it is written.
    pub shown: String,
}

/// What was typed for a value. How it is read is decided by what the value was when the form was made, not by what stands there
/// when it comes back: the same typed thing makes the same value however often it is kept, looked at and saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypedValue {
    /// What a string says, as a browser returned it.
    Text(String),
    /// A value as it is written in JSON: a number, `true`, `false`, `null`, or a text in double quotes.
    Written(String),
}

/// The values that can be edited one by one, in order, and how many are left out because there are more than `most`. What a
/// browser can't give back (U+0000, lone surrogates) and what stands under a name that is there twice is edited as text.
#[must_use]
pub fn fields(json: &Json<'_>, most: usize, hidden: &[Node]) -> (Vec<Field>, usize) {
    let (mut found, mut left_out, mut looked_at) = (Vec::new(), 0, 0);
    let mut hidden = outermost(json, hidden).into_iter().peekable();
    for node in json.nodes() {
        while hidden.next_if(|place| *place < node && !json.holds(*place, node)).is_some() {}
        let is_hidden = hidden.peek().is_some_and(|place| json.holds(*place, node));
        let shape = json.shape(node);
        if matches!(shape, Shape::Array | Shape::Object) || is_hidden {
            continue;
        }
        // Finding a place anew takes as long as there are values beside it: not done without end for names that come twice.
        if found.len() == most || looked_at == 2 * most {
            left_out += 1;
            continue;
        }
        looked_at += 1;
        let Some(shown) = shown(json, node) else { continue };
        let pointer = json.pointer(node);
        if json.find(&pointer) == Some(node) {
            found.push(Field { pointer, shape, shown });
        }
    }
    (found, left_out)
}

fn shown(json: &Json<'_>, node: Node) -> Option<String> {
    let raw = json.raw(node);
    match json.shape(node) {
        Shape::String => plain(raw).map(std::borrow::Cow::into_owned).filter(|text| !text.contains('\0')),
        _ => Some(raw.to_owned()),
    }
}

/// The text with those values that were changed, each at its pointer as a form returned it; the problems name those that can't
/// be, and stay as they were.
#[must_use]
pub fn apply(json: &Json<'_>, typed: &BTreeMap<String, TypedValue>) -> (String, Vec<FieldProblem>) {
    let (mut edits, mut problems) = (Vec::new(), Vec::new());
    for (pointer, typed) in typed {
        let node = json.find(pointer).filter(|node| !matches!(json.shape(*node), Shape::Array | Shape::Object));
        let Some((node, before)) = node.and_then(|node| Some((node, shown(json, node)?))) else {
            problems.push(FieldProblem::new(pointer, "is not a single value of this payload"));
            continue;
        };
        match changed((json.shape(node), json.raw(node), &before), typed) {
            Ok(None) => {}
            Ok(Some(with)) => edits.push((json.span(node), with)),
            Err(message) => problems.push(FieldProblem::new(pointer, message)),
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    (splices(json.text(), edits.iter().map(|(span, with)| (span.clone(), with.as_str()))), problems)
}

/// How the value is written now, where it was changed.
fn changed((shape, raw, shown): (Shape, &str, &str), typed: &TypedValue) -> Result<Option<String>, &'static str> {
    let written = match typed {
        TypedValue::Text(returned) => {
            let is_text = shape == Shape::String;
            let after = browser_text::apply(if is_text { shown } else { "" }, returned);
            return Ok((!is_text || after != shown).then(|| serde_json::Value::String(after).to_string()));
        }
        TypedValue::Written(returned) => returned.trim(),
    };
    if written == raw {
        return Ok(None);
    }
    let read = Json::read(written).map_err(|_| "Write a number, true, false, null, or a text in double quotes.")?;
    match read.shape(read.root()) {
        Shape::Array | Shape::Object => Err("Write one single value; larger changes are made in the text."),
        _ => Ok(Some(read.raw(read.root()).to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\"amount\":40.00, \"name\":\"L\\u00e9on\\nB\",\"ok\":null,\"a\":1,\"a\":2,\"deep\":[{\"x\":\"\\u0000\"},\"\\ud800\"]}";

    /// As a form of `TEXT` returns it.
    fn typed(pairs: &[(&str, &str)]) -> BTreeMap<String, TypedValue> {
        let of = |pointer: &str, text: &str| match pointer {
            "/name" => TypedValue::Text(text.to_owned()),
            _ => TypedValue::Written(text.to_owned()),
        };
        pairs.iter().map(|(pointer, text)| ((*pointer).to_owned(), of(pointer, text))).collect()
    }

    #[test]
    fn r2_the_same_typed_thing_makes_the_same_value_however_often_it_comes() {
        let cases = [
            ("/ok", "\"2026-01-01\""),
            ("/amount", "\"40\""),
            ("/amount", "true"),
            ("/name", "\"Léon\""),
            ("/name", "null"),
            ("/name", "B\r\nC"),
        ];
        for (pointer, text) in cases {
            let once = apply(&Json::read(TEXT).unwrap(), &typed(&[(pointer, text)])).0;
            assert_ne!(once, TEXT);
            let twice = apply(&Json::read(&once).unwrap(), &typed(&[(pointer, text)]));
            assert_eq!(twice, (once, Vec::new()), "{pointer} {text}");
        }
        // What was a number meanwhile became a text again, and the other way round: what was typed is still what it was.
        let json = Json::read("{\"a\":1,\"b\":\"x\"}").unwrap();
        let swapped = BTreeMap::from([
            ("/a".to_owned(), TypedValue::Text("1".into())),
            ("/b".to_owned(), TypedValue::Written("2".into())),
        ]);
        assert_eq!(apply(&json, &swapped).0, "{\"a\":\"1\",\"b\":2}");
    }

    #[test]
    fn single_values_are_listed_as_a_person_reads_them() {
        let json = Json::read(TEXT).unwrap();
        let (found, left_out) = fields(&json, 100, &[]);
        let told: Vec<_> = found.iter().map(|field| (field.pointer.as_str(), field.shown.as_str())).collect();
        assert_eq!(told, [("/amount", "40.00"), ("/name", "Léon\nB"), ("/ok", "null"), ("/a", "2")]);
        assert_eq!(left_out, 0);
        assert_eq!(fields(&json, 1, &[]).1, 6);
    }

    #[test]
    fn r2_what_comes_back_as_it_was_shown_keeps_its_spelling() {
        let json = Json::read(TEXT).unwrap();
        let untouched = typed(&[("/amount", " 40.00 "), ("/name", "Léon\r\nB"), ("/ok", "null")]);
        assert_eq!(apply(&json, &untouched), (TEXT.to_owned(), Vec::new()));
        let one = typed(&[("/amount", "42.10"), ("/name", "Léon\r\nB")]);
        assert_eq!(apply(&json, &one).0, TEXT.replace("40.00", "42.10"));
        let two = typed(&[("/name", "L\"éon\r\nB"), ("/ok", "\"yes\"")]);
        assert_eq!(apply(&json, &two).0, TEXT.replace("L\\u00e9on\\nB", "L\\\"éon\\nB").replace("null", "\"yes\""));
    }

    #[test]
    fn what_is_no_value_is_told_at_its_field() {
        let json = Json::read(TEXT).unwrap();
        for (pointer, text) in
            [("/amount", "4O.00"), ("/amount", ""), ("/ok", "[1]"), ("/nothing", "1"), ("/deep", "1")]
        {
            let (kept, problems) = apply(&json, &typed(&[(pointer, text), ("/name", "Bo")]));
            assert!(kept.contains("\"Bo\""), "the others are kept: {kept}");
            assert_eq!((problems.len(), problems[0].pointer.as_str()), (1, pointer));
        }
    }
}
