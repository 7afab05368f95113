//! `GET /health`: whether requests can be served.

use axum::{extract::State, http::StatusCode};
use service::Service;

/// 200 while the database answers, else 503.
pub(super) async fn health(State(service): State<Service>) -> (StatusCode, &'static str) {
    if service.is_ready().await {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
    }
}
