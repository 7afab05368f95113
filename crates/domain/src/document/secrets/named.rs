//! Secrets that show by the name before them, as in `password=…`, `"api_key": "…"` and `Authorization: Bearer …`, and passwords
//! in URLs. One walk from one `:`, `=` or `>` to the next; the name is looked for in the few bytes before it.

use std::ops::Range;

use super::{
    names::{LONGEST, names_password, names_secret},
    tokens::looks_random,
};

/// Schemes that are followed by one word.
const SCHEMES: [&str; 7] = ["bearer", "basic", "token", "apikey", "negotiate", "ntlm", "key"];

/// How every placeholder begins: what is hidden already stays as it is.
const ALREADY: &str = "••••";

pub(super) fn named(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(sign) = bytes[at..].iter().position(|byte| matches!(byte, b':' | b'=' | b'>')).map(|next| at + next)
    {
        at = sign + 1;
        let name = name_before(bytes, sign).filter(|name| names_secret(&bytes[name.clone()]));
        let hidden = match (bytes[sign], name) {
            (b':', _) if bytes[at..].starts_with(b"//") => in_address(bytes, sign + 3),
            (b'>', Some(name)) => content(bytes, name, sign),
            (_, Some(name)) => value(text, name, sign),
            (_, None) => None,
        };
        if let Some(hidden) = hidden {
            at = hidden.end.max(at);
            found.push(hidden);
        }
    }
}

/// The name before a `:` or `=`, past a space, quotes and brackets.
fn name_before(bytes: &[u8], sign: usize) -> Option<Range<usize>> {
    let nearby = sign.saturating_sub(LONGEST + 8);
    let last = |end: usize, is_part: fn(&u8) -> bool| {
        bytes[nearby..end].iter().rposition(|byte| !is_part(byte)).map_or(nearby, |before| nearby + before + 1)
    };
    let end = last(sign, |byte| matches!(byte, b' ' | b'"' | b'\'' | b'\\' | b']'));
    let start = last(end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (sign - end <= 6 && start < end && end - start <= LONGEST).then_some(start..end)
}

/// What of the value after a secret's name is to be hidden.
fn value(text: &str, name: Range<usize>, sign: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let name = &bytes[name];
    let mut start = sign + 1;
    if bytes.get(start) == Some(&b':') {
        return None;
    }
    start += bytes[start..].iter().take_while(|byte| matches!(byte, b'=' | b'>')).count();
    let spaces = bytes[start..].iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    start += spaces;
    // Python writes b'…'.
    let prefix = usize::from(matches!(bytes[start..], [b'b' | b'u' | b'r', b'"' | b'\'', ..]));
    let escapes = bytes[start..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = bytes.get(start + prefix + escapes).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    start += quote.map_or(0, |_| prefix + escapes + 1);
    if text[start..].starts_with(ALREADY) {
        return None;
    }
    if quote.is_none() && bytes[sign] == b':' && matches!(bytes.get(start), Some(b'[' | b'{')) {
        return list(bytes, start);
    }
    let end = match quote {
        Some(quote) => quoted_end(bytes, start, quote, escapes),
        None => unquoted_end(bytes, start, name),
    };
    let said = &text[start..end];
    let is_nothing = said.bytes().all(|byte| byte == b'*');
    let is_word = matches!(said, "null" | "true" | "false" | "None" | "nil" | "undefined" | "[" | "{");
    // "token: expired" says what is wrong; only a password may be a plain word.
    let is_prose = quote.is_none() && spaces > 0 && bytes[sign] == b':' && !looks_random(said);
    (!is_nothing && !is_word && (!is_prose || names_password(name))).then_some(start..end)
}

/// What stands in an array of texts; of other arrays and of objects nothing, as their members have names of their own.
fn list(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let is_mark = |byte: &&u8| matches!(byte, b'[' | b' ' | b'\\');
    let first = start + bytes[start..].iter().take(16).take_while(is_mark).count();
    let quote = bytes.get(first).copied().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let escapes = bytes[start..first].iter().rev().take_while(|byte| **byte == b'\\').count();
    let mut at = first;
    while let Some(byte) = bytes.get(at) {
        at = match *byte {
            b']' => break,
            byte if byte == quote => quoted_end(bytes, at + 1, quote, escapes) + escapes + 1,
            _ => at + 1,
        };
    }
    let end = at.min(bytes.len());
    let is_hidden_already = bytes[first + 1..].starts_with(ALREADY.as_bytes());
    (bytes[start] == b'[' && !is_hidden_already).then_some(first - escapes..end)
}

/// The text of an XML element with a secret's name.
fn content(bytes: &[u8], name: Range<usize>, sign: usize) -> Option<Range<usize>> {
    let opens = name.start.checked_sub(1).is_some_and(|before| matches!(bytes[before], b'<' | b':'));
    // Looked for only where an element does open: whoever writes `token>` again and again is not followed to the end each time.
    if !opens || bytes[sign + 1..].starts_with(ALREADY.as_bytes()) {
        return None;
    }
    let length = bytes[sign + 1..].iter().take_while(|byte| **byte != b'<').count();
    (length > 0).then_some(sign + 1..sign + 1 + length)
}

/// The end of a value in quotes, themselves escaped by `escapes` backslashes; of one that is cut off, the end of the text.
fn quoted_end(bytes: &[u8], start: usize, quote: u8, escapes: usize) -> usize {
    let mut backslashes = 0;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        if *byte == b'\\' {
            backslashes += 1;
            continue;
        }
        if *byte == quote && closes(backslashes, escapes) {
            return if backslashes % 2 == 0 { at } else { at - backslashes.min(escapes) };
        }
        backslashes = 0;
    }
    bytes.len()
}

/// Whether a quote after so many backslashes ends a text whose quotes are escaped: every text around it halves them.
const fn closes(mut backslashes: usize, mut escapes: usize) -> bool {
    while backslashes % 2 == 1 {
        if escapes == 0 {
            return false;
        }
        backslashes /= 2;
        escapes /= 2;
    }
    true
}

fn unquoted_end(bytes: &[u8], start: usize, name: &[u8]) -> usize {
    let name = name.to_ascii_lowercase();
    let end = if name.ends_with(b"authorization") {
        credentials_end(bytes, start)
    } else if name.ends_with(b"cookie") {
        cookies_end(bytes, start)
    } else {
        let ends = |at: &usize| match bytes[*at] {
            b'&' | b';' => true,
            b',' => begins_pair(&bytes[at + 1..]),
            byte => ends_word(byte),
        };
        (start..bytes.len()).find(ends).unwrap_or(bytes.len())
    };
    let closing = bytes[start..end].iter().rev().take_while(|byte| matches!(byte, b')' | b']' | b'}' | b',')).count();
    end - closing
}

/// The end of words that go on after a semicolon.
fn cookies_end(bytes: &[u8], start: usize) -> usize {
    let mut end = word_end(bytes, start);
    while end > start && bytes[end - 1] == b';' && after_spaces(bytes, end) > end {
        end = word_end(bytes, after_spaces(bytes, end));
    }
    end
}

/// The end of what follows `Authorization:`: a scheme and a word, a scheme and parameters up to the end of the line, or a word.
fn credentials_end(bytes: &[u8], start: usize) -> usize {
    let end = word_end(bytes, start);
    let second = after_spaces(bytes, end);
    let second_end = word_end(bytes, second);
    if SCHEMES.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(&bytes[start..end])) {
        second_end
    } else if second > end && bytes[second..second_end].contains(&b'=') {
        second + bytes[second..].iter().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count()
    } else {
        end
    }
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|byte| !ends_word(**byte)).count()
}

fn after_spaces(bytes: &[u8], end: usize) -> usize {
    end + bytes[end..].iter().take_while(|byte| **byte == b' ').count()
}

const fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`')
}

/// Whether `name=` or `name:` stands here.
fn begins_pair(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    name > 0 && matches!(rest.get(name), Some(b'=' | b':'))
}

/// The password in `user:password@host`, or a long user name alone: it is a token.
fn in_address(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let near = &bytes[start..bytes.len().min(start + 512)];
    let length = near.iter().take_while(|byte| !ends_word(**byte) && !matches!(byte, b'/' | b'?' | b'#')).count();
    let end = near[..length].iter().rposition(|byte| *byte == b'@')?;
    let hidden = match near[..end].iter().position(|byte| *byte == b':') {
        Some(colon) => start + colon + 1..start + end,
        None if end >= 20 => start..start + end,
        None => return None,
    };
    let is_hidden_already = bytes[hidden.clone()].starts_with(ALREADY.as_bytes());
    (!hidden.is_empty() && !is_hidden_already).then_some(hidden)
}
