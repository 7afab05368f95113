//! Nothing unfinished, skipped or printed in passing.

use super::{Source, Violation, line};

const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "dbg!("];
const SKIPPED_IN_RUST: &[&str] = &["#[ignore"];
const SKIPPED_IN_JOURNEYS: &[&str] = &[".skip(", ".only(", ".fixme("];
const PRINTS: &[&str] = &["println!(", "print!(", "eprintln!(", "eprint!("];
/// The command line and the tool for developers speak to a person, a build script to cargo; everything else logs.
const SPEAKS: &[&str] =
    &["server/src/cli/", "server/src/main.rs", "server/build.rs", "crates/store/build.rs", "xtask/"];
/// These files name what they look for.
const THIS_FOLDER: &str = "xtask/src/rules/";

pub(super) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with(THIS_FOLDER)) {
        for (number, code) in line::code(source) {
            if let Some(sentence) = fault(&source.path, code) {
                violations.push(Violation::at(source, number, sentence));
            }
        }
    }
    violations
}

fn fault(path: &str, code: &str) -> Option<&'static str> {
    let holds = |names: &[&str]| names.iter().any(|name| line::begins_path(code, name));
    if path.ends_with(".rs") {
        if holds(UNFINISHED) {
            return Some("unfinished code is not committed");
        }
        if holds(SKIPPED_IN_RUST) {
            return Some("a test that does not run proves nothing: repair it or remove it");
        }
        if holds(PRINTS) && !SPEAKS.iter().any(|home| path.starts_with(home)) {
            return Some("only the command line prints; log with tracing");
        }
    }
    let skipped = || SKIPPED_IN_JOURNEYS.iter().any(|name| code.contains(name));
    if path.starts_with("end2end/") && path.ends_with(".ts") && skipped() {
        return Some("a journey that is left out, or that leaves out others, proves nothing");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn unfinished_skipped_and_printing_code_is_found() {
        assert!(fault("app/src/lib.rs", "    todo!()").is_some());
        assert!(fault("app/src/lib.rs", "unimplemented!(\"later\")").is_some());
        assert!(fault("crates/store/tests/it/main.rs", "#[ignore = \"slow\"]").is_some());
        assert!(fault("crates/store/src/lib.rs", "println!(\"{row:?}\");").is_some());
        assert!(fault("end2end/journeys/queue.spec.ts", "test.only(\"a\", () => {});").is_some());
        assert!(fault("end2end/journeys/queue.spec.ts", "test.describe.skip(\"a\", () => {});").is_some());
    }

    #[test]
    fn what_looks_alike_is_fine() {
        assert!(fault("app/src/lib.rs", "rows.iter().skip(1)").is_none());
        assert!(fault("server/src/cli/token.rs", "println!(\"{token}\");").is_none());
        assert!(fault("xtask/src/main.rs", "eprintln!(\"{USAGE}\");").is_none());
    }
}
