//! Items: reading them, and what can be done with one.

pub mod actions;
pub mod amend;
pub mod attempt;
pub mod lapse;
pub mod list;
pub mod packet;
pub mod payload;
pub mod sending;
pub mod verbs;
pub mod version;

pub(crate) mod follow_up;
#[cfg(test)]
mod grid;
pub(crate) mod standing;

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller},
    ids::ItemId,
    permission::Permission,
    refusal::Refusal,
};
use store::{Item, Uow};

use crate::Result;

/// The item, if the caller may read it.
pub(crate) async fn readable(uow: &mut Uow, caller: &Caller, id: ItemId) -> Result<Item> {
    if matches!(caller, Caller::Anonymous) {
        return Err(Refusal::NotSignedIn.into());
    }
    let item = uow.item(id).await?.ok_or(Refusal::NotFound)?;
    access::may(caller, Permission::ItemsRead, actions::scope(&item))?;
    Ok(item)
}

/// What `caller` could do with the item now.
pub(crate) async fn offers_now(
    uow: &mut Uow,
    caller: &Caller,
    item: &Item,
    now: DateTime<Utc>,
) -> Result<Vec<actions::Offer>> {
    let live = uow.live_activity(item.id).await?;
    let claim = uow.claim_of(item.id, now).await?;
    let doubtful = !uow.double_effects(item.id).await?.is_empty();
    let found = sending::step_of(uow, item).await?;
    let sendings = sending::Sendings::of(uow, item, found.as_ref()).await?;
    let facts = actions::facts(caller, item, live.as_ref(), claim.as_ref(), doubtful, sendings);
    Ok(actions::offers(caller, item, &facts))
}
