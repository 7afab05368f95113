//! From the masked text as a person left it to the text that they mean.

use std::{collections::HashMap, ops::Range};

use super::{Masked, marked, outermost, placeholder_in, twins::twins};
use crate::document::{
    json::{Json, Node, Segment, Shape, Wrong, decoded},
    patch::splices,
};

/// Why an edited text cannot be taken: something happened to a placeholder. Places are JSON pointers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Tampered {
    /// It is no JSON, so nobody can say what became of the placeholders.
    #[error("this is no JSON any more: line {}, column {}: {}", .0.line, .0.column, .0.what)]
    Broken(Wrong),
    /// A placeholder is gone.
    #[error("the hidden value at `{0}` is missing: its placeholder has to stay as it is")]
    Missing(String),
    /// A name or a text holds something that looks like a placeholder and is none of this text's, or more than one alone.
    #[error("the placeholder at `{0}` was changed: it has to stay as it is, as a value of its own")]
    Changed(String),
    /// A placeholder stands in a second place, too.
    #[error("the hidden value at `{0}` stands there for the second time: it cannot be copied")]
    Twice(String),
    /// A placeholder stands in another place, or where its value would be seen.
    #[error("a hidden value was moved to `{0}`: it has to stay in its place, and in its order")]
    Moved(String),
    /// A member of the same name was put beside a hidden value, or beside what holds it, and one of the two would be lost.
    #[error(
        "beside the hidden value at `{0}` there is another member of the same name now: only one of them would count"
    )]
    Beside(String),
}

/// The text that a person means who edited `masked`: every placeholder is again what the parent has there, byte for byte, and
/// every other byte is the person's. `hides` says what of a document this person may not see: the rule that masked the parent.
/// Values that are new in a place that is hidden are taken.
///
/// # Errors
/// See [`Tampered`].
pub fn unmask(
    parent: &Json<'_>,
    masked: &Masked,
    hides: impl Fn(&Json<'_>) -> Vec<Node>,
    edited: &str,
) -> Result<String, Tampered> {
    let document = Json::read(edited).map_err(Tampered::Broken)?;
    let places = places(parent, masked, &document)?;
    let hidden: Vec<Node> = masked.parts.iter().map(|part| part.node).collect();
    // Somebody who could put a hidden value elsewhere would learn by what is said of it there whether they guessed right.
    let stays = |(from, to): (&Node, &Node)| trail(parent, *from) == trail(&document, *to);
    if let Some((_, to)) = hidden.iter().zip(&places).find(|pair| !stays(*pair)) {
        return Err(Tampered::Moved(document.pointer(*to)));
    }
    if let Some(pair) = places.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(Tampered::Moved(document.pointer(pair[1])));
    }
    let before = twins(parent, &hidden);
    let after = twins(&document, &places);
    if let Some(part) = (0..places.len()).find(|part| after[*part] > before[*part]) {
        return Err(Tampered::Beside(document.pointer(places[part])));
    }

    let mut replaced: Vec<(Node, &str)> = places.into_iter().zip(hidden.iter().map(|node| parent.raw(*node))).collect();
    replaced.sort_unstable_by_key(|(place, _)| *place);
    let result = splices(edited, replaced.iter().map(|(place, raw)| (document.span(*place), *raw)));
    let read = Json::read(&result).map_err(Tampered::Broken)?;
    let mut covers = outermost(&read, &hides(&read)).into_iter().map(|node| read.span(node)).peekable();
    let mut grown = 0;
    let mut shrunk = 0;
    for (place, raw) in replaced {
        let was = document.span(place);
        let start = was.start + grown - shrunk;
        grown += raw.len();
        shrunk += was.len();
        let is = start..start + raw.len();
        while covers.next_if(|cover| cover.end <= is.start).is_some() {}
        if !covers.peek().is_some_and(|cover| holds(cover, &is)) {
            return Err(Tampered::Moved(document.pointer(place)));
        }
    }
    Ok(result)
}

/// The names that lead to a value; a place in an array is any place.
fn trail<'t>(json: &Json<'t>, node: Node) -> Vec<Option<std::borrow::Cow<'t, [u8]>>> {
    let step = |segment: &Segment<'t>| match segment {
        Segment::Name(key) => Some(decoded(key)),
        Segment::Place(_) => None,
    };
    json.path(node).iter().map(step).collect()
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Where each placeholder stands in the edited document.
fn places(parent: &Json<'_>, masked: &Masked, document: &Json<'_>) -> Result<Vec<Node>, Tampered> {
    let ordinals: HashMap<&str, usize> =
        masked.parts.iter().enumerate().map(|(ordinal, part)| (part.placeholder.as_str(), ordinal)).collect();
    let own = marked(parent);
    let mut places: Vec<Option<Node>> = vec![None; masked.parts.len()];
    for node in document.nodes() {
        if document.key(node).and_then(placeholder_in).is_some_and(|said| !own.contains(said.as_ref())) {
            return Err(Tampered::Changed(document.pointer(node)));
        }
        if document.shape(node) != Shape::String {
            continue;
        }
        let Some(said) = placeholder_in(document.raw(node)) else { continue };
        match ordinals.get(said.as_ref()) {
            Some(ordinal) if places[*ordinal].is_some() => return Err(Tampered::Twice(document.pointer(node))),
            Some(ordinal) => places[*ordinal] = Some(node),
            None if own.contains(said.as_ref()) => {}
            None => return Err(Tampered::Changed(document.pointer(node))),
        }
    }
    let missing = |part: usize| Tampered::Missing(parent.pointer(masked.parts[part].node));
    places.into_iter().enumerate().map(|(part, place)| place.ok_or_else(|| missing(part))).collect()
}
