//! Whether an item still stands as its page shows it.

use leptos::{prelude::*, server_fn::codec::Json};

use super::Unheard;

/// The version now of the item with this id.
#[server(prefix = "/calls", endpoint = "version", input = Json, output = Json)]
pub async fn item_version(item: String) -> Result<i64, Unheard> {
    use crate::visit::Visit;

    let (Some(service), Some(visit)) = (use_context::<service::Service>(), use_context::<Visit>()) else {
        return Err(Unheard::Unavailable);
    };
    let Ok(id) = item.parse() else { return Err(Unheard::Unavailable) };
    service.item_version(&visit.request.caller, id).await.map_err(|error| Unheard::told(&error))
}
