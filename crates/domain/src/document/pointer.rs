//! One place of a JSON document, read as the text that stands there: no number is ever parsed and printed again.

use std::borrow::Cow;

use super::json::{self, Json};

/// The text at a JSON pointer (RFC 6901), as it stands in the document; `None` where there is nothing, or no JSON.
/// Of two members with one name the last counts, as for everybody else who reads JSON.
#[must_use]
pub fn at<'d>(document: &'d str, pointer: &str) -> Option<&'d str> {
    let json = Json::read(document).ok()?;
    json.find(pointer).map(|node| json.raw(node))
}

/// A text, number or truth value as plain text; `None` for what is not one single value.
#[must_use]
pub fn plain(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'"' => json::plain(raw),
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(raw)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_it_stands() {
        let document =
            r#"{"a": {"b/c": [1, 40.00, "x\u00e9", null]}, "__proto__": 12345678901234567890.10, "a~": true, "": 7}"#;
        for (pointer, expected) in [
            ("/a/b~1c/1", Some("40.00")),
            ("/a/b~1c/2", Some(r#""x\u00e9""#)),
            ("/a/b~1c/01", None),
            ("/a/b~1c/9", None),
            ("/__proto__", Some("12345678901234567890.10")),
            ("/a~0", Some("true")),
            ("/", Some("7")),
            ("/nothing", None),
            ("/a~0/deeper", None),
        ] {
            assert_eq!(at(document, pointer), expected, "{pointer}");
        }
        assert_eq!(at(document, ""), Some(document));
        assert_eq!(at("not json", "/a"), None);
        assert_eq!(plain(r#""x\u00e9""#).as_deref(), Some("xé"));
        assert_eq!(plain("40.00").as_deref(), Some("40.00"));
        assert_eq!(plain("null"), None);
        assert_eq!(plain("{}"), None);
    }
}
