use domain::document::{Token, TokenKind, pretty};
use leptos::prelude::*;

use super::shortened::{Room, Shortened};
use crate::components::code_line;

/// Deeper lines are indented no further: each would be longer than the one before.
const DEEPEST: usize = 40;

/// JSON laid out for reading, every token exactly as written; `None` if it is none.
pub(super) fn lines(text: &str) -> Option<Shortened> {
    let layout = pretty(text)?;
    let mut room = Room::new();
    let mut lines = Vec::new();
    for line in &layout.lines {
        let indent = "  ".repeat(line.depth.min(DEEPEST));
        let length = indent.len() + line.tokens.iter().map(|token| token.text.len()).sum::<usize>();
        if room.take(length).is_none() {
            break;
        }
        let tokens = line.tokens.iter().map(|token| one(*token, &mut room)).collect_view();
        lines.push(view! { {indent}{tokens} }.into_any());
    }
    let left_out = room.left_out(layout.lines.len(), lines.len());
    Some(Shortened { lines, left_out })
}

fn one(token: Token<'_>, room: &mut Room) -> AnyView {
    let class = match token.kind {
        TokenKind::Mark if token.text == ":" => return ": ".into_any(),
        TokenKind::Mark => return token.text.to_owned().into_any(),
        TokenKind::Key => "json-key",
        TokenKind::String => "json-string",
        TokenKind::Number => "json-number",
        TokenKind::Word => "json-word",
    };
    view! { <span class=class>{code_line(room.of_line(token.text))}</span> }.into_any()
}
