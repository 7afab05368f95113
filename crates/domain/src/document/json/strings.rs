//! What a string says, apart from how it is written.

use std::borrow::Cow;

/// What a JSON string (quotes included) says, as UTF-8; a lone surrogate is kept as the three bytes UTF-8 forbids, so that two
/// strings are equal exactly where they say the same.
#[must_use]
pub fn decoded(raw: &str) -> Cow<'_, [u8]> {
    let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner.as_bytes());
    }
    let mut said = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        said.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let (unit, length) = escape(rest);
        rest = &rest[length..];
        let mut point = unit;
        if (0xd800..0xdc00).contains(&unit) && rest.starts_with("\\u") {
            let (low, length) = escape(&rest[1..]);
            if (0xdc00..0xe000).contains(&low) {
                point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                rest = &rest[1 + length..];
            }
        }
        push(&mut said, point);
    }
    said.extend_from_slice(rest.as_bytes());
    Cow::Owned(said)
}

/// The code unit that stands after a backslash, and how many bytes it takes there.
fn escape(rest: &str) -> (u32, usize) {
    match rest.as_bytes().first() {
        Some(b'u') => (rest.get(1..5).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xfffd), 5),
        Some(b'b') => (8, 1),
        Some(b'f') => (12, 1),
        Some(b'n') => (10, 1),
        Some(b'r') => (13, 1),
        Some(b't') => (9, 1),
        Some(other) => (u32::from(*other), 1),
        None => (u32::from(b'\\'), 0),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "six bits at a time")]
fn push(said: &mut Vec<u8>, point: u32) {
    match char::from_u32(point) {
        Some(character) => said.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => {
            said.extend([0xe0 | (point >> 12) as u8, 0x80 | (point >> 6 & 0x3f) as u8, 0x80 | (point & 0x3f) as u8]);
        }
    }
}

/// What a string says as text; `None` where a lone surrogate makes it none.
#[must_use]
pub fn plain(raw: &str) -> Option<Cow<'_, str>> {
    match decoded(raw) {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}
