//! `app` and `server` know the use cases, not the store behind them.

use super::{Source, Violation, line};

/// Where the store is opened and handed to the use cases.
const OPENS_THE_STORE: &[&str] = &["server/src/main.rs", "server/src/wiring.rs"];
const STORE: &[&str] = &["store::", "store;", "store as ", "recourse_store"];

pub(super) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| outside_the_store(&source.path)) {
        for (number, code) in line::code(source) {
            if imports_store(code) {
                let sentence = "app and server import service, not store; the store is opened in server/src/wiring.rs";
                violations.push(Violation::at(source, number, sentence));
            }
        }
    }
    violations
}

fn outside_the_store(path: &str) -> bool {
    let ours = path.starts_with("app/src/") || path.starts_with("server/src/");
    ours && path.ends_with(".rs") && !OPENS_THE_STORE.contains(&path)
}

fn imports_store(code: &str) -> bool {
    let import = code.trim_start().trim_start_matches("pub ").starts_with("use ");
    line::begins_path(code, "store::") || import && STORE.iter().any(|name| line::begins_path(code, name))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::rules::Source;

    fn found(path: &str, text: &str) -> usize {
        check(&[Source { path: path.into(), text: text.into() }]).len()
    }

    #[test]
    fn pages_and_handlers_may_not_reach_the_store() {
        assert_eq!(found("app/src/pages/item.rs", "use store::Db;"), 1);
        assert_eq!(found("server/src/rest/items.rs", "let row = store::items::load(id);"), 1);
        assert_eq!(found("server/src/rest/items.rs", "use recourse_store as rows;"), 1);
        assert_eq!(found("server/src/rest/items.rs", "use store;"), 1);
    }

    #[test]
    fn opening_it_and_other_stores_are_fine() {
        assert_eq!(found("server/src/wiring.rs", "let db = store::Db::open(url);"), 0);
        assert_eq!(found("server/src/web/session.rs", "use tower_sessions::session_store::Result;"), 0);
        assert_eq!(found("server/src/web/session.rs", "self.store.load(id)"), 0);
        assert_eq!(found("crates/service/src/lib.rs", "use store::Db;"), 0);
    }
}
