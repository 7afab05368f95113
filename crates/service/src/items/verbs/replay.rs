//! Sending a revision to the step's destination: into the outbox, from which it is sent once.

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind,
    item::{ActivityKind, State},
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    replay::Accept,
    workflow::Destination,
};
use serde::Deserialize;
use store::{NewActivity, Replay, Stage, Stored};

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    delivery::{QUEUE_LASTS, waiting_attempt},
    items::{
        actions::{Answers, Field, FieldKind, ItemAction, in_progress},
        sending,
    },
    new_id,
};

pub const ACTION: ItemAction = ItemAction {
    step: Move::Replay,
    label: "Replay…",
    explanation: "Sends one revision to the step's destination, once. You see what goes where before it is sent.",
    permission: Permission::ItemsReplay,
    audit: AuditKind::ReplayRequested,
    fields: &[
        Field::required("revision", "Revision", "Which revision is sent.", FieldKind::Number),
        Field::required("reason", "Reason", "Why it is right to send it now.", FieldKind::Text),
        Field::optional("accept", "Accepted", "What the refusal named, accepted explicitly.", FieldKind::Accepts),
    ],
    needs_version: true,
    answers: Answers::Attempt,
    run: run::<SendAgain>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendAgain {
    revision: i64,
    reason: Said,
    #[serde(default)]
    accept: Vec<Accept>,
    /// A replay at a set time: not built yet.
    not_before: Option<serde_json::Value>,
    /// Asking for an approval: not built yet.
    request_approval: Option<bool>,
}

impl Verb for SendAgain {
    const ACTION: ItemAction = ACTION;

    fn check(&self, _: DateTime<Utc>) -> Result<(), Refusal> {
        if self.not_before.is_some() {
            return Err(Refusal::field("/not_before", "A replay at a set time is not there yet. Leave it out."));
        }
        if self.request_approval == Some(true) {
            return Err(Refusal::field("/request_approval", "Asking for an approval is not there yet. Leave it out."));
        }
        Ok(())
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let now = work.act.now;
        let found = sending::step_of(&mut work.act.uow, work.item).await?;
        let found = found.ok_or(Refusal::NoDestination { pull: false })?;
        let plan = sending::plan(&mut work.act.uow, work.item, &found, self.revision, now).await?;
        if plan.needs_approval {
            return Err(Refusal::NeedsApproval.into());
        }
        let open: Vec<Accept> = plan.demands.iter().copied().filter(|wanted| !self.accept.contains(wanted)).collect();
        if !open.is_empty() {
            return Err(Refusal::NeedsDecision(open).into());
        }
        work.act.uow.keep_replay_key(work.item.id, self.revision, work.item.epoch, &plan.key).await?;
        // The choice between the payloads was made by sending one of them.
        work.item.payload_changed = false;
        let accepted: Vec<&str> = plan.demands.iter().map(|accept| accept.as_str()).collect();
        work.act.entry().detail("sha256", plan.revision.sha256.hex()).detail("accept", accepted);
        let what = Outgoing {
            asks_again: false,
            revision: self.revision,
            epoch: work.item.epoch,
            key: plan.key,
            destination: plan.destination,
            request: plan.request.ok(),
            accepted: plan.demands,
        };
        enqueue(work, what, self.reason.0).await
    }
}

/// What goes into the outbox.
pub(super) struct Outgoing {
    pub(super) asks_again: bool,
    pub(super) revision: i64,
    pub(super) epoch: i64,
    pub(super) key: String,
    pub(super) destination: Destination,
    pub(super) request: Option<String>,
    pub(super) accepted: Vec<Accept>,
}

/// Puts a replay into the outbox and holds the item for it (R5).
pub(super) async fn enqueue(work: &mut Work<'_, '_>, what: Outgoing, reason: String) -> Result<()> {
    let now = work.act.now;
    let mut replay = Replay {
        id: new_id(now),
        item_id: work.item.id,
        activity_id: new_id(now),
        asks_again: what.asks_again,
        revision: what.revision,
        epoch: what.epoch,
        key: what.key,
        destination: Stored(what.destination),
        reason: reason.clone(),
        accepted: Stored(what.accepted),
        requested_by: work.person.id.0,
        requested_by_name: work.person.name.clone(),
        requested_at: now,
        stage: Stage::Queued,
        attempt_id: new_id(now),
        due_at: now,
        tries: 0,
        first_try_at: None,
        fence: 0,
    };
    let number = work.act.uow.attempts(work.item.id).await?.last().map_or(1, |last| last.number + 1);
    let attempt = waiting_attempt(work.item, &replay, number, what.request, now);
    replay.attempt_id = attempt.id;
    work.act.uow.add_attempt(&attempt).await?;
    let holder = NewActivity {
        id: replay.activity_id,
        item_id: work.item.id,
        kind: ActivityKind::Replay,
        attempt_id: Some(attempt.id),
        by: (work.person.id.0, &work.person.name),
        due_at: None,
        lease_until: now + QUEUE_LASTS,
    };
    work.act.uow.begin_activity(&holder, now).await?.map_err(|winner| in_progress(&winner))?;
    work.act.uow.add_replay(&replay).await?;
    work.item.state = State::Replaying;
    work.item.changed(format!("{} asked for revision {} to be sent", work.person.name, replay.revision));
    work.attempt = Some(attempt.id);
    work.act
        .entry()
        .detail("replay", replay.id.to_string())
        .detail("revision", replay.revision)
        .detail("attempt", attempt.number)
        .text(reason);
    Ok(())
}
