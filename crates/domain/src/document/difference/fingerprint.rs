//! What each value of a document says, and how it is written, as numbers that are equal exactly where the two are.

use std::{
    hash::{BuildHasher, Hash, RandomState},
    ops::Range,
};

use siphasher::sip128::{Hasher128, SipHasher13};

use crate::document::{
    json::{Json, Node, Shape, decoded},
    number::Decimal,
};

/// 128 bits that stand for a value.
pub(super) type Fingerprint = u128;

/// The keys of one comparison. They are drawn anew for each, so that nobody can write two values that pass for one.
pub(super) struct Keys(SipHasher13);

impl Keys {
    pub(super) fn new() -> Self {
        // The standard library's way to chance.
        let drawn = || RandomState::new().hash_one(0_u8);
        Self(SipHasher13::new_with_keys(drawn(), drawn()))
    }

    pub(super) fn of(&self, value: &impl Hash) -> Fingerprint {
        let mut hasher = self.0;
        value.hash(&mut hasher);
        hasher.finish128().as_u128()
    }

    /// A member's name, by what it says; of all elements of an array the same.
    pub(super) fn name(&self, json: &Json<'_>, member: Node) -> Fingerprint {
        self.of(&decoded(json.key(member).unwrap_or_default()))
    }
}

/// A document and the fingerprints of its values.
pub(super) struct Side<'d, 't> {
    pub(super) json: &'d Json<'t>,
    meanings: Vec<Fingerprint>,
    spellings: Vec<Fingerprint>,
}

impl<'d, 't> Side<'d, 't> {
    /// One pass from the last value to the first: what is inside a value is known before it.
    pub(super) fn of(json: &'d Json<'t>, keys: &Keys) -> Self {
        Self::filled(json, keys, |_| None)
    }

    /// The same, where the text mostly repeats another's: what stands in the part they share is not looked at twice.
    pub(super) fn beside(json: &'d Json<'t>, keys: &Keys, other: &Side<'_, '_>) -> Self {
        let shared = Shared::of(other.json, json);
        Self::filled(json, keys, |node| {
            let twin = shared.twin(node)?;
            Some((other.meaning(twin), other.spelling(twin)))
        })
    }

    fn filled(json: &'d Json<'t>, keys: &Keys, known: impl Fn(Node) -> Option<(Fingerprint, Fingerprint)>) -> Self {
        let mut side = Self { json, meanings: vec![0; json.len()], spellings: vec![0; json.len()] };
        let mut inside = Inside::default();
        for node in json.nodes().rev() {
            let (meaning, spelling) = known(node).unwrap_or_else(|| side.fingerprints(node, keys, &mut inside));
            side.meanings[node.index()] = meaning;
            side.spellings[node.index()] = spelling;
        }
        side
    }

    /// What a value says: numbers by value, strings by what they say, objects whatever the order of their members.
    pub(super) fn meaning(&self, node: Node) -> Fingerprint {
        self.meanings[node.index()]
    }

    /// A value as it is written, but for the white space inside it.
    pub(super) fn spelling(&self, node: Node) -> Fingerprint {
        self.spellings[node.index()]
    }

    fn fingerprints(&self, node: Node, keys: &Keys, inside: &mut Inside) -> (Fingerprint, Fingerprint) {
        let shape = self.json.shape(node);
        match shape {
            Shape::Null | Shape::Bool => once(keys.of(&(shape, self.json.raw(node)))),
            Shape::Number => {
                let raw = self.json.raw(node);
                (keys.of(&(shape, Decimal::of(raw))), keys.of(&(shape, raw)))
            }
            Shape::String => {
                let raw = self.json.raw(node);
                let meaning = keys.of(&(shape, decoded(raw)));
                // Without an escape there is one way to write it.
                if raw.contains('\\') { (meaning, keys.of(&(shape, raw.as_bytes()))) } else { once(meaning) }
            }
            Shape::Array | Shape::Object => {
                inside.fill(self, node, keys);
                (keys.of(&(shape, &inside.said)), keys.of(&(shape, &inside.written)))
            }
        }
    }
}

/// How far two texts are the same from their start and from their end.
struct Shared<'d, 'o, 'n> {
    old: &'d Json<'o>,
    new: &'d Json<'n>,
    head: usize,
    tail: usize,
}

impl<'d, 'o, 'n> Shared<'d, 'o, 'n> {
    fn of(old: &'d Json<'o>, new: &'d Json<'n>) -> Self {
        let (one, other) = (old.text().as_bytes(), new.text().as_bytes());
        let same = |(a, b): &(&u8, &u8)| a == b;
        let head = one.iter().zip(other).take_while(same).count();
        let tail = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
        Self { old, new, head, tail }
    }

    /// The older value with the same text, where one stands at the same place of a part that both share.
    fn twin(&self, node: Node) -> Option<Node> {
        let span = self.new.span(node);
        if span.end <= self.head {
            return self.old.node(node.index()).filter(|old| self.old.span(*old) == span);
        }
        let from_end =
            |json: &Json<'_>, span: Range<usize>| (json.text().len() - span.start, json.text().len() - span.end);
        let place = (self.old.len() + node.index()).checked_sub(self.new.len())?;
        let old = self.old.node(place)?;
        let there = from_end(self.new, span);
        (there.0 <= self.tail && from_end(self.old, self.old.span(old)) == there).then_some(old)
    }
}

fn once(fingerprint: Fingerprint) -> (Fingerprint, Fingerprint) {
    (fingerprint, fingerprint)
}

/// What is directly inside one array or object; kept from one to the next for its memory.
#[derive(Default)]
struct Inside {
    members: Vec<(Fingerprint, Fingerprint)>,
    said: Vec<Fingerprint>,
    written: Vec<Fingerprint>,
}

impl Inside {
    fn fill(&mut self, side: &Side<'_, '_>, node: Node, keys: &Keys) {
        self.members.clear();
        self.said.clear();
        self.written.clear();
        for child in side.json.children(node) {
            if let Some(key) = side.json.key(child) {
                let name = keys.name(side.json, child);
                self.members.push((name, side.meaning(child)));
                self.written.push(if key.contains('\\') { keys.of(&key) } else { name });
            } else {
                self.said.push(side.meaning(child));
            }
            self.written.push(side.spelling(child));
        }
        // Stable: members of one name keep their order, in which the last one wins.
        self.members.sort_by_key(|(name, _)| *name);
        self.said.extend(self.members.iter().flat_map(|(name, meaning)| [*name, *meaning]));
    }
}
