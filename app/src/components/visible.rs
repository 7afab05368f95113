//! Characters that would not show, or turn the text around them, made visible where exactness matters.

use leptos::prelude::*;

/// A stretch of text, or one character that needs a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Shows as it is.
    Plain(&'t str),
    /// Would not.
    Named(char),
}

/// Splits `text` at every character that would not show.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, hidden)) = rest.char_indices().find(|(_, character)| hides(*character)) {
        if at > 0 {
            found.push(Piece::Plain(&rest[..at]));
        }
        found.push(Piece::Named(hidden));
        rest = &rest[at + hidden.len_utf8()..];
    }
    if !rest.is_empty() {
        found.push(Piece::Plain(rest));
    }
    found
}

/// The text, with what hides framed and named.
pub(crate) fn shown(text: &str) -> AnyView {
    let piece = |piece: Piece<'_>| match piece {
        Piece::Plain(text) => text.to_owned().into_any(),
        Piece::Named(hidden) => view! { <i class="codepoint">{name(hidden)}</i> }.into_any(),
    };
    pieces(text).into_iter().map(piece).collect_view().into_any()
}

/// Control characters but the tab, marks and overrides of direction, and what takes no room or only pretends to.
fn hides(character: char) -> bool {
    match character {
        '\t' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => true,
        other => other.is_control(),
    }
}

fn name(hidden: char) -> String {
    match hidden {
        '\r' => "CR".to_owned(),
        '\n' => "LF".to_owned(),
        '\0' => "NUL".to_owned(),
        '\u{1b}' => "ESC".to_owned(),
        '\u{a0}' => "NBSP".to_owned(),
        '\u{feff}' => "BOM".to_owned(),
        other => format!("U+{:04X}", u32::from(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_is_named_and_the_rest_stays() {
        assert_eq!(pieces("abc\tdé 漢字 עברית"), [Piece::Plain("abc\tdé 漢字 עברית")]);
        assert_eq!(pieces("a\u{202e}b"), [Piece::Plain("a"), Piece::Named('\u{202e}'), Piece::Plain("b")]);
        assert_eq!(pieces("\u{feff}{}"), [Piece::Named('\u{feff}'), Piece::Plain("{}")]);
        assert_eq!(pieces("x\0\u{7f}\u{85}").len(), 4);
        assert_eq!(pieces(""), []);
        for hidden in ["\u{200b}", "\u{2066}", "\u{ad}", "\u{a0}", "\u{3164}", "\u{e0041}", "\u{1b}"] {
            assert!(matches!(pieces(hidden).as_slice(), [Piece::Named(_)]), "{hidden:?}");
        }
    }

    #[test]
    fn names_are_code_points_or_well_known() {
        assert_eq!(name('\u{202e}'), "U+202E");
        assert_eq!(name('\u{e0041}'), "U+E0041");
        assert_eq!(name('\r'), "CR");
    }
}
