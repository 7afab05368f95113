//! An item's version: what a page that is being looked at asks for, to know whether it still tells the truth.

use domain::{access::Caller, ids::ItemId};

use crate::{Result, Service};

impl Service {
    /// The item's version now.
    pub async fn item_version(&self, caller: &Caller, id: ItemId) -> Result<i64> {
        let mut uow = self.store.read().await?;
        Ok(super::readable(&mut uow, caller, id).await?.version)
    }
}
