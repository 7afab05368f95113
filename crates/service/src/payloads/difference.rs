//! Two payloads beside one another, as a viewer sees them: by path where they are documents, and line by line.

use std::borrow::Cow;

use domain::{
    access::Caller,
    document::{
        difference::{Change, ChangeKind, Field, FieldChange, TreeDiff, form_diff, tree_diff},
        is_form,
        json::{Json, Node},
        line_diff::{Hunk, line_diff, whole_diff},
        look_alike::looks_the_same,
        pretty,
    },
    ids::ItemId,
    refusal::Refusal,
};
use store::{Revision, Uow};

use super::{
    heavy::heavy,
    sight::{Seen, Sight},
};
use crate::{Result, Service, items};

/// Lines of both texts together up to which all of them are shown; of more only what differs and its surroundings.
const ALL_LINES: usize = 1_000;
/// Characters of a value that are shown beside its path.
const OF_A_VALUE: usize = 600;
/// Changes that are shown one by one.
const MOST_SHOWN: usize = 500;

/// How one payload differs from another.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Place by place; `None` where one of the two is neither JSON nor a form.
    pub by_path: Option<ByPath>,
    /// Line by line; `None` where one of the two is not text.
    pub by_line: Option<ByLine>,
    /// Sizes in bytes, where nothing is hidden from the viewer.
    pub sizes: Option<(usize, usize)>,
    /// Something is hidden from the viewer: whether that differs is not told, since it would tell a guess right.
    pub hidden: bool,
}

/// What differs place by place.
#[derive(Debug, Clone, Default)]
pub struct ByPath {
    /// The changes, in the order of the newer one.
    pub changes: Vec<Place>,
    /// How many more there are than are shown.
    pub more: usize,
    /// Whether white space, line ends or a byte-order mark differ.
    pub layout: bool,
}

/// One place that differs.
#[derive(Debug, Clone)]
pub struct Place {
    /// What happened.
    pub kind: ChangeKind,
    /// Where, as a JSON pointer or a field's name.
    pub path: String,
    /// Where it stood before, if elsewhere.
    pub from: Option<String>,
    /// As it was written.
    pub old: Option<Written>,
    /// As it is written.
    pub new: Option<Written>,
    /// They differ and look alike.
    pub looks_the_same: bool,
}

/// A value as it is written, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What it is.
    pub type_name: &'static str,
    /// There is more of it.
    pub cut: bool,
}

/// What differs line by line.
#[derive(Debug, Clone)]
pub struct ByLine {
    /// What differs, with what stands around it; empty where they are the same.
    pub hunks: Vec<Hunk>,
    /// Each of the two is one line of JSON and was laid out for reading.
    pub laid_out: bool,
}

/// How much of the lines is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What differs, with a few lines around it.
    Around,
    /// Everything, where it is not too long to be read.
    Whole,
}

impl Difference {
    /// How `new` differs from `old` for a viewer; `None` where they see nothing of one of the two.
    pub(crate) fn seen(sight: &Sight, media_type: &str, old: &[u8], new: &[u8], extent: Extent) -> Option<Self> {
        let (before, after) = (shown(sight, old)?, shown(sight, new)?);
        let mut difference = Self::between(media_type, &before, &after, extent);
        if let Sight::Parts(_) = sight {
            difference.sizes = None;
            difference.hidden = true;
        }
        Some(difference)
    }

    /// How `new` differs from `old`.
    pub(crate) fn between(media_type: &str, old: &[u8], new: &[u8], extent: Extent) -> Self {
        heavy(old.len().max(new.len()), || Self::told(media_type, old, new, extent))
    }

    fn told(media_type: &str, old: &[u8], new: &[u8], extent: Extent) -> Self {
        let sizes = Some((old.len(), new.len()));
        let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else {
            return Self { by_path: None, by_line: None, sizes, hidden: false };
        };
        let by_path = match (Json::read(old), Json::read(new)) {
            (Ok(old), Ok(new)) => Some(ByPath::of(&old, &new)),
            _ if is_form(media_type) => Some(ByPath::of_fields(form_diff(old, new))),
            _ => None,
        };
        Self { by_path, by_line: Some(ByLine::of(old, new, extent)), sizes, hidden: false }
    }
}

/// A payload as it is seen; `None` where it is not.
fn shown<'b>(sight: &Sight, bytes: &'b [u8]) -> Option<Cow<'b, [u8]>> {
    match sight.see(bytes) {
        Seen::Whole => Some(Cow::Borrowed(bytes)),
        Seen::Masked { text, .. } => Some(Cow::Owned(text.into_bytes())),
        Seen::Nothing => None,
    }
}

impl ByPath {
    fn of(old: &Json<'_>, new: &Json<'_>) -> Self {
        let TreeDiff { changes, layout, cut } = tree_diff(old, new);
        let more = changes.len().saturating_sub(MOST_SHOWN) + usize::from(cut);
        let place = |change: Change| {
            let written = |json: &Json<'_>, node: Option<Node>| {
                node.map(|node| Written::of(json.raw(node), json.shape(node).as_str()))
            };
            let (old_text, new_text) = (change.old.map(|node| old.raw(node)), change.new.map(|node| new.raw(node)));
            let from =
                change.old_pointer.clone().filter(|from| change.new_pointer.as_ref().is_some_and(|to| to != from));
            Place {
                kind: change.kind,
                path: change.new_pointer.or(change.old_pointer).unwrap_or_default(),
                from,
                old: written(old, change.old),
                new: written(new, change.new),
                looks_the_same: old_text.zip(new_text).is_some_and(|(old, new)| alike(change.kind, old, new)),
            }
        };
        Self { changes: changes.into_iter().take(MOST_SHOWN).map(place).collect(), more, layout }
    }

    fn of_fields(changes: Vec<FieldChange>) -> Self {
        let more = changes.len().saturating_sub(MOST_SHOWN);
        let place = |change: FieldChange| {
            let spelled = change.kind.is_spelling();
            let text = |field: &Field| if spelled { field.raw.clone() } else { field.value.clone() };
            let (old, new) = (change.old.as_ref().map(text), change.new.as_ref().map(text));
            Place {
                kind: change.kind,
                path: change.new.or(change.old).map(|field| field.name).unwrap_or_default(),
                from: None,
                looks_the_same: old
                    .as_deref()
                    .zip(new.as_deref())
                    .is_some_and(|(old, new)| alike(change.kind, old, new)),
                old: old.map(|text| Written::of(&text, "text")),
                new: new.map(|text| Written::of(&text, "text")),
            }
        };
        Self { changes: changes.into_iter().take(MOST_SHOWN).map(place).collect(), more, layout: false }
    }
}

fn alike(kind: ChangeKind, old: &str, new: &str) -> bool {
    let short = old.len() <= OF_A_VALUE && new.len() <= OF_A_VALUE;
    kind == ChangeKind::Changed && short && looks_the_same(old, new)
}

impl Written {
    fn of(text: &str, type_name: &'static str) -> Self {
        let end = text.char_indices().nth(OF_A_VALUE).map_or(text.len(), |(at, _)| at);
        Self { text: text[..end].to_owned(), type_name, cut: end < text.len() }
    }
}

impl ByLine {
    fn of(old: &str, new: &str, extent: Extent) -> Self {
        let lines = |old: &str, new: &str| {
            let short = old.lines().count() + new.lines().count() <= ALL_LINES;
            if extent == Extent::Whole && short { vec![whole_diff(old, new)] } else { line_diff(old, new) }
        };
        match (laid_out(old), laid_out(new)) {
            // What differs in the layout only would be hidden by one.
            (Some(before), Some(after)) if before != after => Self { hunks: lines(&before, &after), laid_out: true },
            _ => Self { hunks: lines(old, new), laid_out: false },
        }
    }
}

/// One line of JSON, laid out: token by token as it is, each on its line.
fn laid_out(text: &str) -> Option<String> {
    if text.trim_end_matches(['\r', '\n']).contains(['\r', '\n']) {
        return None;
    }
    let layout = pretty(text)?;
    let mut lines = String::with_capacity(text.len() * 2);
    for line in &layout.lines {
        lines.extend(std::iter::repeat_n("  ", line.depth.min(40)));
        for token in &line.tokens {
            lines.push_str(if token.text == ":" { ": " } else { token.text });
        }
        lines.push('\n');
    }
    Some(lines)
}

/// A revision's bytes; `None` where they were erased.
pub(crate) async fn bytes_of(uow: &mut Uow, revision: &Revision) -> Result<Option<Vec<u8>>> {
    Ok(uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes))
}

impl Service {
    /// How one revision of an item differs from another, as the caller sees them; `None` where nothing may be shown of them,
    /// where bytes were erased, and where the two are the same revision.
    pub async fn difference(
        &self,
        caller: &Caller,
        id: ItemId,
        old: i64,
        new: i64,
        extent: Extent,
    ) -> Result<Option<Difference>> {
        let mut uow = self.store.read().await?;
        let item = items::readable(&mut uow, caller, id).await?;
        let sight = sight_of(&mut uow, caller, &item).await?;
        if old == new {
            return Ok(None);
        }
        let revisions = uow.revisions(id).await?;
        let numbered = |number: i64| revisions.iter().find(|r| r.number == number).ok_or(Refusal::NotFound);
        let (older, newer) = (numbered(old)?, numbered(new)?);
        compare(&mut uow, &sight, Some(older), newer, extent).await
    }
}

/// What a caller sees of an item's payloads, as its step stands now.
pub(crate) async fn sight_of(uow: &mut Uow, caller: &Caller, item: &store::Item) -> Result<Sight> {
    let found = items::sending::step_of(uow, item).await?;
    Ok(Sight::of(caller, item, found.as_ref().map(|found| &found.step)))
}

/// The difference between two revisions; `None` where there is no older one, or bytes were erased or hidden.
pub(crate) async fn compare(
    uow: &mut Uow,
    sight: &Sight,
    old: Option<&Revision>,
    new: &Revision,
    extent: Extent,
) -> Result<Option<Difference>> {
    let Some(older) = old else { return Ok(None) };
    let (old, new_bytes) = (bytes_of(uow, older).await?, bytes_of(uow, new).await?);
    Ok(old.zip(new_bytes).and_then(|(old, bytes)| Difference::seen(sight, &new.media_type, &old, &bytes, extent)))
}
