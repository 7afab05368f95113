//! `GET /api/v1/outcomes` and `POST /api/v1/outcomes/ack`.

use axum::{
    Json,
    body::Body,
    extract::{Query, State, rejection::QueryRejection},
};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use service::outcomes::{Acknowledge, Event};
use utoipa::{IntoParams, ToSchema};

use super::{bearer::Bearer, body, problem::Problem};
use crate::web::AppState;

/// Which events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The workflow's key.
    workflow: String,
    /// Events after this cursor; without it, those that were not acknowledged.
    after: Option<String>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OutcomesPage {
    items: Vec<Outcome>,
    /// Where the next page begins; null on the last.
    next: Option<String>,
}

/// How a piece of work ended, or that it was reopened.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Outcome {
    /// Acknowledge with this.
    cursor: String,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    event: Event,
}

/// What was taken.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ack {
    /// The workflow's key.
    workflow: String,
    /// The cursor of the last event that was taken.
    through: String,
}

/// What the acknowledgement did.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Acked {
    /// How many events were new to it.
    acknowledged: u64,
}

/// Read how work ended: every closing and reopening, in order, at least once.
#[utoipa::path(
    get, path = "/outcomes", tag = "Outcomes", operation_id = "list_outcomes", params(Wanted),
    responses(
        (status = OK, description = "A page of events", body = OutcomesPage),
        (status = BAD_REQUEST, description = "A parameter can't be read", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such workflow for this token", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<OutcomesPage>, Problem> {
    let Query(wanted) = wanted.map_err(|error| Refusal::Malformed { message: error.body_text() })?;
    let after = wanted.after.as_deref().map(|text| cursor("/after", text)).transpose()?;
    let page = state.service.outcomes(&request, &wanted.workflow, after).await?;
    let next = page.events.last().filter(|_| page.more).map(|(number, _)| number.to_string());
    let items = page.events.into_iter().map(|(number, event)| Outcome { cursor: number.to_string(), event });
    Ok(Json(OutcomesPage { items: items.collect(), next }))
}

/// Acknowledge events: everything up to and including `through` was taken.
#[utoipa::path(
    post, path = "/outcomes/ack", tag = "Outcomes", operation_id = "acknowledge_outcomes", request_body = Ack,
    responses(
        (status = OK, description = "Noted", body = Acked),
        (status = BAD_REQUEST, description = "Not readable", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such workflow for this token", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn acknowledge(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    body: Body,
) -> Result<Json<Acked>, Problem> {
    let read = body::read(&state, body, body::Kind::Other("An acknowledgement", 64 << 10)).await?;
    let ack: Ack = serde_json::from_slice(&read.bytes)
        .map_err(|error| Refusal::Malformed { message: format!("The body is not {{workflow, through}}: {error}.") })?;
    let action = Acknowledge { workflow: ack.workflow, through: cursor("/through", &ack.through)? };
    Ok(Json(Acked { acknowledged: state.service.run(&request, action).await? }))
}

fn cursor(pointer: &str, text: &str) -> Result<i64, Refusal> {
    text.parse()
        .ok()
        .filter(|number| *number >= 0)
        .ok_or_else(|| Refusal::field(pointer, "is not a cursor of these events"))
}
