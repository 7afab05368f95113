//! The recovery packet: everything about one item, as the caller may see it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    access::Caller,
    audit::AuditKind,
    ids::ItemId,
    item::Resolution,
    moves::Move,
    refusal::Refusal,
    workflow::{Compensation as Plan, Key},
};
use store::{
    Activity, AlertOfItem, Answered, Approval, Attempt, AuditRow, Claim, Comment, Compensation, Decided, DoubleEffect,
    Escalation, FoundOut, Item, ListedItem, LookedUp, Replay, Revision, TeamRow, Uow,
};

use super::{
    actions::{FieldKind, Offer, facts, offers},
    sending::{Sendable, Sendings, step_of},
    verbs::resolve,
};
use crate::{Request, Result, Service, action::Entry, clearance::Veil};

/// Everything an operator needs on one page.
#[derive(Debug, Clone)]
pub struct Packet {
    /// The item. What is above the viewer's clearance is blanked already, here and in all that follows.
    pub item: Item,
    /// The viewer's clearance does not cover the item: its payload is not shown, and what else was blanked depends on how
    /// sensitive it is.
    pub content_hidden: bool,
    /// The team that answers for it.
    pub team_name: String,
    /// The person who answers for it.
    pub owner_name: Option<String>,
    /// The workflow's name.
    pub workflow_name: String,
    /// The workflow's version now; missing while it is not registered.
    pub workflow_version_now: Option<String>,
    /// Whether the workflow is registered.
    pub workflow_registered: bool,
    /// The step's name.
    pub step_name: String,
    /// Payload revisions, the original first.
    pub revisions: Vec<Revision>,
    /// Attempts, the newest first.
    pub attempts: Vec<Attempt>,
    /// What was answered to the newest 100 of them, as far as it is kept.
    pub answers: Vec<Answered>,
    /// Replays that were asked for, newest first.
    pub replays: Vec<Replay>,
    /// What was asked for to be decided by another person, newest first.
    pub approvals: Vec<Approval>,
    /// Compensations that were approved, newest first.
    pub compensations: Vec<Compensation>,
    /// The plans by which the step's effect can be made good.
    pub plans: Vec<Plan>,
    /// What the other system showed, newest first.
    pub lookups: Vec<LookedUp>,
    /// Where it can be sent and looked up; missing where nobody registered the step.
    pub sendable: Option<Sendable>,
    /// What is live.
    pub live: Option<Activity>,
    /// Who is working it.
    pub claim: Option<Claim>,
    /// To which teams it was escalated, in order.
    pub escalations: Vec<Escalation>,
    /// The alerts it is in.
    pub alerts: Vec<AlertOfItem>,
    /// What people said, newest first.
    pub comments: Vec<Comment>,
    /// What was found out, newest first.
    pub findings: Vec<FoundOut>,
    /// Whether the automation has taken the last word about it; `None` where there was none.
    pub outcome_taken: Option<bool>,
    /// How a person closed it last.
    pub decision: Option<Decided>,
    /// Possible double effects that nobody has settled.
    pub double_effects: Vec<DoubleEffect>,
    /// The accepted item that it follows up, where the viewer may see that.
    pub follow_up_of: Option<ListedItem>,
    /// What follows it up, the first first, as far as the viewer may see it.
    pub follow_ups: Vec<ListedItem>,
    /// The outcome codes that its workflow lists, by resolution.
    pub codes: BTreeMap<Resolution, Vec<Key>>,
    /// Other items of the same reference or run, that the viewer may see.
    pub related: Vec<ListedItem>,
    /// The item's own audit trail, newest first.
    pub history: Vec<AuditRow>,
    /// What can be done, and what not and why.
    pub actions: Vec<Offer>,
    /// Whom it can be given to, to choose from.
    pub takers: Takers,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

impl Packet {
    /// Why this can't be done now; nothing where it can.
    #[must_use]
    pub fn refusal_of(&self, step: Move) -> Option<&Refusal> {
        self.actions.iter().find(|offer| offer.action.step == step)?.refusal.as_ref()
    }
}

/// Teams and people to give an item to: a help to whoever types, not a promise; the action asks again.
#[derive(Debug, Clone, Default)]
pub struct Takers {
    /// Every team, where the viewer may give it to one.
    pub teams: Vec<Taker>,
    /// Those in the team that answers for it, where the viewer may give it to somebody.
    pub people: Vec<Taker>,
}

/// A team or person.
#[derive(Debug, Clone)]
pub struct Taker {
    /// The team's key, the person's e-mail address.
    pub key: String,
    /// The name.
    pub name: String,
}

impl Takers {
    async fn of(uow: &mut Uow, item: &Item, offers: &[Offer]) -> Result<Self> {
        let open = || offers.iter().filter(|offer| offer.refusal.is_none()).flat_map(|offer| offer.action.fields);
        let mut takers = Self::default();
        if open().any(|field| matches!(field.kind, FieldKind::Team)) {
            let taker = |team: TeamRow| Taker { key: team.key, name: team.name };
            takers.teams = uow.teams().await?.into_iter().map(taker).collect();
        }
        if open().any(|field| matches!(field.kind, FieldKind::Person)) {
            let members = uow.members_of(item.owner_team_id.unwrap_or(item.team_id)).await?;
            let active = members.into_iter().filter(|member| member.disabled_at.is_none());
            takers.people = active.map(|member| Taker { key: member.email, name: member.name }).collect();
        }
        Ok(takers)
    }
}

impl Service {
    /// The recovery packet of an item.
    pub async fn packet(&self, request: &Request, id: ItemId) -> Result<Packet> {
        let read = self.read_packet(&request.caller, id);
        self.reading(request, Entry::new(AuditKind::ItemRead), Some(id), read).await
    }

    async fn read_packet(&self, caller: &Caller, id: ItemId) -> Result<Packet> {
        let mut uow = self.store.read().await?;
        let item = super::readable(&mut uow, caller, id).await?;
        let workflow = uow.workflow_by_key(&item.workflow_key).await?;
        let step = uow.step(item.workflow_id, &item.step).await?;
        let live = uow.live_activity(id).await?;
        let now = self.now();
        let claim = uow.claim_of(id, now).await?;
        let double_effects = uow.double_effects(id).await?;
        let found = step_of(&mut uow, &item).await?;
        let sendings = Sendings::of(&mut uow, &item, found.as_ref()).await?;
        let facts = facts(caller, &item, live.as_ref(), claim.as_ref(), !double_effects.is_empty(), sendings);
        let actions = offers(caller, &item, &facts);
        let mut attempts = uow.attempts(id).await?;
        attempts.reverse();
        let visible = |other: &ListedItem| match caller {
            Caller::Person(person) => person.bounds().is_none_or(|teams| {
                teams.contains(&other.team_id) || other.owner_team_id.is_some_and(|owner| teams.contains(&owner))
            }),
            Caller::Automation(token) => {
                token.workflows.as_ref().is_none_or(|bound| bound.contains(&other.workflow_key))
            }
            Caller::CommandLine | Caller::Job(_) => true,
            Caller::Anonymous => false,
        };
        let seen = |rows: Vec<ListedItem>| -> Vec<ListedItem> {
            let mut rows: Vec<ListedItem> = rows.into_iter().filter(visible).collect();
            rows.iter_mut().for_each(|row| Veil::over_row(caller, row));
            rows
        };
        let followed_up = match item.follow_up_of {
            Some(of) => uow.followed_up(of).await?,
            None => None,
        };
        let follow_up_of = seen(followed_up.into_iter().collect()).pop();
        let follow_ups = seen(uow.follow_ups(id).await?);
        let mut related = seen(uow.related_items(&item).await?);
        related.retain(|row| follow_ups.iter().chain(&follow_up_of).all(|named| named.id != row.id));
        let veil = Veil::of(caller, item.sensitivity);
        let mut packet = Packet {
            team_name: uow.team_name(item.owner_team_id.unwrap_or(item.team_id)).await?.unwrap_or_default(),
            owner_name: match item.owner_person_id {
                Some(person) => uow.person_name(person).await?,
                None => None,
            },
            workflow_name: workflow.as_ref().map_or_else(|| item.workflow_key.clone(), |w| w.name.clone()),
            workflow_version_now: workflow.as_ref().and_then(|w| w.version.clone()),
            workflow_registered: workflow.is_some_and(|w| w.registered),
            step_name: step.map_or_else(|| item.step.clone(), |s| s.name),
            revisions: uow.revisions(id).await?,
            answers: uow.answers(id).await?,
            replays: uow.replays(id).await?,
            approvals: uow.approvals_of(id).await?,
            compensations: uow.compensations(id).await?,
            plans: found.as_ref().map(|found| found.step.compensations.clone()).unwrap_or_default(),
            lookups: uow.lookups(id).await?,
            sendable: match &found {
                Some(found) => Some(Sendable::of(&mut uow, &item, &found.step, now).await?),
                None => None,
            },
            attempts,
            live,
            double_effects,
            claim,
            escalations: uow.escalations(id).await?,
            alerts: uow.alerts_of_item(id).await?,
            comments: uow.comments(id).await?,
            findings: uow.findings(id).await?,
            decision: uow.last_decision(id).await?,
            outcome_taken: uow.outcome_taken(id).await?,
            follow_up_of,
            follow_ups,
            codes: match &found {
                Some(found) => found.definition.workflow.resolution_codes.clone(),
                None => resolve::codes(&mut uow, item.workflow_id).await?,
            },
            related,
            takers: Takers::of(&mut uow, &item, &actions).await?,
            history: uow.item_history(id).await?,
            actions,
            content_hidden: veil != Veil::Nothing,
            as_of: now,
            item,
        };
        veil.over_packet(&mut packet);
        Ok(packet)
    }
}
