//! Looking at clocks that have run down: what is late is told, and what is late for long goes to another team.

use std::cmp::Reverse;

use chrono::TimeDelta;
use domain::{
    access::Caller,
    ageing::{self, Cause, Clock, Level, Threshold},
    audit::AuditKind,
    ids::{ItemId, QuarantineId, TeamId},
    item::{Impact, State},
};
use store::{Escalation, Item, QuarantineState, TeamRow};

use super::{
    Clocks,
    raise::{Late, called, raise},
};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    new_id,
};

/// Looks at the clocks of one item.
struct LookAtItem {
    item: ItemId,
}

impl Action for LookAtItem {
    const NAME: &'static str = "ageing.item";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::AlertRaised;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        act.no_entry();
        let now = act.now;
        let due = |item: &Item| item.state != State::Closed && item.look_at.is_some_and(|at| at <= now);
        // Another process may have been here.
        let Some(mut item) = act.uow.lock_item(self.item).await?.filter(due) else { return Ok(false) };
        let clocks = super::read(&mut act.uow, &item, now).await?;
        let mut late = Vec::new();
        for threshold in &clocks.untold {
            let to = match threshold.level {
                Level::Escalated => escalate(act, &mut item, &clocks, threshold).await?,
                Level::AtRisk | Level::Overdue => None,
            };
            late.push((threshold, to));
        }
        // In one order for everybody: two processes that look at two items wait for each other once. The highest level comes
        // first, and takes the lower one of its cause along.
        late.sort_by_key(|(threshold, _)| (threshold.cause, Reverse(threshold.level), threshold.step));
        let mut taken_along = None;
        for (threshold, to) in late {
            if taken_along == Some(*threshold) {
                continue;
            }
            let lower = |other: &&Threshold| other.cause == threshold.cause && other.level < threshold.level;
            let lower = clocks.untold.iter().find(lower).copied();
            let late = Late {
                subject: item.id.0,
                item: Some(&item),
                name: called(&item),
                workflow: &item.workflow_key,
                team: item.team_id,
                told: to.as_ref().map(|(team, _)| *team).or(item.owner_team_id),
                escalated_to: to.map(|(_, name)| name),
                notify: match threshold.level {
                    Level::Escalated => clocks.rules.escalate.get(threshold.step).map_or(&[], |step| &step.notify),
                    Level::AtRisk | Level::Overdue => &[],
                },
                lower,
            };
            if raise(act, &late, threshold).await? {
                taken_along = lower;
            }
        }
        super::set(act, &mut item).await?;
        act.uow.save_item(&item).await?;
        Ok(true)
    }
}

/// Gives an item to the team that its workflow names for a missed target. Whoever answers for it or works it goes on: from
/// another team than the workflow's it is not taken away while somebody does.
async fn escalate(
    act: &mut Act<'_>,
    item: &mut Item,
    clocks: &Clocks,
    threshold: &Threshold,
) -> Result<Option<(TeamId, String)>> {
    let Some(step) = clocks.rules.escalate.get(threshold.step) else { return Ok(None) };
    let Some(team) = act.uow.team_by_key(step.team.as_str()).await? else {
        tracing::warn!(team = %step.team, workflow = %item.workflow_key, "the workflow escalates to a team that does not exist");
        return Ok(None);
    };
    let has_it = item.owner_team_id.unwrap_or(item.team_id);
    if has_it == team.id {
        return Ok(Some((team.id, team.name)));
    }
    // For another cause it went as far, or further.
    let went_on = clocks.escalated_to.is_some_and(|known| known >= super::number(threshold));
    let is_worked = super::is_owned(&mut act.uow, item).await? || act.uow.claim_of(item.id, act.now).await?.is_some();
    // The time that somebody gave a team is not over.
    let is_asked = item.respond_by.is_some_and(|by| by > act.now);
    if went_on || is_asked || item.owner_team_id.is_some() && is_worked {
        return Ok(None);
    }
    let reason = match threshold.cause {
        Cause::Claim => "It was not claimed in time",
        _ => "It was not closed in time",
    };
    hand_up(act, item, &team, None, reason, None).await?;
    let mut entry = Entry::new(AuditKind::Escalated);
    entry.item(item).detail("team", team.name.as_str()).detail("level", item.escalations);
    entry.detail("cause", threshold.cause.as_str());
    act.also(entry);
    Ok(Some((team.id, team.name)))
}

/// Adds a step to the item's chain and gives it to the team; its owner stays where nobody else is named.
pub(crate) async fn hand_up(
    act: &mut Act<'_>,
    item: &mut Item,
    team: &TeamRow,
    by: Option<uuid::Uuid>,
    reason: &str,
    respond_by: Option<chrono::DateTime<chrono::Utc>>,
) -> Result<()> {
    item.escalations += 1;
    item.owner_team_id = (team.id != item.team_id).then_some(team.id);
    if respond_by.is_some() {
        (item.escalated_at, item.respond_by) = (Some(act.now), respond_by);
    }
    let by_name = act.caller.name().to_owned();
    item.changed(format!("{by_name} escalated it to {}", team.name));
    let step = Escalation {
        id: new_id(act.now),
        level: item.escalations,
        team_id: team.id,
        team_name: team.name.clone(),
        by_id: by,
        by_name,
        reason: reason.to_owned(),
        respond_by,
        at: act.now,
        answered_at: None,
        answered_by_name: None,
    };
    Ok(act.uow.add_escalation(item.id, &step).await?)
}

/// Looks at the clock of one report in quarantine.
struct LookAtQuarantined {
    id: QuarantineId,
}

impl Action for LookAtQuarantined {
    const NAME: &'static str = "ageing.quarantined";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::AlertRaised;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        act.no_entry();
        let now = act.now;
        act.uow.lock_quarantined(self.id).await?;
        let Some(report) = act.uow.quarantined(self.id).await?.filter(|r| r.state == QuarantineState::Open) else {
            return Ok(false);
        };
        let workflow = report.workflow_key.clone().unwrap_or_default();
        let rules = act.uow.workflow_by_key(&workflow).await?.map(|row| row.ageing.0).unwrap_or_default();
        // Steps of an escalation are for items: a report has no owner to be taken over from.
        let rules = ageing::Rules { escalate: Vec::new(), ..rules };
        let target = rules.target(Impact::Medium);
        let clock = Clock::running(Cause::Quarantine, report.received_at, &target.claim, &rules.working());
        let clocks: Vec<Clock> = clock.into_iter().collect();
        let all = ageing::thresholds(&clocks, &rules, now);
        let told = act.uow.reached(self.id.0).await?;
        for over in told.iter().filter(|told| !all.iter().any(|late| late.at <= now && super::is(told, late))) {
            act.uow.settle_subject(over, act.now).await?;
        }
        for late in all.iter().filter(|late| late.at <= now && !told.iter().any(|told| super::is(told, late))) {
            let name = format!("A report of {}", report.token_name);
            let about = Late {
                subject: self.id.0,
                item: None,
                name,
                workflow: &workflow,
                team: report.team_id,
                told: None,
                escalated_to: None,
                notify: &[],
                lower: None,
            };
            raise(act, &about, late).await?;
        }
        let next = all.iter().map(|late| late.at).filter(|at| *at > now).min();
        act.uow.look_at_quarantine(self.id, next).await?;
        Ok(true)
    }
}

/// Of one that can't be looked at: it is tried again after this, and is no reason to hold up the others.
const LATER: TimeDelta = TimeDelta::minutes(10);

/// Batches of one round: what has just become due is not kept waiting for ever behind a large workflow that was edited.
const BATCHES: usize = 10;

impl Service {
    /// Looks at every clock that has run down; answers how many. Several processes may do it at once.
    pub async fn watch_ageing(&self) -> Result<usize> {
        let request = Request::of(Caller::Job("ageing"));
        let mut looked = 0;
        for _ in 0..BATCHES {
            let (items, reports) = {
                let mut uow = self.store.read().await?;
                (uow.items_to_look_at(self.now()).await?, uow.quarantine_to_look_at(self.now()).await?)
            };
            if items.is_empty() && reports.is_empty() {
                break;
            }
            for item in items {
                let done = self.run(&request, LookAtItem { item }).await;
                looked += usize::from(self.passed(done, Some(item), None).await?);
            }
            for id in reports {
                let done = self.run(&request, LookAtQuarantined { id }).await;
                looked += usize::from(self.passed(done, None, Some(id)).await?);
            }
        }
        Ok(looked)
    }

    async fn passed(&self, looked: Result<bool>, item: Option<ItemId>, report: Option<QuarantineId>) -> Result<bool> {
        let error = match looked {
            Err(error) if !error.is_unavailable() => error,
            other => return other,
        };
        tracing::error!(?item, ?report, error = &error as &dyn std::error::Error, "a clock could not be looked at");
        let later = self.now() + LATER;
        let mut uow = self.store.begin().await?;
        if let Some(item) = item {
            uow.look_at_item(item, later).await?;
        }
        if let Some(report) = report {
            uow.look_at_quarantine(report, Some(later)).await?;
        }
        uow.commit().await?;
        Ok(false)
    }
}
