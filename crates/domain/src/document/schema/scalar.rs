//! Numbers and strings of a document for those who can hold less than a document says.

use std::borrow::Cow;

use jsonschema::json::JsonNumber;
use serde_json::Number;

use crate::document::{exact::Decimal, json::decoded};

/// A number as written.
pub(super) struct Written<'a>(&'a str);

impl<'a> Written<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self(text)
    }
}

impl JsonNumber for Written<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(nearest(self.0))
    }

    fn is_integer(&self) -> bool {
        Decimal::read(self.0).is_some_and(|number| number.is_integer())
    }

    fn is_written_as_integer(&self) -> bool {
        !self.0.contains(['.', 'e', 'E'])
    }
}

/// The nearest number a machine holds that is neither zero nor endless where the written one is not.
pub(super) fn nearest(text: &str) -> Number {
    if let Ok(number) = text.parse::<i64>() {
        return Number::from(number);
    }
    if let Ok(number) = text.parse::<u64>() {
        return Number::from(number);
    }
    let rounded = text.parse::<f64>().unwrap_or_default().clamp(f64::MIN, f64::MAX);
    let is_zero = Decimal::read(text).is_some_and(|number| number.is_zero());
    let kept = match (rounded == 0.0 && !is_zero, text.starts_with('-')) {
        (false, _) => rounded,
        (true, false) => f64::MIN_POSITIVE,
        (true, true) => -f64::MIN_POSITIVE,
    };
    Number::from_f64(kept).unwrap_or_else(|| Number::from(0))
}

/// What a string says, with U+FFFD for every lone surrogate.
pub(super) fn said(raw: &str) -> Cow<'_, str> {
    match decoded(raw) {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => {
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                // A lone surrogate is three bytes that begin with this one, and come one by one.
                if chunk.invalid().first() == Some(&0xed) {
                    text.push('\u{fffd}');
                }
            }
            Cow::Owned(text)
        }
    }
}
