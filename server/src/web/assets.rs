//! The web bundle, embedded in the binary. Its folder's name holds a hash of its content, so it may be kept for ever.

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../site"]
#[allow_missing = true]
struct Site;

/// The bundle's folder; where no bundle was built (a test of the server alone), a name that holds nothing.
pub(super) fn folder() -> String {
    let first = Site::iter().find(|path| path.starts_with("pkg-"));
    first.and_then(|path| path.split('/').next().map(str::to_owned)).unwrap_or_else(|| "pkg".to_owned())
}

/// A file of the bundle, compressed if the browser takes that.
pub(super) async fn serve(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let path = format!("{}/{file}", folder());
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes =
        |coding: &str| accepted.split(',').any(|part| part.split(';').next().is_some_and(|name| name.trim() == coding));
    let compressed = [("br", ".br"), ("gzip", ".gz")].into_iter().filter(|(coding, _)| takes(coding));
    for (coding, ending) in compressed.map(|(coding, ending)| (Some(coding), ending)).chain([(None, "")]) {
        let Some(found) = Site::get(&format!("{path}{ending}")) else { continue };
        let mut response = found.data.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(&file)));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        return response;
    }
    StatusCode::NOT_FOUND.into_response()
}

/// Browsers ask for this one by itself.
pub(super) async fn favicon() -> Response {
    serve(Path("favicon.svg".to_owned()), HeaderMap::new()).await
}

fn media_type(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
