//! A request, read whole.

use axum::{
    extract::{ConnectInfo, FromRequest, FromRequestParts, Request},
    http::{HeaderMap, Method, Uri, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde_json::Value;

use super::line::Line;

#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) line: Line,
}

impl Incoming {
    pub(super) fn key(&self) -> Option<&str> {
        self.header("idempotency-key").or_else(|| self.header("x-request-key"))
    }

    pub(super) fn media_type(&self) -> Option<&str> {
        self.header(header::CONTENT_TYPE.as_str())
    }

    /// Path and query as they arrived.
    pub(super) fn target(&self) -> String {
        self.uri.path_and_query().map_or_else(String::new, ToString::to_string)
    }

    /// The first value of a query parameter, decoded.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        let address = reqwest::Url::parse(&format!("http://local{}", self.target())).ok()?;
        address.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// The body as JSON, where it is that; a byte-order mark is looked past.
    pub(super) fn json(&self) -> Option<Value> {
        serde_json::from_slice(self.body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&self.body)).ok()
    }

    pub(super) fn mentions(&self, text: &str) -> bool {
        self.key().is_some_and(|key| key.contains(text))
            || contains(&self.body, text.as_bytes())
            || self.target().contains(text)
            || self.query("key").is_some_and(|key| key.contains(text))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.headers.get(name)?.as_bytes()).ok()
    }
}

fn contains(body: &[u8], text: &[u8]) -> bool {
    text.is_empty() || body.windows(text.len()).any(|window| window == text)
}

impl<S: Send + Sync> FromRequest<S> for Incoming {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let ConnectInfo(line) =
            ConnectInfo::<Line>::from_request_parts(&mut parts, state).await.map_err(IntoResponse::into_response)?;
        let (method, uri, headers) = (parts.method.clone(), parts.uri.clone(), parts.headers.clone());
        let body =
            Bytes::from_request(Request::from_parts(parts, body), state).await.map_err(IntoResponse::into_response)?;
        Ok(Self { method, uri, headers, body, line })
    }
}
