//! SQL lives in `crates/store` alone.

use super::{Source, Violation, line};

/// The store; and the one file of the HTTP tests that makes their databases and looks into them from behind.
const HOMES: &[&str] = &["crates/store/", "server/tests/http/databases.rs"];
const STATEMENTS: &[&str] = &["\"SELECT ", "\"INSERT INTO ", "\"DELETE FROM ", "\"CREATE TABLE ", "\"UPDATE "];

pub(super) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let at_home = |path: &str| HOMES.iter().any(|home| path.starts_with(home));
    let elsewhere = |source: &&Source| !at_home(&source.path) && !source.path.starts_with("xtask/");
    for source in sources.iter().filter(|source| source.path.ends_with(".rs")).filter(elsewhere) {
        for (number, code) in line::code(source) {
            if line::begins_path(code, "sqlx::") {
                violations.push(Violation::at(source, number, "sqlx is used only in crates/store; call a use case"));
            }
            if STATEMENTS.iter().any(|statement| code.contains(statement)) {
                violations.push(Violation::at(source, number, "SQL is written only in crates/store; call a use case"));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::rules::Source;

    fn found(path: &str, text: &str) -> usize {
        check(&[Source { path: path.into(), text: text.into() }]).len()
    }

    #[test]
    fn sql_outside_the_store_is_found() {
        assert_eq!(found("app/src/pages/queue.rs", "use sqlx::query;"), 1);
        assert_eq!(found("server/src/rest/items.rs", "db.run(\"SELECT id FROM item\")"), 1);
    }

    #[test]
    fn the_store_and_plain_words_are_left_alone() {
        assert_eq!(found("crates/store/src/items.rs", "sqlx::query(\"SELECT 1\")"), 0);
        assert_eq!(found("app/src/pages/queue.rs", "// as sqlx::query does\nview! { \"Select all\" }"), 0);
    }
}
