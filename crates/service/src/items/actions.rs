//! What can be done with an item: one table for doors, the actions panel, the role grid and the API's documentation.

use domain::{
    access::{self, Caller, Scope},
    item::ActivityKind,
    permission::Permission,
    refusal::Refusal,
};
use store::{Activity, Item};

use super::cancel_retry;

/// What an action on an item states once about itself.
#[derive(Debug, Clone, Copy)]
pub struct ItemAction {
    /// Its name in URLs.
    pub name: &'static str,
    /// What its button says.
    pub label: &'static str,
    /// What it will do, in a sentence.
    pub explanation: &'static str,
    /// Who may use it.
    pub permission: Permission,
    /// Whether the item's state allows it, and if not, why.
    pub allowed: fn(&Facts<'_>) -> Result<(), Refusal>,
}

/// What the state of an item allows is decided on.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The item.
    pub item: &'a Item,
    /// What is live on it.
    pub live: Option<&'a Activity>,
}

/// Every action on an item.
pub const CATALOGUE: &[ItemAction] = &[cancel_retry::ITEM_ACTION];

/// An action as a person sees it: a refused one stays visible and says why (R15).
#[derive(Debug, Clone)]
pub struct Offer {
    /// The action.
    pub action: &'static ItemAction,
    /// Why not, if not.
    pub refusal: Option<Refusal>,
}

/// What `caller` could do with the item now.
#[must_use]
pub fn offers(caller: &Caller, facts: &Facts<'_>) -> Vec<Offer> {
    let item = facts.item;
    let scope = Scope::Within { team: item.team_id, workflow: &item.workflow_key };
    let judge = |action: &'static ItemAction| {
        let refusal = access::may(caller, action.permission, scope).and_then(|()| (action.allowed)(facts)).err();
        Offer { action, refusal }
    };
    CATALOGUE.iter().map(judge).collect()
}

/// The refusal that names what is live.
pub(crate) fn in_progress(live: &Activity) -> Refusal {
    Refusal::InProgress { kind: live.kind, by: live.by_name.clone(), since: live.started_at }
}

/// A planned retry can be cancelled; a running attempt can't.
pub(crate) fn planned_retry_is_live(facts: &Facts<'_>) -> Result<(), Refusal> {
    match facts.live {
        Some(live) if live.kind == ActivityKind::PlannedRetry => Ok(()),
        Some(live) => Err(in_progress(live)),
        None => Err(Refusal::NoPlannedRetry),
    }
}
