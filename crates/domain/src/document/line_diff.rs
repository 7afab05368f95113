//! The difference between two texts, line by line, with the line ends that differ.

use similar::{Algorithm, ChangeTag, TextDiff};

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is in both.
    Same,
    /// It is gone.
    Removed,
    /// It is new.
    Added,
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What happened to it.
    pub mark: Mark,
    /// Its number in the older text.
    pub old: Option<usize>,
    /// Its number in the newer text.
    pub new: Option<usize>,
    /// The line without its end, but for a CR: line ends other than LF are content.
    pub text: String,
}

/// Lines that stand together; between hunks, unchanged lines are left out.
pub type Hunk = Vec<DiffLine>;

/// The hunks in which `new` differs from `old`, each with up to three unchanged lines around it.
#[must_use]
pub fn line_diff(old: &str, new: &str) -> Vec<Hunk> {
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_lines(old, new);
    let hunk = |ops: &Vec<similar::DiffOp>| ops.iter().flat_map(|op| diff.iter_changes(op)).map(line).collect();
    diff.grouped_ops(3).iter().map(hunk).collect()
}

/// Every line of both texts, what is in both once.
#[must_use]
pub fn whole_diff(old: &str, new: &str) -> Hunk {
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_lines(old, new);
    diff.iter_all_changes().map(line).collect()
}

fn line(change: similar::Change<&str>) -> DiffLine {
    DiffLine {
        mark: match change.tag() {
            ChangeTag::Equal => Mark::Same,
            ChangeTag::Delete => Mark::Removed,
            ChangeTag::Insert => Mark::Added,
        },
        old: change.old_index().map(|index| index + 1),
        new: change.new_index().map(|index| index + 1),
        text: change.value().strip_suffix('\n').unwrap_or(change.value()).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<String> {
        let sign = |mark| match mark {
            Mark::Same => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
        };
        line_diff(old, new).into_iter().flatten().map(|line| format!("{}{}", sign(line.mark), line.text)).collect()
    }

    #[test]
    fn only_what_differs_is_shown_with_its_surroundings() {
        assert_eq!(shown("a\nb\nc\n", "a\nB\nc\n"), [" a", "-b", "+B", " c"]);
        assert!(shown("a\nb\n", "a\nb\n").is_empty());
        let long = (1..=20).map(|n| format!("{n}\n")).collect::<String>();
        assert_eq!(shown(&long, &long.replace("10\n", "x\n")), [" 7", " 8", " 9", "-10", "+x", " 11", " 12", " 13"]);
    }

    #[test]
    fn the_whole_holds_every_line_with_its_numbers() {
        let whole = whole_diff("a\nb\nc\n", "a\nB\nc\n");
        let told: Vec<_> = whole.iter().map(|line| (line.old, line.new, line.text.as_str())).collect();
        assert_eq!(
            told,
            [(Some(1), Some(1), "a"), (Some(2), None, "b"), (None, Some(2), "B"), (Some(3), Some(3), "c"),]
        );
    }

    #[test]
    fn a_line_end_that_differs_is_a_difference() {
        assert_eq!(shown("a\r\nb\n", "a\nb\n"), ["-a\r", "+a", " b"]);
        assert_eq!(shown("a", "a\n").len(), 2);
    }
}
