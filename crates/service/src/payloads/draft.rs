//! Drafts: what somebody typed of a correction, theirs alone, for one item and the revision they work from.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::{Caller, may},
    audit::AuditKind,
    document::{
        browser_text,
        fields::{Field, TypedValue},
        merge::{Conflict, merge},
    },
    ids::ItemId,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
    text,
};
use store::{Draft, Item, OtherDraft, Uow};

use super::{
    bench::Bench,
    difference::{Difference, Extent},
    sight::Seen,
    typed::{text_of, with_values},
};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Gate},
    items::{self, actions::scope},
};

/// How long ago somebody else may have typed something to be shown as at work on the item.
const AT_WORK: TimeDelta = TimeDelta::minutes(15);

/// Keeps what was typed so far.
#[derive(Debug)]
pub struct KeepDraft {
    /// The item.
    pub item: ItemId,
    /// The revision they work from.
    pub parent: i64,
    /// What was typed.
    pub typed: Typing,
    /// What was wrong, as far as it was typed.
    pub reason: String,
    /// The item's version that was looked at.
    pub item_version: i64,
    /// The draft's version that was seen; 0 for none.
    pub seen: i64,
}

/// What is kept as a draft.
#[derive(Debug)]
pub enum Typing {
    /// The text as the browser returned it.
    Text(String),
    /// Single values by their pointers: of the draft that was seen, or of the revision.
    Fields(BTreeMap<String, TypedValue>),
    /// A file that was chosen.
    File(Vec<u8>),
    /// The draft is gone on with as text: where it was a file, its line ends are the revision's from here.
    AsText,
}

/// A draft that was kept.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Its version now.
    pub version: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// Single values that can't be kept like this: they stand as they were.
    pub problems: Vec<FieldProblem>,
}

impl Action for KeepDraft {
    const NAME: &'static str = "keep_draft";
    const GATE: Gate = Gate::Within(Permission::ItemsCorrect);
    const AUDIT: AuditKind = AuditKind::DraftKept;
    type Output = Kept;

    async fn perform(self, act: &mut Act<'_>) -> Result<Kept> {
        let (person, now) = (act.person()?.id, act.now);
        let item = items::readable(&mut act.uow, act.caller, self.item).await?;
        act.entry().item(&item);
        may(act.caller, Permission::ItemsCorrect, scope(&item))?;
        let limit = act.settings.payload_limit;
        let bench = Bench::of(&mut act.uow, act.caller, &item, self.parent, limit).await?;
        let before = act.uow.draft(person, self.item, self.parent).await?;
        let before = before.filter(|draft| draft.version == self.seen && draft.basis == bench.basis());
        let Held { bytes: content, exact, problems } = self.typed.held(&bench, before)?;
        // Line ends of a browser take more room than what they stand for.
        if content.len() > if exact { limit } else { limit.saturating_mul(2) } {
            return Err(Refusal::TooLarge { limit }.into());
        }
        let draft = Draft {
            parent: self.parent,
            version: self.seen,
            content,
            exact,
            basis: bench.basis(),
            reason: text::message(self.reason.chars().take(domain::report::TEXT_LIMIT).collect::<String>().as_str()),
            item_version: self.item_version,
            saved_at: now,
        };
        let kept = act.uow.save_draft(person, self.item, &draft, self.seen).await?;
        let version = kept.ok_or(Refusal::ChangedMeanwhile { what: "Your draft" })?;
        // A draft is nothing anybody else goes by: the trail tells of the correction it becomes.
        act.nothing_changed();
        Ok(Kept { version, at: now, problems })
    }
}

/// What a draft is to hold.
struct Held {
    bytes: Vec<u8>,
    exact: bool,
    problems: Vec<FieldProblem>,
}

impl Typing {
    /// `before` is the draft that was seen.
    fn held(self, bench: &Bench, before: Option<Draft>) -> Result<Held, Refusal> {
        let told = |bytes: Vec<u8>, exact| Held { bytes, exact, problems: Vec::new() };
        let gone = Refusal::ChangedMeanwhile { what: "Your draft" };
        match self {
            Self::Text(text) => Ok(told(text.into_bytes(), false)),
            Self::File(bytes) => Ok(told(bytes, true)),
            Self::AsText => text_of(bench, &before.ok_or(gone)?).map(|text| told(text.into_bytes(), false)),
            Self::Fields(values) => {
                let not_text = || Refusal::field("/fields", "This payload is not text.");
                let text = match &before {
                    Some(draft) => text_of(bench, draft)?,
                    None => bench.to_edit().ok_or_else(not_text)?,
                };
                let (text, problems) = with_values(&text, &values)?;
                // What was a file stays one: nothing of it was touched but these values.
                Ok(Held { bytes: text.into_bytes(), exact: before.is_some_and(|draft| draft.exact), problems })
            }
        }
    }
}

/// The draft of that version, where one is named: it is the caller's, and made of what they see now.
pub(crate) async fn named(
    uow: &mut Uow,
    caller: &Caller,
    item: &Item,
    bench: &Bench,
    version: Option<i64>,
) -> Result<Option<Draft>> {
    let (Some(version), Caller::Person(person)) = (version, caller) else { return Ok(None) };
    let draft = uow.draft(person.id, item.id, bench.parent().number).await?;
    let same = draft.filter(|draft| draft.version == version && draft.basis == bench.basis());
    same.map(Some).ok_or_else(|| Refusal::ChangedMeanwhile { what: "Your draft" }.into())
}

/// Throws a draft away.
#[derive(Debug)]
pub struct DropDraft {
    /// The item.
    pub item: ItemId,
    /// The revision it was made from.
    pub parent: i64,
    /// Its version that was seen.
    pub seen: i64,
}

impl Action for DropDraft {
    const NAME: &'static str = "drop_draft";
    const GATE: Gate = Gate::Within(Permission::ItemsCorrect);
    const AUDIT: AuditKind = AuditKind::DraftKept;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let person = act.person()?.id;
        let item = items::readable(&mut act.uow, act.caller, self.item).await?;
        act.entry().item(&item);
        may(act.caller, Permission::ItemsCorrect, scope(&item))?;
        if !act.uow.delete_draft(person, self.item, self.parent, self.seen).await? {
            return Err(Refusal::ChangedMeanwhile { what: "Your draft" }.into());
        }
        act.nothing_changed();
        Ok(())
    }
}

/// A person's draft, and who else is at it.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// Theirs, from the revision they asked for.
    pub draft: Option<Draft>,
    /// The draft as text to edit, where it is a file or edited by its values; `None` where it is not text.
    pub text: Option<String>,
    /// Its single values, where it is edited by them, and how many are left out; `None` where it is not JSON.
    pub fields: Option<(Vec<Field>, usize)>,
    /// There is one that is not shown, since they see the payload otherwise by now: its version.
    pub kept_back: Option<i64>,
    /// Revisions from which they have a draft, too.
    pub elsewhere: Vec<i64>,
    /// Others who changed a draft of theirs lately.
    pub others: Vec<OtherDraft>,
}

/// A draft beside what somebody else made of the same revision meanwhile.
#[derive(Debug, Clone)]
pub struct ThreeWay {
    /// The revision both began with.
    pub parent: i64,
    /// The newest revision.
    pub newest: i64,
    /// Who made it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What they changed.
    pub theirs: Option<Difference>,
    /// What the draft changed.
    pub mine: Option<Difference>,
    /// Both changes in the text to edit of the newest revision, with mine where they meet.
    pub merged: String,
    /// Where they meet.
    pub conflicts: Vec<Conflict>,
}

impl Service {
    /// The caller's draft from a revision, as text or by its single values, and who else is correcting the item.
    pub async fn desk(&self, caller: &Caller, id: ItemId, parent: i64, by_field: bool) -> Result<Desk> {
        let Caller::Person(person) = caller else { return Ok(Desk::default()) };
        let mut uow = self.store.read().await?;
        let since = self.now() - AT_WORK;
        let item = items::readable(&mut uow, caller, id).await?;
        let mut drafts = uow.drafts_of(person.id, id).await?;
        let draft = drafts.iter().position(|draft| draft.parent == parent).map(|at| drafts.remove(at));
        // Made of a text that they saw otherwise then: it may hold what they may not see now, or a placeholder of then.
        let bench = Bench::of(&mut uow, caller, &item, parent, self.settings.payload_limit).await?;
        let (draft, hidden) = match draft {
            Some(draft) if draft.basis != bench.basis() => (None, Some(draft.version)),
            draft => (draft, None),
        };
        let wanted = draft.as_ref().filter(|draft| draft.exact || by_field);
        let text = wanted.and_then(|draft| text_of(&bench, draft).ok());
        Ok(Desk {
            fields: text.as_deref().filter(|_| by_field).and_then(|text| bench.fields(text)),
            text,
            draft,
            kept_back: hidden,
            elsewhere: drafts.into_iter().map(|draft| draft.parent).collect(),
            others: uow.others_drafts(id, person.id, since).await?,
        })
    }

    /// What was typed beside what somebody else saved meanwhile; `None` where nobody did, or the two are not text.
    pub async fn three_way(&self, request: &Request, id: ItemId, parent: i64, typed: &str) -> Result<Option<ThreeWay>> {
        let (caller, limit) = (&request.caller, self.settings.payload_limit);
        let mut uow = self.store.read().await?;
        let item = items::readable(&mut uow, caller, id).await?;
        let revisions = uow.revisions(id).await?;
        let Some(newest) = revisions.last().filter(|last| last.number > parent) else { return Ok(None) };
        let from = Bench::of(&mut uow, caller, &item, parent, limit).await?;
        let to = Bench::of(&mut uow, caller, &item, newest.number, limit).await?;
        let (Some(base), Some(theirs)) = (from.to_edit(), to.to_edit()) else { return Ok(None) };
        let mine = browser_text::apply(&base, typed);
        // Placeholders are each revision's own: where something is hidden, lines with one can't be carried over.
        let merged = merge(&base, &theirs, &mine);
        let sight = super::difference::sight_of(&mut uow, caller, &item).await?;
        let media_type = &newest.media_type;
        let seen = |bytes: &[u8]| match sight.see(bytes) {
            Seen::Whole => Some(String::from_utf8_lossy(bytes).into_owned()),
            Seen::Masked { text, .. } => Some(text),
            Seen::Nothing => None,
        };
        let all = super::sight::Sight::All;
        let between =
            |old: &str, new: &str| Difference::seen(&all, media_type, old.as_bytes(), new.as_bytes(), Extent::Around);
        let (before, after) = (seen(from.before()), seen(to.before()));
        Ok(Some(ThreeWay {
            parent,
            newest: newest.number,
            by: newest.author_name.clone(),
            at: newest.at,
            theirs: before.as_deref().zip(after.as_deref()).and_then(|(before, after)| between(before, after)),
            mine: between(&base, &mine),
            merged: merged.text,
            conflicts: merged.conflicts,
        }))
    }
}
