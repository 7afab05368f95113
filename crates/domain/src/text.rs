//! Text from outside, made safe to keep once, at intake.

/// A message for people: U+0000 is shown as ␀, everything else is kept.
#[must_use]
pub fn message(text: &str) -> String {
    if text.contains('\0') { text.replace('\0', "␀") } else { text.to_owned() }
}

/// The first `limit` characters; a cut is marked with an ellipsis.
#[must_use]
pub fn head(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// A text on one line. Line ends and other control characters become blanks; what turns the direction of writing is dropped,
/// for it makes a text read as something that it is not.
#[must_use]
pub fn line(text: &str) -> String {
    let kept = text.chars().filter(|c| !turns_direction(*c));
    kept.map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

/// The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm.
const fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How case-insensitive search compares: lower case by Unicode, letter by letter, computed here so that both databases
/// agree. A final sigma is a sigma, and U+0000, which one of the databases can't hold, is as intake shows it.
#[must_use]
pub fn fold(text: &str) -> String {
    let lower = |c: char| {
        c.to_lowercase().map(|c| match c {
            'ς' => 'σ',
            '\0' => '␀',
            c => c,
        })
    };
    text.chars().flat_map(lower).collect()
}

/// `text` as the needle of a SQL `LIKE … ESCAPE '\'`, folded, with its own wildcards escaped.
#[must_use]
pub fn like_needle(text: &str) -> String {
    let mut needle = String::from("%");
    for c in fold(text).chars() {
        if matches!(c, '%' | '_' | '\\') {
            needle.push('\\');
        }
        needle.push(c);
    }
    needle.push('%');
    needle
}

/// Why a text can't be a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAKey {
    /// Nothing in it.
    #[error("must not be empty")]
    Empty,
    /// Too long.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// U+0000 or another control character.
    #[error("must not contain control characters (such as U+0000 or a line end)")]
    Control,
}

/// Checks a key: not empty, at most `limit` characters, no control characters. Keys are never trimmed or normalised.
pub fn key(text: &str, limit: usize) -> Result<&str, NotAKey> {
    if text.is_empty() {
        Err(NotAKey::Empty)
    } else if text.chars().count() > limit {
        Err(NotAKey::TooLong(limit))
    } else if text.chars().any(char::is_control) {
        Err(NotAKey::Control)
    } else {
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_no_line_end_and_nothing_that_turns_the_direction() {
        assert_eq!(line("a\r\nb\tc\u{2028}d\0e"), "a  b c d e");
        assert_eq!(line("INV\u{202e}gpj.exe\u{202c} \u{2067}x\u{2069}\u{200f}\u{61c}"), "INVgpj.exe x");
        assert_eq!(line("مرحبا é 👩\u{200d}🔧"), "مرحبا é 👩\u{200d}🔧", "letters of any direction stay");
    }

    #[test]
    fn nul_is_shown_in_messages_and_refused_in_keys() {
        assert_eq!(message("a\0b"), "a␀b");
        assert_eq!(key("a\0b", 10), Err(NotAKey::Control));
        assert_eq!(key("", 10), Err(NotAKey::Empty));
        assert_eq!(key("ééé", 2), Err(NotAKey::TooLong(2)));
        assert_eq!(key(" a ", 10), Ok(" a "));
    }

    #[test]
    fn wildcards_are_data() {
        assert_eq!(like_needle("50%_\\X"), "%50\\%\\_\\\\x%");
    }

    #[test]
    fn a_word_is_found_by_its_beginning_in_any_case() {
        assert!(fold("ΣΑΣΑ").starts_with(&fold("ΣΑΣ")));
        assert_eq!(fold("ÅØ\0"), "åø␀");
    }

    #[test]
    fn cuts_between_characters() {
        assert_eq!(head("åäö", 2), "åä…");
        assert_eq!(head("åä", 2), "åä");
    }
}
