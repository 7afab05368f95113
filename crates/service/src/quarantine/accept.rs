//! Accepting a report from quarantine: as it is, corrected, or by mapping its bytes as a payload.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use domain::{
    audit::AuditKind,
    digest::Sha256,
    document::browser_text,
    ids::{ItemId, QuarantineId},
    permission::Permission,
    refusal::Refusal,
    report,
};
use serde_json::json;
use store::{Decision, QuarantineState, Quarantined};

use super::{
    close::{checked_note, lost},
    read::{bytes, decided, readable},
};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    new_id,
    report::{Incoming, take::TakeReport},
    tokens::authenticate::sender,
};

/// What a person makes of a report.
#[derive(Debug, Clone)]
pub enum Acceptance {
    /// It is right as it is; what stood against it is gone (a token was bound, say).
    Unchanged,
    /// The report's text as a browser returned it, with the person's edits.
    Corrected(String),
    /// The bytes are the payload; the person says what they belong to.
    Mapped(Mapping),
}

/// What a person says of bytes that are no report.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// The workflow's key.
    pub workflow: String,
    /// The step's key.
    pub step: String,
    /// Names the work.
    pub dedupe_key: String,
    /// `dead_letter` or `needs_review`.
    pub lane: String,
    /// `none`, `confirmed`, `uncertain` or `partial`.
    pub effect: String,
    /// What went wrong, in words.
    pub message: String,
}

/// Accepts a report: in one transaction it becomes an item and leaves quarantine.
#[derive(Debug)]
pub struct AcceptQuarantined {
    id: QuarantineId,
    acceptance: Acceptance,
    note: String,
}

impl Action for AcceptQuarantined {
    const NAME: &'static str = "quarantine.accept";
    const GATE: Gate = Gate::Within(Permission::QuarantineWork);
    const AUDIT: AuditKind = AuditKind::QuarantineAccepted;
    type Output = ItemId;

    async fn perform(self, act: &mut Act<'_>) -> Result<ItemId> {
        let kept = readable(&mut act.uow, act.caller, self.id, Permission::QuarantineWork).await?;
        act.entry().within(kept.team_id, kept.workflow_key.as_deref().unwrap_or_default());
        act.entry().detail("quarantine", self.id.to_string());
        let note = checked_note(&self.note)?;
        if let Some(refusal) = decided(&kept) {
            return Err(refusal.into());
        }
        if kept.door != "report" {
            return Err(Refusal::field(
                "",
                "This is word about an item, not a report of one. Look at it, act on the item, and close it here.",
            )
            .into());
        }
        if !act.caller.sees(kept.sensitivity) && !matches!(self.acceptance, Acceptance::Unchanged) {
            // Whoever can't read it can't say what it is: mapped to a lesser step, it would be shown to them.
            return Err(Refusal::AboveClearance.into());
        }
        let raw = bytes(&mut act.uow, kept.payload_id).await?;
        let limit = act.settings.payload_limit;
        let (parsed, content, mode) = match self.acceptance {
            Acceptance::Unchanged => (read_kept(&kept, &raw, limit)?, None, "unchanged"),
            Acceptance::Corrected(text) => {
                let corrected = correct(&kept, &raw, &text);
                (report::parse(corrected.as_bytes(), limit)?, Some(corrected.into_bytes()), "corrected")
            }
            Acceptance::Mapped(mapping) => {
                let text = map(&mapping, &kept.content_type, &raw);
                (report::parse(text.as_bytes(), limit).map_err(under_form)?, Some(text.into_bytes()), "mapped")
            }
        };
        let author = sender(&mut act.uow, kept.token_id).await?;
        let digest = content.as_deref().map_or_else(|| as_sent(&kept, &raw).digest(), Sha256::of);
        let own_name = content.is_none() && !is_taken(act, &parsed, digest).await?;
        // Mapped or corrected, or under a name that was taken, it is a new report of that work.
        let report_id = if own_name { parsed.report_id } else { Some(format!("quarantine:{}", kept.id)) };
        let report = domain::report::Report { report_id, ..parsed };
        let taken = TakeReport { report, digest, from_quarantine: Some((kept.id, author)) }.perform(act).await?;
        if taken.repeat {
            // The automation has sent it again meanwhile, and it was taken then.
            act.entry().within(kept.team_id, kept.workflow_key.as_deref().unwrap_or_default());
            act.entry().detail("quarantine", self.id.to_string());
        }
        let corrected = match &content {
            Some(bytes) => {
                let payload = new_id(act.now);
                act.uow.add_payload(payload, bytes).await?;
                Some(payload)
            }
            None => None,
        };
        let (by, item) = (act.caller.name().to_owned(), taken.answer.id);
        let decision = Decision { state: QuarantineState::Accepted, item: Some(item), corrected, by: &by, note: &note };
        let won = act.uow.decide_quarantined(self.id, &decision, act.now).await?;
        if !won {
            return Err(lost(act, self.id).await);
        }
        act.uow.settle_subjects(self.id.0, act.now).await?;
        act.record_as(AuditKind::QuarantineAccepted).detail("mode", mode).text(note);
        Ok(item)
    }
}

/// Whether the name of a report was used for other content.
async fn is_taken(act: &mut Act<'_>, report: &report::Report, digest: Sha256) -> Result<bool> {
    let Some(workflow) = act.uow.workflow_by_key(&report.workflow).await? else { return Ok(false) };
    let name = report.report_id.clone().unwrap_or_else(|| digest.hex());
    Ok(act.uow.report(workflow.id, &name).await?.is_some_and(|known| known.digest != digest))
}

/// The report as it came in.
fn as_sent(kept: &Quarantined, raw: &[u8]) -> Incoming {
    let header = kept.item_header.as_ref().map(|header| URL_SAFE_NO_PAD.decode(header).unwrap_or_default());
    Incoming { body: raw.to_vec(), content_type: kept.content_type.clone(), item_header: header }
}

/// The report as it was sent, read again.
fn read_kept(kept: &Quarantined, raw: &[u8], limit: usize) -> Result<report::Report, Refusal> {
    match &kept.item_header {
        Some(header) => {
            let head = URL_SAFE_NO_PAD.decode(header).unwrap_or_default();
            report::parse_with_body(&head, &kept.content_type, raw, limit)
        }
        None => report::parse(raw, limit),
    }
}

/// The person's edits, on the bytes that were kept (R2).
fn correct(kept: &Quarantined, raw: &[u8], text: &str) -> String {
    match (std::str::from_utf8(raw), &kept.item_header) {
        (Ok(parent), None) => browser_text::apply(parent, text),
        _ => text.to_owned(),
    }
}

/// A report around bytes that are none.
fn map(mapping: &Mapping, content_type: &str, raw: &[u8]) -> String {
    json!({
        "workflow": mapping.workflow, "step": mapping.step, "dedupe_key": mapping.dedupe_key, "lane": mapping.lane,
        "effect": { "status": mapping.effect }, "failure": { "message": mapping.message },
        "payload": { "media_type": content_type, "base64": STANDARD.encode(raw) },
    })
    .to_string()
}

/// Names the form's fields instead of the report's.
fn under_form(refusal: Refusal) -> Refusal {
    let Refusal::Invalid(problems) = refusal else { return refusal };
    Refusal::Invalid(
        problems
            .into_iter()
            .map(|mut problem| {
                problem.pointer = match problem.pointer.as_str() {
                    "/failure/message" => "/message".into(),
                    "/effect/status" => "/effect".into(),
                    _ => problem.pointer,
                };
                problem
            })
            .collect(),
    )
}

impl Service {
    /// Accepts a report from quarantine; answers the item.
    pub async fn accept_quarantined(
        &self,
        request: &Request,
        id: QuarantineId,
        acceptance: Acceptance,
        note: &str,
    ) -> Result<ItemId> {
        let action = || AcceptQuarantined { id, acceptance: acceptance.clone(), note: note.to_owned() };
        match self.run(request, action()).await {
            // Two people at once: the loser's second try is told who won.
            Err(Error::Store(store::Error::Duplicate(_))) => self.run(request, action()).await,
            other => other,
        }
    }
}
