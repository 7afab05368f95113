//! Secrets that stand where nobody named them: in payloads, in error messages, in addresses.
//!
//! What is recognised is the common, not everything: names such as `password` and `Authorization`, keys and tokens with a known
//! beginning, `Bearer` and `Basic`, JWTs, private keys, passwords in URLs, numbers of payment cards. What a workflow holds
//! beyond that its patterns have to name.

mod cards;
mod named;
mod names;
mod tokens;

use std::{borrow::Cow, ops::Range};

use regex::Regex;

use super::{
    json::{Json, Node, Shape, decoded},
    mask::{HIDDEN, outermost},
};
use names::names_secret;

/// The values of a document that are secrets or have one in them, in the order of the text: texts and numbers, never what holds
/// them.
#[must_use]
pub fn in_document(json: &Json<'_>) -> Vec<Node> {
    let mut found = Vec::new();
    // Arrays under a secret's name, up to the end of the last one.
    let mut listed: Option<Node> = None;
    for node in json.nodes() {
        let is_named = json.key(node).is_some_and(|key| names_secret(&decoded(key)))
            || listed.is_some_and(|list| json.holds(list, node) && json.key(node).is_none());
        match json.shape(node) {
            Shape::Array if is_named && !listed.is_some_and(|list| json.holds(list, node)) => listed = Some(node),
            Shape::Object => found.extend(values_of_pair(json, node)),
            Shape::String | Shape::Number if is_named || says_secret(json, node) => found.push(node),
            _ => {}
        }
    }
    outermost(json, &found)
}

/// Headers and parameters as objects: `{"name": "Authorization", "value": "…"}`.
fn values_of_pair(json: &Json<'_>, object: Node) -> Vec<Node> {
    let is_called = |child: &Node, names: &[&str]| {
        let key = json.key(*child).unwrap_or_default().trim_matches('"');
        names.iter().any(|name| name.eq_ignore_ascii_case(key))
    };
    let is_secret = json
        .children(object)
        .filter(|child| is_called(child, &["name", "key", "header"]))
        .any(|child| json.shape(child) == Shape::String && names_secret(&decoded(json.raw(child))));
    let is_value =
        |child: &Node| matches!(json.shape(*child), Shape::String | Shape::Number) && is_called(child, &["value"]);
    json.children(object).filter(|child| is_secret && is_value(child)).collect()
}

fn says_secret(json: &Json<'_>, node: Node) -> bool {
    let raw = json.raw(node);
    if json.shape(node) == Shape::Number {
        return !spans(raw).is_empty();
    }
    !spans(&String::from_utf8_lossy(&decoded(raw))).is_empty()
}

/// A text with `•••• hidden` for each secret in it; every other byte stays.
#[must_use]
pub fn scrub(text: &str) -> Cow<'_, str> {
    let spans = spans(text);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for span in spans {
        result.push_str(&text[copied..span.start]);
        result.push_str(HIDDEN);
        copied = span.end;
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// Where secrets stand in a text, in order and apart. Every rule looks at a part of the text a bounded number of times, so that
/// the time grows with the length.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    named::named(text, &mut found);
    tokens::tokens(text, &mut found);
    tokens::web_tokens(text, &mut found);
    tokens::private_keys(text, &mut found);
    cards::cards(text, &mut found);
    found.sort_unstable_by_key(|span| span.start);
    found.dedup_by(|next, before| {
        let meets = next.start < before.end;
        if meets {
            before.end = before.end.max(next.end);
        }
        meets
    });
    found
}

/// A pattern of ours; a test compiles each, so that none is ever `None`.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

#[cfg(test)]
mod tests;
