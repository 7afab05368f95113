//! What the pages' forms post to: one file per verb, a few lines each.
//!
//! Success is a redirect to the page that shows the new truth. A refusal renders the same page with its status, the reason
//! in place and everything typed still there.

mod correct;
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
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request},
    http::{StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{access::Caller, refusal::Refusal};
use http_body_util::BodyExt as _;
use service::Error;

use crate::web::{AppState, page, status};

pub(crate) fn routes(payload_limit: usize) -> Router<AppState> {
    Router::new()
        .route("/sign-in", post(sign_in::post))
        .route("/sign-out", post(sign_out::post))
        .route("/theme", post(theme::post))
        .route("/setup/{secret}", post(setup::post))
        .route("/items/{id}/correct", post(correct::post))
        .route("/items/{id}/replay", post(item::replay))
        .route("/items/{id}/{action}", post(item::post))
        .route("/quarantine/{id}/accept", post(quarantine::accept))
        .route("/quarantine/{id}/close", post(quarantine::close))
        .route("/sign-out", get(|| async { Redirect::to("/queue") }))
        .layer(DefaultBodyLimit::max(payload_limit * 4))
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
        let (uri, headers) = (parts.uri.clone(), parts.headers.clone());
        let multipart =
            headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
        let read = Request::from_parts(parts, body);
        let fields = if multipart { parted(read, state).await? } else { encoded(read.into_body(), state).await? };
        let posted = Self { visit, fields, uri, headers };
        let path = posted.uri.path();
        let open = matches!(path, "/sign-in" | "/theme") || path.starts_with("/setup/");
        if matches!(posted.visit.request.caller, Caller::Anonymous) && !open {
            // The session ended while something was typed: it is shown to be kept, beside the way to sign in.
            return Err(posted.show(state, "/sign-in", Refusal::NotSignedIn.into()).await);
        }
        Ok(posted)
    }
}

/// What is read and thrown away of a form that is too large, so that the answer reaches the sender instead of a reset.
const DRAIN: usize = 256 << 20;

/// The fields of an encoded form; of a repeated one the last counts.
async fn encoded(mut body: Body, state: &AppState) -> Result<HashMap<String, String>, Response> {
    let limit = limit(state);
    let (mut bytes, mut seen) = (Vec::new(), 0usize);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Err(cut_short()) };
        let Ok(data) = frame.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= limit {
            bytes.extend_from_slice(&data);
        } else if seen > limit.saturating_add(DRAIN) {
            break;
        }
    }
    if seen > limit {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, format!("A form may have at most {limit} bytes.")).into_response());
    }
    Ok(form_urlencoded::parse(&bytes).into_owned().collect())
}

/// The fields of a form in parts. The content of a file that was chosen is kept as base64; a file that was not is no field.
async fn parted(request: Request, state: &AppState) -> Result<HashMap<String, String>, Response> {
    let mut form = Multipart::from_request(request, state).await.map_err(IntoResponse::into_response)?;
    let mut fields = HashMap::new();
    while let Some(field) = form.next_field().await.map_err(IntoResponse::into_response)? {
        let (name, is_file) = (field.name().unwrap_or_default().to_owned(), field.file_name().is_some());
        let chosen = field.file_name().is_some_and(|file| !file.is_empty());
        let bytes = field.bytes().await.map_err(IntoResponse::into_response)?;
        match (is_file, chosen) {
            (true, true) => drop(fields.insert(name, STANDARD.encode(&bytes))),
            (true, false) => {}
            (false, _) => drop(fields.insert(name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
    Ok(fields)
}

/// Form encoding makes JSON about three times larger.
fn limit(state: &AppState) -> usize {
    state.service.settings().payload_limit * 4
}

fn cut_short() -> Response {
    (StatusCode::BAD_REQUEST, "The form did not arrive whole. Go back: what you typed is still there.").into_response()
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
        let code = status(&refusal);
        let mut response = self.render(state, path, Some(refusal)).await;
        *response.status_mut() = code;
        response
    }

    /// The page at `path` with everything typed, for the next stage of a form.
    pub(crate) async fn show_again(self, state: &AppState, path: &str) -> Response {
        self.render(state, path, None).await
    }

    async fn render(self, state: &AppState, path: &str, refusal: Option<Refusal>) -> Response {
        let mut request = Request::builder().method("GET").uri(path).body(Body::empty()).unwrap_or_default();
        *request.headers_mut() = self.headers;
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::TRANSFER_ENCODING] {
            request.headers_mut().remove(name);
        }
        let typed = self.fields.into_iter().filter(|(name, _)| name != "password").collect();
        let mut visit = Visit { path: path.to_owned(), ..self.visit };
        visit.request.refused = refusal.is_some();
        request.extensions_mut().insert(visit);
        page(state, request, FormState { refusal, typed }).await
    }
}

/// Where to go next, if it is a place of ours.
pub(crate) fn local(next: &str) -> &str {
    let ours =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.contains(char::is_control);
    if ours { next } else { "/queue" }
}
