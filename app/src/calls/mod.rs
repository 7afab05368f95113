//! Server functions: only where an island needs data back. Each has a fixed address and answers with codes, never text.

pub mod arrivals;
pub mod version;

use leptos::{
    prelude::{FromServerFnError, ServerFnErrorErr},
    server_fn::codec::JsonEncoding,
};
use serde::{Deserialize, Serialize};

/// Why an answer can't be given.
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

#[cfg(feature = "ssr")]
impl Unheard {
    /// What is told of an error, which sets the answer's status.
    fn told(error: &service::Error) -> Self {
        use domain::refusal::Refusal;
        use http::StatusCode;
        use service::Error::Refused;

        let (status, why) = match error {
            Refused(Refusal::NotSignedIn) => (StatusCode::UNAUTHORIZED, Self::SignedOut),
            Refused(Refusal::NotFound) => (StatusCode::NOT_FOUND, Self::Unavailable),
            Refused(_) => (StatusCode::FORBIDDEN, Self::Unavailable),
            _ => (StatusCode::SERVICE_UNAVAILABLE, Self::Unavailable),
        };
        if let Some(response) = leptos::prelude::use_context::<leptos_axum::ResponseOptions>() {
            response.set_status(status);
        }
        why
    }
}
