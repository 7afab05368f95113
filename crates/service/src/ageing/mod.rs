//! Ageing: an item's clocks are set anew with each change of it, and looked at when one has run down.

mod raise;
mod watch;

use chrono::{DateTime, Utc};
use domain::{
    ageing::{self, Cause, Clock, Level, Rules, Standing, Threshold},
    item::State,
    permission::Permission,
};
use store::{Due, Item, Reached, Uow};

use crate::{Result, action::Act, items::actions::scope};
pub(crate) use watch::hand_up;

/// How an item's clocks stand, beside what was told of them.
struct Clocks {
    rules: Rules,
    /// What is late enough to be told of, and was not.
    untold: Vec<Threshold>,
    /// What was told of and is not late any more.
    over: Vec<Reached>,
    /// The furthest step of an escalation that was told.
    escalated_to: Option<i64>,
    due: Due,
    look_at: Option<DateTime<Utc>>,
}

/// The clock of one cause, as what is due is shown; nothing where it does not run.
pub(crate) async fn due_for(uow: &mut Uow, item: &Item, cause: Cause) -> Result<Due> {
    let rules = uow.ageing_rules(item.workflow_id).await?;
    let running = ageing::clocks(&standing(uow, item, &rules).await?, &rules);
    Ok(running.iter().find(|clock| clock.cause == cause).map(due).unwrap_or_default())
}

fn due(clock: &Clock) -> Due {
    Due { cause: Some(clock.cause), risk_at: Some(clock.risk_at), at: Some(clock.due_at) }
}

/// Sets an item's clocks by how it stands now. What is late is told by the watch; what is not late any more is settled here.
pub(crate) async fn set(act: &mut Act<'_>, item: &mut Item) -> Result<()> {
    let clocks = read(&mut act.uow, item, act.now).await?;
    for over in &clocks.over {
        act.uow.settle_subject(over, act.now).await?;
    }
    item.look_at = if clocks.untold.is_empty() { clocks.look_at } else { Some(act.now) };
    item.due = clocks.due;
    Ok(())
}

async fn read(uow: &mut Uow, item: &Item, now: DateTime<Utc>) -> Result<Clocks> {
    let rules = uow.ageing_rules(item.workflow_id).await?;
    let running = ageing::clocks(&standing(uow, item, &rules).await?, &rules);
    let (late, coming): (Vec<_>, Vec<_>) =
        ageing::thresholds(&running, &rules, now).into_iter().partition(|threshold| threshold.at <= now);
    let told = uow.reached(item.id.0).await?;
    let escalated_to = told.iter().filter(|told| told.level == Level::Escalated).map(|told| told.step).max();
    let untold = late.iter().filter(|late| !told.iter().any(|told| is(told, late))).copied().collect();
    let over = told.into_iter().filter(|told| !late.iter().any(|late| is(told, late))).collect();
    let due = running.first().map(due).unwrap_or_default();
    let look_at = coming.iter().map(|threshold| threshold.at).min();
    Ok(Clocks { rules, untold, over, escalated_to, due, look_at })
}

/// Whether this was told of.
fn is(told: &Reached, late: &Threshold) -> bool {
    told.cause == late.cause && told.level == late.level && told.step == number(late)
}

fn number(threshold: &Threshold) -> i64 {
    i64::try_from(threshold.step).unwrap_or(i64::MAX)
}

/// What an item's clocks go by.
async fn standing(uow: &mut Uow, item: &Item, rules: &Rules) -> Result<Standing> {
    let mut named = Vec::new();
    if let (Some(from), Some(until)) = (item.escalated_at, item.respond_by) {
        named.push(Clock::until(Cause::Respond, from, until));
    }
    match item.state {
        State::AwaitingOutcome => {
            let live = uow.live_activity(item.id).await?;
            named.extend(live.map(|live| Clock::until(Cause::Outcome, live.started_at, live.lease_until)));
        }
        State::AwaitingApproval => {
            let waiting = uow.approvals_of(item.id).await?.into_iter().find(|approval| approval.ended_at.is_none());
            // Somebody has to look at it as soon as at work that comes in, and before it expires.
            let (target, working) = (rules.target(item.impact), rules.working());
            named.extend(waiting.map(|asked| {
                let (from, last) = (asked.requested_at, asked.expires_at);
                Clock::running_until(Cause::Approval, from, &target.claim, &working, last)
            }));
        }
        _ => {}
    }
    Ok(Standing {
        state: item.state,
        impact: item.impact,
        received_at: item.received_at,
        claimed_at: item.claimed_at,
        worked_until: item.worked_until,
        is_owned: is_owned(uow, item).await?,
        named,
    })
}

/// Whether somebody who can work it answers for it.
async fn is_owned(uow: &mut Uow, item: &Item) -> Result<bool> {
    match item.owner_person_id {
        Some(owner) => raise::may(uow, owner, Permission::ItemsWork, scope(item)).await,
        None => Ok(false),
    }
}
