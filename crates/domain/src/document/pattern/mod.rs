//! Which values of a document a workflow's patterns name.
//!
//! A pattern is a JSON pointer (RFC 6901) in which
//! - `*` is one segment: any member of an object, any place of an array;
//! - `**` is any number of segments, none included; as the last segment it is at least one, so `/contact/**` is everything
//!   inside the contact and not the contact itself;
//! - a segment that ends in `#` reaches into a string that holds JSON: `/body#/amount`. Where no string stands there but the
//!   value itself, it goes on in that. What is no JSON cannot be looked into, so the whole string matches. A member whose own
//!   name ends in `#` is named by the same segment.
//!
//! A pattern names a value and with it everything inside: `/vendor` covers `/vendor/iban`. Names are compared by what they
//! say, however they are written, and of several members with one name every one matches.

mod states;

use std::ops::Range;

use super::json::{Json, Node, Segment, Shape, decoded, plain, unescaped};
use states::{Set, States};

/// Patterns, ready to be held against documents.
#[derive(Debug, Clone)]
pub struct Matcher {
    states: States,
}

/// A value that patterns name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The value.
    pub node: Node,
    /// How much of it.
    pub extent: Extent,
}

/// How much of a value is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// It is a string that holds JSON, and these parts of what it says are meant: bytes of [`plain`](super::json::plain)'s text, in order.
    Within(Vec<Range<usize>>),
}

impl Matcher {
    /// From the patterns of a workflow file, which begin with `/`. The empty pattern is the whole document.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        let mut states = States::default();
        for pattern in patterns {
            states.add(pattern);
        }
        Self { states }
    }

    /// The values that match and stand in no other that does, in the order of the text. A string with a match somewhere in
    /// what it says is one of them.
    #[must_use]
    pub fn all(&self, json: &Json<'_>) -> Vec<Node> {
        self.found(json).into_iter().map(|found| found.node).collect()
    }

    /// Like [`Self::all`], with the parts of those strings that match only within.
    #[must_use]
    pub fn found(&self, json: &Json<'_>) -> Vec<Found> {
        self.walk(json, self.states.starts())
    }

    /// Whether [`Self::all`] has a value or one that it stands in. For hiding; what may be edited is asked by
    /// [`Self::matches_pointer`], which takes no part of a string for the whole.
    #[must_use]
    pub fn matches(&self, json: &Json<'_>, node: Node) -> bool {
        let mut set = Set::new(&self.states);
        let mut here = set.begin(self.states.starts());
        for segment in json.path(node) {
            self.states.go_on_inside(&mut set, &mut here);
            if self.states.accepts(&set, &here) {
                return true;
            }
            here = self.states.step(&mut set, here, segment);
        }
        self.at_value(json, node, &mut set, &mut here).is_some()
    }

    /// Whether the value that a JSON pointer leads to is named by a pattern or inside one that is. A `#` in the pointer is a
    /// `#`; see [`Self::matches_pointers`] for places within strings.
    #[must_use]
    pub fn matches_pointer(&self, pointer: &str) -> bool {
        self.matches_pointers(&[pointer])
    }

    /// Like [`Self::matches_pointer`] for a place in a document that stands in a string: each pointer leads on in what the
    /// string at the one before says.
    #[must_use]
    pub fn matches_pointers(&self, pointers: &[&str]) -> bool {
        let mut set = Set::new(&self.states);
        let mut here = set.begin(self.states.starts());
        for (number, pointer) in pointers.iter().enumerate() {
            if number > 0 {
                here = self.states.reach(&mut set, here);
            }
            for segment in pointer.split('/').skip(1) {
                self.states.go_on_inside(&mut set, &mut here);
                if self.states.accepts(&set, &here) {
                    return true;
                }
                let name = unescaped(segment);
                here = self.states.step_by(&mut set, here, |wanted| wanted.says(name.as_bytes()));
            }
            if self.states.accepts(&set, &here) {
                return true;
            }
        }
        self.states.go_on_inside(&mut set, &mut here);
        self.states.accepts(&set, &here)
    }

    /// One pass over the values; the states of every open array or object stand behind one another.
    fn walk(&self, json: &Json<'_>, starts: &[u32]) -> Vec<Found> {
        let mut found = Vec::new();
        let mut set = Set::new(&self.states);
        let mut open: Vec<Open> = Vec::new();
        let mut done: Option<Node> = None;
        for node in json.nodes() {
            if done.is_some_and(|outer| json.holds(outer, node)) {
                continue;
            }
            while open.last().is_some_and(|open| !json.holds(open.node, node)) {
                open.pop();
            }
            let mut here = match open.last_mut() {
                None => set.begin(starts),
                Some(open) => {
                    set.keep(open.states.end);
                    let segment = json.key(node).map_or(Segment::Place(open.places), Segment::Name);
                    open.places += 1;
                    self.states.step(&mut set, open.states.clone(), segment)
                }
            };
            match self.at_value(json, node, &mut set, &mut here) {
                Some(extent) => {
                    found.push(Found { node, extent });
                    done = Some(node);
                }
                None if here.is_empty() => done = Some(node),
                None => open.push(Open { node, states: here, places: 0 }),
            }
        }
        found
    }

    /// What of a value is meant, with `here` the states that lead to it.
    fn at_value(&self, json: &Json<'_>, node: Node, set: &mut Set, here: &mut Range<usize>) -> Option<Extent> {
        let is_string = json.shape(node) == Shape::String;
        if !is_string {
            self.states.go_on_inside(set, here);
        }
        if self.states.accepts(set, here) {
            return Some(Extent::Whole);
        }
        let inside = if is_string { self.states.reach(set, here.clone()) } else { return None };
        if inside.is_empty() { None } else { self.within(json.raw(node), set.states(&inside)) }
    }

    /// The parts of a string that are meant. This calls [`Self::walk`] again at most once for every `#` of a pattern.
    fn within(&self, raw: &str, starts: &[u32]) -> Option<Extent> {
        let Some(said) = plain(raw) else { return Some(Extent::Whole) };
        let Ok(json) = Json::read(&said) else { return Some(Extent::Whole) };
        let found = self.walk(&json, starts);
        match found.first() {
            None => None,
            Some(first) if first.node == json.root() && first.extent == Extent::Whole => Some(Extent::Whole),
            Some(_) => Some(Extent::Within(found.iter().map(|found| json.span(found.node)).collect())),
        }
    }
}

/// An array or object that is being walked.
struct Open {
    node: Node,
    /// Where the states that lead to it stand.
    states: Range<usize>,
    /// How many of its values have been seen.
    places: usize,
}

#[cfg(test)]
mod tests;
