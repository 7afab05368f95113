//! Writing down what came of sending (R8), on time or late (R10).

use chrono::TimeDelta;
use domain::{
    attempt::Outcome,
    audit::AuditKind,
    ids::{CompensationId, ReplayId},
    item::State,
    replay::{Answer, Meaning, Verdict, read},
    workflow::SideEffect,
};
use store::{Answered, Attempt, Item, Replay, Stage};

use super::{begin::Begun, ending};
use crate::{
    Error, Result,
    action::{Act, Action, Gate},
    compensations,
    items::standing,
    new_id,
    outbound::{KEPT_AT_MOST, NotSent, Reply, Sent},
    outcomes,
};

/// Settles a try with what came of it.
#[derive(Clone)]
pub(super) struct Settle {
    pub(super) replay: ReplayId,
    pub(super) begun: Begun,
    pub(super) sent: Sent,
}

impl Action for Settle {
    const NAME: &'static str = "settle_replay";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ReplayAnswered;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let gone = || Error::Fault("a replay that was sent is not there");
        let found = act.uow.replay(self.replay).await?.ok_or_else(gone)?;
        let mut item = act.uow.lock_item(found.item_id).await?.ok_or_else(gone)?;
        let mut replay = act.uow.replay(self.replay).await?.ok_or_else(gone)?;
        let attempts = act.uow.attempts(item.id).await?;
        let mut attempt = attempts.into_iter().find(|a| a.id == self.begun.attempt).ok_or_else(gone)?;
        act.entry().item(&item).detail("replay", replay.id.to_string()).detail("attempt", attempt.number);
        let before = item.state;
        let side_effect = ending::side_effect_of(act, &item, &replay).await?;
        let verdict = verdict(&self.sent, &replay);
        let in_time = replay.fence == self.begun.fence && replay.stage == Stage::Sending && item.state != State::Closed;

        if let Sent::Answered(reply) = &self.sent {
            act.uow.add_answer(&kept(&attempt, reply)).await?;
            attempt.status_code = Some(i64::from(reply.status));
        }
        act.entry().detail("meaning", verdict.meaning.as_str());
        if in_time {
            write(&mut attempt, &verdict, &self.sent, side_effect);
            attempt.finished_at = Some(act.now);
            act.uow.settle_attempt(&attempt).await?;
            act.entry().detail("effect", attempt.effect.as_str());
            let wait = match &self.sent {
                Sent::Answered(reply) => reply.retry_after,
                _ => None,
            };
            ending::go_on(act, &mut item, &mut replay, &attempt, (verdict.meaning, side_effect), wait).await?;
        } else {
            late(act, &mut item, &mut replay, attempt, &verdict, (&self.sent, side_effect)).await?;
        }
        outcomes::save(act, before, &mut item).await
    }
}

/// What was answered, or that nothing was.
fn verdict(sent: &Sent, replay: &Replay) -> Verdict {
    let told = |meaning, message: &str| Verdict { meaning, record_id: None, message: message.to_owned() };
    match sent {
        Sent::Nothing(NotSent(why)) => told(Meaning::NoEffect, why),
        Sent::NoAnswer(why) => told(Meaning::Uncertain, why),
        Sent::Answered(reply) => {
            let answer = Answer {
                status: reply.status,
                retry_after: reply.retry_after.is_some(),
                body: &reply.body,
                cut: reply.cut,
            };
            read(&answer, &replay.destination)
        }
    }
}

fn write(attempt: &mut Attempt, verdict: &Verdict, sent: &Sent, side_effect: SideEffect) {
    (attempt.outcome, attempt.effect) = verdict.settles(side_effect);
    attempt.sent = Some(!matches!(sent, Sent::Nothing(_)));
    attempt.record_id.clone_from(&verdict.record_id);
    attempt.message = Some(verdict.message.clone());
}

fn kept(attempt: &Attempt, reply: &Reply) -> Answered {
    Answered {
        attempt_id: attempt.id,
        media_type: reply.media_type.clone(),
        bytes: reply.body.iter().copied().take(KEPT_AT_MOST).collect(),
        cut: reply.cut || reply.body.len() > KEPT_AT_MOST,
    }
}

/// The state has moved on: the answer is kept on its own attempt, and what it contradicts is raised (R10).
async fn late(
    act: &mut Act<'_>,
    item: &mut Item,
    replay: &mut Replay,
    mut attempt: Attempt,
    verdict: &Verdict,
    (sent, side_effect): (&Sent, SideEffect),
) -> Result<()> {
    let was = attempt.clone();
    write(&mut attempt, verdict, sent, side_effect);
    attempt.effect = standing::effect_once_told(&mut act.uow, &was, attempt.effect).await?;
    attempt.late = true;
    attempt.finished_at = Some(act.now);
    act.uow.settle_attempt(&attempt).await?;
    act.record_as(AuditKind::LateNews).detail("effect", attempt.effect.as_str());
    standing::derive(&mut act.uow, item).await?;
    item.changed(format!("the answer to attempt {} came late", attempt.number));
    if let Some(compensation) = attempt.compensation_id {
        let findings = act.uow.findings(item.id).await?;
        let found = findings.iter().any(|f| f.attempt_id == attempt.id && f.finding.settles().is_some());
        // Nothing flips silently (R10): what was decided about it is open again, with the flag.
        if attempt.effect != was.effect && (found || item.state == State::Closed) {
            act.uow.raise_double_effect(new_id(act.now), item.id, None, attempt.id, act.now).await?;
            if item.state == State::Closed {
                standing::reopen(item, act.now);
            }
        }
        return compensations::ended(act, item, CompensationId(compensation)).await;
    }
    let decided = item.state == State::Closed
        || act.uow.findings(item.id).await?.iter().any(|found| {
            // "Can't tell" decides nothing.
            found.attempt_id == attempt.id && found.finding.settles().is_some()
        });
    // Another try of the same replay that is on its way settles things itself.
    let on_its_way = replay.stage == Stage::Sending && replay.attempt_id != attempt.id;
    if decided {
        standing::late_news(act, item, &attempt, Some(&was)).await?;
    } else if attempt.outcome == Outcome::Succeeded && !on_its_way {
        ending::succeeded(act, item, replay, &attempt).await?;
    }
    Ok(())
}

/// How long a destination asks to wait, at most a day.
pub(super) fn bounded(wait: Option<TimeDelta>) -> Option<TimeDelta> {
    wait.map(|wait| wait.clamp(TimeDelta::zero(), TimeDelta::days(1)))
}
