//! Patterns as one machine that is in several states at once; each segment of a path moves it on.

use std::ops::Range;

use super::{Segment, decoded};
use crate::document::json::{index, unescaped};

/// The states of all patterns.
#[derive(Debug, Clone, Default)]
pub(super) struct States {
    states: Vec<State>,
    starts: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct State {
    /// What leads here is named.
    accepts: bool,
    /// Any segment leads here again.
    stays: bool,
    /// Where any segment leads.
    any: Vec<u32>,
    /// Where a certain name leads.
    names: Vec<(Name, u32)>,
    /// Where it goes on in the document that a string holds.
    inside: Vec<u32>,
}

/// A name in a pattern.
#[derive(Debug, Clone)]
pub(super) struct Name {
    says: String,
    /// The place in an array that it is, too.
    place: Option<usize>,
}

impl Name {
    fn new(segment: &str) -> Self {
        let says = unescaped(segment);
        Self { place: index(&says), says }
    }

    pub(super) fn says(&self, name: &[u8]) -> bool {
        self.says.as_bytes() == name
    }
}

impl States {
    pub(super) fn add(&mut self, pattern: &str) {
        let mut here = self.another();
        self.starts.push(here);
        let mut segments = pattern.strip_prefix('/').map(|rest| rest.split('/').peekable());
        while let Some(segment) = segments.as_mut().and_then(Iterator::next) {
            let is_last = segments.as_mut().is_some_and(|rest| rest.peek().is_none());
            let reaching = segment.strip_suffix('#');
            let next = match reaching.unwrap_or(segment) {
                "**" if reaching.is_some() || !is_last => {
                    self.at(here).stays = true;
                    here
                }
                "*" | "**" => {
                    let next = self.another();
                    self.at(here).any.push(next);
                    next
                }
                name => {
                    let next = self.another();
                    self.at(here).names.push((Name::new(name), next));
                    next
                }
            };
            here = match reaching {
                None => next,
                Some(_) => {
                    let inside = self.another();
                    self.at(next).inside.push(inside);
                    self.at(here).names.push((Name::new(segment), inside));
                    inside
                }
            };
        }
        self.at(here).accepts = true;
    }

    #[expect(clippy::cast_possible_truncation, reason = "a workflow file has fewer segments than that")]
    fn another(&mut self) -> u32 {
        self.states.push(State::default());
        (self.states.len() - 1) as u32
    }

    fn at(&mut self, state: u32) -> &mut State {
        &mut self.states[state as usize]
    }

    fn state(&self, set: &Set, at: usize) -> &State {
        &self.states[set.active[at] as usize]
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub(super) fn accepts(&self, set: &Set, here: &Range<usize>) -> bool {
        here.clone().any(|at| self.state(set, at).accepts)
    }

    /// The states after one segment.
    pub(super) fn step(&self, set: &mut Set, from: Range<usize>, segment: Segment<'_>) -> Range<usize> {
        match segment {
            Segment::Place(place) => self.step_by(set, from, |name| name.place == Some(place)),
            Segment::Name(key) => {
                let key = decoded(key);
                self.step_by(set, from, |name| name.says(&key))
            }
        }
    }

    /// The states after one segment, which is the one that `fits`.
    pub(super) fn step_by(&self, set: &mut Set, from: Range<usize>, fits: impl Fn(&Name) -> bool) -> Range<usize> {
        let start = set.fresh();
        for at in from {
            let state = self.state(set, at);
            if state.stays {
                set.enter(set.active[at]);
            }
            state.any.iter().for_each(|next| set.enter(*next));
            state.names.iter().filter(|(name, _)| fits(name)).for_each(|(_, next)| set.enter(*next));
        }
        start..set.active.len()
    }

    /// The states at the root of the document that the string reached by `from` holds.
    pub(super) fn reach(&self, set: &mut Set, from: Range<usize>) -> Range<usize> {
        let start = set.fresh();
        for at in from {
            self.state(set, at).inside.iter().for_each(|next| set.enter(*next));
        }
        start..set.active.len()
    }

    /// Adds the states that reach into a string, at a value that is none: it is what the string would hold.
    pub(super) fn go_on_inside(&self, set: &mut Set, here: &mut Range<usize>) {
        let mut at = here.start;
        while at < set.active.len() {
            self.state(set, at).inside.iter().for_each(|next| set.enter(*next));
            at += 1;
        }
        here.end = set.active.len();
    }
}

/// States the machine is in, one group behind the other; in a group each stands once.
#[derive(Debug)]
pub(super) struct Set {
    active: Vec<u32>,
    /// In which group a state was entered last.
    entered: Vec<u32>,
    group: u32,
}

impl Set {
    pub(super) fn new(states: &States) -> Self {
        Self { active: Vec::new(), entered: vec![0; states.states.len()], group: 0 }
    }

    /// A group of these states.
    pub(super) fn begin(&mut self, states: &[u32]) -> Range<usize> {
        let start = self.fresh();
        states.iter().for_each(|state| self.enter(*state));
        start..self.active.len()
    }

    /// Forgets the groups from `end` on.
    pub(super) fn keep(&mut self, end: usize) {
        self.active.truncate(end);
    }

    pub(super) fn states(&self, group: &Range<usize>) -> &[u32] {
        &self.active[group.clone()]
    }

    fn fresh(&mut self) -> usize {
        self.group += 1;
        self.active.len()
    }

    fn enter(&mut self, state: u32) {
        let entered = &mut self.entered[state as usize];
        if *entered != self.group {
            *entered = self.group;
            self.active.push(state);
        }
    }
}
