//! Where the changes of one document stand, as JSON pointers, at the cost of one pass for all of them together.

use crate::document::json::{Json, Node, Segment};

/// Bytes up to which pointers are written for one document: those of values that stand very deep are as long as the document.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The place of an element that was not counted yet.
const UNKNOWN: u32 = u32::MAX;

pub(super) struct Pointers<'d, 't> {
    json: &'d Json<'t>,
    /// The place of each element of the arrays that were counted.
    places: Vec<u32>,
    left: usize,
}

impl<'d, 't> Pointers<'d, 't> {
    pub(super) fn of(json: &'d Json<'t>) -> Self {
        Self { json, places: vec![UNKNOWN; json.len()], left: MOST_BYTES }
    }

    /// The pointer of a value; `None` where too many bytes have been written.
    pub(super) fn pointer(&mut self, node: Node) -> Option<String> {
        let mut segments = Vec::new();
        let mut here = node;
        while let Some(parent) = self.json.parent(here) {
            segments.push(match self.json.key(here) {
                Some(key) => Segment::Name(key),
                None => Segment::Place(self.place(parent, here)),
            });
            here = parent;
        }
        let mut pointer = String::new();
        for segment in segments.iter().rev() {
            pointer.push('/');
            pointer.push_str(&segment.escaped());
        }
        self.left = self.left.checked_sub(pointer.len())?;
        Some(pointer)
    }

    fn place(&mut self, array: Node, element: Node) -> usize {
        if self.places[element.index()] == UNKNOWN {
            for (place, element) in (0..).zip(self.json.children(array)) {
                self.places[element.index()] = place;
            }
        }
        self.places[element.index()] as usize
    }
}
