//! What the pages' forms post to: one file per verb, a few lines each.
//!
//! Success is a redirect to the page that shows the new truth. A refusal renders the same page with its status, the reason
//! in place and everything typed still there.

mod item;
mod quarantine;
mod setup;
mod sign_in;
mod sign_out;
mod theme;

use std::collections::HashMap;

use app::visit::{FormState, Visit};
use axum::{
    Router,
    body::Body,
    extract::{FromRequest, Request},
    http::{StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use domain::{access::Caller, refusal::Refusal};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use service::Error;

use crate::web::{AppState, page, status};

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/sign-in", post(sign_in::post))
        .route("/sign-out", post(sign_out::post))
        .route("/theme", post(theme::post))
        .route("/setup/{secret}", post(setup::post))
        .route("/items/{id}/{action}", post(item::post))
        .route("/quarantine/{id}/accept", post(quarantine::accept))
        .route("/quarantine/{id}/close", post(quarantine::close))
        .route("/sign-out", get(|| async { Redirect::to("/queue") }))
}

/// A form as it was posted, by whom, and where.
pub(crate) struct Posted {
    pub(crate) visit: Visit,
    fields: HashMap<String, String>,
    uri: Uri,
    headers: axum::http::HeaderMap,
}

impl FromRequest<AppState> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let Some(visit) = parts.extensions.get::<Visit>().cloned() else {
            return Err(StatusCode::INTERNAL_SERVER_ERROR.into_response());
        };
        // Form encoding makes JSON about three times larger.
        let limit = state.service.settings().payload_limit * 4;
        let too_large =
            || (StatusCode::PAYLOAD_TOO_LARGE, format!("A form may have at most {limit} bytes.")).into_response();
        let bytes = match Limited::new(body, limit).collect().await {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => return Err(too_large()),
            Err(_) => return Err((StatusCode::BAD_REQUEST, "The form did not arrive whole.").into_response()),
        };
        let fields: HashMap<String, String> = form_fields(&bytes);
        let posted = Self { visit, fields, uri: parts.uri, headers: parts.headers };
        let path = posted.uri.path();
        let open = matches!(path, "/sign-in" | "/theme") || path.starts_with("/setup/");
        if matches!(posted.visit.request.caller, Caller::Anonymous) && !open {
            // The session ended while something was typed: it is shown to be kept, beside the way to sign in.
            return Err(posted.show(state, "/sign-in", Refusal::NotSignedIn.into()).await);
        }
        Ok(posted)
    }
}

/// The fields of a form body; of a repeated one the last counts.
fn form_fields(bytes: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(bytes).into_owned().collect()
}

impl Posted {
    /// A field's text; empty if it was not sent.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// Everything that was sent.
    pub(crate) fn fields(&self) -> &HashMap<String, String> {
        &self.fields
    }

    /// The page at `path` with the refusal and everything typed, or the failure.
    pub(crate) async fn show(self, state: &AppState, path: &str, error: Error) -> Response {
        let refusal = match error.refusal() {
            Some(refusal) => refusal.clone(),
            None => {
                let status = crate::web::failure(&error);
                return (status, "That did not work, and nothing was changed. Go back: what you typed is still there.")
                    .into_response();
            }
        };
        let mut request = Request::builder().method("GET").uri(path).body(Body::empty()).unwrap_or_default();
        *request.headers_mut() = self.headers;
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::TRANSFER_ENCODING] {
            request.headers_mut().remove(name);
        }
        let typed = self.fields.into_iter().filter(|(name, _)| name != "password").collect();
        request.extensions_mut().insert(Visit { path: path.to_owned(), ..self.visit });
        let mut response = page(state, request, FormState { refusal: Some(refusal.clone()), typed }).await;
        *response.status_mut() = status(&refusal);
        response
    }
}

/// Where to go next, if it is a place of ours.
pub(crate) fn local(next: &str) -> &str {
    let ours = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n', '\t']);
    if ours { next } else { "/queue" }
}
