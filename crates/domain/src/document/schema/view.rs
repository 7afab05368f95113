//! A lossless document as the checker walks it. Nothing is copied out of it: numbers stay text, and what the checker keeps
//! of a value for its errors is only which one it is.

use std::{borrow::Cow, collections::HashSet};

use jsonschema::{
    JsonType,
    json::{Array, Json as Representation, Node as Walked, NodeIdentity, Object},
};
use serde_json::Value;

use super::scalar::{Written, said};
use crate::document::{
    exact::Decimal,
    json::{Json, Node, Shape, decoded},
};

/// Stands for a name where a value's number would stand.
const NO_VALUE: u32 = u32::MAX;

/// A document prepared for being looked up in again and again.
pub(super) struct View<'d> {
    json: &'d Json<'d>,
    nodes: Vec<Node>,
    /// What each member is called; empty where a value is no member.
    names: Vec<Cow<'d, str>>,
    /// Where in `inside` the values of an array or object stand.
    ranges: Vec<(usize, usize)>,
    /// Elements in their order; members sorted by name, of several with one name only the last, which is the one that counts.
    inside: Vec<Node>,
}

impl<'d> View<'d> {
    pub(super) fn of(json: &'d Json<'d>) -> Self {
        let names: Vec<_> = json.nodes().map(|node| json.key(node).map_or(Cow::Borrowed(""), said)).collect();
        let mut inside: Vec<Node> = Vec::with_capacity(json.len());
        let ranges = json
            .nodes()
            .map(|node| {
                let from = inside.len();
                let mut children: Vec<_> = json.children(node).collect();
                if json.shape(node) == Shape::Object {
                    children.sort_by(|one, other| names[one.index()].cmp(&names[other.index()]).then(other.cmp(one)));
                    children.dedup_by(|next, kept| names[next.index()] == names[kept.index()]);
                }
                inside.append(&mut children);
                (from, inside.len())
            })
            .collect();
        Self { json, nodes: json.nodes().collect(), names, ranges, inside }
    }

    pub(super) fn root(&'d self) -> At<'d> {
        At::Value(self, self.json.root())
    }

    pub(super) const fn json(&self) -> &'d Json<'d> {
        self.json
    }

    /// The value with this number in the order of the text.
    pub(super) fn node(&self, index: usize) -> Option<Node> {
        self.nodes.get(index).copied()
    }

    /// The member of an object with this name.
    pub(super) fn member(&self, object: Node, name: &str) -> Option<Node> {
        let members = self.inside(object);
        members.binary_search_by(|member| (*self.names[member.index()]).cmp(name)).ok().map(|at| members[at])
    }

    fn inside(&self, node: Node) -> &[Node] {
        let (from, to) = self.ranges[node.index()];
        &self.inside[from..to]
    }
}

/// The way documents are represented here, for the checker.
pub(super) struct Lossless;

/// What the checker looks at: a value of the document, or a member's name on its own.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Value(&'a View<'a>, Node),
    Name(&'a str),
}

impl<'a> At<'a> {
    fn shape(self) -> Shape {
        match self {
            Self::Value(view, node) => view.json.shape(node),
            Self::Name(_) => Shape::String,
        }
    }

    fn raw(self) -> &'a str {
        match self {
            Self::Value(view, node) => view.json.raw(node),
            Self::Name(name) => name,
        }
    }

    fn container(self, shape: Shape) -> Option<Inside<'a>> {
        match self {
            Self::Value(view, node) if view.json.shape(node) == shape => Some(Inside { view, node }),
            _ => None,
        }
    }

    /// Appends bytes that are the same exactly for equal values: numbers by their value, strings by what they say, objects
    /// whatever the order of their members. Recurses; the depth of what is checked is limited before.
    pub(super) fn write_canonical(self, out: &mut Vec<u8>) {
        let text = |out: &mut Vec<u8>, mark: u8, bytes: &[u8]| {
            out.push(mark);
            out.extend_from_slice(bytes.len().to_string().as_bytes());
            out.push(b':');
            out.extend_from_slice(bytes);
        };
        match (self, self.shape()) {
            (Self::Name(name), _) => text(out, b's', name.as_bytes()),
            (Self::Value(..), Shape::String) => text(out, b's', &decoded(self.raw())),
            (Self::Value(..), Shape::Number) => match Decimal::read(self.raw()) {
                Some(number) => text(out, b'#', number.canonical().as_bytes()),
                None => text(out, b'?', self.raw().as_bytes()),
            },
            (Self::Value(..), Shape::Null | Shape::Bool) => text(out, b'w', self.raw().as_bytes()),
            (Self::Value(view, node), shape @ (Shape::Array | Shape::Object)) => {
                out.push(if shape == Shape::Array { b'[' } else { b'{' });
                for inner in view.inside(node) {
                    if shape == Shape::Object {
                        text(out, b'k', view.names[inner.index()].as_bytes());
                    }
                    Self::Value(view, *inner).write_canonical(out);
                }
                out.push(b'.');
            }
        }
    }

    pub(super) fn canonical(self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_canonical(&mut out);
        out
    }

    /// The values that stand directly in an array or object, as canonical bytes.
    pub(super) fn canonical_inside(self) -> HashSet<Vec<u8>> {
        match self {
            Self::Value(view, node) => {
                view.inside(node).iter().map(|inner| Self::Value(view, *inner).canonical()).collect()
            }
            Self::Name(_) => HashSet::new(),
        }
    }

    /// The number that stands here, as written.
    pub(super) fn number(self) -> Option<&'a str> {
        (self.shape() == Shape::Number).then(|| self.raw())
    }
}

impl Representation for Lossless {
    type Node<'a> = At<'a>;
    type PreparedKey = String;
    type StringBuffer = String;

    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut String, string: &str, judge: impl FnOnce(At<'_>) -> T) -> T {
        string.clone_into(buffer);
        judge(At::Name(buffer))
    }
}

impl<'a> Walked<'a, Lossless> for At<'a> {
    type Object = Inside<'a>;
    type Array = Inside<'a>;
    type Number = Written<'a>;

    fn as_object(&self) -> Option<Inside<'a>> {
        self.container(Shape::Object)
    }

    fn as_array(&self) -> Option<Inside<'a>> {
        self.container(Shape::Array)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Name(name) => Some(Cow::Borrowed(name)),
            Self::Value(..) => (self.shape() == Shape::String).then(|| said(self.raw())),
        }
    }

    fn as_number(&self) -> Option<Written<'a>> {
        self.number().map(Written::new)
    }

    fn as_boolean(&self) -> Option<bool> {
        (self.shape() == Shape::Bool).then(|| self.raw() == "true")
    }

    fn is_null(&self) -> bool {
        self.shape() == Shape::Null
    }

    fn json_type(&self) -> JsonType {
        match self.shape() {
            Shape::Null => JsonType::Null,
            Shape::Bool => JsonType::Boolean,
            Shape::Number => JsonType::Number,
            Shape::String => JsonType::String,
            Shape::Array => JsonType::Array,
            Shape::Object => JsonType::Object,
        }
    }

    /// The value's number in the document, not what it says: errors are the only ones that ask, and they must not carry it.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self {
            Self::Value(_, node) => Value::from(node.index()),
            Self::Name(_) => Value::Null,
        })
    }

    /// No keyword that asks for it is left to the checker; should one be, it is answered rightly.
    fn equals_value(&self, expected: &Value) -> bool {
        let text = expected.to_string();
        Json::read(&text).is_ok_and(|json| View::of(&json).root().canonical() == self.canonical())
    }

    #[expect(clippy::cast_possible_truncation, reason = "a document has fewer values than u32 counts")]
    fn identity(&self) -> Option<NodeIdentity> {
        Some(match self {
            Self::Value(view, node) => NodeIdentity::tagged(std::ptr::from_ref(*view).addr(), node.index() as u32),
            Self::Name(name) => NodeIdentity::tagged(name.as_ptr().addr(), NO_VALUE),
        })
    }
}

/// What stands in an array or object.
#[derive(Clone, Copy)]
pub(super) struct Inside<'a> {
    view: &'a View<'a>,
    node: Node,
}

impl<'a> Inside<'a> {
    fn nodes(self) -> &'a [Node] {
        self.view.inside(self.node)
    }
}

impl<'a> Object<'a, Lossless> for Inside<'a> {
    type Node = At<'a>;
    type MemberName = &'a str;
    type MembersIter = Box<dyn Iterator<Item = (&'a str, At<'a>)> + 'a>;

    fn len(&self) -> usize {
        self.nodes().len()
    }

    fn get(&self, key: &String) -> Option<At<'a>> {
        self.view.member(self.node, key).map(|node| At::Value(self.view, node))
    }

    fn members(&self) -> Self::MembersIter {
        let view = self.view;
        Box::new(self.nodes().iter().map(|node| (&*view.names[node.index()], At::Value(view, *node))))
    }
}

impl<'a> Array<'a, Lossless> for Inside<'a> {
    type Node = At<'a>;
    type ElementsIter = Box<dyn Iterator<Item = At<'a>> + 'a>;

    fn len(&self) -> usize {
        self.nodes().len()
    }

    fn elements(&self) -> Self::ElementsIter {
        let view = self.view;
        Box::new(self.nodes().iter().map(|node| At::Value(view, *node)))
    }

    fn is_unique(&self) -> bool {
        let mut seen = HashSet::new();
        self.elements().all(|element| seen.insert(element.canonical()))
    }
}
