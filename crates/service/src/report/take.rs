//! The use case: a report becomes an item, adds to one, or is known already.

use chrono::Datelike as _;
use domain::{
    access::may_report,
    audit::AuditKind,
    digest::Sha256,
    ids::{ActivityId, QuarantineId},
    item::{ActivityKind, State},
    refusal::Refusal,
    report::{Payload, Report},
};
use store::{Activity, EndedHow, Item, NewActivity, NewRevision, ReportRow};

use super::{Answer, News, Recorder, Taken, items};
use crate::{
    Error, Result,
    action::{Act, Action, Gate},
    items::{follow_up::is_not_reported, standing},
    new_id, outcomes,
    workflows::{find_or_discover, find_or_discover_step},
};

/// How long a planned retry may be late before it lapses.
const RETRY_GRACE: chrono::TimeDelta = chrono::TimeDelta::minutes(5);

/// Takes one report.
pub(crate) struct TakeReport {
    pub(crate) report: Report,
    pub(crate) digest: Sha256,
    /// A person accepted it from quarantine; the automation stays its author.
    pub(crate) from_quarantine: Option<(QuarantineId, domain::access::Automation)>,
}

impl Action for TakeReport {
    const NAME: &'static str = "report";
    const GATE: Gate = Gate::Automation;
    const AUDIT: AuditKind = AuditKind::ItemReported;
    type Output = Taken;

    async fn perform(self, act: &mut Act<'_>) -> Result<Taken> {
        let report = self.report;
        let token = match &self.from_quarantine {
            Some((_, author)) => {
                may_report(&domain::access::Caller::Automation(author.clone()), &report.workflow)?.clone()
            }
            None => may_report(act.caller, &report.workflow)?.clone(),
        };
        let workflow = find_or_discover(act, &report.workflow).await?;
        act.entry().within(workflow.team_id, &workflow.key);
        let name = report.report_id.clone().unwrap_or_else(|| self.digest.hex());
        if let Some(known) = act.uow.report(workflow.id, &name).await? {
            if known.digest != self.digest {
                return Err(Refusal::ReportIdTaken { item: known.item_id }.into());
            }
            act.nothing_changed();
            let first: Answer =
                serde_json::from_str(&known.answer).map_err(|_| Error::Fault("a stored answer can't be read"))?;
            // This time it made nothing: status and `created` say the same.
            return Ok(Taken { answer: Answer { created: false, ..first }, repeat: true });
        }
        let step = find_or_discover_step(act, &workflow, &report.step).await?;

        let (mut item, known) = match act.uow.lock_item_by_work(workflow.id, &report.step, &report.dedupe_key).await? {
            Some(item) => (item, true),
            None => {
                let fresh = items::fresh(&report, &workflow, &step, act.now);
                if act.uow.add_item(&fresh).await? {
                    (fresh, false)
                } else {
                    let other = act.uow.lock_item_by_work(workflow.id, &report.step, &report.dedupe_key).await?;
                    (other.ok_or(Error::Fault("an item vanished while it was being added"))?, true)
                }
            }
        };
        act.entry().item(&item);
        is_not_reported(&item)?;
        let before = item.state;
        let live = standing::live(act, &mut item).await?;
        let (revision, changed) = keep_payload(act, &mut item, &report, (token.id.0, &token.name)).await?;
        let recorder = Recorder { token: &token, step: &step, stated: report.effect.clone(), revision };
        let news = recorder.record_all(act, &mut item, &report, live.as_ref()).await?;

        let was_closed = item.state == State::Closed;
        item.last_report_at = act.now;
        if let [first, ..] = news.late.as_slice()
            && !news.fresh
        {
            act.record_as(AuditKind::LateNews).detail("attempt", first.attempt.number);
            standing::derive(&mut act.uow, &mut item).await?;
        }
        if news.fresh {
            if item.state == State::Closed {
                standing::reopen(&mut item, act.now);
                act.record_as(AuditKind::ItemReopened);
            } else if known {
                act.record_as(AuditKind::AttemptAdded);
            }
            if known {
                items::update(&mut item, &report, &workflow, &step, act.now);
                item.changed(format!("{} reported it again", token.name));
            }
            standing::derive(&mut act.uow, &mut item).await?;
            plan_retry(act, &item, &report, live.as_ref(), (token.id.0, &token.name)).await?;
        }
        for News { attempt, was } in &news.late {
            // While it is open, what a person found out about an attempt may be contradicted all the same.
            if was_closed || standing::was_found_out(&mut act.uow, attempt).await? {
                standing::late_news(act, &mut item, attempt, was.as_deref()).await?;
            } else {
                standing::double_effect(act, &mut item, attempt).await?;
            }
        }
        item.payload_changed |= changed;
        outcomes::save(act, before, &mut item).await?;
        act.entry().detail("effect", item.effect.as_str()).detail("report_id", name.as_str());
        if let Some((quarantine, _)) = &self.from_quarantine {
            act.entry().detail("quarantine", quarantine.to_string());
        }

        let url = format!("{}/items/{}", act.settings.public_url, item.id);
        let answer = Answer {
            id: item.id,
            created: !known,
            state: item.state,
            effect: item.effect,
            url,
            payload_changed: changed,
        };
        let row = ReportRow {
            digest: self.digest,
            item_id: item.id,
            answer: serde_json::to_string(&answer).map_err(|_| Error::Fault("an answer can't be written"))?,
        };
        act.uow.add_report(workflow.id, &name, &row, token.id, act.now).await?;
        Ok(Taken { answer, repeat: false })
    }
}

/// Keeps the payload's bytes as a revision, unless the automation's last revision has the same. Answers the revision and
/// whether it differs from an earlier one.
async fn keep_payload(
    act: &mut Act<'_>,
    item: &mut Item,
    report: &Report,
    by: (uuid::Uuid, &str),
) -> Result<(Option<i64>, bool)> {
    let (media_type, bytes) = match &report.payload {
        Payload::Bytes { media_type, bytes } => (media_type, bytes),
        Payload::Reference(reference) => {
            let other = item.payload_ref.as_ref().is_some_and(|known| known != reference);
            item.payload_ref = Some(reference.clone());
            return Ok((None, other));
        }
    };
    let revisions = act.uow.revisions(item.id).await?;
    let digest = Sha256::of(bytes);
    let last = revisions.iter().rev().find(|revision| revision.author_kind == "automation");
    if let Some(same) = last.filter(|revision| revision.sha256 == digest && revision.media_type == *media_type) {
        return Ok((Some(same.number), false));
    }
    let number = revisions.last().map_or(1, |revision| revision.number + 1);
    let payload = new_id(act.now);
    act.uow.add_payload(payload, bytes).await?;
    let new = NewRevision { number, payload, media_type, source_version: report.source_version.as_deref() };
    act.uow.add_automation_revision(item.id, &new, by, act.now).await?;
    act.entry().detail("revision", number).detail("sha256", digest.hex());
    Ok((Some(number), number > 1))
}

/// A planned retry holds the activity slot (R5); one that was planned before is replaced or over.
async fn plan_retry(
    act: &mut Act<'_>,
    item: &Item,
    report: &Report,
    live: Option<&Activity>,
    by: (uuid::Uuid, &str),
) -> Result<()> {
    if let Some(live) = live.filter(|live| live.kind == ActivityKind::PlannedRetry) {
        let how = if report.next_attempt_by_automation_at.is_some() { EndedHow::Replaced } else { EndedHow::Started };
        act.uow.end_activity(live.id, how, by.1, act.now).await?;
    }
    let Some(due_at) = report.next_attempt_by_automation_at else { return Ok(()) };
    // At the end of the calendar there is no later: both databases order times up to the year 9999.
    let lease_until = due_at.checked_add_signed(RETRY_GRACE).filter(|end| end.year() <= 9_999).unwrap_or(due_at);
    if lease_until <= act.now {
        act.entry().detail("planned_retry", "past");
        return Ok(());
    }
    let id: ActivityId = new_id(act.now);
    let plan = NewActivity {
        id,
        item_id: item.id,
        kind: ActivityKind::PlannedRetry,
        attempt_id: None,
        by,
        due_at: Some(due_at),
        lease_until,
    };
    let held = act.uow.begin_activity(&plan, act.now).await?.is_ok();
    act.entry().detail("planned_retry", if held { "held" } else { "not_held" });
    Ok(())
}
