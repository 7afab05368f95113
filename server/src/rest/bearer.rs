//! Who calls the API: the holder of a bearer token.

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use domain::refusal::Refusal;

use super::problem::Problem;
use crate::web::{AppState, RequestId};

/// The request, with the token's caller.
pub(super) struct Bearer(pub(super) service::Request);

impl FromRequestParts<AppState> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let header = parts.headers.get(header::AUTHORIZATION).ok_or(Refusal::NotSignedIn)?;
        let token = header.to_str().ok().and_then(|text| {
            let (scheme, token) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let caller = state.service.authenticate(token.ok_or(Refusal::BadToken)?).await?;
        let id = parts.extensions.get::<RequestId>().map(|id| id.0.clone());
        let key = parts.headers.get("idempotency-key").map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
        Ok(Self(service::Request { caller, id, key }))
    }
}
