//! Keeping what was refused (R17).

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    access::{Caller, may_report},
    audit::AuditKind,
    digest::Sha256,
    ids::{ItemId, QuarantineId, TokenId},
    refusal::{FieldProblem, Refusal},
    sensitivity::Sensitivity,
};
use serde_json::value::RawValue;
use store::{Item, NewQuarantine, Uow, WorkflowRow};
use uuid::Uuid;

use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
    people::add::find_or_add_team,
    report::Incoming,
};

/// Something an automation sent that was refused.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    body: Vec<u8>,
    content_type: String,
    item_header: Option<String>,
    door: &'static str,
    target: Option<ItemId>,
}

impl Refused {
    /// A report.
    pub(crate) fn report(incoming: &Incoming) -> Self {
        Self {
            body: incoming.body.clone(),
            content_type: incoming.content_type.clone(),
            item_header: incoming.item_header.as_ref().map(|header| URL_SAFE_NO_PAD.encode(header)),
            door: "report",
            target: None,
        }
    }

    /// Word about an item.
    pub(crate) fn about(item: ItemId, door: &'static str, body: &[u8]) -> Self {
        Self {
            body: body.to_vec(),
            content_type: "application/json".into(),
            item_header: None,
            door,
            target: Some(item),
        }
    }

    /// What it says of itself, as far as it can be read.
    fn said(&self) -> Said {
        let header = self.item_header.as_ref().and_then(|header| URL_SAFE_NO_PAD.decode(header).ok());
        let json = header.as_deref().unwrap_or(&self.body);
        // Of a field that comes twice the last one counts here: it is more than was said of it otherwise.
        let fields: HashMap<String, &RawValue> = serde_json::from_slice(json).unwrap_or_default();
        let word = |name: &str| -> Option<String> { serde_json::from_str(fields.get(name)?.get()).ok() };
        let key = |name| word(name).filter(|key| domain::text::key(key, domain::report::KEY_LIMIT).is_ok());
        Said {
            workflow: key("workflow"),
            step: key("step"),
            sensitivity: word("sensitivity").and_then(|word| word.parse().ok()),
        }
    }

    /// What the audit calls it where it is refused and not kept.
    fn audit(&self) -> AuditKind {
        match self.door {
            "attempt" => AuditKind::AttemptAdded,
            "amend" => AuditKind::ItemAmended,
            _ => AuditKind::ItemReported,
        }
    }
}

/// What a refused report says of itself.
struct Said {
    workflow: Option<String>,
    step: Option<String>,
    sensitivity: Option<Sensitivity>,
}

/// How sensitive a refused report is: as its step, or as the most sensitive step of its workflow where it can't be told
/// which; confidential where not even that is known. What it says itself can only be more.
async fn sensitivity(
    uow: &mut Uow,
    said: &Said,
    workflow: Option<&WorkflowRow>,
    target: Option<&Item>,
) -> Result<Sensitivity> {
    let of = |stated: Option<Sensitivity>| stated.unwrap_or(Sensitivity::Confidential);
    let known = match (target, workflow) {
        (Some(item), _) => item.sensitivity,
        (None, Some(workflow)) => {
            let step = match &said.step {
                Some(key) => uow.step(workflow.id, key).await?.filter(|step| step.registered),
                None => None,
            };
            match step {
                Some(step) => of(step.sensitivity),
                None => {
                    let steps = uow.step_sensitivities(workflow.id).await?;
                    steps.into_iter().map(of).max().unwrap_or(Sensitivity::Confidential)
                }
            }
        }
        (None, None) => Sensitivity::Confidential,
    };
    Ok(said.sensitivity.map_or(known, |said| said.max(known)))
}

/// Puts it in quarantine, under the team of the workflow it names, else of the item, else the fallback team.
struct Keep {
    refused: Refused,
    refusal: Refusal,
}

impl Action for Keep {
    const NAME: &'static str = "quarantine";
    const GATE: Gate = Gate::Automation;
    const AUDIT: AuditKind = AuditKind::ReportQuarantined;
    type Output = QuarantineId;

    async fn perform(self, act: &mut Act<'_>) -> Result<QuarantineId> {
        let Caller::Automation(token) = act.caller else { return Err(Refusal::WrongTokenKind.into()) };
        let token = token.clone();
        let said = self.refused.said();
        let known = match &said.workflow {
            Some(key) => act.uow.workflow_by_key(key).await?,
            None => None,
        };
        let target = match self.refused.target {
            Some(id) => act.uow.item(id).await?,
            None => None,
        };
        let team = match (&known, &target) {
            (Some(workflow), _) => workflow.team_id,
            (None, Some(item)) => item.team_id,
            (None, None) => {
                let fallback = act.settings.fallback_team.clone();
                find_or_add_team(act, &fallback).await?.id
            }
        };
        let sensitivity = sensitivity(&mut act.uow, &said, known.as_ref(), target.as_ref()).await?;
        let workflow_key = said.workflow.or_else(|| target.as_ref().map(|item| item.workflow_key.clone()));
        // A stranger's word about an item is not the item's story.
        match target.as_ref().filter(|item| may_report(act.caller, &item.workflow_key).is_ok()) {
            Some(item) => act.entry().item(item),
            None => act.entry().within(team, workflow_key.as_deref().unwrap_or_default()),
        };
        act.entry().refused(&self.refusal);
        let sameness = self.sameness(token.id, target.as_ref().map(|item| item.id));
        if let Some((known, repeats)) = act.uow.repeat_quarantined(sameness, act.now).await? {
            act.entry().detail("quarantine", known.to_string()).detail("repeats", repeats);
            return Ok(known);
        }
        let (id, payload_id) = (new_id(act.now), new_id(act.now));
        act.uow.add_payload(payload_id, &self.refused.body).await?;
        let new = NewQuarantine {
            id,
            team_id: team,
            workflow_key: workflow_key.as_deref(),
            token: (token.id, &token.name),
            payload_id,
            content_type: &self.refused.content_type,
            item_header: self.refused.item_header.as_deref(),
            door: self.refused.door,
            target_item: target.as_ref().map(|item| item.id),
            code: self.refusal.code(),
            reason: &domain::text::message(&self.refusal.sentence()),
            problems: problems(&self.refusal),
            sensitivity,
            sameness,
        };
        act.uow.add_quarantine(&new, act.now).await?;
        act.entry().detail("quarantine", id.to_string());
        Ok(id)
    }
}

impl Keep {
    /// What makes it the same again: who sent it, at which door, about what, byte for byte, and why it was refused.
    fn sameness(&self, token: TokenId, target: Option<ItemId>) -> Sha256 {
        let Refused { body, content_type, item_header, door, .. } = &self.refused;
        let target = target.map_or_else(Uuid::nil, |item| item.0);
        let reason = self.refusal.sentence();
        let mut parts =
            vec![token.0.as_bytes().as_slice(), door.as_bytes(), target.as_bytes(), content_type.as_bytes()];
        // Without a header it is another report than with an empty one.
        let header = item_header.as_ref().map_or_else(String::new, |header| format!("={header}"));
        parts.extend([header.as_bytes(), body]);
        parts.extend([self.refusal.code().as_bytes(), reason.as_bytes()]);
        for problem in problems(&self.refusal) {
            parts.extend([problem.pointer.as_bytes(), problem.message.as_bytes()]);
        }
        Sha256::of_parts(&parts)
    }
}

/// What is wrong with single fields.
fn problems(refusal: &Refusal) -> &[FieldProblem] {
    match refusal {
        Refusal::Invalid(problems) => problems,
        _ => &[],
    }
}

impl Service {
    /// Keeps what was refused and answers the refusal with its place; what must not be kept is just refused.
    pub(crate) async fn keep(&self, request: &Request, refused: Refused, refusal: Refusal) -> Error {
        let kept = matches!(request.caller, Caller::Automation(_))
            && !matches!(refusal, Refusal::NotSignedIn | Refusal::BadToken | Refusal::TooLarge { .. } | Refusal::Busy);
        if !kept {
            return match self.record_refusal(request, Entry::new(refused.audit()), &refusal).await {
                Ok(()) => refusal.into(),
                Err(error) => error,
            };
        }
        let keep = || Keep { refused: refused.clone(), refusal: refusal.clone() };
        let kept = match self.run(request, keep()).await {
            // The same at the same instant: this one is the repeat.
            Err(Error::Store(store::Error::Duplicate(_))) => self.run(request, keep()).await,
            other => other,
        };
        match kept {
            Ok(id) => Error::Quarantined(refusal, id),
            // Not even that: the automation must send it again, so it is told of the failure and not of the refusal.
            Err(error) => error,
        }
    }
}
