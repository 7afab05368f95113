//! Recording what was found out about an attempt whose outcome was unsettled (R4, R9).

use domain::{
    audit::AuditKind,
    effect::Effect,
    finding::Finding,
    ids::{AttemptId, CompensationId},
    item::Resolution,
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    report::KEY_LIMIT,
};
use serde::Deserialize;
use store::{Attempt, DoubleEffect, EndedHow, FoundOut};

use super::{
    Verb, Work,
    input::{Name, Said},
    run,
};
use crate::{
    Result, compensations,
    items::{
        actions::{Answers, Field, FieldKind, ItemAction},
        standing,
    },
    new_id,
};

const FINDINGS: &[(&str, &str)] = &[
    ("applied", "It happened"),
    ("not_applied", "It did not happen"),
    ("partial", "It happened in part"),
    ("cannot_tell", "I can't tell"),
];

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Reconcile,
    label: "Record what you found…",
    explanation: "Settles whether an attempt had its effect, by what you saw in the other system. Nothing is sent.",
    permission: Permission::ItemsReconcile,
    audit: AuditKind::Reconciled,
    fields: &[
        Field::required("finding", "What you found", "", FieldKind::Choice(FINDINGS)),
        Field::optional(
            "attempt",
            "About which attempt",
            "The unsettled one, if there is only one.",
            FieldKind::Attempt,
        ),
        Field::required("source", "Where you looked", "The other system's page, a person, a log.", FieldKind::Line),
        Field::required("evidence", "What you saw there", "", FieldKind::Text),
        Field::optional("record_id", "Its record's id", "As the other system names it.", FieldKind::Line),
    ],
    needs_version: true,
    answers: Answers::Item,
    run: run::<Reconcile>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reconcile {
    finding: Finding,
    source: Said<KEY_LIMIT>,
    evidence: Said,
    record_id: Option<Name>,
    attempt: Option<AttemptId>,
}

impl Verb for Reconcile {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let doubles = work.act.uow.double_effects(work.item.id).await?;
        let mut attempt = which(&work.act.uow.attempts(work.item.id).await?, &doubles, self.attempt)?;
        let found = FoundOut {
            attempt_id: attempt.id,
            finding: self.finding,
            source: self.source.0,
            evidence: self.evidence.0.clone(),
            record_id: self.record_id.map(|record| record.0),
            by_name: work.person.name.clone(),
            at: work.act.now,
        };
        settle(work, &mut attempt, found).await?;
        work.item.changed(format!("{} recorded a finding about attempt {}", work.person.name, attempt.number));
        if self.finding == Finding::Applied {
            close_if_known(work).await?;
        }
        work.act
            .entry()
            .detail("attempt", attempt.number)
            .detail("finding", self.finding.as_str())
            .text(self.evidence.0);
        Ok(())
    }
}

/// An item closes on evidence, and "it happened" is evidence (R9).
pub(super) async fn close_if_known(work: &mut Work<'_, '_>) -> Result<()> {
    let doubtful = !work.act.uow.double_effects(work.item.id).await?.is_empty();
    let epoch = work.item.epoch;
    let attempts = work.act.uow.attempts(work.item.id).await?;
    let is_made_good = attempts.iter().any(|a| a.compensation_id.is_some() && a.epoch == epoch);
    if work.item.effect != Effect::Confirmed || doubtful || is_made_good {
        // Of an effect that was to be made good, a person decides how it ends.
        return Ok(());
    }
    standing::close(work.item, Resolution::SucceededMeanwhile, work.act.now);
    work.act.uow.release(work.item.id).await?;
    // What the automation planned to try again has happened already.
    if let Some(live) = work.act.uow.live_activity(work.item.id).await? {
        work.act.uow.end_activity(live.id, EndedHow::Cancelled, &work.person.name, work.act.now).await?;
    }
    work.act.entry().detail("resolution", Resolution::SucceededMeanwhile.as_str());
    Ok(())
}

/// Keeps a finding, settles its attempt with it, and derives the item's effect anew.
pub(super) async fn settle(work: &mut Work<'_, '_>, attempt: &mut Attempt, found: FoundOut) -> Result<()> {
    let id = new_id(work.act.now);
    work.act.uow.add_finding(id, work.item.id, &found, work.person.id.0).await?;
    if let Some(effect) = found.finding.settles() {
        attempt.effect = effect;
        attempt.record_id = found.record_id.clone().or_else(|| attempt.record_id.take());
        work.act.uow.settle_attempt(attempt).await?;
    }
    // A flag about a compensation ends by whatever is found out about it: it is no second effect of the step.
    let of_a_compensation = attempt.compensation_id.is_some() && found.finding.settles().is_some();
    if found.finding == Finding::NotApplied || of_a_compensation {
        work.act.uow.end_double_effects(work.item.id, attempt.id, work.act.now).await?;
    }
    standing::derive(&mut work.act.uow, work.item).await?;
    match attempt.compensation_id {
        Some(compensation) => compensations::ended(work.act, work.item, CompensationId(compensation)).await,
        None => Ok(()),
    }
}

/// The attempt that is meant: the one that was named, else the only one that is unsettled.
fn which(attempts: &[Attempt], doubles: &[DoubleEffect], named: Option<AttemptId>) -> Result<Attempt, Refusal> {
    let wrong = || Refusal::field("/attempt", "is not an attempt of this item that can be settled");
    let open = |a: &Attempt| !a.made_good && matches!(a.effect, Effect::Uncertain | Effect::Partial);
    if let Some(named) = named {
        // A possible double effect is settled about an attempt that counts as confirmed. Nothing else that is known is
        // turned by a finding.
        let doubted = |a: &Attempt| doubles.iter().any(|d| d.late_attempt_id == a.id || d.attempt_id == Some(a.id.0));
        let settles = |a: &&Attempt| a.id == named && (open(a) || (a.effect == Effect::Confirmed && doubted(a)));
        return attempts.iter().find(settles).cloned().ok_or_else(wrong);
    }
    let unsettled: Vec<&Attempt> = attempts.iter().filter(|a| open(a)).collect();
    match unsettled.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(wrong()),
        several => Err(Refusal::WhichAttempt { numbers: several.iter().map(|a| (a.number, a.id)).collect() }),
    }
}
