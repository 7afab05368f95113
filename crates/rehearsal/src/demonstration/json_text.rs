//! Pieces of JSON text. Documents are written as text because money must keep its zeros.

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Minor units as a decimal with two places.
pub(super) fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
