//! What is gone in one place and new in another is the same, moved.

use std::collections::HashMap;

use super::{
    ChangeKind,
    fingerprint::{Fingerprint, Side},
    walk::{Found, Walk},
};
use crate::document::json::{Node, Shape};

/// Scalars shorter than this, as written, say too little to be told from others.
const SHORTEST: usize = 6;

/// What was found, with a move for each removed and added value that say the same, where no other does.
pub(super) fn joined(walk: &mut Walk<'_, '_, '_, '_>, found: Vec<Found>) -> Vec<Found> {
    let mut same: HashMap<Fingerprint, (Vec<Node>, Vec<Node>)> = HashMap::new();
    for change in &found {
        match (change.kind, change.old, change.new) {
            (ChangeKind::Removed, Some(old), _) if telling(walk.old, old) => {
                same.entry(walk.old.meaning(old)).or_default().0.push(old);
            }
            (ChangeKind::Added, _, Some(new)) if telling(walk.new, new) => {
                same.entry(walk.new.meaning(new)).or_default().1.push(new);
            }
            _ => {}
        }
    }
    same.retain(|_, places| matches!((&places.0[..], &places.1[..]), ([_], [_])));
    if same.is_empty() {
        return found;
    }
    let mut joined = Vec::with_capacity(found.len());
    for change in found {
        let meaning = match (change.kind, change.old, change.new) {
            (ChangeKind::Removed, Some(old), _) => walk.old.meaning(old),
            (ChangeKind::Added, _, Some(new)) => walk.new.meaning(new),
            _ => {
                joined.push(change);
                continue;
            }
        };
        match (same.get(&meaning).map(|places| (&places.0[..], &places.1[..])), change.new) {
            (Some(([old], _)), Some(new)) => {
                joined.push(Found { kind: ChangeKind::Moved, old: Some(*old), new: Some(new) });
                joined.extend(walk.pair(*old, new));
            }
            (Some(_), _) => {}
            (None, _) => joined.push(change),
        }
    }
    joined
}

fn telling(side: &Side<'_, '_>, node: Node) -> bool {
    match side.json.shape(node) {
        Shape::Array | Shape::Object => side.json.children(node).next().is_some(),
        Shape::Null | Shape::Bool => false,
        Shape::Number | Shape::String => side.json.raw(node).len() >= SHORTEST,
    }
}
