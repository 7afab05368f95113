//! Sending a revision to the step's destination: into the outbox, from which it is sent once.

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind,
    ids::{ApprovalId, AttemptId, ItemId, PersonId},
    item::{ActivityKind, State},
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    replay::Accept,
    workflow::Destination,
};
use serde::Deserialize;
use serde_json::Value;
use store::{Item, NewActivity, Replay, Stage, Stored, Uow};

use super::{OnItem, Verb, Work, digest, input::Said, read, run};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Entry},
    approvals::{
        ask,
        draw::{self, Intent},
        outside::Outside,
    },
    delivery::{QUEUE_LASTS, waiting_attempt},
    items::{
        actions::{Answers, Doing, Done, Field, FieldKind, Input, ItemAction, in_progress},
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
        Field::optional(
            "request_approval",
            "Ask for an approval",
            "Another person decides, and then it is sent.",
            FieldKind::Flag,
        ),
    ],
    needs_version: true,
    answers: Answers::Attempt,
    run: send_again,
};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendAgain {
    revision: i64,
    reason: Said,
    #[serde(default)]
    accept: Vec<Accept>,
    /// A replay at a set time: not built yet.
    not_before: Option<serde_json::Value>,
    /// Another person is asked to approve it.
    #[serde(default)]
    request_approval: bool,
}

/// Sends it, or asks another person first.
fn send_again<'a>(
    service: &'a Service,
    request: &'a Request,
    item: ItemId,
    input: Input,
    expected: Option<i64>,
) -> Doing<'a> {
    let asks = input.as_ref().is_ok_and(|input| input.get("request_approval").and_then(Value::as_bool) == Some(true));
    if asks {
        Box::pin(ask_first::<SendAgain>(service, request, item, input, expected))
    } else {
        run::<SendAgain>(service, request, item, input, expected)
    }
}

/// Something that another person has to decide before it is done.
pub(super) trait Wanted: Verb + Clone {
    /// What is wanted, with this item.
    fn intent(&self, uow: &mut Uow, item: &Item) -> impl Future<Output = Result<Intent>> + Send;

    /// Lets it wait for a decision.
    fn ask(self, work: &mut Work<'_, '_>, outside: &Outside) -> impl Future<Output = Result<()>> + Send;
}

/// The second step of asking: what was wanted, and what other systems showed.
struct Asking<W>(W, Outside);

impl<'de, W: Wanted> Deserialize<'de> for Asking<W> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <(W, Outside)>::deserialize(from).map(|(wanted, outside)| Self(wanted, outside))
    }
}

impl<W: Wanted> Verb for Asking<W> {
    const ACTION: ItemAction = W::ACTION;

    fn check(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        self.0.check(now)
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        self.0.ask(work, &self.1).await
    }
}

/// Whether it may be asked for → what other systems show, outside any transaction → it waits.
pub(super) async fn ask_first<W: Wanted>(
    service: &Service,
    request: &Request,
    id: ItemId,
    input: Input,
    expected: Option<i64>,
) -> Result<Done> {
    let as_asked = digest::<W>(input.as_ref().ok(), id);
    let first = OnItem::<W>::new(id, input.clone(), expected, request.key.clone()).not_remembered();
    let done = service.run(request, first).await?;
    if done.repeat {
        return Ok(done);
    }
    let input = input?;
    let wanted: W = read::from_json(input.clone())?;
    let mut uow = service.store.read().await?;
    let item = uow.item(id).await?.ok_or(Refusal::NotFound)?;
    let intent = wanted.intent(&mut uow, &item).await?;
    let places = draw::places(&mut uow, &item, &intent).await?;
    drop(uow);
    let outside = match service.look_outside(places).await {
        Ok(outside) => outside,
        Err(Error::Refused(refusal)) => {
            let mut entry = Entry::new(W::ACTION.audit);
            entry.item(&item);
            service.record_refusal(request, entry, &refusal).await?;
            return Err(refusal.into());
        }
        Err(error) => return Err(error),
    };
    let outside = serde_json::to_value(outside).map_err(|_| Error::Fault("a look can't be written down"))?;
    let asking = Ok(Value::Array(vec![input, outside]));
    let second = OnItem::<Asking<W>>::new(id, asking, expected, request.key.clone()).remembered_as(as_asked);
    service.run(request, second).await
}

impl Verb for SendAgain {
    const ACTION: ItemAction = ACTION;

    fn check(&self, _: DateTime<Utc>) -> Result<(), Refusal> {
        if self.not_before.is_some() {
            return Err(Refusal::field("/not_before", "A replay at a set time is not there yet. Leave it out."));
        }
        Ok(())
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let now = work.act.now;
        let found = sending::step_of(&mut work.act.uow, work.item).await?;
        let found = found.ok_or(Refusal::NoDestination { pull: false })?;
        let plan = sending::plan(&mut work.act.uow, work.item, &found, self.revision, now).await?;
        if let Some(refusal) = plan.unsuited {
            return Err(refusal.into());
        }
        if plan.needs_approval && !self.request_approval {
            return Err(Refusal::NeedsApproval.into());
        }
        let open: Vec<Accept> = plan.demands.iter().copied().filter(|wanted| !self.accept.contains(wanted)).collect();
        if !open.is_empty() {
            return Err(Refusal::NeedsDecision(open).into());
        }
        if self.request_approval {
            // It is asked for once other systems were looked at.
            work.act.no_entry();
            return Ok(());
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
            approval: None,
        };
        enqueue(work, what, self.reason.0).await
    }
}

impl Wanted for SendAgain {
    async fn intent(&self, _: &mut Uow, _: &Item) -> Result<Intent> {
        Ok(Intent::Replay { revision: self.revision })
    }

    async fn ask(self, work: &mut Work<'_, '_>, outside: &Outside) -> Result<()> {
        let (id, now) = (new_id::<ApprovalId>(work.act.now), work.act.now);
        let intent = Intent::Replay { revision: self.revision };
        let drawn = draw::draw(&mut work.act.uow, work.item, (&intent, id), &self.accept, outside, now).await?;
        work.act.record_as(AuditKind::ApprovalAsked);
        ask::ask(work, id, &drawn, &self.reason.0).await
    }
}

/// What goes into the outbox.
pub(crate) struct Outgoing {
    pub(crate) asks_again: bool,
    pub(crate) revision: i64,
    pub(crate) epoch: i64,
    pub(crate) key: String,
    pub(crate) destination: Destination,
    pub(crate) request: Option<String>,
    pub(crate) accepted: Vec<Accept>,
    pub(crate) approval: Option<ApprovalId>,
}

/// Puts a replay into the outbox and holds the item for it (R5).
pub(super) async fn enqueue(work: &mut Work<'_, '_>, what: Outgoing, reason: String) -> Result<()> {
    let (id, name) = (work.person.id, work.person.name.clone());
    work.attempt = Some(enqueue_for(work.act, work.item, (id, &name), what, reason).await?);
    Ok(())
}

/// The same for somebody whose request was approved.
pub(crate) async fn enqueue_for(
    act: &mut Act<'_>,
    item: &mut Item,
    (by, by_name): (PersonId, &str),
    what: Outgoing,
    reason: String,
) -> Result<AttemptId> {
    let now = act.now;
    let mut replay = Replay {
        id: new_id(now),
        item_id: item.id,
        activity_id: new_id(now),
        asks_again: what.asks_again,
        revision: what.revision,
        epoch: what.epoch,
        key: what.key,
        destination: Stored(what.destination),
        reason: reason.clone(),
        accepted: Stored(what.accepted),
        requested_by: by.0,
        requested_by_name: by_name.to_owned(),
        requested_at: now,
        stage: Stage::Queued,
        attempt_id: new_id(now),
        due_at: now,
        tries: 0,
        first_try_at: None,
        fence: 0,
        approval_id: what.approval.map(|approval| approval.0),
        compensation_id: None,
        part: None,
        body_id: None,
        // What was approved goes where it was approved to go, however often it is tried.
        address: what.approval.and(what.request.as_deref()).and_then(draw::address),
    };
    let number = act.uow.attempts(item.id).await?.last().map_or(1, |last| last.number + 1);
    let attempt = waiting_attempt(item, &replay, number, what.request, now);
    replay.attempt_id = attempt.id;
    act.uow.add_attempt(&attempt).await?;
    let holder = NewActivity {
        id: replay.activity_id,
        item_id: item.id,
        kind: ActivityKind::Replay,
        attempt_id: Some(attempt.id),
        by: (by.0, by_name),
        due_at: None,
        lease_until: now + QUEUE_LASTS,
    };
    act.uow.begin_activity(&holder, now).await?.map_err(|winner| in_progress(&winner))?;
    act.uow.add_replay(&replay).await?;
    item.state = State::Replaying;
    item.changed(format!("{by_name} asked for revision {} to be sent", replay.revision));
    act.entry()
        .detail("replay", replay.id.to_string())
        .detail("revision", replay.revision)
        .detail("attempt", attempt.number);
    if what.approval.is_none() {
        act.entry().text(reason);
    }
    Ok(attempt.id)
}
