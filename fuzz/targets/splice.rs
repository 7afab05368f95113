//! Editing: every byte outside the edit stays, whichever way it is made.

#![no_main]

use domain::document::{
    json::Json,
    patch::{self, Operation, spliced},
};
use libfuzzer_sys::{arbitrary::Arbitrary, fuzz_target};

#[derive(Debug, Arbitrary)]
struct Edit<'t> {
    text: &'t str,
    place: usize,
    with: &'t str,
}

fuzz_target!(|edit: Edit<'_>| {
    let (Ok(json), Ok(value)) = (Json::read(edit.text), Json::read(edit.with)) else { return };
    let with = value.raw(value.root());
    let Some(node) = json.node(edit.place % json.len()) else { return };
    let span = json.span(node);
    let result = spliced(edit.text, span.clone(), with);
    assert_eq!(result.split_at(span.start).0, edit.text.split_at(span.start).0);
    assert_eq!(result.split_at(span.start + with.len()).1, edit.text.split_at(span.end).1);
    let after = Json::read(&result).unwrap_or_else(|wrong| panic!("a value became none: {wrong:?}"));
    assert_eq!(after.span(node), span.start..span.start + with.len());

    let pointer = json.pointer(node);
    if json.find(&pointer) == Some(node) {
        let replaced = patch::apply(edit.text, &[Operation::Replace { path: pointer.clone(), value: with }]);
        assert_eq!(replaced.as_ref(), Ok(&result), "a patch edits as a splice does");
        if json.parent(node).is_some() {
            let removed = patch::apply(edit.text, &[Operation::Remove { path: pointer }]);
            let removed = removed.unwrap_or_else(|problem| panic!("what is there can't be taken away: {problem:?}"));
            let left = Json::read(&removed).unwrap_or_else(|wrong| panic!("no document is left: {wrong:?}"));
            assert!(left.len() < json.len());
        }
    }
});
