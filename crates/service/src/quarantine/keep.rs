//! Keeping what was refused (R17).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    access::Caller,
    audit::AuditKind,
    ids::{ItemId, QuarantineId},
    refusal::{FieldProblem, Refusal},
};
use store::NewQuarantine;

use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
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

    /// The workflow it names, as far as it can be read.
    fn workflow(&self) -> Option<String> {
        #[derive(serde::Deserialize)]
        struct Named {
            workflow: Option<String>,
        }
        let header = self.item_header.as_ref().and_then(|header| URL_SAFE_NO_PAD.decode(header).ok());
        let json = header.as_deref().unwrap_or(&self.body);
        let named: Named = serde_json::from_slice(json).ok()?;
        named.workflow.filter(|key| domain::text::key(key, domain::report::KEY_LIMIT).is_ok())
    }
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
        let named = self.refused.workflow();
        let known = match &named {
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
        let workflow_key = named.or_else(|| target.as_ref().map(|item| item.workflow_key.clone()));
        let (id, payload_id) = (new_id(act.now), new_id(act.now));
        act.uow.add_payload(payload_id, &self.refused.body).await?;
        let problems: &[FieldProblem] = match &self.refusal {
            Refusal::Invalid(problems) => problems,
            _ => &[],
        };
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
            problems,
        };
        act.uow.add_quarantine(&new, act.now).await?;
        act.entry().within(team, workflow_key.as_deref().unwrap_or_default());
        act.entry().detail("quarantine", id.to_string()).detail("code", self.refusal.code());
        Ok(id)
    }
}

impl Service {
    /// Keeps what was refused and answers the refusal with its place; what must not be kept is just refused.
    pub(crate) async fn keep(&self, request: &Request, refused: Refused, refusal: Refusal) -> Error {
        let kept = matches!(request.caller, Caller::Automation(_))
            && !matches!(refusal, Refusal::NotSignedIn | Refusal::BadToken | Refusal::TooLarge { .. } | Refusal::Busy);
        if !kept {
            return refusal.into();
        }
        match self.run(request, Keep { refused, refusal: refusal.clone() }).await {
            Ok(id) => Error::Quarantined(refusal, id),
            // Not even that: the automation must send it again, so it is told of the failure and not of the refusal.
            Err(error) => error,
        }
    }
}
