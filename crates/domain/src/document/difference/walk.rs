//! The walk over both documents at once, from what differs to what differs inside it.

use super::{
    Change, ChangeKind, MOST_CHANGES,
    fingerprint::{Keys, Side},
    partners::{Partner, elements, members},
};
use crate::document::json::{Node, Shape};

/// What is left to look at.
enum Step {
    /// A value and what it was before.
    Pair(Node, Node),
    /// What was found already, to be told in its turn.
    Tell(Found),
}

/// A change without its pointers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) kind: ChangeKind,
    pub(super) old: Option<Node>,
    pub(super) new: Option<Node>,
}

impl Found {
    const fn pair(kind: ChangeKind, old: Node, new: Node) -> Self {
        Self { kind, old: Some(old), new: Some(new) }
    }

    const fn removed(old: Node) -> Self {
        Self { kind: ChangeKind::Removed, old: Some(old), new: None }
    }

    const fn added(kind: ChangeKind, new: Node) -> Self {
        Self { kind, old: None, new: Some(new) }
    }

    pub(super) fn with(self, old_pointer: Option<String>, new_pointer: Option<String>) -> Change {
        let Self { kind, old, new } = self;
        Change { kind, old, new, old_pointer, new_pointer }
    }
}

pub(super) struct Walk<'w, 'd, 't, 'u> {
    keys: &'w Keys,
    pub(super) old: &'w Side<'d, 't>,
    pub(super) new: &'w Side<'d, 'u>,
    found: Vec<Found>,
    changes: usize,
    spellings: usize,
    pub(super) layout: bool,
    pub(super) cut: bool,
}

impl<'w, 'd, 't, 'u> Walk<'w, 'd, 't, 'u> {
    pub(super) fn new(keys: &'w Keys, old: &'w Side<'d, 't>, new: &'w Side<'d, 'u>) -> Self {
        Self { keys, old, new, found: Vec::new(), changes: 0, spellings: 0, layout: false, cut: false }
    }

    /// What differs in the two documents, in the order of the newer one; what is gone, where it stood.
    pub(super) fn document(&mut self) -> Vec<Found> {
        let (old, new) = (self.old.json, self.new.json);
        let (from, to) = (old.span(old.root()), new.span(new.root()));
        self.layout =
            old.text()[..from.start] != new.text()[..to.start] || old.text()[from.end..] != new.text()[to.end..];
        self.pair(old.root(), new.root())
    }

    /// What differs in two values.
    pub(super) fn pair(&mut self, old: Node, new: Node) -> Vec<Found> {
        let mut steps = vec![Step::Pair(old, new)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Tell(found) => self.tell(found),
                Step::Pair(old, new) => self.compare(old, new, &mut steps),
            }
            if self.changes > MOST_CHANGES {
                break;
            }
        }
        std::mem::take(&mut self.found)
    }

    /// Other spellings have a limit of their own: however many there are, they hide no change.
    fn tell(&mut self, found: Found) {
        let count = if found.kind.is_spelling() { &mut self.spellings } else { &mut self.changes };
        *count += 1;
        if *count > MOST_CHANGES {
            self.cut = true;
        } else {
            self.found.push(found);
        }
    }

    fn compare(&mut self, old: Node, new: Node, steps: &mut Vec<Step>) {
        if self.old.spelling(old) == self.new.spelling(new) {
            self.layout = self.layout || self.old.json.raw(old) != self.new.json.raw(new);
            return;
        }
        let same = self.old.meaning(old) == self.new.meaning(new);
        match (self.old.json.shape(old), self.new.json.shape(new)) {
            (Shape::Object, Shape::Object) | (Shape::Array, Shape::Array) => self.inside(old, new, same, steps),
            _ if same => self.tell(Found::pair(ChangeKind::Respelled, old, new)),
            (from, to) if from != to => self.tell(Found::pair(ChangeKind::TypeChanged, old, new)),
            _ => self.tell(Found::pair(ChangeKind::Changed, old, new)),
        }
    }

    fn inside(&mut self, old: Node, new: Node, same: bool, steps: &mut Vec<Step>) {
        let olds: Vec<Node> = self.old.json.children(old).collect();
        let news: Vec<Node> = self.new.json.children(new).collect();
        let object = self.old.json.shape(old) == Shape::Object;
        let partners = match object {
            true => members(self.old, self.new, self.keys, &olds, &news),
            false if same => (0..news.len()).map(Partner::Stays).collect(),
            false => elements(self.old, self.new, self.keys, &olds, &news),
        };
        let staying = || {
            partners.iter().enumerate().filter_map(|(other, partner)| match partner {
                Partner::Stays(one) => Some((*one, other)),
                _ => None,
            })
        };
        if object && !staying().is_sorted_by_key(|(one, _)| one) {
            self.tell(Found::pair(ChangeKind::Reordered, old, new));
        }
        self.layout = self.layout || self.layout_differs((old, &olds), (new, &news), staying());

        let first = steps.len();
        let mut gone = gone(olds.len(), &partners).into_iter().peekable();
        for (place, (new, partner)) in news.iter().copied().zip(&partners).enumerate() {
            while let Some((_, one)) = gone.next_if(|(before, _)| *before == place) {
                steps.push(Step::Tell(Found::removed(olds[one])));
            }
            match *partner {
                Partner::None => steps.push(Step::Tell(Found::added(ChangeKind::Added, new))),
                Partner::Again => steps.push(Step::Tell(Found::added(ChangeKind::Duplicated, new))),
                Partner::Moved(one) => {
                    steps.push(Step::Tell(Found::pair(ChangeKind::Moved, olds[one], new)));
                    self.stays(olds[one], new, steps);
                }
                Partner::Stays(one) => self.stays(olds[one], new, steps),
            }
        }
        steps.extend(gone.map(|(_, one)| Step::Tell(Found::removed(olds[one]))));
        steps[first..].reverse();
    }

    /// A value that is still there: what it is called may be written otherwise, and what it says may differ.
    fn stays(&mut self, old: Node, new: Node, steps: &mut Vec<Step>) {
        let differs = self.old.spelling(old) != self.new.spelling(new);
        if self.old.json.key(old) != self.new.json.key(new) {
            let scalar = !matches!(self.new.json.shape(new), Shape::Array | Shape::Object);
            let told_anyway = differs && scalar && self.old.meaning(old) == self.new.meaning(new);
            if !told_anyway {
                steps.push(Step::Tell(Found::pair(ChangeKind::Respelled, old, new)));
            }
        }
        if differs {
            steps.push(Step::Pair(old, new));
        } else {
            self.layout = self.layout || self.old.json.raw(old) != self.new.json.raw(new);
        }
    }

    /// Whether there is other white space before, within and after what stayed. What became the first or ceased to be it has
    /// another neighbour, and what is moved brought its own.
    fn layout_differs(
        &self,
        (old, olds): (Node, &[Node]),
        (new, news): (Node, &[Node]),
        mut staying: impl Iterator<Item = (usize, usize)>,
    ) -> bool {
        let (one, other) = (Surroundings(self.old, old, olds), Surroundings(self.new, new, news));
        let end_differs = !olds.is_empty() && !news.is_empty() && one.end() != other.end();
        end_differs
            || staying.any(|(from, to)| {
                ((from == 0) == (to == 0) && one.before(from) != other.before(to))
                    || one.within(from) != other.within(to)
            })
    }
}

/// The text of an array or object between what stands directly inside it.
struct Surroundings<'s, 'd, 't>(&'s Side<'d, 't>, Node, &'s [Node]);

impl<'t> Surroundings<'_, '_, 't> {
    fn before(&self, place: usize) -> &'t str {
        let Self(side, outer, inner) = self;
        let json = side.json;
        let start = json.key_span(inner[place]).unwrap_or_else(|| json.span(inner[place])).start;
        let end = if place == 0 { json.span(*outer).start + 1 } else { json.span(inner[place - 1]).end };
        &json.text()[end..start]
    }

    fn within(&self, place: usize) -> &'t str {
        let json = self.0.json;
        json.key_span(self.2[place]).map_or("", |key| &json.text()[key.end..json.span(self.2[place]).start])
    }

    fn end(&self) -> Option<&'t str> {
        let json = self.0.json;
        self.2.last().map(|last| &json.text()[json.span(*last).end..json.span(self.1).end])
    }
}

/// What has no partner of the older entries, each with the place in the newer before which it stood.
fn gone(olds: usize, partners: &[Partner]) -> Vec<(usize, usize)> {
    let mut partner_of = vec![Partner::None; olds];
    for (place, partner) in partners.iter().enumerate() {
        match partner {
            Partner::Stays(one) => partner_of[*one] = Partner::Stays(place),
            Partner::Moved(one) => partner_of[*one] = Partner::Moved(place),
            Partner::None | Partner::Again => {}
        }
    }
    let mut before = 0;
    let mut gone = Vec::new();
    for (one, partner) in partner_of.into_iter().enumerate() {
        match partner {
            Partner::Stays(place) => before = place + 1,
            Partner::Moved(_) => {}
            Partner::None | Partner::Again => gone.push((before, one)),
        }
    }
    gone.sort_by_key(|(before, _)| *before);
    gone
}
