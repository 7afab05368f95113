//! Asking for a compensation: a new business action that makes an effect good, decided by another person (R11, R12).

use std::collections::BTreeMap;

use domain::{
    access::{self, Caller},
    audit::AuditKind,
    document::json::{Json, Shape, decoded, plain},
    effect::Effect,
    ids::{ApprovalId, AttemptId, ItemId},
    moves::Move,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
};
use serde::Deserialize;
use serde_json::Value;
use store::{Item, Uow};

use super::{
    Verb, Work,
    input::{Name, Said},
    read,
};
use crate::{
    Request, Result, Service,
    action::Entry,
    approvals::{
        ask,
        draw::{Intent, draw, is_of_the_step},
        outside::Outside,
        read::{RequestShown, requests},
    },
    items::{
        self,
        actions::{Answers, Doing, Field, FieldKind, Input, ItemAction, scope},
        sending,
        verbs::replay::{Wanted, ask_first},
    },
    new_id,
    payloads::sight::Sight,
};

pub const ACTION: ItemAction = ItemAction {
    step: Move::Compensate,
    label: "Ask for a compensation…",
    explanation: "A new business action that makes the effect good, by a plan of the workflow. Another person decides. Nothing is sent before.",
    permission: Permission::CompensationsRequest,
    audit: AuditKind::CompensationAsked,
    fields: &[
        Field::required("plan", "Plan", "One of the step's plans.", FieldKind::Line),
        Field::optional("parameters", "Parameters", "What the plan asks for, by name.", FieldKind::Object),
        Field::optional(
            "attempt",
            "Of which attempt",
            "The one whose effect stands, if there is only one.",
            FieldKind::Attempt,
        ),
        Field::required("reason", "Reason", "Why it has to be made good.", FieldKind::Text),
    ],
    needs_version: true,
    answers: Answers::Approval,
    run: ask_for,
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compensate {
    plan: Name,
    parameters: Option<String>,
    attempt: Option<AttemptId>,
    reason: Said,
}

fn ask_for<'a>(
    service: &'a Service,
    request: &'a Request,
    item: ItemId,
    input: Input,
    expected: Option<i64>,
) -> Doing<'a> {
    Box::pin(ask_first::<Compensate>(service, request, item, input, expected))
}

/// The parameters, each as it was written.
fn parameters(text: Option<&str>) -> Result<BTreeMap<String, String>, Refusal> {
    let Some(text) = text.filter(|text| *text != "null") else { return Ok(BTreeMap::new()) };
    let wrong = || Refusal::field("/parameters", "must be an object of texts and numbers");
    let json = Json::read(text).map_err(|_| wrong())?;
    if json.shape(json.root()) != Shape::Object {
        return Err(wrong());
    }
    let mut read = BTreeMap::new();
    let mut problems = Vec::new();
    for member in json.children(json.root()) {
        let name = String::from_utf8_lossy(&decoded(json.key(member).unwrap_or_default())).into_owned();
        let value = match json.shape(member) {
            Shape::String => plain(json.raw(member)).map(|text| text.into_owned()),
            Shape::Number => Some(json.raw(member).to_owned()),
            _ => None,
        };
        match value {
            Some(value) if !read.contains_key(&name) => drop(read.insert(name, value)),
            _ => problems.push(FieldProblem::new(format!("/parameters/{name}"), "must be one text or number")),
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(Refusal::Invalid(problems)) }
}

/// The attempt whose effect is to be made good: the one that was named, else the only one that stands.
async fn which(uow: &mut Uow, item: &Item, named: Option<AttemptId>) -> Result<AttemptId> {
    let doubles = uow.double_effects(item.id).await?;
    let doubted = |id: AttemptId| doubles.iter().any(|d| d.late_attempt_id == id || d.attempt_id == Some(id.0));
    let attempts = uow.attempts(item.id).await?;
    let stand: Vec<_> = attempts
        .iter()
        .filter(|a| is_of_the_step(a) && matches!(a.effect, Effect::Confirmed | Effect::Partial))
        .filter(|a| a.epoch == item.epoch || doubted(a.id))
        .collect();
    match (named, stand.as_slice()) {
        (Some(named), stand) if stand.iter().any(|a| a.id == named) => Ok(named),
        (Some(_), _) | (None, []) => {
            Err(Refusal::field("/attempt", "is not an attempt of this item whose effect stands").into())
        }
        (None, [only]) => Ok(only.id),
        (None, several) => {
            Err(Refusal::WhichAttempt { numbers: several.iter().map(|a| (a.number, a.id)).collect() }.into())
        }
    }
}

/// What is wanted, without why.
#[derive(Debug, Deserialize)]
struct Planned {
    plan: Name,
    parameters: Option<String>,
    attempt: Option<AttemptId>,
}

async fn intent(
    uow: &mut Uow,
    item: &Item,
    (plan, written, attempt): (&str, Option<&str>, Option<AttemptId>),
) -> Result<Intent> {
    Ok(Intent::Compensation {
        plan: plan.to_owned(),
        attempt: which(uow, item, attempt).await?,
        parameters: parameters(written)?,
        running: None,
    })
}

impl Service {
    /// What a compensation would send, before it is asked for. Nothing is kept; what other systems show is looked at when it
    /// is asked for, and each request has a key of its own from then on.
    pub async fn preview_compensation(&self, request: &Request, id: ItemId, input: Value) -> Result<Vec<RequestShown>> {
        let read = self.read_preview(&request.caller, id, input);
        self.reading(request, Entry::new(ACTION.audit), Some(id), read).await
    }

    async fn read_preview(&self, caller: &Caller, id: ItemId, input: Value) -> Result<Vec<RequestShown>> {
        let mut uow = self.store.read().await?;
        let item = items::readable(&mut uow, caller, id).await?;
        access::may(caller, Permission::CompensationsRequest, scope(&item))?;
        let planned: Planned = read::from_json(input)?;
        let asked = (planned.plan.0.as_str(), planned.parameters.as_deref(), planned.attempt);
        let intent = intent(&mut uow, &item, asked).await?;
        let (as_if, now) = (new_id::<ApprovalId>(self.now()), self.now());
        let drawn = draw(&mut uow, &item, (&intent, as_if), &[], &Outside::default(), now).await?;
        let found = sending::step_of(&mut uow, &item).await?;
        let sight = Sight::of(caller, &item, found.as_ref().map(|found| &found.step));
        let hidden = sight.see(&drawn.bytes).hides();
        Ok(requests(&drawn.bound, Some(&drawn), hidden).into_iter().map(without_key).collect())
    }
}

/// A request whose key is made when it is asked for: where it is a part of what is sent, its name stands for it.
fn without_key(shown: RequestShown) -> RequestShown {
    let Some((_, key)) = &shown.key else { return shown };
    let named = |text: &str| text.replace(key, "{key}");
    let sha256 = shown.sha256.clone().filter(|_| !shown.body.as_ref().is_some_and(|body| body.contains(key)));
    let (request, body) = (named(&shown.request), shown.body.as_deref().map(named));
    RequestShown { key: None, request, sha256, body, ..shown }
}

impl Wanted for Compensate {
    async fn intent(&self, uow: &mut Uow, item: &Item) -> Result<Intent> {
        intent(uow, item, (&self.plan.0, self.parameters.as_deref(), self.attempt)).await
    }

    async fn ask(self, work: &mut Work<'_, '_>, outside: &Outside) -> Result<()> {
        let intent = self.intent(&mut work.act.uow, work.item).await?;
        let (id, now) = (new_id::<ApprovalId>(work.act.now), work.act.now);
        let drawn = draw(&mut work.act.uow, work.item, (&intent, id), &[], outside, now).await?;
        work.act.entry().detail("plan", self.plan.0.as_str());
        ask::ask(work, id, &drawn, &self.reason.0).await
    }
}

impl Verb for Compensate {
    const ACTION: ItemAction = ACTION;

    /// Whether it may be asked for at all; what other systems show is looked at next.
    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let intent = self.intent(&mut work.act.uow, work.item).await?;
        let (id, now) = (new_id::<ApprovalId>(work.act.now), work.act.now);
        draw(&mut work.act.uow, work.item, (&intent, id), &[], &Outside::default(), now).await?;
        work.act.no_entry();
        Ok(())
    }
}
