//! What waits for a decision and what was decided, as somebody may see it.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Person},
    approval::{ApprovalState, Bound},
    audit::AuditKind,
    ids::ApprovalId,
    permission::Permission,
    refusal::Refusal,
    workflow::HeaderValue,
};
use store::{Approval, ApprovalDecision, ApprovalPlace, Item, Revision, Uow};

use super::{
    ask::name_of,
    decide::may_decide,
    draw::{self, Drawn},
    outside::Outside,
};
use crate::{
    Error, Request, Result, Service,
    action::Entry,
    clearance::{HIDDEN, Veil},
    items::{self, actions::scope, sending},
    payloads::{
        difference::{Difference, Extent},
        sight::{Seen, Sight},
    },
};

/// Rows of one page.
const ROWS: usize = 50;

/// Which approvals are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// What waits for the viewer's decision.
    ForMe,
    /// What the viewer asked for.
    Mine,
    /// What has ended, in the viewer's teams.
    Ended,
    /// Everything, as the audit shows it.
    Audit,
}

/// One approval in a list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The approval; what is above the viewer's clearance is blanked.
    pub approval: Approval,
    /// What its item is called.
    pub name: String,
    /// Its workflow's key.
    pub workflow: String,
    /// Its step.
    pub step: String,
    /// What was decided.
    pub decisions: Vec<ApprovalDecision>,
    /// What became of it: how its compensation stands, or its replay's last attempt.
    pub became: Option<&'static str>,
}

/// A page of approvals.
#[derive(Debug, Clone)]
pub struct Approvals {
    /// Its rows.
    pub rows: Vec<Listed>,
    /// Where the next page begins.
    pub next: Option<ApprovalPlace>,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

/// One request that would be made, as the viewer may see it.
#[derive(Debug, Clone)]
pub struct RequestShown {
    /// The part of a compensation.
    pub part: Option<String>,
    /// Method and address.
    pub request: String,
    /// Headers by name; of secrets the secret's name.
    pub headers: Vec<(String, String)>,
    /// The header of the idempotency key, and the key; `None` of what was not asked for yet.
    pub key: Option<(String, String)>,
    /// How many bytes the body has; `None` where a part of it is hidden.
    pub size: Option<usize>,
    /// The body's digest; `None` where a part of it is hidden.
    pub sha256: Option<String>,
    /// The body of a compensation's part; `None` for a replay, whose body is the revision, and where it is hidden.
    pub body: Option<String>,
}

/// An approval with everything it rests on.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The approval; what is above the viewer's clearance is blanked.
    pub approval: Approval,
    /// Its item, the same.
    pub item: Item,
    /// What its item is called.
    pub name: String,
    /// The revision it is about, without its bytes: who made it, and why.
    pub revision: Option<Revision>,
    /// The name of its plan.
    pub plan_name: Option<String>,
    /// What would be, or was, sent.
    pub requests: Vec<RequestShown>,
    /// What has changed since it was asked for; approving is refused then.
    pub changes: Vec<String>,
    /// The source record's version now, where it was read.
    pub source_now: Option<String>,
    /// How the revision differs from the original; `None` where it is the original, or nothing of it may be seen.
    pub difference: Option<Difference>,
    /// The content itself, for a viewer who may see it; with masks otherwise, or not at all.
    pub content: Option<String>,
    /// Whether something is hidden from the viewer.
    pub hidden: bool,
    /// What was decided.
    pub decisions: Vec<ApprovalDecision>,
    /// Whom it was handed to.
    pub delegate: Option<String>,
    /// Why the viewer may not approve it, if they may not.
    pub refusal: Option<Refusal>,
    /// Why the viewer may not reject it, if they may not.
    pub reject_refusal: Option<Refusal>,
    /// Whether the viewer asked for it.
    pub own: bool,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

impl Service {
    /// A page of approvals, as the caller may see them.
    pub async fn approvals(&self, request: &Request, tab: Tab, from: Option<ApprovalPlace>) -> Result<Approvals> {
        let read = self.read_approvals(&request.caller, tab, from);
        self.reading(request, Entry::new(AuditKind::ApprovalsRead), None, read).await
    }

    async fn read_approvals(&self, caller: &Caller, tab: Tab, from: Option<ApprovalPlace>) -> Result<Approvals> {
        let person = person(caller)?;
        let wanted = if tab == Tab::Audit { Permission::AuditRead } else { Permission::ItemsRead };
        access::may(caller, wanted, access::Scope::Installation)?;
        let all = person.bounds().is_none();
        let mut uow = self.store.read().await?;
        let most = i64::try_from(ROWS + 1).unwrap_or(i64::MAX);
        let mut found = match tab {
            Tab::ForMe if !person.holds(Permission::ApprovalsDecide) => Vec::new(),
            Tab::ForMe => uow.waiting_for(person.id, all, from, most).await?,
            Tab::Mine => uow.asked_by(person.id, from, most).await?,
            Tab::Audit => uow.all_approvals(person.id, all, from, most).await?,
            Tab::Ended => uow.ended_approvals(person.id, all, from, most).await?,
        };
        let more = found.len() > ROWS;
        found.truncate(ROWS);
        let place = |a: &Approval| {
            (if tab == Tab::Ended { a.ended_at.unwrap_or(a.requested_at) } else { a.requested_at }, a.id)
        };
        let next = found.last().filter(|_| more).map(place);
        let mut rows = Vec::new();
        for mut approval in found {
            let Some(item) = uow.item(approval.item_id).await? else { continue };
            if access::may(caller, Permission::ItemsRead, scope(&item)).is_err() {
                continue;
            }
            Veil::of(caller, item.sensitivity).over_approval(&mut approval);
            let name = name_of(&item).to_owned();
            let mut decisions = uow.approval_decisions(approval.id).await?;
            Veil::of(caller, item.sensitivity).over_decisions(&mut decisions);
            let became = became(&mut uow, &approval).await?;
            rows.push(Listed { approval, name, workflow: item.workflow_key, step: item.step, decisions, became });
        }
        Ok(Approvals { rows, next, as_of: self.now() })
    }

    /// How many wait for the caller's decision; counted up to 100.
    pub async fn approvals_waiting(&self, caller: &Caller) -> Result<i64> {
        match caller {
            Caller::Person(person) if person.holds(Permission::ApprovalsDecide) => {
                let mut uow = self.store.read().await?;
                Ok(uow.count_waiting_for(person.id, person.bounds().is_none()).await?)
            }
            _ => Ok(0),
        }
    }

    /// An approval with everything it rests on, compared with how things stand now.
    pub async fn approval(&self, request: &Request, id: ApprovalId) -> Result<Shown> {
        let mut entry = Entry::new(AuditKind::ApprovalsRead);
        entry.detail("approval", id.to_string());
        self.reading(request, entry, None, self.read_approval(&request.caller, id)).await
    }

    async fn read_approval(&self, caller: &Caller, id: ApprovalId) -> Result<Shown> {
        let person = person(caller)?.id;
        {
            // What is not theirs to see is not there, before any other system is asked.
            let mut uow = self.store.read().await?;
            let approval = uow.approval(id).await?.ok_or(Refusal::NotFound)?;
            items::readable(&mut uow, caller, approval.item_id).await?;
        }
        let (outside, unseen) = match self.outside_of(caller, id).await {
            Ok(outside) => (Some(outside), None),
            Err(Error::Refused(refusal)) => (None, Some(refusal)),
            Err(error) => return Err(error),
        };
        let now = self.now();
        let mut uow = self.store.read().await?;
        let mut approval = uow.approval(id).await?.ok_or(Refusal::NotFound)?;
        let mut item = items::readable(&mut uow, caller, approval.item_id).await?;
        let waits = approval.state == ApprovalState::Waiting;
        let as_bound = Outside { source_version: approval.bound.source_version.clone() };
        let seen = outside.as_ref().unwrap_or(&as_bound);
        let (drawn, mut changes) = match draw::again(&mut uow, &item, (&approval.bound, id), seen, now).await? {
            Ok(drawn) => (Some(drawn), Vec::new()),
            Err(changes) => (None, changes),
        };
        changes.extend(unseen.as_ref().map(Refusal::sentence));
        if !waits {
            changes.clear();
        }
        let found = sending::step_of(&mut uow, &item).await?;
        let sight = Sight::of(caller, &item, found.as_ref().map(|found| &found.step));
        let mut revision =
            uow.revisions(item.id).await?.into_iter().find(|revision| revision.number == approval.bound.revision);
        let content = match &revision {
            Some(revision) => crate::payloads::difference::bytes_of(&mut uow, revision).await?,
            None => None,
        };
        let seen_of_it = content.as_deref().map(|bytes| sight.see(bytes));
        let hidden = seen_of_it.as_ref().is_none_or(Seen::hides);
        let content_shown = match (seen_of_it, content.as_deref()) {
            (Some(Seen::Whole), Some(bytes)) => std::str::from_utf8(bytes).ok().map(str::to_owned),
            (Some(Seen::Masked { text, .. }), _) => Some(text),
            _ => None,
        };
        let difference = difference(&mut uow, &approval, &sight, content.as_deref()).await?;
        let mut decisions = uow.approval_decisions(id).await?;
        let may = self.may_approve(&mut uow, caller, &approval, &item, &decisions).await?;
        let refusal = may
            .clone()
            .or_else(|| hidden.then_some(Refusal::AboveClearance))
            .or(unseen)
            .or_else(|| (!changes.is_empty()).then(|| Refusal::ApprovalStale(changes.clone())));
        let plan_name = drawn.as_ref().and_then(|drawn| drawn.plan.as_ref()).map(|plan| plan.name.clone());
        let requests = requests(&approval.bound, drawn.as_ref(), hidden);
        let delegate = match approval.delegate_id {
            Some(delegate) => uow.person_name(domain::ids::PersonId(delegate)).await?,
            None => None,
        };
        let (own, name) = (approval.requested_by == person, name_of(&item).to_owned());
        let veil = Veil::of(caller, item.sensitivity);
        veil.over_approval(&mut approval);
        veil.over_decisions(&mut decisions);
        veil.over_item(&mut item);
        veil.over_revisions(&mut revision);
        Ok(Shown {
            name,
            revision,
            plan_name,
            requests,
            changes,
            source_now: outside.and_then(|outside| outside.source_version),
            difference,
            content: content_shown,
            hidden,
            decisions,
            delegate,
            refusal,
            reject_refusal: may,
            own,
            as_of: now,
            approval,
            item,
        })
    }

    /// Why the caller may not decide it, if they may not.
    async fn may_approve(
        &self,
        uow: &mut Uow,
        caller: &Caller,
        approval: &Approval,
        item: &Item,
        decisions: &[ApprovalDecision],
    ) -> Result<Option<Refusal>> {
        let person = person(caller)?.id;
        if let Err(refusal) = access::may(caller, Permission::ApprovalsDecide, scope(item)) {
            return Ok(Some(refusal));
        }
        match may_decide(uow, approval, person, self.now()).await {
            Ok(_) => {}
            Err(Error::Refused(refusal)) => return Ok(Some(refusal)),
            Err(error) => return Err(error),
        }
        if approval.state != ApprovalState::Waiting {
            let by = approval.ended_by_name.clone();
            return Ok(Some(Refusal::NotWaiting { state: approval.state, by }));
        }
        if approval.expires_at <= self.now() {
            return Ok(Some(Refusal::NotWaiting { state: ApprovalState::Expired, by: None }));
        }
        Ok(decisions.iter().any(|decision| decision.person_id == person).then_some(Refusal::DecidedBefore))
    }
}

/// What became of something that was approved.
async fn became(uow: &mut Uow, approval: &Approval) -> Result<Option<&'static str>> {
    let compensations = uow.compensations(approval.item_id).await?;
    if let Some(compensation) = compensations.iter().find(|compensation| compensation.approval_id == approval.id) {
        return Ok(Some(compensation.stage.label()));
    }
    let replays = uow.replays(approval.item_id).await?;
    let Some(replay) = replays.iter().find(|replay| replay.approval_id == Some(approval.id.0)) else { return Ok(None) };
    let attempts = uow.attempts(approval.item_id).await?;
    Ok(attempts.iter().find(|attempt| attempt.id == replay.attempt_id).map(|attempt| attempt.outcome.label()))
}

fn person(caller: &Caller) -> Result<&Person, Refusal> {
    match caller {
        Caller::Person(person) => Ok(person),
        Caller::Anonymous => Err(Refusal::NotSignedIn),
        _ => Err(Refusal::WrongTokenKind),
    }
}

async fn difference(
    uow: &mut Uow,
    approval: &Approval,
    sight: &Sight,
    content: Option<&[u8]>,
) -> Result<Option<Difference>> {
    let (Some(content), true) = (content, approval.bound.revision > 1) else { return Ok(None) };
    let revisions = uow.revisions(approval.item_id).await?;
    let Some(original) = revisions.first() else { return Ok(None) };
    let Some(before) = crate::payloads::difference::bytes_of(uow, original).await? else { return Ok(None) };
    Ok(Difference::seen(sight, &original.media_type, &before, content, Extent::Around))
}

/// What is sent, as it was asked for; bodies as they would be drawn up now, if that is the same.
pub(crate) fn requests(bound: &Bound, drawn: Option<&Drawn>, hidden: bool) -> Vec<RequestShown> {
    let header = |(name, value): (&String, &HeaderValue)| {
        let shown = match value {
            HeaderValue::Plain(text) => text.clone(),
            HeaderValue::Secret(secret) => format!("{}… (the secret {})", secret.prefix, secret.secret),
        };
        (name.clone(), shown)
    };
    let shown = |(at, sending): (usize, &domain::approval::Sending)| {
        let body = drawn.and_then(|drawn| drawn.bodies.get(at)).filter(|_| !hidden);
        RequestShown {
            part: sending.part.clone(),
            request: if hidden { HIDDEN.to_owned() } else { sending.request.clone() },
            headers: sending.destination.headers.iter().map(header).collect(),
            key: Some((sending.destination.key_header().to_owned(), sending.key.clone())),
            size: (!hidden).then_some(sending.size),
            sha256: (!hidden).then(|| sending.sha256.clone()),
            body: body.map(|body| String::from_utf8_lossy(body).into_owned()),
        }
    };
    bound.sends.iter().enumerate().map(shown).collect()
}
