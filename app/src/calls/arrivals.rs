//! How many items came since the queue was shown.

use leptos::{prelude::*, server_fn::codec::Json};
use serde::{Deserialize, Serialize};

use super::Unheard;

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fresh {
    /// How many, as far as was counted.
    pub number: i64,
    /// Whether there are more.
    pub more: bool,
}

/// Counts what the queue with this query would show that came after `since`, in microseconds since 1970.
#[server(prefix = "/calls", endpoint = "arrivals", input = Json, output = Json)]
pub async fn count_arrivals(query: String, since: i64) -> Result<Fresh, Unheard> {
    use crate::{pages::queue::filter, visit::Visit};

    let (Some(service), Some(visit)) = (use_context::<service::Service>(), use_context::<Visit>()) else {
        return Err(Unheard::Unavailable);
    };
    let since = chrono::DateTime::from_timestamp_micros(since).ok_or(Unheard::Unavailable)?;
    let asked = filter::from_query(&query);
    let count = service.arrivals(&visit.request.caller, asked.filter, since).await;
    count.map(|count| Fresh { number: count.number, more: count.more }).map_err(|error| Unheard::told(&error))
}
