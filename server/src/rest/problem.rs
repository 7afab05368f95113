//! Refusals and failures as `application/problem+json` (RFC 9457).

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::refusal::{FieldProblem, Refusal};
use serde::Serialize;
use service::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::web;

/// A problem.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: `code` tells problems apart.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The same for every occurrence of this code.
    pub(crate) title: &'static str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// What happened and what would help, for people.
    pub(crate) detail: String,
    /// Stable; programs may rely on it.
    #[schema(example = "invalid")]
    pub(crate) code: &'static str,
    /// The rule behind it (R1–R20), where one is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    /// What is wrong with single fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
    /// Where the refused report was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quarantine_id: Option<Uuid>,
    /// In how many seconds asking again may help.
    #[serde(skip)]
    retry_after: Option<i64>,
}

/// What is wrong with one field.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Field {
    /// JSON pointer of the field; empty for the whole document.
    #[schema(example = "/failure/message")]
    pointer: String,
    /// What is wrong and what would be right.
    message: String,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::refused(&refusal, None)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match &error {
            Error::Refused(refusal) => Self::refused(refusal, None),
            Error::Quarantined(refusal, id) => Self::refused(refusal, Some(id.0)),
            Error::Store(_) | Error::Fault(_) => {
                let status = web::failure(&error);
                let unavailable = status == StatusCode::SERVICE_UNAVAILABLE;
                Self {
                    kind: "about:blank",
                    title: if unavailable { "Unavailable" } else { "Something went wrong on our side" },
                    status: status.as_u16(),
                    detail: if unavailable {
                        "The database is unavailable at the moment. Nothing was kept; send it again in a minute.".into()
                    } else {
                        "It has been logged under the id in X-Request-Id. Nothing was kept; send it again.".into()
                    },
                    code: if unavailable { "unavailable" } else { "internal" },
                    rule: None,
                    fields: Vec::new(),
                    quarantine_id: None,
                    retry_after: unavailable.then_some(5),
                }
            }
        }
    }
}

impl Problem {
    fn refused(refusal: &Refusal, quarantine_id: Option<Uuid>) -> Self {
        let field =
            |problem: &FieldProblem| Field { pointer: problem.pointer.clone(), message: problem.message.clone() };
        Self {
            kind: "about:blank",
            title: refusal.title(),
            status: web::status(refusal).as_u16(),
            detail: refusal.sentence(),
            code: refusal.code(),
            rule: refusal.rule(),
            fields: refusal.problems().iter().map(field).collect(),
            quarantine_id,
            retry_after: web::retry_after(refusal),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(self.retry_after.unwrap_or(5)));
            }
            _ => {}
        }
        response
    }
}

/// A path of the API that is not there.
pub(crate) fn no_such_place(request: &Request) -> Response {
    let detail = format!("There is no {} {}. /api/docs lists what there is.", request.method(), request.uri().path());
    Problem { detail, ..Problem::from(Refusal::NotFound) }.into_response()
}

/// A change that another site asked for.
pub(crate) fn cross_site() -> Response {
    let detail =
        "This was asked for by a page of another site and was refused. Scripts call from outside browsers.".into();
    let status = StatusCode::FORBIDDEN.as_u16();
    let problem = Problem::from(Refusal::WrongTokenKind);
    Problem { title: "Asked for by another site", code: "cross_site", status, detail, ..problem }.into_response()
}

/// A path that is there, with a method it does not have.
pub(super) async fn no_such_method(request: Request) -> Problem {
    let detail = format!("{} takes no {}. /api/docs lists what there is.", request.uri().path(), request.method());
    let status = StatusCode::METHOD_NOT_ALLOWED.as_u16();
    Problem { title: "No such method", code: "method_not_allowed", status, detail, ..Problem::from(Refusal::NotFound) }
}
