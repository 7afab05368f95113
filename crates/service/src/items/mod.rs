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
