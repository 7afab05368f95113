//! The difference between two JSON documents by what they say: what is new, gone, changed or moved, apart from what is only
//! written otherwise. Nothing that differs is left untold (C77, C78): the two texts are equal exactly where there is no change
//! and no other layout.

mod fingerprint;
mod form;
mod likeness;
mod moves;
mod partners;
mod pointers;
mod sequence;
mod walk;

pub use form::{Field, FieldChange, form_diff};

use fingerprint::{Keys, Side};
use pointers::Pointers;
use walk::Walk;

use crate::document::json::{Json, Node};

/// Up to how many changes are told, and up to how many other spellings.
pub const MOST_CHANGES: usize = 10_000;

/// What happened to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else, of the same type.
    Changed,
    /// It is of another type.
    TypeChanged,
    /// It says the same in another place.
    Moved,
    /// It is new, under a name that a member before it has, too; most readers see only the last.
    Duplicated,
    /// It, or its name, is written otherwise and says the same.
    Respelled,
    /// Its members stand in another order; said of the object.
    Reordered,
}

impl ChangeKind {
    /// Whether the value is still the same and only written otherwise.
    #[must_use]
    pub const fn is_spelling(self) -> bool {
        matches!(self, Self::Respelled | Self::Reordered)
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The value in the older document, where it was there.
    pub old: Option<Node>,
    /// The value in the newer document, where it is there.
    pub new: Option<Node>,
    /// The older value's JSON pointer. Of several members with one name it leads to the last.
    pub old_pointer: Option<String>,
    /// The newer value's JSON pointer, with the same reserve.
    pub new_pointer: Option<String>,
}

/// The difference between two documents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeDiff {
    /// In the order of the newer document; what is gone, where it stood.
    pub changes: Vec<Change>,
    /// Whether white space, line ends or a byte-order mark differ around what is in both.
    pub layout: bool,
    /// Whether there is more than is told: the changes are too many, or stand so deep that their pointers are too long.
    pub cut: bool,
}

/// How `new` differs from `old`. Members are matched by name, elements by what they say, then by what names them, then by
/// likeness. It takes linear time for few changes and little more for many, whatever the depth.
#[must_use]
pub fn tree_diff(old: &Json<'_>, new: &Json<'_>) -> TreeDiff {
    if old.text() == new.text() {
        return TreeDiff::default();
    }
    let keys = Keys::new();
    let old_side = Side::of(old, &keys);
    let new_side = Side::beside(new, &keys, &old_side);
    let mut walk = Walk::new(&keys, &old_side, &new_side);
    let found = walk.document();
    let found = moves::joined(&mut walk, found);

    let mut diff = TreeDiff { changes: Vec::with_capacity(found.len()), layout: walk.layout, cut: walk.cut };
    let (mut olds, mut news) = (Pointers::of(old), Pointers::of(new));
    for change in found {
        let old_pointer = change.old.map(|node| olds.pointer(node));
        let new_pointer = change.new.map(|node| news.pointer(node));
        if old_pointer == Some(None) || new_pointer == Some(None) {
            diff.cut = true;
            break;
        }
        diff.changes.push(change.with(old_pointer.flatten(), new_pointer.flatten()));
    }
    diff
}

#[cfg(test)]
mod tests;
