//! Two corrections of one text: what each changed, and both together where they do not meet.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Both sides' changes in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text with the changes of both; where they meet, with mine.
    pub text: String,
    /// Where they meet, each with the lines from before, theirs and mine.
    pub conflicts: Vec<Conflict>,
}

/// A place that both changed, each in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Line of the merged text where mine begins, from 1.
    pub line: usize,
    /// What stood there before.
    pub before: String,
    /// What they made of it.
    pub theirs: String,
    /// What I made of it.
    pub mine: String,
}

/// A stretch of pieces of the parent and what became of it.
#[derive(Debug, Clone)]
struct Edit {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

/// Merges piece by piece: a piece ends with a line, a comma or a bracket, so that two values in one line are two. Changes meet
/// where they touch the same pieces of the parent, or insert at the same place.
#[must_use]
pub fn merge(parent: &str, theirs: &str, mine: &str) -> Merged {
    let [parent, theirs, mine] = [parent, theirs, mine].map(pieces);
    let (their_edits, my_edits) = (edits(&parent, &theirs), edits(&parent, &mine));
    let (mut text, mut conflicts, mut at) = (String::new(), Vec::new(), 0);
    let (mut t, mut m) = (their_edits.iter().peekable(), my_edits.iter().peekable());
    loop {
        let next = match (t.peek(), m.peek()) {
            (None, None) => break,
            (Some(their), None) => their.old.start,
            (None, Some(my)) => my.old.start,
            (Some(their), Some(my)) => their.old.start.min(my.old.start),
        };
        text.extend(parent[at..next].iter().copied());
        // Everything that touches, however far it reaches.
        let (mut end, mut ours, mut others) = (next, Vec::new(), Vec::new());
        loop {
            let touches = |edit: &Edit| edit.old.start < end || edit.old.start == next;
            if let Some(edit) = t.next_if(|edit| touches(edit)) {
                end = end.max(edit.old.end);
                others.push(edit);
            } else if let Some(edit) = m.next_if(|edit| touches(edit)) {
                end = end.max(edit.old.end);
                ours.push(edit);
            } else {
                break;
            }
        }
        let before = parent[next..end].concat();
        let their_text = becomes(&parent, &theirs, &others, next..end);
        let my_text = becomes(&parent, &mine, &ours, next..end);
        if ours.is_empty() {
            text.push_str(&their_text);
        } else {
            if !others.is_empty() && their_text != my_text {
                let line = text.matches('\n').count() + 1;
                conflicts.push(Conflict { line, before, theirs: their_text, mine: my_text.clone() });
            }
            text.push_str(&my_text);
        }
        at = end;
    }
    text.extend(parent[at..].iter().copied());
    Merged { text, conflicts }
}

fn pieces(text: &str) -> Vec<&str> {
    text.split_inclusive(['\n', ',', '{', '}', '[', ']']).collect()
}

fn edits(old: &[&str], new: &[&str]) -> Vec<Edit> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let changed = ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| Edit { old: op.old_range(), new: op.new_range() }).collect()
}

/// What one side made of a stretch of the parent's pieces.
fn becomes(parent: &[&str], side: &[&str], edits: &[&Edit], stretch: std::ops::Range<usize>) -> String {
    let (mut text, mut at) = (String::new(), stretch.start);
    for edit in edits {
        text.extend(parent[at..edit.old.start].iter().copied());
        text.extend(side[edit.new.clone()].iter().copied());
        at = edit.old.end;
    }
    text.extend(parent[at..stretch.end].iter().copied());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARENT: &str = "{\n \"amount\": 40.00,\n \"currency\": \"NOK\",\n \"due\": \"2026-11-30\"\n}\n";

    #[test]
    fn changes_that_do_not_meet_are_both_there() {
        let theirs = PARENT.replace("40.00", "42.00");
        let mine = PARENT.replace("2026-11-30", "2026-12-15");
        let merged = merge(PARENT, &theirs, &mine);
        assert_eq!(merged.text, theirs.replace("2026-11-30", "2026-12-15"));
        assert!(merged.conflicts.is_empty());
    }

    #[test]
    fn two_values_in_one_line_do_not_meet() {
        let parent = "{\"order\":\"PO-1\",\"amount\":40.00}";
        let merged = merge(parent, &parent.replace("PO-1", "PO-2"), &parent.replace("40.00", "5"));
        assert_eq!(merged, Merged { text: "{\"order\":\"PO-2\",\"amount\":5}".into(), conflicts: Vec::new() });
    }

    #[test]
    fn where_they_meet_mine_stands_and_it_is_told() {
        let theirs = PARENT.replace("40.00", "42.00").replace("NOK", "EUR");
        let mine = PARENT.replace("40.00", "41.00");
        let merged = merge(PARENT, &theirs, &mine);
        let [conflict] = &merged.conflicts[..] else { panic!("{:?}", merged.conflicts) };
        assert!(
            conflict.theirs.contains("42.00") && conflict.mine.contains("41.00") && conflict.before.contains("40.00")
        );
        assert_eq!(conflict.line, 2);
        assert!(merged.text.contains("41.00"));
    }

    #[test]
    fn the_same_change_is_no_conflict() {
        let changed = PARENT.replace("40.00", "42.00");
        assert_eq!(merge(PARENT, &changed, &changed), Merged { text: changed, conflicts: Vec::new() });
    }

    proptest! {
        #[test]
        fn one_side_alone_stays_as_it_is(parent in "([ab]\n){0,6}", changed in "([abc]\n){0,6}") {
            prop_assert_eq!(merge(&parent, &changed, &parent).text, changed.clone());
            let mine = merge(&parent, &parent, &changed);
            prop_assert_eq!(mine.text, changed);
            prop_assert!(mine.conflicts.is_empty());
        }

        #[test]
        fn two_sides_never_lose_mine_silently(parent in "([ab]\n){0,5}", theirs in "([abc]\n){0,5}", mine in "([abd]\n){0,5}") {
            let merged = merge(&parent, &theirs, &mine);
            // Only mine has a d: each of them is still there.
            prop_assert_eq!(merged.text.matches('d').count(), mine.matches('d').count());
        }
    }
}
