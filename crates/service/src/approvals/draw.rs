//! Drawing up what would be done, exactly: once when it is asked for, again when it is decided and before it is sent.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    approval::{ApprovalKind, Bound, Policy, Sending},
    digest::Sha256,
    effect::Effect,
    ids::{ApprovalId, AttemptId, CompensationId},
    refusal::Refusal,
    replay::Accept,
    workflow::{Compensation, Condition, Part, body, fill::Values},
};
use store::{Attempt, Item, Revision, Uow};

use super::outside::{Outside, Places};
use crate::{
    Error, Result,
    items::{
        sending::{self, Found},
        standing,
    },
};

/// What somebody wants to be done.
#[derive(Debug, Clone)]
pub(crate) enum Intent {
    /// A revision is sent.
    Replay { revision: i64 },
    /// The effect of an attempt is made good.
    Compensation {
        plan: String,
        attempt: AttemptId,
        parameters: BTreeMap<String, String>,
        /// The one that is under way already: what it has done is no reason to leave it out.
        running: Option<CompensationId>,
    },
}

impl Intent {
    /// What was wanted.
    pub(crate) fn of(bound: &Bound) -> Self {
        match (&bound.plan, bound.attempt) {
            (Some(plan), Some(attempt)) => {
                let parameters = bound.parameters.clone();
                Self::Compensation { plan: plan.clone(), attempt, parameters, running: None }
            }
            _ => Self::Replay { revision: bound.revision },
        }
    }
}

/// What would be done.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// All that an approval rests on.
    pub(crate) bound: Bound,
    /// The revision that is sent, or was.
    pub(crate) revision: Revision,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// The plan of a compensation.
    pub(crate) plan: Option<Compensation>,
    /// The bodies of its requests, where they are not the revision's bytes.
    pub(crate) bodies: Vec<Vec<u8>>,
}

/// Draws it up from how everything stands now; refused where it can't be done like that.
pub(crate) async fn draw(
    uow: &mut Uow,
    item: &Item,
    (intent, id): (&Intent, ApprovalId),
    accepted: &[Accept],
    outside: &Outside,
    now: DateTime<Utc>,
) -> Result<Drawn> {
    let found = sending::step_of(uow, item).await?.ok_or(Refusal::NoDestination { pull: false })?;
    match intent {
        Intent::Replay { revision } => replay(uow, item, &found, *revision, accepted, outside, now).await,
        Intent::Compensation { plan, attempt, parameters, running } => {
            let plan = plan_of(&found, plan)?;
            let attempt = attempt_of(uow, item, *attempt).await?;
            let asked = Asked { plan, attempt: &attempt, parameters, id, running: *running };
            compensation(uow, item, &found, asked, outside).await
        }
    }
}

/// The same for what was asked for before; what has changed where it can't be drawn up any more.
pub(crate) async fn again(
    uow: &mut Uow,
    item: &Item,
    (bound, id): (&Bound, ApprovalId),
    outside: &Outside,
    now: DateTime<Utc>,
) -> Result<Result<Drawn, Vec<String>>> {
    again_as(uow, item, (bound, &Intent::of(bound), id), outside, now).await
}

/// The same, where it is under way by now.
pub(crate) async fn again_as(
    uow: &mut Uow,
    item: &Item,
    (bound, intent, id): (&Bound, &Intent, ApprovalId),
    outside: &Outside,
    now: DateTime<Utc>,
) -> Result<Result<Drawn, Vec<String>>> {
    match draw(uow, item, (intent, id), &bound.accepted, outside, now).await {
        Ok(drawn) => {
            let changes = bound.changes(&drawn.bound);
            Ok(if changes.is_empty() { Ok(drawn) } else { Err(changes) })
        }
        Err(Error::Refused(refusal)) => Ok(Err(vec![refusal.sentence()])),
        Err(error) => Err(error),
    }
}

/// Where other systems have to be looked at for it.
pub(crate) async fn places(uow: &mut Uow, item: &Item, intent: &Intent) -> Result<Places> {
    let found = sending::step_of(uow, item).await?.ok_or(Refusal::NoDestination { pull: false })?;
    let nowhere = BTreeMap::new();
    let (number, record, only_if, params): (_, _, Option<&Condition>, _) = match intent {
        Intent::Replay { revision } => (*revision, item.record_id.clone(), None, &nowhere),
        Intent::Compensation { plan, attempt, parameters, .. } => {
            let attempt = attempt_of(uow, item, *attempt).await?;
            let attempts = uow.attempts(item.id).await?;
            let record = standing::record_of(item, &attempts, &attempt).map(str::to_owned);
            (attempt.revision.unwrap_or(1), record, plan_of(&found, plan)?.only_if.as_ref(), parameters)
        }
    };
    let (_, bytes) = content(uow, item, number).await?;
    let values = Values { key: None, record_id: record.as_deref(), payload: Some(&bytes), params: Some(params) };
    Ok(Places::of(found.step.source.as_ref(), only_if, values))
}

async fn content(uow: &mut Uow, item: &Item, number: i64) -> Result<(Revision, Vec<u8>)> {
    let revision = uow.revisions(item.id).await?.into_iter().find(|revision| revision.number == number);
    let revision = revision.ok_or_else(|| Refusal::field("/revision", "is not a revision of this item"))?;
    let bytes = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes).ok_or(Refusal::NoPayload)?;
    Ok((revision, bytes))
}

fn policy(found: &Found) -> Policy {
    let step = &found.step;
    Policy {
        approvers: 1,
        replay_approval: step.replay_approval,
        schema: found.schema.as_ref().map(|schema| Sha256::of(schema.as_bytes()).hex()),
        editable: step.editable.iter().map(ToString::to_string).collect(),
        source: step.source.clone(),
        only_if: None,
        undoes: None,
        cannot_undo: None,
    }
}

async fn replay(
    uow: &mut Uow,
    item: &Item,
    found: &Found,
    number: i64,
    accepted: &[Accept],
    outside: &Outside,
    now: DateTime<Utc>,
) -> Result<Drawn> {
    let plan = sending::plan(uow, item, found, number, now).await?;
    if let Some(refusal) = plan.unsuited {
        return Err(refusal.into());
    }
    let mut demands = plan.demands;
    let moved = |version: &String| plan.revision.source_version.as_ref().is_some_and(|made| made != version);
    if outside.source_version.as_ref().is_some_and(moved) && !demands.contains(&Accept::SourceChanged) {
        demands.push(Accept::SourceChanged);
    }
    let open: Vec<Accept> = demands.iter().copied().filter(|wanted| !accepted.contains(wanted)).collect();
    if !open.is_empty() {
        return Err(Refusal::NeedsDecision(open).into());
    }
    let request = plan.request.map_err(|why| Refusal::field("/revision", why))?;
    let (revision, bytes) = content(uow, item, number).await?;
    let sends = vec![Sending {
        part: None,
        request,
        destination: plan.destination,
        key: plan.key,
        sha256: revision.sha256.hex(),
        size: bytes.len(),
    }];
    let bound = Bound {
        action: ApprovalKind::Replay,
        item: item.id,
        epoch: item.epoch,
        effect: item.effect,
        revision: number,
        sha256: revision.sha256.hex(),
        attempt: None,
        plan: None,
        parameters: BTreeMap::new(),
        accepted: accepted.to_vec(),
        sends,
        policy: policy(found),
        source_version: outside.source_version.clone().or_else(|| item.source_version.clone()),
    };
    Ok(Drawn { bound, revision, bytes, plan: None, bodies: Vec::new() })
}

struct Asked<'a> {
    plan: &'a Compensation,
    attempt: &'a Attempt,
    parameters: &'a BTreeMap<String, String>,
    id: ApprovalId,
    running: Option<CompensationId>,
}

async fn compensation(uow: &mut Uow, item: &Item, found: &Found, asked: Asked<'_>, outside: &Outside) -> Result<Drawn> {
    let Asked { plan, attempt, parameters, id, running } = asked;
    check(plan, parameters)?;
    // Of a part that may have happened nothing follows before somebody has found out (R4).
    let other = |a: &Attempt| running.is_none_or(|running| a.compensation_id != Some(running.0));
    let in_doubt = |a: &Attempt| a.effect == Effect::Uncertain && a.compensation_id.is_some() && other(a);
    let attempts = uow.attempts(item.id).await?;
    if attempts.iter().any(in_doubt) {
        return Err(Refusal::NothingToCompensate { effect: Effect::Uncertain }.into());
    }
    let (revision, bytes) = content(uow, item, attempt.revision.unwrap_or(1)).await?;
    let record = standing::record_of(item, &attempts, attempt);
    let done = parts_done(uow, item, attempt, plan, running).await?;
    let (mut sends, mut bodies) = (Vec::new(), Vec::new());
    for (number, part) in plan.parts.iter().enumerate().filter(|(number, _)| !done.contains(number)) {
        let key = format!("recourse-{id}-{number}");
        let values = Values { key: Some(&key), record_id: record, payload: Some(&bytes), params: Some(parameters) };
        let wrong = |why: String| Refusal::field("/plan", format!("{}: {why}", part.name));
        let url = part.url.fill(values).map_err(wrong)?;
        let text = part.body.as_ref().map(|template| body::fill(template, values, &plan.params));
        let text = text.transpose().map_err(wrong)?.unwrap_or_default();
        let destination = part.destination();
        sends.push(Sending {
            part: Some(part.name.to_string()),
            request: format!("{} {url}", destination.method()),
            destination,
            key,
            sha256: Sha256::of(text.as_bytes()).hex(),
            size: text.len(),
        });
        bodies.push(text.into_bytes());
    }
    if sends.is_empty() {
        return Err(Refusal::field("/plan", "All its parts were done before.").into());
    }
    let bound = Bound {
        action: ApprovalKind::Compensation,
        item: item.id,
        epoch: item.epoch,
        effect: item.effect,
        revision: revision.number,
        sha256: revision.sha256.hex(),
        attempt: Some(attempt.id),
        plan: Some(plan.key.to_string()),
        parameters: parameters.clone(),
        accepted: Vec::new(),
        sends,
        policy: Policy {
            approvers: plan.approvers,
            only_if: plan.only_if.clone(),
            undoes: Some(plan.undoes),
            cannot_undo: Some(plan.cannot_undo.clone()),
            ..policy(found)
        },
        source_version: outside.source_version.clone().or_else(|| item.source_version.clone()),
    };
    Ok(Drawn { bound, revision, bytes, plan: Some(plan.clone()), bodies })
}

/// Every parameter is there, fits, and is known.
fn check(plan: &Compensation, parameters: &BTreeMap<String, String>) -> Result<(), Refusal> {
    let problem = |key: &str, why: String| domain::refusal::FieldProblem::new(format!("/parameters/{key}"), why);
    let known = |key: &String| plan.params.iter().any(|param| param.key.as_str() == key);
    let unknown =
        parameters.keys().filter(|key| !known(key)).map(|key| problem(key, "is no parameter of this plan".into()));
    let wrong = plan.params.iter().filter_map(|param| match parameters.get(param.key.as_str()) {
        None => Some(problem(param.key.as_str(), "Fill this in.".into())),
        Some(value) => param.check(value).err().map(|why| problem(param.key.as_str(), why)),
    });
    let problems: Vec<_> = unknown.chain(wrong).collect();
    if problems.is_empty() { Ok(()) } else { Err(Refusal::Invalid(problems)) }
}

fn plan_of<'f>(found: &'f Found, key: &str) -> Result<&'f Compensation, Refusal> {
    let plan = found.step.compensations.iter().find(|plan| plan.key.as_str() == key);
    plan.ok_or_else(|| Refusal::field("/plan", "is not a plan of this step"))
}

async fn attempt_of(uow: &mut Uow, item: &Item, id: AttemptId) -> Result<Attempt> {
    let stands =
        |a: &Attempt| a.id == id && is_of_the_step(a) && matches!(a.effect, Effect::Confirmed | Effect::Partial);
    let attempt = uow.attempts(item.id).await?.into_iter().find(stands);
    Ok(attempt.ok_or_else(|| Refusal::field("/attempt", "is not an attempt of this item whose effect stands"))?)
}

/// Whether an attempt's effect is one of the step, and was not made good.
pub(crate) fn is_of_the_step(attempt: &Attempt) -> bool {
    attempt.compensation_id.is_none() && !attempt.made_good
}

/// The parts of a plan that an earlier compensation of the same effect has carried out: nothing is done twice.
pub(crate) async fn parts_done(
    uow: &mut Uow,
    item: &Item,
    attempt: &Attempt,
    plan: &Compensation,
    but: Option<CompensationId>,
) -> Result<Vec<usize>> {
    let earlier = uow.compensations(item.id).await?;
    let same = |id: uuid::Uuid| {
        earlier
            .iter()
            .any(|c| c.id.0 == id && Some(c.id) != but && c.attempt_id == attempt.id && c.plan.key == plan.key)
    };
    let attempts = uow.attempts(item.id).await?;
    // By name: a plan may have been put in another order since.
    let name = |a: &Attempt| {
        let compensation = earlier.iter().find(|c| Some(c.id.0) == a.compensation_id)?;
        compensation.plan.parts.get(usize::try_from(a.part?).ok()?).map(|part| part.name.to_string())
    };
    let happened = |a: &&Attempt| matches!(a.effect, Effect::Confirmed | Effect::Partial);
    let done = attempts.iter().filter(happened).filter(|a| a.compensation_id.is_some_and(same));
    let done: Vec<String> = done.filter_map(name).collect();
    let is_done = |part: &Part| done.iter().any(|name| name == part.name.as_str());
    Ok(plan.parts.iter().enumerate().filter(|(_, part)| is_done(part)).map(|(number, _)| number).collect())
}

/// The address that a request names behind its method.
pub(crate) fn address(request: &str) -> Option<String> {
    request.split_once(' ').map(|(_, url)| url.to_owned())
}
