//! Telling automations how their work ended (R9): events, and their acknowledgement.

use domain::{
    access::may_report,
    audit::AuditKind,
    effect::Effect,
    item::{Resolution, State},
    refusal::Refusal,
    report::StepStatus,
};
use serde::{Deserialize, Serialize};
use store::{Item, Uow};

use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    ageing,
    approvals::draw::is_of_the_step,
};

/// Events of a page.
pub const PAGE: i64 = 100;

/// What an automation is told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Event {
    /// `closed` or `reopened`.
    pub event: String,
    /// The item.
    pub item: domain::ids::ItemId,
    /// Names the work.
    pub dedupe_key: String,
    /// Ties items of one run together.
    pub correlation_id: Option<String>,
    /// The step.
    pub step: String,
    /// How it ended; none for a reopening.
    pub resolution: Option<String>,
    /// What is known about the side effect.
    pub effect: String,
    /// The other system's record.
    pub record_id: Option<String>,
    /// The revision that was accepted, or whose effect stands.
    pub revision: Option<i64>,
    /// SHA-256 of that revision, in hexadecimal.
    pub revision_sha256: Option<String>,
    /// That revision does only the rest of what happened in part before.
    #[serde(default)]
    pub completing: bool,
    /// The version of the workflow that did the work.
    pub workflow_version: Option<String>,
    /// Steps that were not started: what the automation goes on with.
    pub remaining_steps: Vec<String>,
    /// When.
    pub at: chrono::DateTime<chrono::Utc>,
}

/// One page of events.
#[derive(Debug, Clone)]
pub struct Outcomes {
    /// In their order, each with its number.
    pub events: Vec<(i64, Event)>,
    /// Whether there are more.
    pub more: bool,
}

/// Sets an item's clocks, saves it and, where it closed or came back, tells its automation. The only way a change of an item is kept.
pub(crate) async fn save(act: &mut Act<'_>, before: State, item: &mut Item) -> Result<()> {
    if before != State::Open && item.state == State::Open {
        // While it was under way nobody else was waited for.
        item.worked_until = item.worked_until.map(|until| until.max(act.now));
    }
    ageing::set(act, item).await?;
    act.uow.save_item(item).await?;
    let event = match (before == State::Closed, item.state == State::Closed) {
        (false, true) => "closed",
        (true, false) => "reopened",
        _ => return Ok(()),
    };
    tell_of(act, item, event).await
}

/// Tells the automation of something that happened to its item, in its order. A follow-up is none of its items: people made it.
pub(crate) async fn tell_of(act: &mut Act<'_>, item: &Item, event: &str) -> Result<()> {
    if item.follow_up_of.is_some() {
        return Ok(());
    }
    let event = tell(&mut act.uow, item, event, act.now).await?;
    let event = serde_json::to_string(&event).map_err(|_| Error::Fault("an event can't be written"))?;
    Ok(act.uow.add_outcome(item.workflow_id, item.id, &event, act.now).await?)
}

async fn tell(uow: &mut Uow, item: &Item, event: &str, at: chrono::DateTime<chrono::Utc>) -> Result<Event> {
    let attempts = uow.attempts(item.id).await?;
    let standing =
        attempts.iter().rev().find(|a| is_of_the_step(a) && a.epoch == item.epoch && a.effect == Effect::Confirmed);
    // What was accepted was chosen by a person; else it is what the attempt sent whose effect stands.
    let chosen = match item.resolution {
        Some(Resolution::Accepted) => uow.last_decision(item.id).await?.and_then(|decided| decided.revision),
        _ => None,
    };
    let revision = chosen.or_else(|| standing.and_then(|attempt| attempt.revision));
    let revisions = uow.revisions(item.id).await?;
    let found = revisions.iter().find(|r| Some(r.number) == revision);
    let digest = found.map(|revision| revision.sha256.hex());
    let pending = item.steps.iter().filter(|step| step.status == StepStatus::Pending);
    Ok(Event {
        event: event.to_owned(),
        item: item.id,
        dedupe_key: item.dedupe_key.clone(),
        correlation_id: item.correlation_id.clone(),
        step: item.step.clone(),
        resolution: item.resolution.map(|resolution| resolution.as_str().to_owned()),
        effect: item.effect.as_str().to_owned(),
        record_id: item.record_id.clone(),
        revision,
        revision_sha256: digest,
        completing: found.is_some_and(|revision| revision.completing),
        workflow_version: item.workflow_version.clone(),
        remaining_steps: pending.map(|step| step.name.clone()).collect(),
        at,
    })
}

/// Notes that an automation has taken its events.
#[derive(Debug)]
pub struct Acknowledge {
    /// The workflow's key.
    pub workflow: String,
    /// The number of the last event it has taken.
    pub through: i64,
}

impl Action for Acknowledge {
    const NAME: &'static str = "acknowledge_outcomes";
    const GATE: Gate = Gate::Automation;
    const AUDIT: AuditKind = AuditKind::OutcomesAcknowledged;
    /// How many were new to it.
    type Output = u64;

    async fn perform(self, act: &mut Act<'_>) -> Result<u64> {
        may_report(act.caller, &self.workflow).map_err(|_| Refusal::NotFound)?;
        let workflow = act.uow.workflow_by_key(&self.workflow).await?.ok_or(Refusal::NotFound)?;
        act.entry().within(workflow.team_id, &workflow.key).detail("through", self.through);
        let taken = act.uow.acknowledge(workflow.id, self.through, act.now).await?;
        if taken == 0 {
            act.nothing_changed();
        } else {
            act.entry().detail("events", taken);
        }
        Ok(taken)
    }
}

impl Service {
    /// A workflow's events after a number; without one, those that were not acknowledged.
    pub async fn outcomes(&self, request: &Request, workflow: &str, after: Option<i64>) -> Result<Outcomes> {
        may_report(&request.caller, workflow).map_err(|_| Refusal::NotFound)?;
        let mut uow = self.store.read().await?;
        let Some(row) = uow.workflow_by_key(workflow).await? else {
            return Ok(Outcomes { events: Vec::new(), more: false });
        };
        let mut rows = uow.outcomes(row.id, after, PAGE + 1).await?;
        let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
        if more {
            rows.pop();
        }
        let read = |event: &str| serde_json::from_str(event).map_err(|_| Error::Fault("a stored event can't be read"));
        let events = rows.iter().map(|row| Ok((row.number, read(&row.event)?))).collect::<Result<_>>()?;
        Ok(Outcomes { events, more })
    }
}
