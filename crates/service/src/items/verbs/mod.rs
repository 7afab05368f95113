//! The actions on an item: one file each. [`Verb`] is what an action has to say; everything else is done for it.

pub mod ask_again;
pub mod assign;
pub mod cancel_retry;
pub mod claim;
pub mod comment;
pub mod compensate;
pub mod correct;
pub mod escalate;
pub mod hand_over;
pub mod lookup;
pub mod reconcile;
pub mod release;
pub mod reopen;
pub mod replay;
pub mod resolve;
pub mod snooze;
pub mod wake;

mod input;
mod read;

use std::marker::PhantomData;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::{Caller, Person, Scope, may},
    audit::AuditKind,
    digest::Sha256,
    ids::{ApprovalId, AttemptId, ItemId, PersonId},
    moves::{self, Move},
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
    report::{KEY_LIMIT, TEXT_LIMIT},
    text,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{Asked, Claim, Item, PersonRow, TeamRow, Uow};

pub use read::{from_form, ticked_as, utc};

use input::Name;

use super::{
    actions::{Doing, Done, Input, ItemAction, facts, scope},
    sending::{self, Sendings},
    standing,
};
use crate::{
    Request, Result, Service,
    action::{Act, Action, Gate},
    outcomes,
};

/// How long a claim lasts without its holder doing anything.
const CLAIM_LASTS: TimeDelta = TimeDelta::minutes(30);

/// An action on an item. Its fields are its input, read strictly from JSON.
pub(crate) trait Verb: DeserializeOwned + Send + 'static {
    /// What it states about itself.
    const ACTION: ItemAction;

    /// What is wrong with the input by itself, whatever the item's state.
    fn check(&self, _now: DateTime<Utc>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Does it. The item is locked; permission, version, claim and state were asked already; it is saved afterwards.
    fn perform(self, work: &mut Work<'_, '_>) -> impl Future<Output = Result<()>> + Send;
}

/// What a verb works on.
pub(crate) struct Work<'w, 'a> {
    pub(crate) act: &'w mut Act<'a>,
    pub(crate) item: &'w mut Item,
    pub(crate) claim: Option<Claim>,
    pub(crate) person: Person,
    /// The attempt that was made for it.
    pub(crate) attempt: Option<AttemptId>,
    /// What waits for another person's decision.
    pub(crate) approval: Option<ApprovalId>,
}

/// The way every verb is done: as an [`Action`], for whichever door asked.
struct OnItem<V> {
    item: ItemId,
    input: Input,
    expected: Option<i64>,
    key: Option<String>,
    /// What the key stands for, where that is not the input.
    remembered_as: Option<Sha256>,
    remembered: bool,
    verb: PhantomData<fn() -> V>,
}

impl<V: Verb> OnItem<V> {
    fn new(item: ItemId, input: Input, expected: Option<i64>, key: Option<String>) -> Self {
        Self { item, input, expected, key, remembered_as: None, remembered: true, verb: PhantomData }
    }

    /// Its key is looked at and not used up: a second step of the same request follows.
    fn not_remembered(self) -> Self {
        Self { remembered: false, ..self }
    }

    /// It is the second step of a request with this digest.
    fn remembered_as(self, digest: Sha256) -> Self {
        Self { remembered_as: Some(digest), ..self }
    }
}

/// The entry point that an [`ItemAction`] names.
pub(crate) fn run<'a, V: Verb>(
    service: &'a Service,
    request: &'a Request,
    item: ItemId,
    input: Input,
    expected: Option<i64>,
) -> Doing<'a> {
    Box::pin(async move {
        let action = || OnItem::<V>::new(item, input.clone(), expected, request.key.clone());
        let done = match service.run(request, action()).await {
            // The same request at the same instant: this one is the repeat.
            Err(crate::Error::Store(store::Error::Duplicate(_))) if request.key.is_some() => {
                service.run(request, action()).await
            }
            other => other,
        }?;
        if done.attempt.is_some() {
            service.outbox.notify_one();
        }
        Ok(done)
    })
}

impl<V: Verb> Action for OnItem<V> {
    const NAME: &'static str = V::ACTION.step.as_str();
    const GATE: Gate = Gate::Within(V::ACTION.permission);
    const AUDIT: AuditKind = V::ACTION.audit;
    type Output = Done;

    async fn perform(self, act: &mut Act<'_>) -> Result<Done> {
        let Caller::Person(person) = act.caller else { return Err(Refusal::WrongTokenKind.into()) };
        let person = person.clone();
        let mut item = act.uow.lock_item(self.item).await?.ok_or(Refusal::NotFound)?;
        act.entry().item(&item);
        may(act.caller, V::ACTION.permission, scope(&item))?;
        let digest = self.remembered_as.unwrap_or_else(|| digest::<V>(self.input.as_ref().ok(), self.item));
        let mut key_used = false;
        if let Some(key) = &self.key {
            text::key(key, KEY_LIMIT)
                .map_err(|wrong| Refusal::Malformed { message: format!("Idempotency-Key {wrong}.") })?;
            match act.uow.asked(person.id.0, key).await? {
                Some(known) if known.digest == digest => {
                    act.nothing_changed();
                    return Ok(Done {
                        item,
                        attempt: known.attempt_id.map(AttemptId),
                        approval: known.approval_id.map(ApprovalId),
                        repeat: true,
                    });
                }
                other => key_used = other.is_some(),
            }
        }
        if V::ACTION.needs_version && self.expected.is_none() {
            return Err(Refusal::VersionRequired.into());
        }
        let input: V = read::from_json(self.input?)?;
        input.check(act.now)?;
        if key_used {
            return Err(Refusal::KeyUsed.into());
        }
        if self.expected.is_some_and(|expected| expected != item.version) {
            return Err(Refusal::Conflict { current: item.version, last_change: item.last_change }.into());
        }
        let live = standing::live(act, &mut item).await?;
        let claim = act.uow.claim_of(item.id, act.now).await?;
        let doubtful = !act.uow.double_effects(item.id).await?.is_empty();
        let found = sending::step_of(&mut act.uow, &item).await?;
        let sendings = Sendings::of(&mut act.uow, &item, found.as_ref()).await?;
        let facts = facts(act.caller, &item, live.as_ref(), claim.as_ref(), doubtful, sendings);
        moves::judge(V::ACTION.step, &facts)?;
        let by = person.id;
        let before = item.state;
        let mut work = Work { act, item: &mut item, claim, person, attempt: None, approval: None };
        // What only asks whether it may is done by what follows.
        if V::ACTION.step.claims() && V::ACTION.step != Move::Claim && self.remembered {
            work.claim_it(false).await?;
        }
        input.perform(&mut work).await?;
        let (attempt, approval) = (work.attempt, work.approval);
        outcomes::save(act, before, &mut item).await?;
        if let Some(key) = self.key.as_ref().filter(|_| self.remembered) {
            let asked = Asked {
                digest,
                item_id: self.item,
                attempt_id: attempt.map(|attempt| attempt.0),
                approval_id: approval.map(|approval| approval.0),
            };
            act.uow.add_asked(by.0, key, &asked, act.now).await?;
        }
        Ok(Done { item, attempt, approval, repeat: false })
    }
}

/// What a request asks for, as one digest, in whatever order its fields came.
fn digest<V: Verb>(input: Option<&Value>, item: ItemId) -> Sha256 {
    let mut input = input.cloned().unwrap_or_default();
    input.sort_all_objects();
    let input = input.to_string();
    Sha256::of_parts(&[V::ACTION.step.as_str().as_bytes(), item.0.as_bytes(), input.as_bytes()])
}

impl Work<'_, '_> {
    /// Claims the item for who acts, or prolongs their claim.
    async fn claim_it(&mut self, take_over: bool) -> Result<()> {
        let (now, until) = (self.act.now, self.act.now + CLAIM_LASTS);
        if self.act.uow.claim(self.item.id, self.person.id, now, until, take_over).await? {
            self.item.claimed_at.get_or_insert(now);
            self.item.worked_until = Some(until);
            if self.answers().await? {
                self.act.uow.answer_escalations(self.item.id, &self.person.name, now).await?;
                self.item.respond_by = None;
            }
            return Ok(());
        }
        Err(match self.act.uow.claim_of(self.item.id, now).await? {
            Some(claim) => Refusal::Claimed { by: claim.name, until: claim.until },
            None => Refusal::NotClaimed,
        }
        .into())
    }

    /// Whether whoever claims the item answers for the team it was escalated to last.
    async fn answers(&mut self) -> Result<bool> {
        if self.item.escalations == 0 {
            return Ok(false);
        }
        let chain = self.act.uow.escalations(self.item.id).await?;
        let waits = chain.last().filter(|step| step.answered_at.is_none());
        Ok(waits.is_some_and(|step| self.person.teams.contains(&step.team_id)))
    }

    /// Ends the claim: from now on nobody works it.
    async fn release(&mut self) -> Result<()> {
        self.item.worked_until = self.item.worked_until.map(|until| until.min(self.act.now));
        Ok(self.act.uow.release(self.item.id).await?)
    }

    /// Tells somebody what was done with the item, naming it as it can be seen whatever one's clearance.
    pub(crate) async fn tell(&mut self, person: PersonId, kind: NoticeKind) -> Result<()> {
        let about = self.item.business_ref.clone().unwrap_or_else(|| self.item.dedupe_key.clone());
        self.act.tell(person, kind, &about, Some(self.item.id)).await
    }

    /// The person with this address, if they can see the item.
    async fn find_person(&mut self, Name(email): &Name) -> Result<Person> {
        let wrong = |message: &str| Refusal::field("/person", message);
        let row = self.act.uow.person_by_email(email).await?.filter(|row| row.disabled_at.is_none());
        let row = row.ok_or_else(|| wrong("Nobody who can sign in has this address."))?;
        self.worker(row).await?.ok_or_else(|| wrong("This person can't work items of this team.").into())
    }

    /// The person, if they can work the item.
    async fn worker(&mut self, row: PersonRow) -> Result<Option<Person>> {
        let scope = scope(self.item);
        worker_in(&mut self.act.uow, row, scope).await
    }

    /// The team with this key, if somebody in it could work the item: what is given to nobody would wait unseen.
    async fn find_team(&mut self, Name(key): &Name) -> Result<TeamRow> {
        let team = self.act.uow.team_by_key(key).await?;
        let team = team.ok_or_else(|| Refusal::field("/team", "There is no team with this key."))?;
        let theirs = Scope::Within { team: self.item.team_id, owner: Some(team.id), workflow: &self.item.workflow_key };
        for member in self.act.uow.members_of(team.id).await? {
            if worker_in(&mut self.act.uow, member, theirs).await?.is_some() {
                return Ok(team);
            }
        }
        let nobody = format!(
            "Nobody in {} can work this item. Choose another team, or ask an admin to add somebody to it.",
            team.name
        );
        Err(Refusal::field("/team", nobody).into())
    }

    /// Gives the item to a person or a team.
    async fn give(&mut self, to: Give<'_>) -> Result<String> {
        let before = (self.item.owner_person_id, self.item.owner_team_id);
        let name = match to {
            Give::Person(email) => {
                let person = self.find_person(email).await?;
                self.item.owner_person_id = Some(person.id);
                if person.id != self.person.id {
                    self.tell(person.id, NoticeKind::Given).await?;
                }
                person.name
            }
            Give::Team(key) => {
                let team = self.find_team(key).await?;
                self.item.owner_person_id = None;
                self.item.owner_team_id = (team.id != self.item.team_id).then_some(team.id);
                team.name
            }
        };
        if before != (self.item.owner_person_id, self.item.owner_team_id) {
            // What is late was told to others.
            self.act.uow.tell_anew(self.item.id, self.act.now).await?;
        }
        self.item.changed(format!("{} gave it to {name}", self.person.name));
        Ok(name)
    }
}

/// The person, if they can sign in and work what is in this scope.
async fn worker_in(uow: &mut Uow, row: PersonRow, scope: Scope<'_>) -> Result<Option<Person>> {
    if row.disabled_at.is_some() {
        return Ok(None);
    }
    let person = crate::people::who::person(uow, row).await?;
    Ok(may(&Caller::Person(person.clone()), Permission::ItemsWork, scope).is_ok().then_some(person))
}

/// Whom an item is given to.
#[derive(Clone, Copy)]
enum Give<'n> {
    /// The person with this address.
    Person(&'n Name),
    /// The team with this key.
    Team(&'n Name),
}

/// Exactly one of the two.
fn one_of<'n>(person: Option<&'n Name>, team: Option<&'n Name>) -> Result<Give<'n>, Refusal> {
    match (person, team) {
        (Some(email), None) => Ok(Give::Person(email)),
        (None, Some(key)) => Ok(Give::Team(key)),
        _ => Err(Refusal::field("/person", "Name a person or a team, one of the two.")),
    }
}

/// A text that a person has to give.
pub(crate) fn said<'t>(pointer: &str, text: &'t str, limit: usize) -> Result<&'t str, Refusal> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(Refusal::field(pointer, "Say it in words.")),
        n if n > limit => Err(Refusal::field(pointer, format!("Use at most {limit} characters; this has {n}."))),
        _ => Ok(text),
    }
}

/// A reason, within the usual length.
fn reason(text: &str) -> Result<&str, Refusal> {
    said("/reason", text, TEXT_LIMIT)
}
