//! Deciding what another person asked for (R11, R12): approve, reject, withdraw, hand on.

use domain::{
    access::{self, Caller},
    approval::{ApprovalKind, ApprovalState, Verdict},
    audit::AuditKind,
    ids::{ApprovalId, PersonId},
    item::State,
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
    report::TEXT_LIMIT,
};
use store::{Approval, ApprovalDecision, Item, Uow};

use super::{
    ask::{deciders, name_of},
    draw::{self, Drawn, Intent},
    outside::Outside,
    settle,
};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    compensations,
    items::{
        actions::scope,
        sending,
        verbs::{
            self,
            replay::{Outgoing, enqueue_for},
        },
    },
    outcomes,
    payloads::sight::Sight,
};

/// What an approval is afterwards.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The approval.
    pub approval: Approval,
    /// Its item.
    pub item: Item,
}

struct Decide {
    id: ApprovalId,
    verdict: Verdict,
    reason: String,
    expected: Option<i64>,
    outside: Outside,
}

/// The two verdicts differ in what the audit calls them and in nothing else that is stated.
struct Approve(Decide);
struct Reject(Decide);

impl Action for Approve {
    const NAME: &'static str = "approve";
    const GATE: Gate = Gate::Within(Permission::ApprovalsDecide);
    const AUDIT: AuditKind = AuditKind::Approved;
    const STEP_UP: bool = true;
    type Output = Decided;

    async fn perform(self, act: &mut Act<'_>) -> Result<Decided> {
        decide(act, self.0).await
    }
}

impl Action for Reject {
    const NAME: &'static str = "reject";
    const GATE: Gate = Gate::Within(Permission::ApprovalsDecide);
    const AUDIT: AuditKind = AuditKind::ApprovalRejected;
    const STEP_UP: bool = true;
    type Output = Decided;

    async fn perform(self, act: &mut Act<'_>) -> Result<Decided> {
        decide(act, self.0).await
    }
}

/// The approval and its item, locked, if the caller may see them and it waits.
async fn waiting(act: &mut Act<'_>, id: ApprovalId) -> Result<(Approval, Item)> {
    let found = act.uow.approval(id).await?.ok_or(Refusal::NotFound)?;
    let item = act.uow.lock_item(found.item_id).await?.ok_or(Refusal::NotFound)?;
    act.entry().item(&item).detail("approval", id.to_string());
    access::may(act.caller, Permission::ItemsRead, scope(&item))?;
    let approval = act.uow.approval(id).await?.ok_or(Refusal::NotFound)?;
    Ok((approval, item))
}

/// Whether it waits, and is not too old.
fn still_waits(act: &Act<'_>, approval: &Approval) -> Result<(), Refusal> {
    if approval.state != ApprovalState::Waiting {
        return Err(Refusal::NotWaiting { state: approval.state, by: approval.ended_by_name.clone() });
    }
    if approval.expires_at <= act.now {
        return Err(Refusal::NotWaiting { state: ApprovalState::Expired, by: None });
    }
    Ok(())
}

async fn decide(act: &mut Act<'_>, this: Decide) -> Result<Decided> {
    let (approval, mut item) = waiting(act, this.id).await?;
    let person = act.person()?.clone();
    access::may(act.caller, Permission::ApprovalsDecide, scope(&item))?;
    let acts_for = may_decide(&mut act.uow, &approval, person.id, act.now).await?;
    if this.expected.is_none() {
        return Err(Refusal::VersionRequired.into());
    }
    let reason = said("/reason", &this.reason)?;
    still_waits(act, &approval)?;
    if this.verdict == Verdict::Approve && item.state != State::AwaitingApproval {
        let moved = format!("The item has moved on: {}.", item.last_change);
        return Err(Refusal::ApprovalStale(vec![moved]).into());
    }
    let drawn = draw::again(&mut act.uow, &item, (&approval.bound, approval.id), &this.outside, act.now).await?;
    let drawn = match (this.verdict, drawn) {
        (_, Ok(drawn)) => Some(drawn),
        // What has changed can be turned down as well as anything else.
        (Verdict::Reject, Err(_)) => None,
        (Verdict::Approve, Err(changes)) => return Err(Refusal::ApprovalStale(changes).into()),
    };
    if this.expected != Some(item.version) {
        return Err(Refusal::Conflict { current: item.version, last_change: item.last_change }.into());
    }
    if act.uow.approval_decisions(approval.id).await?.iter().any(|decision| decision.person_id == person.id) {
        return Err(Refusal::DecidedBefore.into());
    }
    if let Some(drawn) = &drawn {
        sees_it_all(act, &item, drawn).await?;
    }
    let before = item.state;
    let decision = ApprovalDecision {
        approval_id: approval.id,
        person_id: person.id,
        person_name: person.name.clone(),
        acts_for: acts_for.map(|person| person.0),
        verdict: this.verdict,
        reason: reason.clone(),
        at: act.now,
    };
    act.uow.add_approval_decision(&decision, &approval.hash).await?;
    let hash = domain::digest::Sha256::from_slice(&approval.hash).map(|hash| hash.hex());
    act.entry().detail("hash", hash).detail("kind", approval.kind.as_str()).text(&reason);
    if let Some(person) = acts_for {
        act.entry().detail("acts_for", person.to_string());
    }
    match (this.verdict, drawn) {
        (Verdict::Approve, Some(drawn)) => {
            let decisions = act.uow.approval_decisions(approval.id).await?;
            let given = decisions.iter().filter(|decision| decision.verdict == Verdict::Approve).count();
            let wanted = usize::try_from(approval.approvers).unwrap_or(usize::MAX);
            act.entry().detail("given", given).detail("wanted", wanted);
            if given >= wanted {
                act.uow
                    .end_approval(approval.id, ApprovalState::Approved, &person.name, Some(&reason), act.now)
                    .await?;
                execute(act, &mut item, &approval, drawn).await?;
                let about = format!("{}: approved", name_of(&item));
                act.tell(approval.requested_by, NoticeKind::ApprovalDecided, &about, Some(item.id)).await?;
            }
        }
        _ => settle::end(act, &mut item, &approval, ApprovalState::Rejected, &reason).await?,
    }
    outcomes::save(act, before, &mut item).await?;
    let approval = act.uow.approval(approval.id).await?.ok_or(Error::Fault("an approval is not there"))?;
    Ok(Decided { approval, item })
}

/// Whether this account may decide it; for whom it stands in, if it was handed to somebody else who is away (R11).
pub(crate) async fn may_decide(
    uow: &mut Uow,
    approval: &Approval,
    person: PersonId,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<Option<PersonId>> {
    let excluded = uow.exclusions(approval.id).await?;
    if let Some(exclusion) = excluded.iter().find(|exclusion| exclusion.person_id == person) {
        return Err(Refusal::Excluded(exclusion.why).into());
    }
    // Whoever found something out meanwhile had a hand in it, too.
    if uow.finders(approval.item_id).await?.contains(&person) {
        return Err(Refusal::Excluded(domain::approval::Excluded::Found).into());
    }
    let stands_in = uow.stands_in_for(person, now).await?;
    let stands_in: Vec<PersonId> = stands_in.iter().filter(|s| s.starts_at <= now).map(|s| s.person_id).collect();
    if excluded.iter().any(|exclusion| stands_in.contains(&exclusion.person_id)) {
        return Err(Refusal::Excluded(domain::approval::Excluded::Substitute).into());
    }
    Ok(approval.delegate_id.map(PersonId).filter(|delegate| *delegate != person && stands_in.contains(delegate)))
}

/// Who may not see a part of it may not approve it.
async fn sees_it_all(act: &mut Act<'_>, item: &Item, drawn: &Drawn) -> Result<()> {
    let found = sending::step_of(&mut act.uow, item).await?;
    let sight = Sight::of(act.caller, item, found.as_ref().map(|found| &found.step));
    if sight.see(&drawn.bytes).hides() { Err(Refusal::AboveClearance.into()) } else { Ok(()) }
}

/// What was approved is put into the outbox, in the same transaction.
async fn execute(act: &mut Act<'_>, item: &mut Item, approval: &Approval, drawn: Drawn) -> Result<()> {
    match approval.kind {
        ApprovalKind::Compensation => compensations::begin(act, item, approval, drawn).await,
        ApprovalKind::Replay => {
            let send = drawn.bound.sends.into_iter().next().ok_or(Error::Fault("an approval sends nothing"))?;
            act.uow.keep_replay_key(item.id, drawn.bound.revision, item.epoch, &send.key).await?;
            item.payload_changed = false;
            let what = Outgoing {
                asks_again: false,
                revision: drawn.bound.revision,
                epoch: item.epoch,
                key: send.key,
                destination: send.destination,
                request: Some(send.request),
                accepted: drawn.bound.accepted,
                approval: Some(approval.id),
            };
            let by = (approval.requested_by, approval.requested_by_name.as_str());
            enqueue_for(act, item, by, what, approval.reason.clone()).await.map(drop)
        }
    }
}

struct Withdraw {
    id: ApprovalId,
    reason: String,
}

impl Action for Withdraw {
    const NAME: &'static str = "withdraw";
    const GATE: Gate = Gate::Within(Permission::ItemsRead);
    const AUDIT: AuditKind = AuditKind::ApprovalWithdrawn;
    type Output = Decided;

    async fn perform(self, act: &mut Act<'_>) -> Result<Decided> {
        let (approval, mut item) = waiting(act, self.id).await?;
        if act.person()?.id != approval.requested_by {
            return Err(Refusal::NotAsker.into());
        }
        let reason = said("/reason", &self.reason)?;
        still_waits(act, &approval)?;
        let before = item.state;
        act.entry().text(&reason);
        settle::end(act, &mut item, &approval, ApprovalState::Withdrawn, &reason).await?;
        outcomes::save(act, before, &mut item).await?;
        let approval = act.uow.approval(approval.id).await?.ok_or(Error::Fault("an approval is not there"))?;
        Ok(Decided { approval, item })
    }
}

struct HandOn {
    id: ApprovalId,
    to: String,
    note: String,
}

impl Action for HandOn {
    const NAME: &'static str = "hand_on_approval";
    const GATE: Gate = Gate::Within(Permission::ApprovalsDecide);
    const AUDIT: AuditKind = AuditKind::ApprovalHandedOn;
    type Output = Decided;

    async fn perform(self, act: &mut Act<'_>) -> Result<Decided> {
        let (approval, item) = waiting(act, self.id).await?;
        access::may(act.caller, Permission::ApprovalsDecide, scope(&item))?;
        let note = said("/note", &self.note)?;
        still_waits(act, &approval)?;
        let wrong = |why: &str| Refusal::field("/person", why);
        let row = act.uow.person_by_email(self.to.trim()).await?.filter(|row| row.disabled_at.is_none());
        let to = row.ok_or_else(|| wrong("Nobody who can sign in has this address."))?;
        if !deciders(&mut act.uow, &item).await?.contains(&to.id) {
            return Err(wrong("This person can't decide things of this team.").into());
        }
        match may_decide(&mut act.uow, &approval, to.id, act.now).await {
            Ok(_) => {}
            Err(Error::Refused(Refusal::Excluded(why))) => {
                return Err(wrong(&format!("They can't decide it: they had a hand in it ({why}).")).into());
            }
            Err(other) => return Err(other),
        }
        act.uow.delegate_approval(approval.id, to.id).await?;
        act.entry().detail("to", to.id.to_string()).text(&note);
        act.tell(to.id, NoticeKind::ApprovalWaits, &format!("{}: {note}", name_of(&item)), Some(item.id)).await?;
        // Whoever stands in for them while they are away is told as well.
        for substitute in act.uow.substitutes_of(to.id, act.now).await? {
            if substitute.starts_at <= act.now {
                act.tell(substitute.substitute_id, NoticeKind::ApprovalWaits, name_of(&item), Some(item.id)).await?;
            }
        }
        let approval = act.uow.approval(approval.id).await?.ok_or(Error::Fault("an approval is not there"))?;
        Ok(Decided { approval, item })
    }
}

fn said(pointer: &str, text: &str) -> Result<String, Refusal> {
    verbs::said(pointer, text, TEXT_LIMIT).map(domain::text::message)
}

impl Service {
    /// Approves what waits, as it was looked at; with the last approval that it takes, it is done.
    pub async fn approve(&self, request: &Request, id: ApprovalId, reason: &str, seen: Option<i64>) -> Result<Decided> {
        let outside = match self.outside_of(&request.caller, id).await {
            Ok(outside) => outside,
            // Refused for itself: nothing of it is read elsewhere.
            Err(Error::Refused(Refusal::NotFound | Refusal::NotSignedIn)) => Outside::default(),
            Err(Error::Refused(refusal)) => {
                let mut entry = crate::action::Entry::new(AuditKind::Approved);
                entry.detail("approval", id.to_string());
                self.record_refusal(request, entry, &refusal).await?;
                if let Refusal::ConditionFails { seen: true, .. } = &refusal {
                    self.void_approval(id, refusal.sentence()).await?;
                }
                return Err(refusal.into());
            }
            Err(error) => return Err(error),
        };
        let decide = Decide { id, verdict: Verdict::Approve, reason: reason.to_owned(), expected: seen, outside };
        let decided = self.run(request, Approve(decide)).await;
        if let Err(Error::Refused(Refusal::ApprovalStale(changes))) = &decided {
            self.void_approval(id, changes.join(" ")).await?;
        }
        if decided.is_ok() {
            self.outbox.notify_one();
        }
        decided
    }

    /// Rejects what waits.
    pub async fn reject(&self, request: &Request, id: ApprovalId, reason: &str, seen: Option<i64>) -> Result<Decided> {
        // What other systems show is no reason to keep it waiting.
        let outside = Outside { source_version: self.source_as_bound(id).await? };
        let decide = Decide { id, verdict: Verdict::Reject, reason: reason.to_owned(), expected: seen, outside };
        self.run(request, Reject(decide)).await
    }

    /// Takes back what one asked for oneself.
    pub async fn withdraw(&self, request: &Request, id: ApprovalId, reason: &str) -> Result<Decided> {
        self.run(request, Withdraw { id, reason: reason.to_owned() }).await
    }

    /// Hands the decision to somebody else who may give it.
    pub async fn hand_on_approval(&self, request: &Request, id: ApprovalId, to: &str, note: &str) -> Result<Decided> {
        self.run(request, HandOn { id, to: to.to_owned(), note: note.to_owned() }).await
    }

    async fn source_as_bound(&self, id: ApprovalId) -> Result<Option<String>> {
        let approval = self.store.read().await?.approval(id).await?;
        Ok(approval.and_then(|approval| approval.bound.0.source_version))
    }

    /// What other systems show of what an approval rests on. Asked only for somebody who may decide it, while it waits.
    pub(crate) async fn outside_of(&self, caller: &Caller, id: ApprovalId) -> Result<Outside> {
        let mut uow = self.store.read().await?;
        let approval = uow.approval(id).await?.ok_or(Refusal::NotFound)?;
        let item = uow.item(approval.item_id).await?.ok_or(Refusal::NotFound)?;
        let as_bound = Outside { source_version: approval.bound.source_version.clone() };
        let waits = approval.state == ApprovalState::Waiting;
        if !waits || access::may(caller, Permission::ApprovalsDecide, scope(&item)).is_err() {
            return Ok(as_bound);
        }
        if approval.bound.policy.source.is_none() && approval.bound.policy.only_if.is_none() {
            return Ok(as_bound);
        }
        let places = match draw::places(&mut uow, &item, &Intent::of(&approval.bound)).await {
            Ok(places) => places,
            // It can't be drawn up any more, which is told when it is compared.
            Err(Error::Refused(_)) => return Ok(as_bound),
            Err(error) => return Err(error),
        };
        drop(uow);
        let mut seen = self.look_outside(places).await?;
        seen.source_version = seen.source_version.or(as_bound.source_version);
        Ok(seen)
    }
}
