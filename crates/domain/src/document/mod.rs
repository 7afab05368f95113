//! Payloads as people see them. What is stored and sent is bytes; nothing here is ever written back but by splice.

pub mod browser_text;
pub mod difference;
pub mod exact;
pub mod fields;
pub mod json;
pub mod line_diff;
pub mod look_alike;
pub mod mask;
pub mod merge;
pub mod number;
pub mod patch;
pub mod pattern;
pub mod pointer;
mod pretty;
pub mod schema;
pub mod secrets;

pub use pretty::{Pretty, Token, TokenKind, pretty};

use crate::word::words;

words! {
    /// How a payload can be shown.
    Kind {
        /// Valid JSON text.
        Json = "json",
        /// Valid UTF-8 that is not JSON.
        Text = "text",
        /// Anything else: size and digest only.
        Binary = "binary",
    }
}

/// How to show `bytes`, judged by the bytes themselves; a declared media type may lie.
#[must_use]
pub fn kind(media_type: &str, bytes: &[u8]) -> Kind {
    match std::str::from_utf8(bytes) {
        Ok(text) if declares_json(media_type) && pretty(text).is_some() => Kind::Json,
        Ok(text) if !text.contains('\0') => Kind::Text,
        _ => Kind::Binary,
    }
}

/// Whether a media type says that the body is a form's fields.
#[must_use]
pub fn is_form(media_type: &str) -> bool {
    essence(media_type) == "application/x-www-form-urlencoded"
}

/// Whether this is said to be JSON.
#[must_use]
pub fn declares_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.ends_with("/json") || essence.ends_with("+json")
}

fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
