//! Correcting a payload: a new revision beside the original, differing only where the person edited (R1, R2).

use domain::{
    access,
    audit::AuditKind,
    document::fields::TypedValue,
    effect::Effect,
    moves::Move,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
};
use serde::Deserialize;

use super::{Verb, Work, reason, run};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction, scope},
    new_id,
    payloads::{
        bench::{Bench, Judged},
        draft,
        typed::Typed,
    },
};

pub const ACTION: ItemAction = ItemAction {
    step: Move::Correct,
    label: "Correct the payload…",
    explanation: "Makes a new revision; the original stays. You see the difference before it is saved. Nothing is sent.",
    permission: Permission::ItemsCorrect,
    audit: AuditKind::Corrected,
    fields: &[
        Field::required("parent", "Parent", "The revision it is made from.", FieldKind::Number),
        Field::optional("text", "Text", "The whole corrected payload as text, or", FieldKind::Text),
        Field::optional("base64", "Bytes", "the whole corrected payload as base64, or", FieldKind::Text),
        Field::optional(
            "patch",
            "Patch",
            "operations of RFC 6902; whatever they do not name keeps its bytes.",
            FieldKind::Json,
        ),
        Field::required("reason", "Reason", "What was wrong.", FieldKind::Text),
        Field::optional(
            "break_glass",
            "Break the glass",
            "It touches what the step does not open for editing; needs payloads.break_glass.",
            FieldKind::Flag,
        ),
        Field::optional(
            "override_schema",
            "Override the schema",
            "It does not fit the step's schema; needs payloads.override_schema.",
            FieldKind::Flag,
        ),
        Field::optional(
            "completing",
            "Completes a part",
            "It does the rest of what happened in part, and nothing of what was done; its replay needs a second person.",
            FieldKind::Flag,
        ),
    ],
    needs_version: true,
    answers: Answers::Item,
    run: run::<Correct>,
};

/// A correction to save.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Correct {
    /// The revision it is made from.
    parent: i64,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    browser_text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
    #[serde(default)]
    patch: Option<String>,
    #[serde(default)]
    fields: Option<std::collections::BTreeMap<String, TypedValue>>,
    #[serde(default)]
    draft: Option<i64>,
    /// It does the rest of what happened in part, and nothing of what was done.
    #[serde(default)]
    completing: bool,
    /// What was wrong.
    #[serde(default)]
    reason: String,
    /// It may touch what is not open for editing.
    #[serde(default)]
    break_glass: bool,
    /// It may fail the schema.
    #[serde(default)]
    override_schema: bool,
}

impl Verb for Correct {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let reason = reason(&self.reason)?.to_owned();
        if self.completing && work.item.effect != Effect::Partial {
            let why = "Only what happened in part can be completed. Leave it out, or record what you found first.";
            return Err(Refusal::field("/completing", why).into());
        }
        let (caller, limit) = (work.act.caller, work.act.settings.payload_limit);
        let bench = Bench::of(&mut work.act.uow, caller, work.item, self.parent, limit).await?;
        let (break_glass, override_schema) = (self.break_glass, self.override_schema);
        let (completing, seen, typed) = (self.completing, self.draft, self.typed());
        let draft = draft::named(&mut work.act.uow, caller, work.item, &bench, typed.goes_on_from()).await?;
        let made = bench.make(&typed.content(&bench, draft.as_ref())?)?;
        let judged = bench.judge(&made);
        let may = |permission| access::may(caller, permission, scope(work.item));
        let breaks_glass = allowed(!judged.outside.is_empty(), break_glass, || may(Permission::PayloadsBreakGlass))
            .map_err(|refused| refused.unwrap_or_else(|| Refusal::NotEditable(judged.not_editable())))?;
        let overrides_schema =
            allowed(!judged.findings.is_empty(), override_schema, || may(Permission::PayloadsOverrideSchema))
                .map_err(|refused| refused.unwrap_or_else(|| Refusal::SchemaFails(problems(&judged))))?;

        let parent = bench.parent();
        let number = work.act.uow.revisions(work.item.id).await?.last().map_or(1, |last| last.number + 1);
        let (id, now) = (new_id(work.act.now), work.act.now);
        let digest = work.act.uow.add_payload(id, &made.bytes).await?;
        let by = (work.person.id, work.person.name.as_str());
        let revision = store::NewCorrection {
            number,
            payload: id,
            media_type: &parent.media_type,
            parent: parent.number,
            reason: &reason,
            source_version: parent.source_version.as_deref(),
            breaks_glass,
            overrides_schema,
            completing,
        };
        work.act.uow.add_correction(work.item.id, &revision, by, now).await?;
        // What was typed on meanwhile, here or in another window, stays.
        if let Some(seen) = seen {
            work.act.uow.delete_draft(work.person.id, work.item.id, parent.number, seen).await?;
        }
        // A person has looked at the bytes that differ and made a choice.
        work.item.payload_changed = false;
        work.item.changed(format!("{} made revision {number}", work.person.name));
        let entry = work.act.entry();
        entry.detail("revision", number).detail("parent", parent.number).detail("sha256", digest.hex()).text(reason);
        if breaks_glass {
            entry.detail("breaks_glass", judged.outside.len());
        }
        if completing {
            entry.detail("completing", true);
        }
        if overrides_schema {
            entry.detail("overrides_schema", judged.findings.len() + judged.more_findings);
        }
        Ok(())
    }
}

impl Correct {
    fn typed(self) -> Typed {
        let Self { text, browser_text, base64, patch, fields, draft, .. } = self;
        Typed { text, browser_text, base64, patch, fields, draft }
    }
}

/// Whether something that needs a permission of its own is the case, was asked for and may be done. Not asked for is refused
/// with nothing of its own to say.
fn allowed(is_so: bool, asked_for: bool, may: impl FnOnce() -> Result<(), Refusal>) -> Result<bool, Option<Refusal>> {
    match (is_so, asked_for) {
        (false, _) => Ok(false),
        (true, false) => Err(None),
        (true, true) => may().map(|()| true).map_err(Some),
    }
}

fn problems(judged: &Judged) -> Vec<FieldProblem> {
    judged.findings.iter().map(|finding| FieldProblem::new(finding.pointer.clone(), finding.message.clone())).collect()
}
