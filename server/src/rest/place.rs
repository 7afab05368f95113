//! What an address of the API names. One that can't be read names nothing that is there.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::refusal::Refusal;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use crate::web::AppState;

/// The parts of the address.
pub(super) struct Place<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for Place<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(place)) => Ok(Self(place)),
            Err(_) => Err(Refusal::NotFound.into()),
        }
    }
}
