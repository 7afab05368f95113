//! `POST /api/v1/items/{id}/attempts`.

use axum::{Json, body::Body, extract::State, http::StatusCode};
use domain::ids::ItemId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{bearer::Bearer, body, place::Place, problem::Problem};
use crate::web::AppState;

/// What was recorded.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RecordedAttempt {
    /// The attempt.
    id: Uuid,
    /// Its number on the item.
    number: i64,
    /// The item's state now.
    state: &'static str,
    /// The item's effect now.
    effect: &'static str,
    /// The item's version now.
    version: i64,
}

/// Tell of a further attempt: that it begins, or how it ended.
///
/// Without `outcome` it begins now and holds the item for `lease_s` (default 900, at most 3,600) seconds; silence makes it
/// uncertain. With `outcome` it has ended.
#[utoipa::path(
    post, path = "/items/{id}/attempts", tag = "Report", operation_id = "report_attempt",
    params(("id" = Uuid, Path, description = "The item")),
    request_body(content = serde_json::Value, description = "`{number?, started_at?, finished_at?, outcome?, sent?, message?, status_code?, record_id?, lease_s?}`"),
    responses(
        (status = CREATED, description = "Recorded", body = RecordedAttempt),
        (status = BAD_REQUEST, description = "Not readable; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such item for this token", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "Something else is under way, or the item is closed", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong; kept in quarantine", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn post(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ItemId>,
    body: Body,
) -> Result<(StatusCode, Json<RecordedAttempt>), Problem> {
    let limit = state.service.settings().payload_limit;
    let read = body::read(&state, body, body::Kind::Other("Word of an attempt", limit)).await?;
    let recorded = state.service.record_attempt(&request, id, &read.bytes).await?;
    let answer = RecordedAttempt {
        id: recorded.attempt.0,
        number: recorded.number,
        state: recorded.item.state.as_str(),
        effect: recorded.item.effect.as_str(),
        version: recorded.item.version,
    };
    Ok((StatusCode::CREATED, Json(answer)))
}
