//! Downloading a revision's exact bytes from a page.

use app::visit::Visit;
use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{document::Kind, ids::ItemId};
use service::Service;

use super::errors;

/// Always an attachment of a harmless type: text from failing systems must not run in the operator's browser.
pub(super) async fn download(
    State(service): State<Service>,
    Extension(visit): Extension<Visit>,
    Path((id, number)): Path<(ItemId, i64)>,
) -> Response {
    match service.payload(&visit.request, id, Some(number)).await {
        Ok(payload) => {
            let ending = match payload.kind {
                Kind::Json => "json",
                Kind::Text => "txt",
                Kind::Binary => "bin",
            };
            // What is masked says so in its name, and has no digest: it is not the payload.
            let masked = if payload.hidden > 0 { "-masked" } else { "" };
            let name = format!("attachment; filename=\"{id}-revision-{number}{masked}.{ending}\"");
            let digest = payload.sha256.map(|digest| digest.repr_digest());
            let mut response = payload.bytes.into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            if let Ok(name) = HeaderValue::from_str(&name) {
                headers.insert(header::CONTENT_DISPOSITION, name);
            }
            if let Some(Ok(digest)) = digest.as_deref().map(HeaderValue::from_str) {
                headers.insert("repr-digest", digest);
            }
            response
        }
        Err(error) => match error.refusal() {
            Some(refusal) => (errors::status(refusal), refusal.sentence()).into_response(),
            None => (errors::failure(&error), "The payload can't be read at the moment.").into_response(),
        },
    }
}
