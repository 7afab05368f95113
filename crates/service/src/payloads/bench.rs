//! The bench on which a correction is made: from what was typed to the bytes, and what they would need to be saved and sent.

use domain::{
    access::Caller,
    digest::Sha256,
    document::{
        browser_text, declares_json,
        difference::{ChangeKind, form_diff, tree_diff},
        fields::{self, Field},
        is_form,
        json::{Json, Node, Shape, Wrong, decoded, escaped},
        mask::{self, Masked},
        patch,
        pattern::Matcher,
        schema::{Checked, Finding, Schema},
    },
    refusal::Refusal,
};
use store::{Item, Revision, Uow};

use super::{
    difference::{Difference, Extent},
    heavy::heavy,
    sight::{Sight, hidden},
    typed::{Content, with_values},
};
use crate::{Result, items::sending::step_of};

/// Values that are offered one by one.
pub(super) const MOST_FIELDS: usize = 400;

/// What a correction would need.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Where it is not JSON any more, though what it was made from is.
    pub broken: Option<Wrong>,
    /// What it touches that the step does not open for editing.
    pub outside: Vec<String>,
    /// Where it does not fit the step's schema; hidden values are not told apart.
    pub findings: Vec<Finding>,
    /// How many more there are.
    pub more_findings: usize,
    /// Why the schema was not asked, where there is one and it was not.
    pub unchecked: Option<String>,
}

impl Judged {
    /// What is not open for editing, and where JSON was broken, if that is why.
    pub(crate) fn not_editable(&self) -> Vec<String> {
        let broken = self.broken.as_ref().map(|wrong| {
            format!("it is not JSON any more (line {}, column {}: {})", wrong.line, wrong.column, wrong.what)
        });
        self.outside.iter().cloned().chain(broken).collect()
    }
}

/// A revision under correction, as one person sees it.
pub(crate) struct Bench {
    pub(super) parent: Revision,
    before: Vec<u8>,
    pub(super) sight: Sight,
    editable: Option<Matcher>,
    pub(super) schema: Option<String>,
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
    pub(super) fn masked(&self) -> Option<Result<Masked, Refusal>> {
        let Sight::Parts(matcher) = &self.sight else { return None };
        let masked = || {
            let json = self.text().and_then(|text| Json::read(text).ok()).ok_or(Refusal::AboveClearance)?;
            Ok(Masked::over(&json, &hidden(matcher, &json), &self.seed))
        };
        Some(heavy(self.before.len(), masked))
    }

    /// The text to edit; `None` of what is not text.
    pub(crate) fn to_edit(&self) -> Option<String> {
        match self.masked() {
            Some(masked) => masked.ok().map(|masked| masked.text),
            None => self.text().map(str::to_owned),
        }
    }

    /// Tells one text to edit from another.
    pub(crate) fn basis(&self) -> Vec<u8> {
        Sha256::of(self.to_edit().unwrap_or_default().as_bytes()).0.to_vec()
    }

    /// The values of a text to edit of it, its own or a draft's, that can be edited one by one, and how many are left out.
    pub(super) fn fields(&self, text: &str) -> Option<(Vec<Field>, usize)> {
        let fields = || {
            let json = Json::read(text).ok()?;
            let stands_for = |node: &Node| mask::is_placeholder(json.raw(*node));
            let hidden: Vec<Node> = match &self.sight {
                Sight::Parts(_) => json.nodes().filter(stands_for).collect(),
                Sight::All | Sight::Nothing => Vec::new(),
            };
            Some(fields::fields(&json, MOST_FIELDS, &hidden))
        };
        heavy(text.len(), fields)
    }

    /// The corrected bytes; refused if nothing was changed. What is said of a refusal rests on what the person sees alone.
    pub(crate) fn make(&self, content: &Content) -> Result<Made, Refusal> {
        heavy(self.before.len(), || self.made(content))
    }

    fn made(&self, content: &Content) -> Result<Made, Refusal> {
        let made = match self.masked() {
            None => {
                let bytes = self.edited(&self.before, content)?;
                self.no_placeholder(&bytes)?;
                Made { bytes, seen: None }
            }
            Some(masked) => {
                let masked = masked?;
                let edited = self.edited(masked.text.as_bytes(), content)?;
                let edited = String::from_utf8(edited).map_err(|_| Refusal::field("/text", "is not text"))?;
                if edited == masked.text {
                    return Err(Refusal::NothingChanged);
                }
                if edited.len() > self.limit {
                    return Err(Refusal::TooLarge { limit: self.limit });
                }
                let bytes = self.unmasked(&masked, &edited)?.into_bytes();
                Made { bytes, seen: Some((masked.text, edited)) }
            }
        };
        if made.bytes.len() > self.limit {
            return Err(Refusal::TooLarge { limit: self.limit });
        }
        if made.bytes == self.before {
            return Err(Refusal::NothingChanged);
        }
        Ok(made)
    }

    /// A placeholder that was typed while something was hidden, or downloaded, is no value.
    fn no_placeholder(&self, bytes: &[u8]) -> Result<(), Refusal> {
        let count = |bytes: &[u8]| std::str::from_utf8(bytes).map_or(0, |text| text.matches(mask::HIDDEN).count());
        if count(bytes) <= count(&self.before) {
            return Ok(());
        }
        let why = "It holds a placeholder of a hidden value. Put the value itself there, or begin anew.";
        Err(Refusal::field("/text", why))
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
    fn edited(&self, shown: &[u8], content: &Content) -> Result<Vec<u8>, Refusal> {
        let text = || {
            let why = "This payload is not text. Upload the corrected file instead.";
            std::str::from_utf8(shown).map_err(|_| Refusal::field("/text", why))
        };
        match content {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::Browser(returned) => Ok(browser_text::apply(text()?, returned).into_bytes()),
            Content::Bytes(bytes) => Ok(bytes.clone()),
            Content::Patch(patch) => self.patched(text()?, patch),
            Content::Fields(values) => match with_values(text()?, values)? {
                (text, problems) if problems.is_empty() => Ok(text.into_bytes()),
                (_, problems) => Err(Refusal::Invalid(problems)),
            },
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

    /// How a correction differs, as the person sees it.
    pub(super) fn difference(&self, made: &Made) -> Difference {
        let (old, new) = match &made.seen {
            Some((before, after)) => (before.as_bytes(), after.as_bytes()),
            None => (self.before.as_slice(), made.bytes.as_slice()),
        };
        let mut difference = Difference::between(&self.parent.media_type, old, new, Extent::Around);
        if made.seen.is_some() {
            difference.sizes = None;
        }
        difference
    }

    /// What a correction would need to be saved and sent.
    pub(crate) fn judge(&self, made: &Made) -> Judged {
        heavy(made.bytes.len(), || self.judged(made))
    }

    fn judged(&self, made: &Made) -> Judged {
        let bytes = &made.bytes;
        let (before, after) = match &made.seen {
            Some((before, after)) => (Some(before.as_str()), after.as_bytes()),
            None => (self.text(), bytes.as_slice()),
        };
        let (outside, broken) = self.outside(before, after);
        let mut judged = Judged { outside, broken, ..Judged::default() };
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

    /// What a finding is about is not told where it is hidden, nor where it tells whether a hidden value equals another. Lines
    /// and columns are those of a text that the person does not see.
    fn veil(&self, bytes: &[u8], findings: &mut [Finding]) {
        const COMPARE: [&str; 6] = ["uniqueItems", "const", "enum", "contains", "minContains", "maxContains"];
        let Sight::Parts(matcher) = &self.sight else { return };
        let Some(json) = std::str::from_utf8(bytes).ok().and_then(|text| Json::read(text).ok()) else { return };
        let places = mask::outermost(&json, &hidden(matcher, &json));
        for finding in findings {
            (finding.line, finding.column) = (0, 0);
            let Some(node) = finding.node else { continue };
            let around = places.iter().find(|place| json.holds(**place, node)).copied();
            let compares = COMPARE.contains(&finding.keyword.as_str());
            let inside = || places.iter().any(|place| json.holds(node, *place));
            if let Some(place) = around.or_else(|| (compares && inside()).then_some(node)) {
                finding.pointer = json.pointer(place);
                "A hidden value does not fit the schema.".clone_into(&mut finding.message);
            }
        }
    }

    /// What is touched that the step does not open for editing, and where JSON was broken: then there are no places any more.
    fn outside(&self, before: Option<&str>, bytes: &[u8]) -> (Vec<String>, Option<Wrong>) {
        const WHOLE: &str = "the payload as a whole";
        let open = |path: &str| self.editable.as_ref().is_none_or(|matcher| matcher.matches_pointer(path));
        let (Some(old), Ok(new)) = (before, std::str::from_utf8(bytes)) else {
            return (if self.editable.is_some() { vec![WHOLE.to_owned()] } else { Vec::new() }, None);
        };
        let (old_json, new_json) = (Json::read(old), Json::read(new));
        let was_json = old_json.is_ok() && declares_json(&self.parent.media_type);
        let broken = new_json.as_ref().err().filter(|_| was_json).cloned();
        let mut outside: Vec<String> = match (old_json, new_json) {
            (Ok(old), Ok(new)) => {
                let diff = tree_diff(&old, &new);
                let told = diff.changes.iter().filter_map(|change| {
                    let path = change.new_pointer.as_ref().or(change.old_pointer.as_ref())?;
                    let brings = matches!(change.kind, ChangeKind::Added | ChangeKind::TypeChanged);
                    let twice = brings && change.new.is_some_and(|node| has_twins(&new, node));
                    if change.kind == ChangeKind::Duplicated || twice {
                        return Some(format!("{path} (a second one of this name)"));
                    }
                    let both = [&change.old_pointer, &change.new_pointer].into_iter().flatten();
                    both.clone().any(|path| !open(path)).then(|| path.clone())
                });
                let more = (diff.cut && self.editable.is_some()).then(|| WHOLE.to_owned());
                told.chain(more).collect()
            }
            _ if is_form(&self.parent.media_type) => {
                let told = form_diff(old, new).into_iter().filter_map(|change| {
                    let twice = change.kind == ChangeKind::Duplicated;
                    match change.new.or(change.old) {
                        Some(field) if twice => Some(format!("{} (a second one of this name)", field.name)),
                        Some(field) => (!open(&format!("/{}", escaped(&field.name)))).then_some(field.name),
                        // Another order, or another spelling between fields: of several of one name another counts.
                        None => self.editable.is_some().then(|| WHOLE.to_owned()),
                    }
                });
                told.collect()
            }
            _ if self.editable.is_some() => vec![WHOLE.to_owned()],
            _ => Vec::new(),
        };
        outside.dedup();
        (outside, broken)
    }
}

/// What a correction makes: the bytes, and the text before and after as the person sees it, where something is hidden.
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    seen: Option<(String, String)>,
}

/// Whether an object inside a value has two members of one name.
fn has_twins(json: &Json<'_>, value: Node) -> bool {
    let objects = json.nodes().skip(value.index()).take_while(|node| json.holds(value, *node));
    objects.filter(|node| json.shape(*node) == Shape::Object).any(|object| {
        let mut names = std::collections::HashSet::new();
        json.children(object).any(|child| json.key(child).is_some_and(|key| !names.insert(decoded(key))))
    })
}

/// Asks a step's schema about a payload.
pub(crate) fn check(schema: &str, bytes: &[u8]) -> Result<Checked, Finding> {
    heavy(bytes.len(), || checked(schema, bytes))
}

fn checked(schema: &str, bytes: &[u8]) -> Result<Checked, Finding> {
    let at = |line: usize, column: usize, message: String| Finding {
        pointer: String::new(),
        node: None,
        line,
        column,
        keyword: String::new(),
        message,
    };
    let whole = |message: String| at(1, 1, message);
    let schema =
        Schema::read(schema).map_err(|problem| whole(format!("The step's schema can't be used: {problem}.")))?;
    let text = std::str::from_utf8(bytes).map_err(|_| whole("The payload is not text.".to_owned()))?;
    let json = Json::read(text).map_err(|wrong| {
        let message = format!("The payload is not JSON: line {}, column {}: {}.", wrong.line, wrong.column, wrong.what);
        at(wrong.line, wrong.column, message)
    })?;
    Ok(schema.check(&json))
}
