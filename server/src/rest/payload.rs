//! `GET /api/v1/items/{id}/revisions/{n}/payload`.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::ids::ItemId;

use super::{bearer::Bearer, place::Place, problem::Problem};
use crate::web::AppState;

/// The exact bytes of a payload revision, with its media type and `Repr-Digest`. Where values are above the caller's clearance
/// a placeholder stands for each, `Recourse-Masked` says how many, and there is no digest: such a text is never taken back.
#[utoipa::path(
    get, path = "/items/{id}/revisions/{number}/payload", tag = "Read", operation_id = "get_payload",
    params(("id" = Uuid, Path, description = "The item"), ("number" = i64, Path, description = "The revision; 1 is the original")),
    responses(
        (status = OK, description = "The bytes as they were received", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Above the caller's clearance", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such item or revision for this token", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place((id, number)): Place<(ItemId, i64)>,
) -> Result<Response, Problem> {
    let payload = state.service.payload(&request, id, Some(number)).await?;
    let digest = payload.sha256.map(|digest| digest.repr_digest());
    let hidden = payload.hidden;
    let mut response = payload.bytes.into_response();
    let media_type =
        HeaderValue::from_str(&payload.media_type).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, media_type);
    let name = if hidden > 0 { "attachment; filename=\"masked\"" } else { "attachment" };
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(Ok(digest)) = digest.as_deref().map(HeaderValue::from_str) {
        headers.insert("repr-digest", digest);
    }
    if hidden > 0 {
        headers.insert("recourse-masked", HeaderValue::from(hidden));
    }
    Ok(response)
}
