use super::shortened::{Room, Shortened};
use crate::components::code_line;

/// The text exactly as it is; where lines end with anything but LF, that shows.
pub(super) fn lines(text: &str) -> Shortened {
    let all = split(text);
    let mut room = Room::new();
    let mut lines = Vec::new();
    for line in &all {
        if room.take(line.len()).is_none() {
            break;
        }
        lines.push(code_line(room.of_line(line)));
    }
    let left_out = room.left_out(all.len(), lines.len());
    Shortened { lines, left_out }
}

/// Lines end with LF, CRLF or CR; the CR stays on its line.
fn split(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\r', '\n']) {
        let crlf = rest[at..].starts_with("\r\n");
        let shown = if rest.as_bytes()[at] == b'\r' { at + 1 } else { at };
        found.push(&rest[..shown]);
        rest = &rest[if crlf { at + 2 } else { at + 1 }..];
    }
    // A line end at the very end begins no further line.
    if !rest.is_empty() || found.is_empty() {
        found.push(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn every_line_end_ends_a_line_and_only_lf_is_silent() {
        assert_eq!(split("a\nb\r\nc\rd"), ["a", "b\r", "c\r", "d"]);
        assert_eq!(split("a\n"), ["a"]);
        assert_eq!(split("\n\nx"), ["", "", "x"]);
        assert_eq!(split(""), [""]);
    }
}
