//! The bench on which a correction is made: from what was typed to the bytes, and what they would need to be saved and sent.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    access::{self, Caller},
    digest::Sha256,
    document::{
        browser_text,
        difference::{ChangeKind, form_diff, tree_diff},
        fields::{self, Field},
        is_form,
        json::{Json, escaped},
        mask::{self, Masked},
        patch,
        pattern::Matcher,
        schema::{Checked, Finding, Schema},
    },
    ids::ItemId,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
};
use serde::Deserialize;
use store::{Item, Revision, Uow};

use super::{
    difference::{Difference, Extent},
    sight::{Sight, hidden},
};
use crate::{
    Request, Result, Service,
    items::{self, actions::scope, sending::step_of},
};

/// Values that are offered one by one.
const MOST_FIELDS: usize = 400;

/// A correction as it was typed: exactly one of these.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Typed {
    /// Exactly this text.
    #[serde(default)]
    pub text: Option<String>,
    /// The parent's text as a browser returned it, with the person's edits.
    #[serde(default)]
    pub browser_text: Option<String>,
    /// Exactly these bytes.
    #[serde(default)]
    pub base64: Option<String>,
    /// An RFC 6902 patch, as it was written.
    #[serde(default)]
    pub patch: Option<String>,
    /// Single values by their pointers, as a form returned them.
    #[serde(default)]
    pub fields: Option<BTreeMap<String, String>>,
}

/// What a correction would need.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// What it touches that the step does not open for editing.
    pub outside: Vec<String>,
    /// Where it does not fit the step's schema; hidden values are not told apart.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more_findings: usize,
    /// Why the schema was not asked, where there is one and it was not.
    pub unchecked: Option<String>,
}

/// A revision under correction, as one person sees it.
pub(crate) struct Bench {
    parent: Revision,
    before: Vec<u8>,
    sight: Sight,
    editable: Option<Matcher>,
    schema: Option<String>,
    seed: String,
    limit: usize,
}

impl Bench {
    /// Lays a revision on the bench; refused where the person may see nothing of it.
    pub(crate) async fn of(uow: &mut Uow, caller: &Caller, item: &Item, number: i64, limit: usize) -> Result<Self> {
        let found = step_of(uow, item).await?;
        let step = found.as_ref().map(|found| &found.step);
        let sight = Sight::of(caller, item, step);
        if matches!(sight, Sight::Nothing) {
            return Err(Refusal::AboveClearance.into());
        }
        let parent = uow.revisions(item.id).await?.into_iter().find(|revision| revision.number == number);
        let parent = parent.ok_or_else(|| Refusal::field("/parent", "is not a revision of this item"))?;
        let before = uow.payload(parent.payload_id).await?.and_then(|stored| stored.bytes).ok_or(Refusal::NoPayload)?;
        let editable = step.filter(|step| !step.editable.is_empty());
        let editable = editable.map(|step| Matcher::new(step.editable.iter().map(domain::workflow::Pattern::as_str)));
        let schema = found.as_ref().and_then(|found| found.schema.clone());
        // Opaque, and the same for as long as this person works on this revision.
        let who = if let Caller::Person(person) = caller { person.id.to_string() } else { caller.name().to_owned() };
        let seed = format!("{who}/{}/{number}", item.id);
        let bench = Self { parent, before, sight, editable, schema, seed, limit };
        match bench.masked() {
            Some(Err(refusal)) => Err(refusal.into()),
            _ => Ok(bench),
        }
    }

    /// The revision.
    pub(crate) fn parent(&self) -> &Revision {
        &self.parent
    }

    /// Its bytes.
    pub(crate) fn before(&self) -> &[u8] {
        &self.before
    }

    fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.before).ok()
    }

    /// With placeholders, where something is hidden from this person.
    fn masked(&self) -> Option<Result<Masked, Refusal>> {
        let Sight::Parts(matcher) = &self.sight else { return None };
        let json = self.text().and_then(|text| Json::read(text).ok());
        Some(match json {
            Some(json) => Ok(Masked::over(&json, &hidden(matcher, &json), &self.seed)),
            None => Err(Refusal::AboveClearance),
        })
    }

    /// The text to edit; `None` of what is not text.
    pub(crate) fn to_edit(&self) -> Option<String> {
        match self.masked() {
            Some(masked) => masked.ok().map(|masked| masked.text),
            None => self.text().map(str::to_owned),
        }
    }

    /// The values that can be edited one by one, and how many are left out.
    fn fields(&self) -> Option<(Vec<Field>, usize)> {
        let text = self.text()?;
        let json = Json::read(text).ok()?;
        let places = match &self.sight {
            Sight::Parts(matcher) => hidden(matcher, &json),
            Sight::All | Sight::Nothing => Vec::new(),
        };
        let covered = |node| places.iter().any(|place| json.holds(*place, node));
        Some(fields::fields(&json, MOST_FIELDS, covered))
    }

    /// The corrected bytes; refused if nothing was changed.
    pub(crate) fn make(&self, typed: &Typed) -> Result<Vec<u8>, Refusal> {
        let bytes = match self.masked() {
            None => self.edited(&self.before, typed)?,
            Some(masked) => {
                let masked = masked?;
                let edited = self.edited(masked.text.as_bytes(), typed)?;
                let edited = String::from_utf8(edited).map_err(|_| Refusal::field("/text", "is not text"))?;
                self.unmasked(&masked, &edited)?.into_bytes()
            }
        };
        if bytes.len() > self.limit {
            return Err(Refusal::TooLarge { limit: self.limit });
        }
        if bytes == self.before {
            return Err(Refusal::NothingChanged);
        }
        Ok(bytes)
    }

    fn unmasked(&self, masked: &Masked, edited: &str) -> Result<String, Refusal> {
        let (Sight::Parts(matcher), Some(text)) = (&self.sight, self.text()) else {
            return Err(Refusal::AboveClearance);
        };
        let json = Json::read(text).map_err(|_| Refusal::AboveClearance)?;
        mask::unmask(&json, masked, |result| hidden(matcher, result), edited)
            .map_err(|tampered| Refusal::field("/text", tampered.to_string()))
    }

    /// What was typed, applied to what the person was shown.
    fn edited(&self, shown: &[u8], typed: &Typed) -> Result<Vec<u8>, Refusal> {
        let text = || {
            let why = "This payload is not text. Upload the corrected file instead.";
            std::str::from_utf8(shown).map_err(|_| Refusal::field("/text", why))
        };
        match (&typed.text, &typed.browser_text, &typed.base64, &typed.patch, &typed.fields) {
            (Some(text), None, None, None, None) => Ok(text.clone().into_bytes()),
            (None, Some(returned), None, None, None) => Ok(browser_text::apply(text()?, returned).into_bytes()),
            (None, None, Some(base64), None, None) => STANDARD
                .decode(base64.as_bytes())
                .map_err(|error| Refusal::field("/base64", format!("is not standard base64 with padding: {error}"))),
            (None, None, None, Some(patch), None) => self.patched(text()?, patch),
            (None, None, None, None, Some(values)) => {
                let json = Json::read(text()?).map_err(|_| Refusal::field("/fields", "This payload is not JSON."))?;
                let placed =
                    |problem: FieldProblem| FieldProblem::new(format!("/fields{}", problem.pointer), problem.message);
                let wrong = |problems: Vec<FieldProblem>| Refusal::Invalid(problems.into_iter().map(placed).collect());
                fields::apply(&json, values).map(String::into_bytes).map_err(wrong)
            }
            _ => Err(Refusal::field("/text", "Send exactly one of text, base64 or patch.")),
        }
    }

    fn patched(&self, text: &str, written: &str) -> Result<Vec<u8>, Refusal> {
        let wrong =
            |problem: patch::PatchProblem| Refusal::field(format!("/patch{}", problem.pointer), problem.message);
        let json = Json::read(written).map_err(|wrong| {
            Refusal::field("/patch", format!("Line {}, column {}: {}.", wrong.line, wrong.column, wrong.what))
        })?;
        let operations = patch::read(&json).map_err(wrong)?;
        if matches!(self.sight, Sight::Parts(_)) && operations.iter().any(patch::Operation::reads) {
            let why = "Something of this payload is hidden from you: only add, remove and replace are possible.";
            return Err(Refusal::field("/patch", why));
        }
        patch::apply(text, &operations).map(String::into_bytes).map_err(wrong)
    }

    /// What these bytes would need to be saved and sent.
    pub(crate) fn judge(&self, bytes: &[u8]) -> Judged {
        let mut judged = Judged { outside: self.outside(bytes), ..Judged::default() };
        let Some(schema) = self.schema.as_deref() else { return judged };
        match check(schema, bytes) {
            Ok(Checked::Findings { first, more }) => {
                (judged.findings, judged.more_findings) = (first, more);
                self.veil(bytes, &mut judged.findings);
            }
            Ok(Checked::NotChecked(why)) => judged.unchecked = Some(why.to_owned()),
            Err(problem) => judged.findings.push(problem),
        }
        judged
    }

    /// What a finding is about is not told where it is hidden.
    fn veil(&self, bytes: &[u8], findings: &mut [Finding]) {
        let Sight::Parts(matcher) = &self.sight else { return };
        let Some(json) = std::str::from_utf8(bytes).ok().and_then(|text| Json::read(text).ok()) else { return };
        let places = hidden(matcher, &json);
        for finding in findings {
            let covered = |node| places.iter().any(|place| json.holds(*place, node));
            if finding.node.is_some_and(covered) {
                "A hidden value does not fit the schema.".clone_into(&mut finding.message);
            }
        }
    }

    /// What is touched that the step does not open for editing.
    fn outside(&self, bytes: &[u8]) -> Vec<String> {
        const WHOLE: &str = "the payload as a whole";
        let open = |path: &str| self.editable.as_ref().is_none_or(|matcher| matcher.matches_pointer(path));
        let (Some(old), Ok(new)) = (self.text(), std::str::from_utf8(bytes)) else {
            return if self.editable.is_some() { vec![WHOLE.to_owned()] } else { Vec::new() };
        };
        let mut outside: Vec<String> = match (Json::read(old), Json::read(new)) {
            (Ok(old), Ok(new)) => {
                let diff = tree_diff(&old, &new);
                let told = diff.changes.iter().filter_map(|change| {
                    let path = change.new_pointer.as_ref().or(change.old_pointer.as_ref())?;
                    if change.kind == ChangeKind::Duplicated {
                        return Some(format!("{path} (a second one of this name)"));
                    }
                    let both = [&change.old_pointer, &change.new_pointer].into_iter().flatten();
                    both.clone().any(|path| !open(path)).then(|| path.clone())
                });
                let more = (diff.cut && self.editable.is_some()).then(|| WHOLE.to_owned());
                told.chain(more).collect()
            }
            _ if is_form(&self.parent.media_type) => {
                let changes = form_diff(old, new).into_iter();
                let named = changes.filter_map(|change| change.new.or(change.old)).map(|field| field.name);
                named.filter(|name| !open(&format!("/{}", escaped(name)))).collect()
            }
            _ if self.editable.is_some() => vec![WHOLE.to_owned()],
            _ => Vec::new(),
        };
        outside.dedup();
        outside
    }
}

/// Asks a step's schema about a payload.
pub(crate) fn check(schema: &str, bytes: &[u8]) -> Result<Checked, Finding> {
    let whole = |message: String| Finding {
        pointer: String::new(),
        node: None,
        line: 1,
        column: 1,
        keyword: String::new(),
        message,
    };
    let schema =
        Schema::read(schema).map_err(|problem| whole(format!("The step's schema can't be used: {problem}.")))?;
    let text = std::str::from_utf8(bytes).map_err(|_| whole("The payload is not text.".to_owned()))?;
    let json = Json::read(text).map_err(|wrong| {
        whole(format!("The payload is not JSON: line {}, column {}: {}.", wrong.line, wrong.column, wrong.what))
    })?;
    Ok(schema.check(&json))
}

/// What a correction would make, shown before it is saved.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The revision it is made from.
    pub parent: i64,
    /// How it differs, as the person sees it.
    pub difference: Option<Difference>,
    /// What it would need.
    pub judged: Judged,
    /// Whether they may touch what is not open for editing.
    pub may_break_glass: bool,
    /// Whether they may save what fails the schema.
    pub may_override_schema: bool,
    /// Digest before and after, where nothing is hidden.
    pub digests: Option<(Sha256, Sha256)>,
}

/// A revision that can be corrected, as a person sees it.
#[derive(Debug, Clone)]
pub struct Editable {
    /// The revision.
    pub parent: Revision,
    /// Its text; `None` where it is not text.
    pub text: Option<String>,
    /// Whether the text is JSON.
    pub is_json: bool,
    /// Its single values, and how many are left out; `None` where it is not JSON.
    pub fields: Option<(Vec<Field>, usize)>,
    /// How many values are hidden.
    pub hidden: usize,
    /// What the step opens for editing; empty where that is everything.
    pub editable: Vec<String>,
    /// Whether the step has a schema.
    pub has_schema: bool,
}

impl Service {
    /// A revision to correct; the newest, where none is named.
    pub async fn editable(&self, request: &Request, id: ItemId, revision: Option<i64>) -> Result<Editable> {
        let mut entry = crate::action::Entry::new(domain::audit::AuditKind::PayloadRead);
        entry.detail("revision", revision);
        self.reading(request, entry, Some(id), self.read_editable(&request.caller, id, revision)).await
    }

    async fn read_editable(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Editable> {
        let mut uow = self.store.read().await?;
        let item = items::readable(&mut uow, caller, id).await?;
        let number = match revision {
            Some(number) => number,
            None => uow.revisions(id).await?.last().map(|last| last.number).ok_or(Refusal::NoPayload)?,
        };
        let bench = Bench::of(&mut uow, caller, &item, number, self.settings.payload_limit).await?;
        let found = step_of(&mut uow, &item).await?;
        let text = bench.to_edit();
        Ok(Editable {
            is_json: text.as_deref().is_some_and(|text| Json::read(text).is_ok()),
            text,
            fields: bench.fields(),
            hidden: bench.masked().and_then(Result::ok).map_or(0, |masked| masked.parts.len()),
            editable: found
                .map(|found| found.step.editable.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            has_schema: bench.schema.is_some(),
            parent: bench.parent,
        })
    }

    /// What a correction would make, shown before it is saved. Nothing is kept.
    pub async fn preview_correction(
        &self,
        request: &Request,
        id: ItemId,
        parent: i64,
        typed: &Typed,
    ) -> Result<Preview> {
        let mut uow = self.store.read().await?;
        let caller = &request.caller;
        let item = items::readable(&mut uow, caller, id).await?;
        let bench = Bench::of(&mut uow, caller, &item, parent, self.settings.payload_limit).await?;
        let bytes = bench.make(typed)?;
        let may = |permission| access::may(caller, permission, scope(&item)).is_ok();
        Ok(Preview {
            parent,
            difference: Difference::seen(&bench.sight, &bench.parent.media_type, &bench.before, &bytes, Extent::Around),
            judged: bench.judge(&bytes),
            may_break_glass: may(Permission::PayloadsBreakGlass),
            may_override_schema: may(Permission::PayloadsOverrideSchema),
            digests: matches!(bench.sight, Sight::All).then(|| (Sha256::of(&bench.before), Sha256::of(&bytes))),
        })
    }
}
