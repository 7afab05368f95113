//! How many items came since the queue was shown.

use leptos::{
    prelude::*,
    server_fn::codec::{Json, JsonEncoding},
};
use serde::{Deserialize, Serialize};

/// What came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fresh {
    /// How many, as far as was counted.
    pub number: i64,
    /// Whether there are more.
    pub more: bool,
}

/// Why the number can't be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unheard {
    /// The session has ended.
    SignedOut,
    /// Not now; asking again may help.
    Unavailable,
}

impl FromServerFnError for Unheard {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(_: ServerFnErrorErr) -> Self {
        Self::Unavailable
    }
}

/// Counts what the queue with this query would show that came after `since`, in microseconds since 1970.
#[server(prefix = "/calls", endpoint = "arrivals", input = Json, output = Json)]
pub async fn count_arrivals(query: String, since: i64) -> Result<Fresh, Unheard> {
    use crate::{pages::queue::filter, visit::Visit};
    use domain::refusal::Refusal;
    use http::StatusCode;

    let refused = |status, why| {
        if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
            response.set_status(status);
        }
        Err(why)
    };
    let (Some(service), Some(visit)) = (use_context::<service::Service>(), use_context::<Visit>()) else {
        return Err(Unheard::Unavailable);
    };
    let since = chrono::DateTime::from_timestamp_micros(since).ok_or(Unheard::Unavailable)?;
    let asked = filter::from_query(&query);
    match service.arrivals(&visit.request.caller, asked.filter, since).await {
        Ok(count) => Ok(Fresh { number: count.number, more: count.more }),
        Err(service::Error::Refused(Refusal::NotSignedIn)) => refused(StatusCode::UNAUTHORIZED, Unheard::SignedOut),
        Err(service::Error::Refused(_)) => refused(StatusCode::FORBIDDEN, Unheard::Unavailable),
        Err(_) => refused(StatusCode::SERVICE_UNAVAILABLE, Unheard::Unavailable),
    }
}
