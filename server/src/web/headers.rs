//! What every answer says to the browser about what it may do with it.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

use super::AppState;

/// On every answer.
const ALWAYS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];
/// Whatever is no page runs nothing and loads nothing.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
/// The viewer of the API's description: its own files, and styles that it writes itself.
const API_VIEWER: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                          frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'";
/// Half a year, for whoever came over https once.
const HTTPS_ONLY: &str = "max-age=15552000";

/// Adds what an answer does not say itself.
pub(super) async fn attach(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let viewer = request.uri().path().starts_with("/api/docs");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        set(headers, HeaderName::from_static(name), value);
    }
    set(headers, header::CONTENT_SECURITY_POLICY, if viewer { API_VIEWER } else { NO_PAGE });
    if state.secure {
        set(headers, header::STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
        keep_to_https(headers);
    }
    response
}

/// A browser takes a `__Host-` cookie back only if the order says this, too; the session layer leaves it out.
fn keep_to_https(headers: &mut HeaderMap) {
    for (_, value) in headers.iter_mut().filter(|(name, _)| **name == header::SET_COOKIE) {
        let cookie = value.to_str().unwrap_or_default();
        let whole = (!cookie.contains("; Secure")).then(|| HeaderValue::from_str(&format!("{cookie}; Secure")));
        if let Some(Ok(whole)) = whole {
            *value = whole;
        }
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
