//! What can be done with an item: one table for the doors, the actions panel, the forms and the API's documentation.

use std::pin::Pin;

use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    ids::{ApprovalId, AttemptId, ItemId},
    moves::{self, Facts, LiveActivity, LiveClaim, Move},
    permission::Permission,
    refusal::Refusal,
};
use serde_json::Value;
use store::{Activity, Claim, Item};

use super::{sending::Sendings, verbs};
use crate::{Request, Result, Service};

/// What an action on an item states once about itself.
#[derive(Clone, Copy)]
pub struct ItemAction {
    /// Which move it is; its word names it in URLs and in the API.
    pub step: Move,
    /// What its button says.
    pub label: &'static str,
    /// What it will do, in a sentence.
    pub explanation: &'static str,
    /// Who may use it.
    pub permission: Permission,
    /// What the audit calls it.
    pub audit: AuditKind,
    /// What it asks for.
    pub fields: &'static [Field],
    /// A decision that rests on what was seen: the version that was seen must be named.
    pub needs_version: bool,
    /// What a script is answered.
    pub answers: Answers,
    /// Does it.
    pub run: Run,
}

/// What a script is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// The item as it stands now.
    Item,
    /// That it was taken on, with the attempt that was made for it, or the approval it waits for.
    Attempt,
    /// That it waits for another person's decision.
    Approval,
}

/// What an action did.
#[derive(Debug, Clone)]
pub struct Done {
    /// The item as it stands now.
    pub item: Item,
    /// The attempt that was made for it.
    pub attempt: Option<AttemptId>,
    /// What waits for another person's decision.
    pub approval: Option<ApprovalId>,
    /// The same request was done before; this time nothing was changed.
    pub repeat: bool,
}

/// What was sent: JSON, or why it can't be read, which is told once it is known that the caller may act here.
pub type Input = Result<Value, Refusal>;

/// Does an action: from its input to what it did.
pub type Run = for<'a> fn(&'a Service, &'a Request, ItemId, Input, Option<i64>) -> Doing<'a>;

/// An action under way.
pub type Doing<'a> = Pin<Box<dyn Future<Output = Result<Done>> + Send + 'a>>;

impl std::fmt::Debug for ItemAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ItemAction").field("step", &self.step).finish_non_exhaustive()
    }
}

/// Something an action asks for.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name in JSON and in forms.
    pub name: &'static str,
    /// What a person reads beside it.
    pub label: &'static str,
    /// What helps to fill it in.
    pub hint: &'static str,
    /// What can be in it.
    pub kind: FieldKind,
    /// Whether it must be filled in.
    pub required: bool,
    /// It must be filled in where its hint says so.
    pub depends: bool,
}

/// What can be in a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldKind {
    /// One line.
    Line,
    /// Several lines.
    Text,
    /// One of these, each with its words.
    Choice(&'static [(&'static str, &'static str)]),
    /// A time; a form's has no zone and is read as UTC.
    Time,
    /// A person's address.
    Person,
    /// A team's key.
    Team,
    /// An attempt of the item.
    Attempt,
    /// Another item.
    Item,
    /// One of the workflow's outcome codes.
    Code,
    /// A whole number.
    Number,
    /// Any of what may have to be accepted explicitly.
    Accepts,
    /// Yes or no.
    Flag,
    /// Texts and numbers by name, handed on as they were written.
    Object,
    /// JSON, handed on as the text it was sent as: numbers stay as they were written.
    Json,
}

impl Field {
    /// A field that must be filled in.
    #[must_use]
    pub const fn required(name: &'static str, label: &'static str, hint: &'static str, kind: FieldKind) -> Self {
        Self { name, label, hint, kind, required: true, depends: false }
    }

    /// A field that may stay empty.
    #[must_use]
    pub const fn optional(name: &'static str, label: &'static str, hint: &'static str, kind: FieldKind) -> Self {
        Self { name, label, hint, kind, required: false, depends: false }
    }

    /// A field that must be filled in where its hint says so.
    #[must_use]
    pub const fn depending(name: &'static str, label: &'static str, hint: &'static str, kind: FieldKind) -> Self {
        Self { name, label, hint, kind, required: false, depends: true }
    }
}

/// Every action on an item, in the order in which the panel shows them.
pub const CATALOGUE: &[ItemAction] = &[
    verbs::claim::ACTION,
    verbs::lookup::ACTION,
    verbs::ask_again::ACTION,
    verbs::reconcile::ACTION,
    verbs::replay::ACTION,
    verbs::correct::ACTION,
    verbs::compensate::ACTION,
    verbs::resolve::ACTION,
    verbs::cancel_retry::ACTION,
    verbs::escalate::ACTION,
    verbs::hand_over::ACTION,
    verbs::assign::ACTION,
    verbs::snooze::ACTION,
    verbs::wake::ACTION,
    verbs::release::ACTION,
    verbs::reopen::ACTION,
    verbs::comment::ACTION,
];

impl ItemAction {
    /// The action with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        CATALOGUE.iter().find(|action| action.step.as_str() == name)
    }
}

/// An action as a person sees it: a refused one stays visible and says why (R15).
#[derive(Debug, Clone)]
pub struct Offer {
    /// The action.
    pub action: &'static ItemAction,
    /// Why not, if not.
    pub refusal: Option<Refusal>,
}

/// Where an item stands, for the question of permission.
#[must_use]
pub fn scope(item: &Item) -> Scope<'_> {
    Scope::Within { team: item.team_id, owner: item.owner_team_id, workflow: &item.workflow_key }
}

/// Whether `caller` may look at the item: who gave it away may not any more.
#[must_use]
pub fn may_read(caller: &Caller, item: &Item) -> bool {
    access::may(caller, Permission::ItemsRead, scope(item)).is_ok()
}

/// What moves are judged on, as `caller` sees the item.
#[must_use]
pub fn facts(
    caller: &Caller,
    item: &Item,
    live: Option<&Activity>,
    claim: Option<&Claim>,
    possible_double_effect: bool,
    sending: Sendings,
) -> Facts {
    let own = |claim: &Claim| matches!(caller, Caller::Person(person) if person.id == claim.person_id);
    Facts {
        lane: item.lane,
        state: item.state,
        effect: item.effect,
        live: live.map(|live| LiveActivity { kind: live.kind, by: live.by_name.clone(), since: live.started_at }),
        claim: claim.map(|claim| LiveClaim { own: own(claim), by: claim.name.clone(), until: claim.until }),
        possible_double_effect,
        completing: sending.completing,
        follow_up: item.follow_up_of.is_some(),
        step: sending.step,
    }
}

/// What `caller` could do with the item now.
#[must_use]
pub fn offers(caller: &Caller, item: &Item, facts: &Facts) -> Vec<Offer> {
    let judge = |action: &'static ItemAction| {
        let may = access::may(caller, action.permission, scope(item));
        Offer { action, refusal: may.and_then(|()| moves::judge(action.step, facts)).err() }
    };
    CATALOGUE.iter().map(judge).collect()
}

/// The refusal that names what is live.
pub(crate) fn in_progress(live: &Activity) -> Refusal {
    Refusal::InProgress { kind: live.kind, by: live.by_name.clone(), since: live.started_at }
}
