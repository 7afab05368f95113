//! Reading: never a panic, the spans of values nest, and what another reader of JSON takes is taken.

#![no_main]

use domain::document::json::{Json, MOST_VALUES};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

/// How deep the other reader goes.
const ITS_DEPTH: usize = 100;

fuzz_target!(|text: &str| {
    let other = serde_json::from_str::<IgnoredAny>(text.strip_prefix('\u{feff}').unwrap_or(text));
    let json = match Json::read(text) {
        Ok(json) => json,
        Err(wrong) => {
            assert!(text.is_char_boundary(wrong.at) && wrong.line > 0 && wrong.column > 0);
            assert!(other.is_err() || text.len() > MOST_VALUES, "only the other reader takes it");
            return;
        }
    };
    let mut deepest = 0;
    let mut depths = vec![0; json.len()];
    for node in json.nodes() {
        let span = json.span(node);
        assert!(span.start < span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        if let Some(parent) = json.parent(node) {
            let around = json.span(parent);
            assert!(around.start < span.start && span.end < around.end && json.holds(parent, node));
            depths[node.index()] = depths[parent.index()] + 1;
            deepest = deepest.max(depths[node.index()]);
        }
        let inside: Vec<_> = json.children(node).collect();
        assert!(inside.iter().is_sorted() && inside.iter().all(|child| json.parent(*child) == Some(node)));
    }
    if deepest < ITS_DEPTH {
        assert!(other.is_ok(), "only this reader takes it");
        for node in json.nodes().take(64) {
            // Of several members with one name a pointer leads to the last; a lone surrogate leads nowhere.
            let pointer = json.pointer(node);
            if let Some(found) = json.find(&pointer) {
                assert_eq!(json.pointer(found), pointer);
            }
        }
    }
});
