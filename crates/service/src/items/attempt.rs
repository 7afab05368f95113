//! An automation tells of a further attempt: that it begins, or how it ended.

use domain::{
    access::may_report,
    attempt::{AttemptBy, Outcome},
    audit::AuditKind,
    effect::Effect,
    ids::{AttemptId, ItemId},
    item::{ActivityKind, State},
    refusal::Refusal,
    report::{self, ReportedAttempt, StatedEffect},
};
use store::{Activity, Attempt, EndedHow, Item, NewActivity};

use super::{actions::in_progress, follow_up::is_not_reported, standing};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    new_id, outcomes,
    quarantine::keep::Refused,
    report::Recorder,
};

/// How long a running attempt holds the item where the automation does not say.
const LEASE_S: i64 = 900;

/// Records one attempt.
struct RecordAttempt {
    item: ItemId,
    told: ReportedAttempt,
    lease_s: Option<i64>,
}

/// What the automation is told.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The attempt.
    pub attempt: AttemptId,
    /// Its number on the item.
    pub number: i64,
    /// The item as it stands now.
    pub item: Item,
}

impl Action for RecordAttempt {
    const NAME: &'static str = "record_attempt";
    const GATE: Gate = Gate::Automation;
    const AUDIT: AuditKind = AuditKind::AttemptAdded;
    type Output = Recorded;

    async fn perform(self, act: &mut Act<'_>) -> Result<Recorded> {
        let mut item = act.uow.lock_item(self.item).await?.ok_or(Refusal::NotFound)?;
        let token = may_report(act.caller, &item.workflow_key).map_err(|_| Refusal::NotFound)?.clone();
        act.entry().item(&item);
        is_not_reported(&item)?;
        let before = item.state;
        let live = standing::live(act, &mut item).await?;
        let step =
            act.uow.step(item.workflow_id, &item.step).await?.ok_or(Error::Fault("an item's step is not there"))?;
        let mut attempts = act.uow.attempts(item.id).await?;
        let lapsed = act.uow.lapsed_attempts(item.id).await?;
        let revision =
            act.uow.revisions(item.id).await?.iter().rev().find(|r| r.author_kind == "automation").map(|r| r.number);
        // What the automation sends it sends under its own key, whatever Recourse has sent since.
        let own = |a: &&Attempt| a.made_by == AttemptBy::Automation && a.by_id == token.id.0;
        let key = attempts.iter().rev().filter(own).find_map(|a| a.idempotency_key.clone());
        let stated = StatedEffect { idempotency_key: key, ..StatedEffect::default() };
        let recorder = Recorder { token: &token, step: &step, stated, revision };
        let number = attempts.last().map_or(1, |last| last.number + 1);
        let running = self.told.outcome == Outcome::InFlight;
        let effect = if running { Effect::Uncertain } else { recorder.effect(&self.told, true) };

        let mut was = None;
        let attempt = if running {
            may_start(act, &item, live.as_ref(), &token.name).await?;
            let attempt = recorder.attempt(
                &item,
                number,
                ReportedAttempt { started_at: self.told.started_at.or(Some(act.now)), ..self.told },
                effect,
                act.now,
            );
            act.uow.add_attempt(&attempt).await?;
            let lease_until = act.now + chrono::TimeDelta::seconds(self.lease_s.unwrap_or(LEASE_S));
            let holder = NewActivity {
                id: new_id(act.now),
                item_id: item.id,
                kind: ActivityKind::AutomationAttempt,
                attempt_id: Some(attempt.id),
                by: (token.id.0, &token.name),
                due_at: None,
                lease_until,
            };
            act.uow.begin_activity(&holder, act.now).await?.map_err(|winner| in_progress(&winner))?;
            attempt
        } else if let Some(own) = own_attempt(&mut attempts, &lapsed, &self.told, token.id.0)? {
            act.record_as(AuditKind::AttemptFinished);
            was = Some(own.clone());
            let effect = standing::effect_once_told(&mut act.uow, own, effect).await?;
            crate::report::finish(own, &self.told, effect);
            own.late = item.state == State::Closed;
            act.uow.settle_attempt(own).await?;
            if let Some(live) = live.filter(|live| live.attempt_id == Some(own.id.0)) {
                act.uow.end_activity(live.id, EndedHow::Finished, &token.name, act.now).await?;
            }
            own.clone()
        } else {
            let mut attempt = recorder.attempt(&item, number, self.told, effect, act.now);
            attempt.late = item.state == State::Closed;
            act.uow.add_attempt(&attempt).await?;
            attempt
        };
        act.entry().detail("attempt", attempt.number).detail("outcome", attempt.outcome.as_str());
        standing::derive(&mut act.uow, &mut item).await?;
        item.changed(format!("{} told of attempt {}", token.name, attempt.number));
        if attempt.late {
            act.record_as(AuditKind::LateNews);
            standing::late_news(act, &mut item, &attempt, was.as_ref()).await?;
        }
        outcomes::save(act, before, &mut item).await?;
        Ok(Recorded { attempt: attempt.id, number: attempt.number, item })
    }
}

/// Whether the automation may begin now: nothing else is live, and nobody cancelled the retry it had planned.
async fn may_start(act: &mut Act<'_>, item: &Item, live: Option<&Activity>, by: &str) -> Result<()> {
    if item.state == State::Closed {
        return Err(Refusal::Closed.into());
    }
    match live {
        Some(live) if live.kind == ActivityKind::PlannedRetry => {
            act.uow.end_activity(live.id, EndedHow::Started, by, act.now).await?;
        }
        Some(live) => return Err(in_progress(live).into()),
        None => {}
    }
    let last = act.uow.last_planned_retry(item.id).await?;
    match last {
        Some(Activity { ended_how: Some(how), ended_by: Some(by), ended_at: Some(at), .. })
            if how == "cancelled" && item.last_report_at <= at =>
        {
            Err(Refusal::RetryCancelled { by, at }.into())
        }
        _ => Ok(()),
    }
}

/// The automation's own attempt that this is word of: one under way, or one that is still uncertain. Without a number it is
/// the one under way, else the last whose lease ran out before any word of it came.
fn own_attempt<'a>(
    attempts: &'a mut [Attempt],
    lapsed: &[AttemptId],
    told: &ReportedAttempt,
    token: uuid::Uuid,
) -> Result<Option<&'a mut Attempt>, Refusal> {
    let mut own = attempts.iter_mut().rev().filter(|a| a.made_by == AttemptBy::Automation && a.by_id == token);
    let Some(number) = told.number else {
        let mut own: Vec<&mut Attempt> = own.collect();
        let silent = |a: &&mut Attempt| a.outcome == Outcome::Uncertain && lapsed.contains(&a.id);
        let meant = own.iter().position(|a| a.outcome == Outcome::InFlight).or_else(|| own.iter().position(silent));
        return Ok(meant.map(|at| own.swap_remove(at)));
    };
    match own.find(|a| a.reported_number == Some(number)) {
        Some(a) if matches!(a.outcome, Outcome::InFlight | Outcome::Uncertain) => Ok(Some(a)),
        Some(a) if a.outcome == told.outcome => Ok(Some(a)),
        Some(a) => Err(Refusal::AttemptSettled { number: a.number }),
        None => Ok(None),
    }
}

impl Service {
    /// Takes word of an attempt. Word of how one ended is never lost: what is refused is kept in quarantine.
    pub async fn record_attempt(&self, request: &Request, item: ItemId, body: &[u8]) -> Result<Recorded> {
        let refused = Refused::about(item, "attempt", body);
        let (told, lease_s) = match report::parse_attempt(body) {
            Ok(parsed) => parsed,
            Err(refusal) => return Err(self.keep(request, refused, refusal).await),
        };
        let asks_to_start = told.outcome == Outcome::InFlight;
        let action = RecordAttempt { item, told, lease_s };
        if asks_to_start {
            return self.run(request, action).await;
        }
        match self.run_to_keep(request, action).await {
            Err(Error::Refused(refusal)) => Err(self.keep(request, refused, refusal).await),
            other => other,
        }
    }
}
