//! `GET /api/v1/approvals` and the decisions on one (R11, R12).

use axum::{
    Json,
    body::Body,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use domain::{ids::ApprovalId, refusal::Refusal};
use serde::{Deserialize, Serialize};
use service::approvals::{
    decide::Decided,
    read::{Listed, Tab},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{bearer::Bearer, body, place::Place, problem::Problem, version};
use crate::web::AppState;

/// Which approvals.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// `waiting_for_me`, `mine` or `decided`; what waits for the caller's decision if left out.
    tab: Option<String>,
    /// Where the page begins, from `next`.
    after: Option<String>,
}

/// A page of approvals.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ApprovalsPage {
    items: Vec<ShownApproval>,
    /// Where the next page begins; null on the last.
    next: Option<String>,
}

/// Something that waits for another person's decision, or how it ended.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShownApproval {
    id: Uuid,
    item: Uuid,
    /// `replay` or `compensation`.
    kind: &'static str,
    /// `waiting`, `approved`, `rejected`, `withdrawn`, `expired` or `void`.
    state: &'static str,
    /// Over everything it is about, in hexadecimal.
    hash: String,
    revision: i64,
    plan: Option<String>,
    reason: String,
    requested_by: String,
    requested_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// How many different people have to approve it.
    approvers: i64,
    decisions: Vec<ShownDecision>,
    ended_at: Option<DateTime<Utc>>,
    ended_by: Option<String>,
    ended_why: Option<String>,
    url: String,
}

/// What somebody decided.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShownDecision {
    by: String,
    /// `approve` or `reject`.
    verdict: &'static str,
    reason: String,
    at: DateTime<Utc>,
}

/// Why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    /// Why it is decided like that.
    reason: String,
}

/// What an approval and its item are now.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NowApproval {
    approval: Uuid,
    /// What the approval is.
    state: &'static str,
    item: Uuid,
    /// What the item is.
    item_state: &'static str,
}

/// List what waits for a decision, or was decided.
#[utoipa::path(
    get, path = "/approvals", tag = "Approve", operation_id = "list_approvals", params(Wanted),
    responses(
        (status = OK, description = "A page of approvals", body = ApprovalsPage),
        (status = BAD_REQUEST, description = "A parameter can't be read", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Not permitted", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Parameters are wrong", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<ApprovalsPage>, Problem> {
    let Query(wanted) = wanted.map_err(|error| Refusal::Malformed { message: error.body_text() })?;
    let tab = match wanted.tab.as_deref() {
        None | Some("waiting_for_me") => Tab::ForMe,
        Some("mine") => Tab::Mine,
        Some("decided") => Tab::Ended,
        Some(_) => return Err(Refusal::field("/tab", "is one of waiting_for_me, mine, decided").into()),
    };
    let from = match wanted.after.as_deref() {
        None => None,
        Some(word) => {
            let wrong = || Refusal::field("/after", "is not a place in this list");
            let (at, id) = app::paths::read_place(word).ok_or_else(wrong)?;
            Some((at, ApprovalId(id)))
        }
    };
    let page = state.service.approvals(&request, tab, from).await?;
    let next = page.next.map(|(at, id)| app::paths::place(at, id.0));
    let url = state.service.settings().public_url.clone();
    let items = page.rows.into_iter().map(|row| shown(row, &url)).collect();
    Ok(Json(ApprovalsPage { items, next }))
}

fn shown(row: Listed, public_url: &str) -> ShownApproval {
    let (approval, bound) = (row.approval, row.decisions);
    let decisions = bound.into_iter().map(|decision| ShownDecision {
        by: decision.person_name,
        verdict: decision.verdict.as_str(),
        reason: decision.reason,
        at: decision.at,
    });
    ShownApproval {
        id: approval.id.0,
        item: approval.item_id.0,
        kind: approval.kind.as_str(),
        state: approval.state.as_str(),
        hash: domain::digest::Sha256::from_slice(&approval.hash).map(|hash| hash.hex()).unwrap_or_default(),
        revision: approval.bound.revision,
        plan: approval.bound.plan.clone(),
        reason: approval.reason,
        requested_by: approval.requested_by_name,
        requested_at: approval.requested_at,
        expires_at: approval.expires_at,
        approvers: approval.approvers,
        decisions: decisions.collect(),
        ended_at: approval.ended_at,
        ended_by: approval.ended_by_name,
        ended_why: approval.ended_why,
        url: format!("{public_url}{}", app::paths::approval(approval.id)),
    }
}

async fn reason(state: &AppState, body: Body) -> Result<String, Problem> {
    let read = body::read(state, body, body::Kind::Other("A decision", 64 << 10)).await?;
    let reason: Reason = serde_json::from_slice(&read.bytes)
        .map_err(|error| Refusal::Malformed { message: format!("The body is not {{reason}}: {error}.") })?;
    Ok(reason.reason)
}

fn answer(decided: &Decided) -> Response {
    let now = NowApproval {
        approval: decided.approval.id.0,
        state: decided.approval.state.as_str(),
        item: decided.item.id.0,
        item_state: decided.item.state.as_str(),
    };
    ([(header::ETAG, version::tag(decided.item.version))], Json(now)).into_response()
}

/// Approve it, as it was looked at; with the last approval it takes, it is done.
#[utoipa::path(
    post, path = "/approvals/{id}/approve", tag = "Approve", operation_id = "approve", request_body = Reason,
    params(("id" = Uuid, Path, description = "The approval"), ("If-Match" = String, Header, description = "The version of the item that was looked at")),
    responses(
        (status = OK, description = "Decided", body = NowApproval),
        (status = BAD_REQUEST, description = "Not readable", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Not permitted, or they had a hand in it", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such approval for this token", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "It does not wait any more, or is not what was asked for any more", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong", body = Problem, content_type = "application/problem+json"),
        (status = PRECONDITION_REQUIRED, description = "If-Match is required", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn approve(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ApprovalId>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let (seen, reason) = (version::expected(&headers)?, reason(&state, body).await?);
    Ok(answer(&state.service.approve(&request, id, &reason, seen).await?))
}

/// Reject it: nothing is done.
#[utoipa::path(
    post, path = "/approvals/{id}/reject", tag = "Approve", operation_id = "reject", request_body = Reason,
    params(("id" = Uuid, Path, description = "The approval"), ("If-Match" = String, Header, description = "The version of the item that was looked at")),
    responses(
        (status = OK, description = "Decided", body = NowApproval),
        (status = BAD_REQUEST, description = "Not readable", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Not permitted, or they had a hand in it", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such approval for this token", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "It does not wait any more", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong", body = Problem, content_type = "application/problem+json"),
        (status = PRECONDITION_REQUIRED, description = "If-Match is required", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn reject(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ApprovalId>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let (seen, reason) = (version::expected(&headers)?, reason(&state, body).await?);
    Ok(answer(&state.service.reject(&request, id, &reason, seen).await?))
}

/// Withdraw what one asked for oneself.
#[utoipa::path(
    post, path = "/approvals/{id}/withdraw", tag = "Approve", operation_id = "withdraw", request_body = Reason,
    params(("id" = Uuid, Path, description = "The approval")),
    responses(
        (status = OK, description = "Withdrawn", body = NowApproval),
        (status = BAD_REQUEST, description = "Not readable", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = FORBIDDEN, description = "Not permitted", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such approval for this token", body = Problem, content_type = "application/problem+json"),
        (status = CONFLICT, description = "It does not wait any more", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "Fields are wrong", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn withdraw(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ApprovalId>,
    body: Body,
) -> Result<Response, Problem> {
    let reason = reason(&state, body).await?;
    Ok(answer(&state.service.withdraw(&request, id, &reason).await?))
}
