//! Comparing: what differs is told, what does not is not, and both merge without losing a side.

#![no_main]

use domain::document::{difference::tree_diff, json::Json, merge::merge};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (&str, &str)| {
    let (one, other) = texts;
    assert_eq!(merge(one, one, other).text, other, "who changed nothing loses nothing");
    assert_eq!(merge(one, other, one).text, other, "who changed nothing loses nothing");
    let (Ok(old), Ok(new)) = (Json::read(one), Json::read(other)) else { return };
    let diff = tree_diff(&old, &new);
    assert_eq!(diff.changes.is_empty() && !diff.layout && !diff.cut, one == other);
    for change in &diff.changes {
        assert!(change.old.is_some() || change.new.is_some());
        assert_eq!(change.old_pointer, change.old.map(|node| old.pointer(node)));
        assert_eq!(change.new_pointer, change.new.map(|node| new.pointer(node)));
    }
    let back = tree_diff(&new, &old);
    let spelling = |diff: &domain::document::difference::TreeDiff| diff.changes.iter().all(|c| c.kind.is_spelling());
    assert!(diff.cut || back.cut || spelling(&diff) == spelling(&back), "the way back is another kind of change");
});
