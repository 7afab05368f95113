//! `PATCH /api/v1/items/{id}`.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, header},
    response::IntoResponse,
};
use domain::ids::ItemId;

use super::{bearer::Bearer, body, place::Place, problem::Problem, shown::ShownItem, version};
use crate::web::AppState;

/// Add to an item: a new source version, evidence, a proposed action, or that it succeeded after all.
#[utoipa::path(
    patch, path = "/items/{id}", tag = "Report", operation_id = "amend_item",
    params(("id" = Uuid, Path, description = "The item"), ("If-Match" = Option<String>, Header, description = "The version it must still have")),
    request_body(content = serde_json::Value, description = "`{source_version?, evidence?, proposed_action?, succeeded?: {attempt?, record_id?, at?}}`"),
    responses(
        (status = OK, description = "The item as it stands now", body = ShownItem),
        (status = BAD_REQUEST, description = "Not readable; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such item for this token", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "It changed meanwhile; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong; kept in quarantine", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn patch(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ItemId>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    let read = body::read(&state, body, body::Kind::WithPayload).await?;
    let expected = match version::expected(&headers) {
        Ok(expected) => expected,
        Err(refusal) => return Err(state.service.keep_refused_change(&request, id, &read.bytes, refusal).await.into()),
    };
    let item = state.service.amend(&request, id, &read.bytes, expected).await?;
    let packet = state.service.packet(&request, item.id).await?;
    Ok(([(header::ETAG, version::tag(item.version))], Json(ShownItem::from(packet))))
}
