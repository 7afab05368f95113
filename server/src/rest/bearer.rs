//! Who calls the API: the holder of a bearer token.

use axum::{
    extract::FromRequestParts,
    http::{HeaderValue, header, request::Parts},
};
use service::tokens::authenticate::Brought;

use super::problem::Problem;
use crate::web::{AppState, ClientAddress, RequestId};

/// The request, with the token's caller.
pub(super) struct Bearer(pub(super) service::Request);

impl FromRequestParts<AppState> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let id = parts.extensions.get::<RequestId>().map(|id| id.0.clone());
        let brought = parts.headers.get(header::AUTHORIZATION).map_or(Brought::Nothing, brought);
        let address = parts.extensions.get::<ClientAddress>().map(|address| address.0.clone());
        let caller = state.service.authenticate(brought, id.as_deref(), address.as_deref()).await?;
        let key = parts.headers.get("idempotency-key").map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
        Ok(Self(service::Request { id, key, address, ..service::Request::of(caller) }))
    }
}

/// What the header brought.
fn brought(header: &HeaderValue) -> Brought<'_> {
    let token = header.to_str().ok().and_then(|text| {
        let (scheme, token) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    token.map_or(Brought::Unreadable, Brought::Token)
}
