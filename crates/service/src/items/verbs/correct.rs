//! Correcting a payload: a new revision beside the original, differing only where the person edited (R1, R2).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    audit::AuditKind,
    digest::Sha256,
    document::{
        browser_text,
        line_diff::{Hunk, line_diff},
    },
    ids::ItemId,
    moves::Move,
    permission::Permission,
    refusal::Refusal,
};
use serde::Deserialize;
use store::{Revision, Uow};

use super::{Verb, Work, reason, run};
use crate::{
    Request, Result, Service,
    items::{
        self,
        actions::{Answers, Field, FieldKind, ItemAction},
    },
    new_id,
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
        Field::optional("base64", "Bytes", "the whole corrected payload as base64.", FieldKind::Text),
        Field::required("reason", "Reason", "What was wrong.", FieldKind::Text),
    ],
    needs_version: true,
    answers: Answers::Item,
    run: run::<Correct>,
};

/// The whole corrected payload; exactly one of the three.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correct {
    /// The revision it is made from.
    pub parent: i64,
    /// Exactly this text.
    #[serde(default)]
    pub text: Option<String>,
    /// The parent's text as a browser returned it, with the person's edits.
    #[serde(default)]
    pub browser_text: Option<String>,
    /// Exactly these bytes.
    #[serde(default)]
    pub base64: Option<String>,
    /// An RFC 6902 patch: not built yet.
    #[serde(default)]
    pub patch: Option<serde_json::Value>,
    /// Whether it completes a partial effect: not built yet.
    #[serde(default)]
    pub completing: Option<bool>,
    /// What was wrong.
    #[serde(default)]
    pub reason: String,
}

/// What a correction would make.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The revision it is made from.
    pub parent: i64,
    /// The corrected bytes.
    pub bytes: Vec<u8>,
    /// The difference line by line; `None` where one of the two is not text.
    pub hunks: Option<Vec<Hunk>>,
    /// Size and digest before and after.
    pub before: (usize, Sha256),
    /// The same of the corrected bytes.
    pub after: (usize, Sha256),
}

impl Verb for Correct {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let reason = reason(&self.reason)?.to_owned();
        if !work.act.caller.sees(work.item.sensitivity) {
            return Err(Refusal::AboveClearance.into());
        }
        let limit = work.act.settings.payload_limit;
        let (parent, before) = parent(&mut work.act.uow, work.item.id, self.parent).await?;
        let bytes = self.apply(&before, limit)?;
        let number = work.act.uow.revisions(work.item.id).await?.last().map_or(1, |last| last.number + 1);
        let (id, now) = (new_id(work.act.now), work.act.now);
        let digest = work.act.uow.add_payload(id, &bytes).await?;
        let by = (work.person.id, work.person.name.as_str());
        let revision = store::NewCorrection {
            number,
            payload: id,
            media_type: &parent.media_type,
            parent: parent.number,
            reason: &reason,
            source_version: parent.source_version.as_deref(),
        };
        work.act.uow.add_correction(work.item.id, &revision, by, now).await?;
        // A person has looked at the bytes that differ and made a choice.
        work.item.payload_changed = false;
        work.item.changed(format!("{} made revision {number}", work.person.name));
        work.act
            .entry()
            .detail("revision", number)
            .detail("parent", parent.number)
            .detail("sha256", digest.hex())
            .text(reason);
        Ok(())
    }
}

impl Correct {
    /// The corrected bytes; refused if nothing was changed.
    fn apply(&self, before: &[u8], limit: usize) -> Result<Vec<u8>, Refusal> {
        if self.patch.is_some() {
            return Err(Refusal::field("/patch", "Patches are not taken yet. Send the whole text, or base64."));
        }
        if self.completing == Some(true) {
            return Err(Refusal::field(
                "/completing",
                "Completing corrections need an approval, and approvals are not there yet.",
            ));
        }
        let bytes = match (&self.text, &self.browser_text, &self.base64) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(returned), None) => match std::str::from_utf8(before) {
                Ok(parent) => browser_text::apply(parent, returned).into_bytes(),
                Err(_) => {
                    return Err(Refusal::field(
                        "/text",
                        "This payload is not text. Upload the corrected file instead.",
                    ));
                }
            },
            (None, None, Some(base64)) => STANDARD
                .decode(base64.as_bytes())
                .map_err(|error| Refusal::field("/base64", format!("is not standard base64 with padding: {error}")))?,
            _ => return Err(Refusal::field("/text", "Send exactly one of text or base64.")),
        };
        if bytes.len() > limit {
            return Err(Refusal::TooLarge { limit });
        }
        if bytes == before {
            return Err(Refusal::NothingChanged);
        }
        Ok(bytes)
    }
}

/// The revision a correction is made from, with its bytes.
async fn parent(uow: &mut Uow, item: ItemId, number: i64) -> Result<(Revision, Vec<u8>)> {
    let found = uow.revisions(item).await?.into_iter().find(|revision| revision.number == number);
    let revision = found.ok_or_else(|| Refusal::field("/parent", "is not a revision of this item"))?;
    let bytes = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes).ok_or(Refusal::NoPayload)?;
    Ok((revision, bytes))
}

impl Service {
    /// What a correction would make, shown before it is saved. Nothing is kept.
    pub async fn preview_correction(&self, request: &Request, item: ItemId, correction: &Correct) -> Result<Preview> {
        let mut uow = self.store.read().await?;
        let found = items::readable(&mut uow, &request.caller, item).await?;
        if !request.caller.sees(found.sensitivity) {
            return Err(Refusal::AboveClearance.into());
        }
        let (parent, before) = parent(&mut uow, item, correction.parent).await?;
        let bytes = correction.apply(&before, self.settings.payload_limit)?;
        let hunks = match (std::str::from_utf8(&before), std::str::from_utf8(&bytes)) {
            (Ok(old), Ok(new)) => Some(line_diff(old, new)),
            _ => None,
        };
        Ok(Preview {
            parent: parent.number,
            hunks,
            before: (before.len(), Sha256::of(&before)),
            after: (bytes.len(), Sha256::of(&bytes)),
            bytes,
        })
    }
}
