//! An automation adds to an item: evidence, a proposal, a new source version, or that it succeeded after all.

use domain::{
    access::may_report,
    attempt::{AttemptBy, Outcome},
    audit::AuditKind,
    effect::Effect,
    ids::ItemId,
    item::{Resolution, State},
    refusal::Refusal,
    report::{self, AmendShape, SucceededShape},
};
use store::{EndedHow, Item};

use super::{follow_up::is_not_reported, standing};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    outcomes,
    quarantine::keep::Refused,
};

/// Changes an item as its automation asks.
struct Amend {
    item: ItemId,
    change: AmendShape,
    expected_version: Option<i64>,
}

impl Action for Amend {
    const NAME: &'static str = "amend";
    const GATE: Gate = Gate::Automation;
    const AUDIT: AuditKind = AuditKind::ItemAmended;
    type Output = Item;

    async fn perform(self, act: &mut Act<'_>) -> Result<Item> {
        let mut item = act.uow.lock_item(self.item).await?.ok_or(Refusal::NotFound)?;
        may_report(act.caller, &item.workflow_key).map_err(|_| Refusal::NotFound)?;
        act.entry().item(&item);
        is_not_reported(&item)?;
        if self.expected_version.is_some_and(|expected| expected != item.version) {
            return Err(Refusal::Conflict { current: item.version, last_change: item.last_change }.into());
        }
        let before = item.state;
        let change = self.change;
        if !change.evidence.is_empty() {
            act.entry().detail("evidence", change.evidence.len());
            item.evidence.0.extend(change.evidence);
        }
        if let Some(proposed) = change.proposed_action {
            act.entry().detail("proposed_action", proposed.action.as_str());
            item.proposed_action.0 = Some(proposed);
        }
        if let Some(version) = change.source_version
            && item.source_version.as_ref() != Some(&version)
        {
            act.entry().detail("source_version", version.as_str());
            item.source_version = Some(version);
            item.changed("the source record changed");
        }
        if let Some(succeeded) = change.succeeded {
            succeed(act, &mut item, succeeded).await?;
        }
        outcomes::save(act, before, &mut item).await?;
        Ok(item)
    }
}

/// "Succeeded after all": the automation's word about its own attempt, which may close the item, or contradict how it closed.
async fn succeed(act: &mut Act<'_>, item: &mut Item, word: SucceededShape) -> Result<()> {
    let live = standing::live(act, item).await?;
    let mut attempts = act.uow.attempts(item.id).await?;
    let by = act.caller.name().to_owned();
    let own = attempts.iter_mut().rev().filter(|a| a.made_by == AttemptBy::Automation);
    let wanted = word.attempt.map(i64::from);
    let attempt = { own }.find(|a| wanted.is_none_or(|number| a.number == number)).ok_or_else(|| {
        Refusal::field("/succeeded/attempt", "is not the number of an attempt that an automation made on this item")
    })?;
    let known =
        attempt.outcome == Outcome::Succeeded && (word.record_id.is_none() || word.record_id == attempt.record_id);
    if known {
        return Ok(());
    }
    act.record_as(AuditKind::SucceededMeanwhile).detail("attempt", attempt.number);
    let was = attempt.clone();
    attempt.outcome = Outcome::Succeeded;
    attempt.effect = Effect::Confirmed;
    attempt.record_id = word.record_id.or_else(|| attempt.record_id.take());
    attempt.finished_at = word.at.or(attempt.finished_at);
    attempt.late = item.state == State::Closed;
    act.uow.settle_attempt(attempt).await?;
    if let Some(live) = &live
        && (live.attempt_id == Some(attempt.id.0) || live.kind == domain::item::ActivityKind::PlannedRetry)
    {
        act.uow.end_activity(live.id, EndedHow::Finished, &by, act.now).await?;
    }
    standing::derive(&mut act.uow, item).await?;
    if attempt.late {
        item.changed(format!("attempt {} succeeded after all", attempt.number));
        return standing::late_news(act, item, attempt, Some(&was)).await;
    }
    let busy = act.uow.live_activity(item.id).await?.is_some();
    let doubtful = !act.uow.double_effects(item.id).await?.is_empty();
    if item.effect == Effect::Confirmed && !busy && !doubtful {
        standing::close(item, Resolution::SucceededMeanwhile, act.now);
        act.entry().detail("resolution", Resolution::SucceededMeanwhile.as_str());
    }
    item.changed(format!("attempt {} succeeded after all", attempt.number));
    Ok(())
}

impl Service {
    /// Takes a change of an item from its automation. What is refused is kept in quarantine.
    pub async fn amend(
        &self,
        request: &Request,
        item: ItemId,
        body: &[u8],
        expected_version: Option<i64>,
    ) -> Result<Item> {
        let refused = Refused::about(item, "amend", body);
        let change = match report::parse_amend(body) {
            Ok(change) => change,
            Err(refusal) => return Err(self.keep(request, refused, refusal).await),
        };
        match self.run_to_keep(request, Amend { item, change, expected_version }).await {
            Err(Error::Refused(refusal)) => Err(self.keep(request, refused, refusal).await),
            other => other,
        }
    }

    /// Keeps a change that the door refused before it was taken, and answers the refusal with its place.
    pub async fn keep_refused_change(&self, request: &Request, item: ItemId, body: &[u8], refusal: Refusal) -> Error {
        self.keep(request, Refused::about(item, "amend", body), refusal).await
    }
}
