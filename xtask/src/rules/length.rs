//! A file is short enough to hold in the head, or says why it is not.

use super::{Source, Violation};

const MOST_LINES: usize = 400;
const REASON: &str = "Long because";
const OPENING_LINES: usize = 10;

pub(super) fn check(sources: &[Source]) -> Vec<Violation> {
    let too_long = |source: &&Source| {
        let explained = source.text.lines().take(OPENING_LINES).any(|line| line.contains(REASON));
        source.text.lines().count() > MOST_LINES && !explained
    };
    let violation = |source: &Source| {
        let lines = source.text.lines().count();
        let sentence = format!("{lines} lines: split it, or open it with a comment \"{REASON} …\"");
        Violation::new(&source.path, sentence)
    };
    sources.iter().filter(too_long).map(violation).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::rules::Source;

    fn found(text: String) -> usize {
        check(&[Source { path: "app/src/lib.rs".into(), text }]).len()
    }

    #[test]
    fn only_an_unexplained_long_file_is_found() {
        assert_eq!(found("a\n".repeat(400)), 0);
        assert_eq!(found("a\n".repeat(401)), 1);
        assert_eq!(found("//! Long because it is one table.\n".to_owned() + &"a\n".repeat(401)), 0);
    }
}
