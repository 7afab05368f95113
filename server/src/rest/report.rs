//! `POST /api/v1/items`.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
};
use base64::{
    Engine as _,
    engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD},
};
use domain::{effect::Effect, item::State as ItemState, refusal::Refusal};
use serde::Serialize;
use service::report::{Answer, Incoming};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{bearer::Bearer, body, problem::Problem};
use crate::web::AppState;

/// What an automation is told about its report.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Reported {
    /// The item.
    id: Uuid,
    /// Whether this request made it: 201 if so, 200 if not.
    created: bool,
    /// `open replaying awaiting_outcome awaiting_approval compensating snoozed closed`
    #[schema(value_type = String, example = "open")]
    state: ItemState,
    /// `none confirmed uncertain partial compensated`
    #[schema(value_type = String, example = "uncertain")]
    effect: Effect,
    /// Where a person looks at it.
    url: String,
    /// The report brought other payload bytes than the last one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    payload_changed: bool,
}

impl From<Answer> for Reported {
    fn from(answer: Answer) -> Self {
        let Answer { id, created, state, effect, url, payload_changed } = answer;
        Self { id: id.0, created, state, effect, url, payload_changed }
    }
}

/// Report work that could not be finished safely.
///
/// The same report again (by `report_id`, else by its bytes) answers 200 with the first result and changes nothing. With the
/// header `Recourse-Item` (base64url of the report's JSON) the body is the payload itself, with its own content type.
#[utoipa::path(
    post, path = "/items", tag = "Report", operation_id = "report_item",
    request_body(content = serde_json::Value, description = "The report; see the API guide for every field"),
    params(("Recourse-Item" = Option<String>, Header, description = "base64url JSON of the report; the body is then the payload")),
    responses(
        (status = CREATED, description = "A new item", body = Reported),
        (status = OK, description = "Known work, or a known report", body = Reported),
        (status = BAD_REQUEST, description = "Not readable; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Another workflow's token; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "The report_id was used for other content; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = PAYLOAD_TOO_LARGE, description = "Above the limit; report it by reference", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = SERVICE_UNAVAILABLE, description = "Busy, or the database is away; send it again", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn post(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Reported>), Problem> {
    let read = body::read(&state, body, body::Kind::WithPayload).await?;
    let incoming = incoming(&headers, read.bytes.clone());
    if let Some(refusal) = encoded(&headers) {
        return Err(state.service.keep_refused(&request, &incoming, refusal).await.into());
    }
    let taken = state.service.report(&request, &incoming).await?;
    let status = if taken.answer.created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(taken.answer.into())))
}

/// A report from its body and headers.
fn incoming(headers: &HeaderMap, body: Vec<u8>) -> Incoming {
    let Some(header) = headers.get("recourse-item") else { return Incoming::json(body) };
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or("application/octet-stream").to_owned();
    let text = header.as_bytes();
    let decoded = URL_SAFE_NO_PAD.decode(text).or_else(|_| URL_SAFE.decode(text));
    // What is no base64url is kept as it is: the refusal will say that it is no JSON.
    Incoming { body, content_type, item_header: Some(decoded.unwrap_or_else(|_| text.to_vec())) }
}

/// Bodies are taken as they are: nothing is unpacked here, because the bytes would not be the payload's.
fn encoded(headers: &HeaderMap) -> Option<Refusal> {
    let coding = headers.get(header::CONTENT_ENCODING)?.to_str().unwrap_or("unknown");
    let message =
        format!("The body is encoded as {coding}. Send it without Content-Encoding, so that its exact bytes are kept.");
    (!coding.eq_ignore_ascii_case("identity")).then_some(Refusal::Malformed { message })
}
