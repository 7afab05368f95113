//! Secrets that show by what they are.

use std::{ops::Range, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use regex::Regex;

use super::pattern;

/// Keys whose issuers give them a beginning. What stands before must not go on as a word. What is looked at without being
/// found has a limited length, so that it is not looked at again and again.
static KEYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(concat!(
        "(?:^|[^A-Za-z0-9])(?:",
        "[sr]k_(?:live|test)_[A-Za-z0-9]{6,}",
        "|whsec_[A-Za-z0-9+/=_-]{8,}",
        "|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}",
        "|xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
        "|(?:AKIA|ASIA)[A-Z0-9]{16}(?-u:\\b)",
        "|AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}",
        "|sk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{16,}|sk-[A-Za-z0-9]{32,}",
        "|SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}",
        "|npm_[A-Za-z0-9]{30,}",
        ")"
    ))
});

/// What follows the name of a scheme.
static SCHEMES: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern("(?i-u:\\b)(?i-u:(bearer)|basic) {1,4}([A-Za-z0-9._~+/=-]{6,})"));

pub(super) fn tokens(text: &str, found: &mut Vec<Range<usize>>) {
    for key in KEYS.iter().flat_map(|keys| keys.find_iter(text)) {
        let before =
            key.as_str().chars().next().filter(|first| !first.is_ascii_alphanumeric()).map_or(0, char::len_utf8);
        found.push(key.start() + before..key.end());
    }
    let alone = text.trim_ascii().len();
    for scheme in SCHEMES.iter().flat_map(|schemes| schemes.captures_iter(text)) {
        let (Some(whole), Some(token)) = (scheme.get(0), scheme.get(2)) else { continue };
        let stands_alone = whole.len() == alone;
        let is_secret = match scheme.get(1) {
            Some(_) => stands_alone || looks_random(token.as_str()),
            None => is_user_and_password(token.as_str()),
        };
        if is_secret {
            found.push(token.range());
        }
    }
}

/// JWTs: a header that begins as JSON does in base64, a dot, claims, and up to three further parts.
pub(super) fn web_tokens(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let part_end = |start: usize| {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        start + bytes[start..].iter().take_while(is_part).count()
    };
    let mut at = 0;
    while let Some(start) = text[at..].find("eyJ").map(|next| at + next) {
        let header_end = part_end(start);
        // Whatever begins inside the header ends where it ends.
        at = header_end;
        if bytes.get(header_end) != Some(&b'.') {
            continue;
        }
        let mut end = part_end(header_end + 1);
        if header_end - start < 10 || end - header_end < 9 {
            continue;
        }
        for _ in 0..3 {
            if bytes.get(end) == Some(&b'.') {
                end = part_end(end + 1);
            }
        }
        found.push(start..end);
        at = end;
    }
}

/// Whether it is no word of a sentence: it has digits, signs or capitals inside.
pub(super) fn looks_random(word: &str) -> bool {
    let inside = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}']).get(1..).unwrap_or_default();
    inside.len() >= 24 || inside.bytes().any(|byte| !byte.is_ascii_lowercase() && byte != b'-' && byte != b'\'')
}

/// What RFC 7617 encodes: a user, a colon, a password.
fn is_user_and_password(token: &str) -> bool {
    STANDARD_NO_PAD.decode(token.trim_end_matches('=')).is_ok_and(|said| said.contains(&b':'))
}

/// Private keys in PEM: from the first dash to the last, and of one that is cut off all there is.
pub(super) fn private_keys(text: &str, found: &mut Vec<Range<usize>>) {
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    let mut at = 0;
    while let Some(start) = text[at..].find(BEGIN).map(|begin| at + begin) {
        at = start + BEGIN.len();
        let label: String = text[at..].chars().take(40).collect();
        if !label.split("-----").next().is_some_and(|label| label.contains("PRIVATE KEY")) {
            continue;
        }
        let end = text[at..].find(END).map(|end| at + end + END.len());
        let close = end.and_then(|end| text[end..].find("-----").map(|close| end + close + 5));
        at = close.unwrap_or(text.len());
        found.push(start..at);
    }
}
