//! The attempts a report tells of, put beside those that are known.

use chrono::{DateTime, Utc};
use domain::{
    access::Automation,
    attempt::{AttemptBy, Clues, Outcome, effect_of_reported},
    effect::Effect,
    item::{ActivityKind, State},
    report::{Report, ReportedAttempt, StatedEffect},
    workflow::SideEffect,
};
use store::{Activity, Attempt, EndedHow, Item, StepRow};

use crate::{Result, action::Act, items::standing, new_id};

/// What a report's attempts mean for an item.
pub(crate) struct Known {
    /// There is something to work on.
    pub(crate) fresh: bool,
    /// What was told of attempts that are known, or began before the item was closed (R10).
    pub(crate) late: Vec<News>,
}

/// Word of an attempt that comes late.
pub(crate) struct News {
    /// The attempt now.
    pub(crate) attempt: Box<Attempt>,
    /// The same before, where it was known.
    pub(crate) was: Option<Box<Attempt>>,
}

/// What became of a reported attempt.
enum Recorded {
    /// Nothing: it was known like that.
    Known,
    /// It was added, or has ended.
    New(Box<Attempt>),
    /// It ended otherwise, or is not in doubt any more.
    Settled(News),
}

/// Puts attempts on an item.
pub(crate) struct Recorder<'a> {
    pub(crate) token: &'a Automation,
    pub(crate) step: &'a StepRow,
    pub(crate) stated: StatedEffect,
    pub(crate) revision: Option<i64>,
}

impl Recorder<'_> {
    /// Records every attempt of a report; one that is known already is not added twice.
    pub(crate) async fn record_all(
        &self,
        act: &mut Act<'_>,
        item: &mut Item,
        report: &Report,
        live: Option<&Activity>,
    ) -> Result<Known> {
        let mut known = act.uow.attempts(item.id).await?;
        let told = if report.attempts.is_empty() { vec![self.implied(report)] } else { report.attempts.clone() };
        let last = told.len() - 1;
        let (mut new, mut late) = (Vec::new(), Vec::new());
        for (index, told) in told.into_iter().enumerate() {
            match self.record(act, item, &mut known, told, index == last, live).await? {
                Recorded::Known => {}
                Recorded::New(attempt) => new.push(attempt),
                Recorded::Settled(news) => late.push(news),
            }
        }
        let closed_at = item.closed_at.filter(|_| item.state == State::Closed);
        // Without a time of its own an attempt is taken to have begun when the report came.
        let began = |a: &Attempt| a.started_at.or(a.finished_at).or(report.occurred_at).unwrap_or(act.now);
        let is_late = |a: &Attempt| closed_at.is_some_and(|closed_at| began(a) <= closed_at);
        let mut fresh = new.is_empty() && closed_at.is_none();
        for attempt in new {
            if is_late(&attempt) {
                let attempt = Attempt { late: true, ..*attempt };
                act.uow.settle_attempt(&attempt).await?;
                late.push(News { attempt: Box::new(attempt), was: None });
            } else {
                fresh = true;
            }
        }
        Ok(Known { fresh, late })
    }

    /// Records one attempt that ended.
    async fn record(
        &self,
        act: &mut Act<'_>,
        item: &Item,
        known: &mut Vec<Attempt>,
        told: ReportedAttempt,
        last: bool,
        live: Option<&Activity>,
    ) -> Result<Recorded> {
        let effect = self.effect(&told, last);
        let own = |a: &&mut Attempt| a.made_by == AttemptBy::Automation && a.by_id == self.token.id.0;
        let running = known
            .iter_mut()
            .filter(own)
            .find(|a| a.outcome == Outcome::InFlight && (told.number.is_none() || a.reported_number == told.number));
        if let Some(running) = running {
            finish(running, &told, effect);
            act.uow.settle_attempt(running).await?;
            if let Some(live) =
                live.filter(|l| l.kind == ActivityKind::AutomationAttempt && l.attempt_id == Some(running.id.0))
            {
                act.uow.end_activity(live.id, EndedHow::Finished, &self.token.name, act.now).await?;
            }
            return Ok(Recorded::New(Box::new(running.clone())));
        }
        // A cumulative report tells of attempts that are known: number and beginning say which.
        let same = |a: &&mut Attempt| {
            told.number.is_some() && a.reported_number == told.number && a.started_at == told.started_at
        };
        if told.started_at.is_some()
            && let Some(attempt) = known.iter_mut().filter(own).find(same)
        {
            // What the report states is about its last attempt.
            let effect = if last { effect } else { effect_of_reported(self.clues(&told, None)) };
            // That it ended otherwise, or is not in doubt any more, is news of that attempt; anything else is known.
            let settles = attempt.effect == Effect::Uncertain && effect != Effect::Uncertain;
            let is_news = matches!(told.outcome, Outcome::Succeeded | Outcome::Failed)
                && attempt.outcome != Outcome::Succeeded
                && (told.outcome != attempt.outcome || settles);
            if !is_news {
                return Ok(Recorded::Known);
            }
            let was = attempt.clone();
            finish(attempt, &told, standing::effect_once_told(&mut act.uow, &was, effect).await?);
            attempt.late = item.state == State::Closed;
            act.uow.settle_attempt(attempt).await?;
            return Ok(Recorded::Settled(News { attempt: Box::new(attempt.clone()), was: Some(Box::new(was)) }));
        }
        let number = known.last().map_or(1, |last| last.number + 1);
        let attempt = self.attempt(item, number, told, effect, act.now);
        act.uow.add_attempt(&attempt).await?;
        known.push(attempt.clone());
        Ok(Recorded::New(Box::new(attempt)))
    }

    /// An attempt as it is kept.
    pub(crate) fn attempt(
        &self,
        item: &Item,
        number: i64,
        told: ReportedAttempt,
        effect: Effect,
        now: DateTime<Utc>,
    ) -> Attempt {
        let has_record = matches!(effect, Effect::Confirmed | Effect::Partial);
        Attempt {
            id: new_id(now),
            item_id: item.id,
            number,
            made_by: AttemptBy::Automation,
            by_id: self.token.id.0,
            by_name: self.token.name.clone(),
            reported_number: told.number,
            revision: self.revision,
            epoch: item.epoch,
            idempotency_key: self.stated.idempotency_key.clone(),
            outcome: told.outcome,
            effect,
            sent: told.sent,
            status_code: told.status_code,
            record_id: told.record_id.or_else(|| self.stated.record_id.clone().filter(|_| has_record)),
            message: told.message,
            late: false,
            started_at: told.started_at,
            finished_at: told.finished_at,
            received_at: now,
            destination: None,
            request: None,
            compensation_id: None,
            part: None,
            made_good: false,
        }
    }

    /// A report without attempts tells of one, by its effect.
    fn implied(&self, report: &Report) -> ReportedAttempt {
        let outcome = match self.stated.status {
            Some(Effect::Confirmed) => Outcome::Succeeded,
            Some(Effect::Uncertain | Effect::Partial) => Outcome::Uncertain,
            Some(Effect::None | Effect::Compensated) | None => Outcome::Failed,
        };
        ReportedAttempt {
            number: None,
            started_at: report.occurred_at,
            finished_at: report.occurred_at,
            outcome,
            sent: None,
            message: Some(report.failure.message.clone()),
            status_code: None,
            record_id: self.stated.record_id.clone(),
        }
    }

    fn clues(&self, told: &ReportedAttempt, stated: Option<Effect>) -> Clues {
        Clues {
            outcome: told.outcome,
            sent: told.sent,
            step_has_no_side_effect: self.step.registered && self.step.side_effect == SideEffect::None,
            stated,
        }
    }

    /// The effect of an attempt; the last one's is what the report states, or the more doubtful of the two.
    pub(crate) fn effect(&self, told: &ReportedAttempt, last: bool) -> Effect {
        let clues = self.clues(told, self.stated.status);
        match (self.stated.status, last) {
            // "Uncertain" is how a partial effect is told as an outcome: the statement is the more precise.
            (Some(Effect::Partial), true) if told.outcome != Outcome::Succeeded => Effect::Partial,
            (Some(stated), true) => effect_of_reported(clues).more_doubtful(stated),
            _ => effect_of_reported(clues),
        }
    }
}

/// Puts what was told on an attempt that was under way.
pub(crate) fn finish(attempt: &mut Attempt, told: &ReportedAttempt, effect: Effect) {
    attempt.outcome = told.outcome;
    attempt.effect = effect;
    attempt.sent = told.sent;
    attempt.status_code = told.status_code;
    attempt.record_id = told.record_id.clone().or_else(|| attempt.record_id.take());
    attempt.message.clone_from(&told.message);
    attempt.finished_at = told.finished_at;
}
