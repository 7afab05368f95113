use leptos::prelude::AnyView;

use crate::components::words::thousands;

/// Bytes of text that a page shows.
const MOST: usize = 256 * 1024;
/// Bytes of one line that a page shows.
const MOST_OF_A_LINE: usize = 64 * 1024;
/// Lines that a page shows.
const MOST_LINES: usize = 10_000;

/// Lines to show, and what was left out, in words.
pub(super) struct Shortened {
    pub(super) lines: Vec<AnyView>,
    pub(super) left_out: Option<String>,
}

/// What room is left on the page. Cuts fall between lines, unless a single line is longer than a page can bear.
pub(super) struct Room {
    bytes: usize,
    lines: usize,
    cut_lines: usize,
}

impl Room {
    pub(super) fn new() -> Self {
        Self { bytes: MOST, lines: MOST_LINES, cut_lines: 0 }
    }

    /// Takes room for a line of this many bytes; `None` if there is no more.
    pub(super) fn take(&mut self, bytes: usize) -> Option<()> {
        let bytes = bytes.min(MOST_OF_A_LINE);
        self.lines = self.lines.checked_sub(1)?;
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// How much of a line's text is shown.
    pub(super) fn of_line<'t>(&mut self, text: &'t str) -> &'t str {
        if text.len() <= MOST_OF_A_LINE {
            return text;
        }
        self.cut_lines += 1;
        &text[..text.floor_char_boundary(MOST_OF_A_LINE)]
    }

    /// What was left out, given how many lines there are and how many are shown.
    pub(super) fn left_out(&self, all: usize, shown: usize) -> Option<String> {
        let number = |count: usize| thousands(i64::try_from(count).unwrap_or(i64::MAX));
        let lines = (shown < all).then(|| format!("The first {} of {} lines are shown.", number(shown), number(all)));
        let long = (self.cut_lines > 0).then(|| "Very long lines are cut.".to_owned());
        let words: Vec<String> = [lines, long].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_ends_between_lines_and_a_long_line_is_cut_between_characters() {
        let mut room = Room::new();
        let taken = (0..).take_while(|_| room.take(1_000).is_some()).count();
        assert_eq!(taken, MOST / 1_000);
        let mut room = Room::new();
        assert_eq!((0..).take_while(|_| room.take(0).is_some()).count(), MOST_LINES);
        let long = "é".repeat(MOST_OF_A_LINE);
        assert_eq!(Room::new().of_line(&long).len(), MOST_OF_A_LINE);
        let mut room = Room::new();
        let _ = room.of_line(&long);
        assert_eq!(room.left_out(1, 1).as_deref(), Some("Very long lines are cut."));
        assert_eq!(Room::new().left_out(3, 3), None);
        assert_eq!(
            Room::new().left_out(30_000, 10_000).as_deref(),
            Some("The first 10,000 of 30,000 lines are shown.")
        );
    }
}
