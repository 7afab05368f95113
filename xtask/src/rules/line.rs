//! Looking at Rust line by line: good enough for rules about names, and readable.

use super::Source;

/// The numbered lines of a file without what stands behind `//`.
pub(super) fn code(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    source.text.lines().enumerate().map(|(index, line)| (index + 1, without_comment(line)))
}

fn without_comment(line: &str) -> &str {
    // `://` belongs to an address in a string.
    let comment = line.match_indices("//").find(|(at, _)| !line[..*at].ends_with(':'));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// Whether `name` stands in the line as a whole word that no path or other word runs into.
pub(super) fn begins_path(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|character| character.is_alphanumeric() || character == '_' || character == ':')
    })
}

#[cfg(test)]
mod tests {
    use super::{begins_path, without_comment};

    #[test]
    fn comments_are_not_code() {
        assert_eq!(without_comment("let a = 1; // todo!()"), "let a = 1; ");
        assert_eq!(without_comment("/// Uses sqlx::query"), "");
        assert_eq!(without_comment("let a = \"http://x\";"), "let a = \"http://x\";");
    }

    #[test]
    fn a_longer_word_or_path_is_another_name() {
        assert!(begins_path("use store::Db;", "store::"));
        assert!(begins_path("let db = store::open();", "store::"));
        assert!(!begins_path("use crate::store::Db;", "store::"));
        assert!(!begins_path("use session_store::Db;", "store::"));
    }
}
