//! The document a report is about, set into its text byte for byte.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, value::RawValue};

/// The document the work is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    pub media_type: String,
    pub carried: Carried,
}

/// How the document travels inside a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// As the value of `json`, byte for byte.
    Json(Vec<u8>),
    Text(String),
    Base64(Vec<u8>),
}

impl Payload {
    /// Chooses the plainest way that keeps every byte: JSON that starts and ends with its own value as `json`, other UTF-8 as
    /// `text`, everything else as `base64`.
    #[must_use]
    pub fn exact(media_type: &str, bytes: &[u8]) -> Self {
        let json =
            media_type.split(';').next().is_some_and(|kind| kind == "application/json" || kind.ends_with("+json"));
        let carried = match std::str::from_utf8(bytes) {
            Ok(text) if json && is_one_value(text) => Carried::Json(bytes.to_vec()),
            Ok(text) => Carried::Text(text.to_owned()),
            Err(_) => Carried::Base64(bytes.to_vec()),
        };
        Self { media_type: media_type.to_owned(), carried }
    }

    pub(super) fn write(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(br#"{"media_type":"#);
        text.extend_from_slice(quoted(&self.media_type).as_bytes());
        match &self.carried {
            Carried::Json(bytes) => {
                text.extend_from_slice(br#","json":"#);
                text.extend_from_slice(bytes);
            }
            Carried::Text(plain) => {
                text.extend_from_slice(br#","text":"#);
                text.extend_from_slice(quoted(plain).as_bytes());
            }
            Carried::Base64(bytes) => {
                text.extend_from_slice(br#","base64":"#);
                text.extend_from_slice(quoted(&BASE64_STANDARD.encode(bytes)).as_bytes());
            }
        }
        text.push(b'}');
    }
}

/// Whether the text is one JSON value with nothing around it (white space around a value is not part of it).
fn is_one_value(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok_and(|value| value.get().len() == text.len())
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
