//! Text that comes back from a browser's `<textarea>` (R2).
//!
//! A browser turns every line end into CRLF, drops a first newline and changes U+0000. So the returned text is never the
//! new payload as such: it is compared line by line with the parent *as a browser would return it*; equal lines keep the
//! parent's bytes, changed lines are spliced in, inserted lines take their neighbour's line end.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A line and the line end that follows it; the last may have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line<'t> {
    text: &'t str,
    end: &'t str,
}

/// `parent` with just the edits that `returned` shows; equal to `parent` where the person changed nothing.
#[must_use]
pub fn apply(parent: &str, returned: &str) -> String {
    let old = lines(parent);
    let new = lines(returned);
    let old_keys: Vec<String> = old.iter().map(|line| as_returned(line.text)).collect();
    let new_keys: Vec<String> = new.iter().map(|line| line.text.to_owned()).collect();
    let last = new.len() - 1;
    let mut result = String::with_capacity(parent.len());
    for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
        let equal = matches!(op, DiffOp::Equal { .. });
        let replaced = op.old_range();
        for (offset, index) in op.new_range().enumerate() {
            // The parent's line that stands in this place: the same one, or the one that was edited.
            let counterpart = replaced.clone().nth(offset).map(|at| old[at]);
            result.push_str(match counterpart {
                Some(line) if equal => line.text,
                _ => new[index].text,
            });
            // Text is lines between line ends: all but the last line have one, whatever stood there before.
            if index != last {
                let own = counterpart.map(|line| line.end).filter(|end| !end.is_empty());
                let end = own.unwrap_or_else(|| neighbour(&old, replaced.start));
                // CR, an empty line and LF would read as one CRLF.
                result.push_str(if end == "\n" && result.ends_with('\r') { "\r\n" } else { end });
            }
        }
    }
    result
}

/// The line end an inserted line takes: of the line before, else of the line after, else LF.
fn neighbour<'t>(old: &[Line<'t>], at: usize) -> &'t str {
    let (before, after) = old.split_at(at.min(old.len()));
    before.iter().rev().chain(after).map(|line| line.end).find(|end| !end.is_empty()).unwrap_or("\n")
}

/// What a browser makes of U+0000.
fn as_returned(line: &str) -> String {
    line.replace('\0', "\u{fffd}")
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let Some(at) = rest.find(['\r', '\n']) else {
            found.push(Line { text: rest, end: "" });
            return found;
        };
        let length = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        found.push(Line { text: &rest[..at], end: &rest[at..at + length] });
        rest = &rest[at + length..];
    }
}

/// What a form post returns for a textarea that was given `text` (as long as the page writes an extra first newline).
#[must_use]
pub fn through_a_browser(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n").replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn r2_saving_untouched_changes_nothing() {
        for parent in ["", "\n", "a", "a\n", "a\r\nb\nc\rd", "\n\nx", "a\0b\n", "x\r\n\r\n", "\u{feff}{}\n"] {
            assert_eq!(apply(parent, &through_a_browser(parent)), parent, "{parent:?}");
        }
    }

    #[test]
    fn r2_only_the_edited_line_differs_and_new_lines_take_their_neighbours_end() {
        assert_eq!(apply("a\nb\r\nc\n", "a\r\nB\r\nc\r\n"), "a\nB\r\nc\n");
        assert_eq!(apply("a\nb\n", "a\r\nx\r\nb\r\n"), "a\nx\nb\n");
        assert_eq!(apply("a\r\nb\r\n", "a\r\nx\r\nb\r\n"), "a\r\nx\r\nb\r\n");
        assert_eq!(apply("a\nb", "a\r\nb\r\nc"), "a\nb\nc");
        assert_eq!(apply("a\nb", "a"), "a");
        assert_eq!(apply("a\nb\n", "a\r\nb"), "a\nb");
        assert_eq!(apply("a", ""), "");
        assert_eq!(apply("", "a"), "a");
    }

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(("[a-c]{0,2}", prop_oneof![Just("\n"), Just("\r\n"), Just("\r")]), 0..8)
            .prop_flat_map(|lines| {
                ("[a-c]{0,2}").prop_map(move |last| {
                    lines.iter().map(|(text, end)| format!("{text}{end}")).collect::<String>() + &last
                })
            })
    }

    proptest! {
        #[test]
        fn r2_untouched_is_byte_equal(parent in text()) {
            prop_assert_eq!(apply(&parent, &through_a_browser(&parent)), parent);
        }

        #[test]
        fn r2_the_result_reads_as_the_person_left_it(parent in text(), edited in text()) {
            let returned = through_a_browser(&edited);
            prop_assert_eq!(through_a_browser(&apply(&parent, &returned)), returned);
        }
    }
}
