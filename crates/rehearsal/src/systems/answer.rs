//! An answer, before it becomes a response.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Bytes,
    headers: Vec<(&'static str, String)>,
}

impl Answer {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, body: body.to_string().into(), headers: Vec::new() }
    }

    /// A refusal as the sort of answer such systems give: a type, a sentence, and perhaps a field.
    pub(super) fn refusal(status: u16, kind: &str, message: &str) -> Self {
        Self::json(status, &json!({ "ok": false, "error": { "type": kind, "message": message } }))
    }

    /// 422 about the shape of a field.
    pub(super) fn invalid(pointer: &str, message: &str) -> Self {
        Self::field("validation", pointer, message)
    }

    /// 422 about what the business allows.
    pub(super) fn breaks_rule(pointer: &str, message: &str) -> Self {
        Self::field("business_rule", pointer, message)
    }

    fn field(kind: &str, pointer: &str, message: &str) -> Self {
        let field = json!({ "pointer": pointer, "message": message });
        let error = json!({ "type": kind, "message": "The request could not be accepted.", "fields": [field] });
        Self::json(422, &json!({ "ok": false, "error": error }))
    }

    /// What a system, or the gateway before it, says with a bare status code.
    pub(super) fn of_code(code: u16) -> Self {
        match code {
            401 => Self::refusal(401, "unauthenticated", "The access token has expired."),
            403 => Self::refusal(403, "forbidden", "The integration user may not write this kind of record."),
            404 => Self::refusal(404, "not_found", "There is no such record."),
            409 => Self::refusal(409, "conflict", "The record was changed by someone else."),
            429 => Self::refusal(429, "rate_limited", "Too many requests."),
            500..=599 => Self::refusal(code, "unavailable", "The service is temporarily unavailable."),
            _ => Self::refusal(code, "refused", "The request was refused."),
        }
    }

    pub(super) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn retry_after(self, seconds: Option<u32>) -> Self {
        match seconds {
            Some(seconds) => self.with_header("retry-after", seconds.to_string()),
            None => self,
        }
    }

    /// The same status and headers with another body.
    pub(super) fn carrying(self, body: Body) -> Response {
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        if self.status != StatusCode::NO_CONTENT {
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

impl IntoResponse for Answer {
    fn into_response(mut self) -> Response {
        let body = std::mem::take(&mut self.body);
        self.carrying(body.into())
    }
}
