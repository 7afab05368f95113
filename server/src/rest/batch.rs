//! `POST /api/v1/items/batch`.

use axum::{Json, body::Body, extract::State};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use service::report::Incoming;
use utoipa::ToSchema;

use super::{bearer::Bearer, body, problem::Problem, report::Reported};
use crate::web::AppState;

/// Bytes a batch may have.
const LIMIT: usize = 64 << 20;
/// Reports a batch may have.
const REPORTS: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch<'b> {
    #[serde(borrow)]
    items: Vec<&'b RawValue>,
}

/// One result for each report, in their order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResults {
    results: Vec<BatchResult>,
}

/// What became of one report: `status` says which of the two it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum BatchResult {
    /// It was taken.
    Taken {
        /// 201 new, 200 otherwise.
        status: u16,
        #[serde(flatten)]
        reported: Reported,
    },
    /// It was refused.
    Refused(Problem),
}

/// Report up to 1,000 items at once; never all-or-nothing.
#[utoipa::path(
    post, path = "/items/batch", tag = "Report", operation_id = "report_batch",
    request_body(content = serde_json::Value, description = "`{\"items\": [report, …]}`"),
    responses(
        (status = OK, description = "One result for each report", body = BatchResults),
        (status = BAD_REQUEST, description = "Not readable; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = PAYLOAD_TOO_LARGE, description = "Above 64 MiB", body = Problem, content_type = "application/problem+json"),
        (status = UNPROCESSABLE_ENTITY, description = "More than 1,000 reports; kept in quarantine", body = Problem, content_type = "application/problem+json"),
        (status = SERVICE_UNAVAILABLE, description = "Busy, or the database is away; send it again", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn post(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    body: Body,
) -> Result<Json<BatchResults>, Problem> {
    state.service.may_report(&request).await?;
    let read = body::read(&state, body, body::Kind::Other("A batch", LIMIT)).await?;
    let refusal = match serde_json::from_slice::<Batch<'_>>(&read.bytes) {
        Ok(batch) if batch.items.len() <= REPORTS => {
            let mut results = Vec::with_capacity(batch.items.len());
            for item in batch.items {
                let incoming = Incoming::json(item.get().as_bytes().to_vec());
                results.push(match state.service.report(&request, &incoming).await {
                    Ok(taken) => {
                        let status = if taken.answer.created { 201 } else { 200 };
                        BatchResult::Taken { status, reported: taken.answer.into() }
                    }
                    Err(error) => BatchResult::Refused(error.into()),
                });
            }
            return Ok(Json(BatchResults { results }));
        }
        Ok(batch) => {
            Refusal::field("/items", format!("must have at most {REPORTS} reports, this has {}", batch.items.len()))
        }
        Err(error) => {
            Refusal::Malformed { message: format!("The batch is not {{\"items\": [report, …]}}: {error}.") }
        }
    };
    Err(state.service.keep_refused(&request, &Incoming::json(read.bytes), refusal).await.into())
}
