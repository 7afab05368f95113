//! JSON read without losing anything: every value is a span of the text it stands in. Numbers stay as written, keys stay in
//! order and duplicate keys stay; depth costs no stack. Nothing here prints: what is edited is spliced (R1, R2).

mod reader;
mod strings;

pub use reader::Wrong;
pub use strings::{decoded, plain};

use std::ops::Range;

/// Values up to which a text is read as a document; of more it is read as text.
pub const MOST_VALUES: usize = 2_000_000;

/// One value of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, as written.
    Number,
    /// A string, quotes included.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Shape {
    /// The type's name in JSON Schema.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A value's entry. Values stand in the order of the text, so what is inside one follows it without a gap.
#[derive(Debug, Clone, Copy)]
struct Entry {
    shape: Shape,
    start: u32,
    end: u32,
    /// Where its name begins and ends, quotes included; both 0 where it is no member of an object.
    key: (u32, u32),
    /// The value it stands in; its own number at the root.
    parent: u32,
    /// The number after the last value inside it.
    after: u32,
}

/// A document: a text and where its values stand in it.
#[derive(Debug, Clone)]
pub struct Json<'t> {
    text: &'t str,
    entries: Vec<Entry>,
}

impl<'t> Json<'t> {
    /// Reads a text that is one JSON value (RFC 8259), with a byte-order mark before it or not. More forgiving than most in
    /// what a value may be (`1e400`, lone surrogates, any depth) and exact about what is none.
    pub fn read(text: &'t str) -> Result<Self, Wrong> {
        reader::read(text).map(|entries| Self { text, entries })
    }

    /// The text it was read from, all of it.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// The value that is the document.
    #[must_use]
    pub const fn root(&self) -> Node {
        Node(0)
    }

    /// How many values there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// A document has at least one value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All values in the order of the text: one before what is inside it. Reversed, one comes after what is inside it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator + use<> {
        (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).map(Node)
    }

    /// The value with this number, as [`Node::index`] counts.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<Node> {
        let number = u32::try_from(index).ok()?;
        (index < self.entries.len()).then_some(Node(number))
    }

    fn entry(&self, node: Node) -> &Entry {
        &self.entries[node.index()]
    }

    /// What a value is.
    #[must_use]
    pub fn shape(&self, node: Node) -> Shape {
        self.entry(node).shape
    }

    /// Where a value stands in the text, in bytes.
    #[must_use]
    pub fn span(&self, node: Node) -> Range<usize> {
        let entry = self.entry(node);
        entry.start as usize..entry.end as usize
    }

    /// A value as it is written.
    #[must_use]
    pub fn raw(&self, node: Node) -> &'t str {
        &self.text[self.span(node)]
    }

    /// Where a member's name stands, quotes included; `None` of what is no member of an object.
    #[must_use]
    pub fn key_span(&self, node: Node) -> Option<Range<usize>> {
        let (start, end) = self.entry(node).key;
        (end > 0).then_some(start as usize..end as usize)
    }

    /// A member's name as it is written, quotes included.
    #[must_use]
    pub fn key(&self, node: Node) -> Option<&'t str> {
        self.key_span(node).map(|span| &self.text[span])
    }

    /// The array or object a value stands in.
    #[must_use]
    pub fn parent(&self, node: Node) -> Option<Node> {
        (node.0 != 0).then(|| Node(self.entry(node).parent))
    }

    /// The values that stand directly in an array or object, in order.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let after = self.entry(node).after;
        let within = move |next: u32| (next < after).then_some(Node(next));
        std::iter::successors(within(node.0 + 1), move |child| within(self.entry(*child).after))
    }

    /// Whether `inner` is `outer` or stands somewhere inside it.
    #[must_use]
    pub fn holds(&self, outer: Node, inner: Node) -> bool {
        (outer.0..self.entry(outer).after).contains(&inner.0)
    }

    /// The member of an object with this name. Of several the last one counts, as for everybody else who reads JSON.
    #[must_use]
    pub fn member(&self, object: Node, name: &str) -> Option<Node> {
        if self.shape(object) != Shape::Object {
            return None;
        }
        self.children(object)
            .filter(|child| self.key(*child).is_some_and(|key| *decoded(key) == *name.as_bytes()))
            .last()
    }

    /// The value at a JSON pointer (RFC 6901).
    #[must_use]
    pub fn find(&self, pointer: &str) -> Option<Node> {
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        let mut here = self.root();
        for segment in pointer.split('/').skip(1) {
            here = match self.shape(here) {
                Shape::Object => self.member(here, &unescaped(segment))?,
                Shape::Array => self.children(here).nth(index(segment)?)?,
                _ => return None,
            };
        }
        Some(here)
    }

    /// What leads from the root to a value: names and numbers of places.
    #[must_use]
    pub fn path(&self, node: Node) -> Vec<Segment<'t>> {
        let mut segments = Vec::new();
        let mut here = node;
        while let Some(parent) = self.parent(here) {
            segments.push(match self.key(here) {
                Some(key) => Segment::Name(key),
                None => Segment::Place(self.children(parent).take_while(|child| *child != here).count()),
            });
            here = parent;
        }
        segments.reverse();
        segments
    }

    /// The JSON pointer of a value. A lone surrogate in a name becomes U+FFFD, so that it leads nowhere.
    #[must_use]
    pub fn pointer(&self, node: Node) -> String {
        self.path(node).iter().map(|segment| format!("/{}", segment.escaped())).collect()
    }
}

impl Node {
    /// Its number in the order of the text, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment<'t> {
    /// A member's name as written, quotes included.
    Name(&'t str),
    /// A place in an array, from 0.
    Place(usize),
}

impl Segment<'_> {
    /// As it stands in a JSON pointer.
    #[must_use]
    pub fn escaped(&self) -> String {
        match self {
            Self::Name(key) => escaped(&String::from_utf8_lossy(&decoded(key))),
            Self::Place(index) => index.to_string(),
        }
    }
}

/// A name as it stands in a JSON pointer.
#[must_use]
pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A name that stands in a JSON pointer.
#[must_use]
pub fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// A place in an array as RFC 6901 writes it: no sign, no leading zero.
#[must_use]
pub fn index(segment: &str) -> Option<usize> {
    segment.parse::<usize>().ok().filter(|index| index.to_string() == segment)
}

#[cfg(test)]
mod tests;
