//! A document with some of its values hidden, and the way back.
//!
//! Below clearance a person works on text in which every hidden value is one placeholder, a JSON string that tells nothing of
//! it: an object hidden as a whole is one placeholder, and a string that holds JSON is hidden as a whole even where only a part
//! of what it says is meant. When the person saves, each placeholder becomes the parent's exact bytes again (R2).

mod twins;
mod unmask;

pub use unmask::{Tampered, unmask};

use std::{borrow::Cow, collections::HashSet, ops::Range};

use super::{
    json::{Json, Node, Shape, decoded},
    patch::splices,
};
use crate::digest::Sha256;

/// What stands for a hidden value that nobody edits around; every placeholder begins like this.
pub const HIDDEN: &str = "•••• hidden";

/// A document's text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// The text.
    pub text: String,
    /// What is hidden, in the order of the text.
    pub parts: Vec<Part>,
}

/// One hidden value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The value in the document.
    pub node: Node,
    /// What its placeholder says.
    pub placeholder: String,
    /// Where the placeholder stands in the masked text, quotes included.
    pub span: Range<usize>,
}

impl Masked {
    /// Hides values of a document, whichever rule named them: what stands inside another is hidden with it. The same document,
    /// values and seed give the same text; the seed is the draft's, so that placeholders of two drafts are never the same.
    #[must_use]
    pub fn over(json: &Json<'_>, hidden: &[Node], seed: &str) -> Self {
        let mut taken = marked(json);
        let mut parts = Vec::new();
        let mut text = String::with_capacity(json.text().len());
        let mut copied = 0;
        for (ordinal, node) in outermost(json, hidden).into_iter().enumerate() {
            let placeholder = unused(&taken, seed, ordinal);
            let value = json.span(node);
            text.push_str(&json.text()[copied..value.start]);
            let start = text.len();
            text.extend(["\"", &placeholder, "\""]);
            parts.push(Part { node, span: start..text.len(), placeholder: placeholder.clone() });
            taken.insert(placeholder);
            copied = value.end;
        }
        text.push_str(&json.text()[copied..]);
        Self { text, parts }
    }
}

/// The text of a document for reading only, with one and the same placeholder for every hidden value.
#[must_use]
pub fn shown(json: &Json<'_>, hidden: &[Node]) -> String {
    let spans = outermost(json, hidden).into_iter().map(|node| json.span(node));
    splices(json.text(), spans.map(|span| (span, "\"•••• hidden\"")))
}

/// The values that stand in no other of them, in the order of the text.
#[must_use]
pub fn outermost(json: &Json<'_>, nodes: &[Node]) -> Vec<Node> {
    let mut sorted = nodes.to_vec();
    sorted.sort_unstable();
    let mut last: Option<Node> = None;
    sorted.retain(|node| {
        let stands_free = !last.is_some_and(|outer| json.holds(outer, *node));
        if stands_free {
            last = Some(*node);
        }
        stands_free
    });
    sorted
}

/// A placeholder that no string of the document says.
fn unused(taken: &HashSet<String>, seed: &str, ordinal: usize) -> String {
    let mut attempt = 0_u64;
    loop {
        let parts = [seed.as_bytes(), &(ordinal as u64).to_be_bytes(), &attempt.to_be_bytes()];
        let placeholder = format!("{HIDDEN} {}", &Sha256::of_parts(&parts).hex()[..10]);
        if !taken.contains(&placeholder) {
            return placeholder;
        }
        attempt += 1;
    }
}

/// What those names and strings of a document say that look as if they held a placeholder.
fn marked(json: &Json<'_>) -> HashSet<String> {
    let strings = |node| json.key(node).into_iter().chain((json.shape(node) == Shape::String).then(|| json.raw(node)));
    json.nodes().flat_map(strings).filter_map(placeholder_in).map(Cow::into_owned).collect()
}

/// Whether a value, as it is written, looks like what stands for a hidden one.
#[must_use]
pub fn is_placeholder(raw: &str) -> bool {
    raw.strip_prefix('"').is_some_and(|inner| inner.starts_with(HIDDEN))
}

/// What a name or string says, if that has the beginning of a placeholder in it.
fn placeholder_in(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        let inner = raw.get(1..raw.len().saturating_sub(1))?;
        return inner.contains(HIDDEN).then_some(Cow::Borrowed(inner));
    }
    let said = String::from_utf8_lossy(&decoded(raw)).into_owned();
    said.contains(HIDDEN).then_some(Cow::Owned(said))
}

#[cfg(test)]
mod tests;
