//! Lays out JSON text for reading without changing a single token: digits, escapes, key order and duplicate keys stay.

/// What a token is, for colouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An object's key, quotes included.
    Key,
    /// A string, quotes included.
    String,
    /// A number as written.
    Number,
    /// `true`, `false` or `null`.
    Word,
    /// Brackets, commas and colons.
    Mark,
}

/// One token as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// Exactly as written.
    pub text: &'t str,
}

/// One line of the layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'t> {
    /// How deep it stands.
    pub depth: usize,
    /// Its tokens.
    pub tokens: Vec<Token<'t>>,
}

/// A JSON text laid out line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pretty<'t> {
    /// The lines.
    pub lines: Vec<Line<'t>>,
}

/// Lays out `text`; `None` if it is not one valid JSON value. Walks without recursion, so depth does not matter.
#[must_use]
pub fn pretty(text: &str) -> Option<Pretty<'_>> {
    // serde_json's skipping reader is iterative too, and is the judge of validity.
    serde_json::from_str::<&serde_json::value::RawValue>(text).ok()?;
    let mut layout = Layout { lines: vec![Line { depth: 0, tokens: Vec::new() }], depth: 0 };
    let mut rest = text.trim_matches([' ', '\t', '\n', '\r']);
    let mut open: Vec<bool> = Vec::new();
    let mut expects_key = false;
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest);
        let (token, after) = rest.split_at(length);
        let after = after.trim_start_matches([' ', '\t', '\n', '\r']);
        match first {
            '{' | '[' => {
                open.push(first == '{');
                expects_key = first == '{';
                if after.starts_with(['}', ']']) {
                    // An empty object or array stays on its line.
                    open.pop();
                    expects_key = false;
                    layout.push(TokenKind::Mark, token);
                    layout.push(TokenKind::Mark, &after[..1]);
                    rest = after[1..].trim_start_matches([' ', '\t', '\n', '\r']);
                    continue;
                }
                layout.push(TokenKind::Mark, token);
                layout.depth += 1;
                layout.new_line();
            }
            '}' | ']' => {
                open.pop();
                layout.depth = layout.depth.saturating_sub(1);
                layout.new_line();
                layout.push(TokenKind::Mark, token);
            }
            ',' => {
                layout.push(TokenKind::Mark, token);
                layout.new_line();
                expects_key = open.last().copied().unwrap_or(false);
            }
            ':' => {
                layout.push(TokenKind::Mark, token);
                expects_key = false;
            }
            '"' if expects_key => layout.push(TokenKind::Key, token),
            '"' => layout.push(TokenKind::String, token),
            't' | 'f' | 'n' => layout.push(TokenKind::Word, token),
            _ => layout.push(TokenKind::Number, token),
        }
        rest = after;
    }
    Some(Pretty { lines: layout.lines })
}

struct Layout<'t> {
    lines: Vec<Line<'t>>,
    depth: usize,
}

impl<'t> Layout<'t> {
    fn push(&mut self, kind: TokenKind, text: &'t str) {
        if let Some(line) = self.lines.last_mut() {
            line.tokens.push(Token { kind, text });
        }
    }
    fn new_line(&mut self) {
        self.lines.push(Line { depth: self.depth, tokens: Vec::new() });
    }
}

/// Bytes of the token at the start of valid JSON.
fn token_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'"') => {
            let mut at = 1;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'\\' => at += 2,
                    b'"' => return at + 1,
                    _ => at += 1,
                }
            }
            text.len()
        }
        Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => 1,
        _ => bytes.iter().position(|b| b",]} \t\n\r".contains(b)).unwrap_or(text.len()).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> String {
        pretty(text).map(|p| p.lines.iter().flat_map(|l| &l.tokens).map(|t| t.text).collect()).unwrap_or_default()
    }
    fn shown(text: &str) -> String {
        let layout = pretty(text).unwrap();
        let line = |l: &Line<'_>| "  ".repeat(l.depth) + &l.tokens.iter().map(|t| t.text).collect::<String>();
        layout.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn digits_escapes_order_and_duplicates_stay() {
        let text = r#"{"b":1.10,"a":1e400,"a":-0.0,"é\/":"\u00e9\"]","big":123456789012345678901234567890}"#;
        assert_eq!(tokens(text), text);
        assert_eq!(
            shown(r#"{"a":[1, 2],"b":{ },"c":[]}"#),
            "{\n  \"a\":[\n    1,\n    2\n  ],\n  \"b\":{},\n  \"c\":[]\n}"
        );
    }

    #[test]
    fn a_key_is_told_from_a_string() {
        let layout = pretty(r#"{"k":["v",{"k2":"v2"}]}"#).unwrap();
        let keys: Vec<_> =
            layout.lines.iter().flat_map(|l| &l.tokens).filter(|t| t.kind == TokenKind::Key).map(|t| t.text).collect();
        assert_eq!(keys, ["\"k\"", "\"k2\""]);
    }

    #[test]
    fn depth_does_not_matter_and_nonsense_is_none() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(pretty(&deep).map(|p| p.lines.len()), Some(399_999));
        for wrong in ["", "{", "{\"a\":}", "1 2", "nul", "[1,]"] {
            assert!(pretty(wrong).is_none(), "{wrong}");
        }
        assert_eq!(tokens(" null \n"), "null");
    }

    fn json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,9})?(e[+-]?[0-9]{1,3})?",
            "[ -~é\u{202e}]{0,12}".prop_map(|s| serde_json::Value::String(s).to_string()),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(|v| format!("[{}]", v.join(" , "))),
                proptest::collection::vec((any::<bool>(), inner), 0..5).prop_map(|v| format!(
                    "{{{}}}",
                    v.into_iter().map(|(a, t)| format!("\"k{a}\" :{t}")).collect::<Vec<_>>().join(",")
                )),
            ]
        })
    }

    proptest! {
        #[test]
        fn nothing_but_white_space_between_tokens_changes(text in json()) {
            let again = shown(&text);
            let compact = |t: &str| tokens(t);
            prop_assert_eq!(compact(&text), compact(&again));
        }
    }
}
