//! Every request has an id: in the log, in the audit, and in `X-Request-Id`.

use axum::{extract::Request, http::HeaderValue, middleware::Next, response::Response};
use tracing::Instrument as _;
use uuid::Uuid;

/// The request's id.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) String);

/// Gives the request an id of ours, whatever it says of itself.
pub(super) async fn attach(mut request: Request, next: Next) -> Response {
    let id = Uuid::new_v4().simple().to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!("request", id, method = %request.method(), path = logged(request.uri().path()));
    let mut response = next.run(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// A path as it may stand in a log: of a one-time link, not what makes it work.
fn logged(path: &str) -> &str {
    let secret = ["/link/", "/setup/"].into_iter().find(|before| path.starts_with(before));
    secret.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::logged;

    #[test]
    fn logs_hold_no_secret_of_a_link() {
        assert_eq!(logged("/link/abc"), "/link/");
        assert_eq!(logged("/setup/abc"), "/setup/");
        assert_eq!(logged("/items/x/link"), "/items/x/link");
    }
}
