//! `If-Match` and `ETag`: the version of an item that a decision rests on.

use axum::http::{HeaderMap, HeaderValue, header};
use domain::refusal::Refusal;

/// The version `If-Match` names, plain or quoted; `*` and nothing mean any.
pub(super) fn expected(headers: &HeaderMap) -> Result<Option<i64>, Refusal> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let tag = text.strip_prefix("W/").unwrap_or(text);
    let number = tag.strip_prefix('"').map_or(Some(tag), |rest| rest.strip_suffix('"')).unwrap_or_default().parse();
    number
        .map(Some)
        .map_err(|_| Refusal::Malformed { message: "If-Match must be the item's version, a whole number.".into() })
}

/// The `ETag` of a version.
pub(super) fn tag(version: i64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).unwrap_or(HeaderValue::from_static("\"0\""))
}
