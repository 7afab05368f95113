//! What must not reach the browser.

use super::Violation;

const SERVER_ONLY: &[&str] =
    &["sqlx", "sqlx-core", "tokio", "axum", "argon2", "recourse-domain", "recourse-store", "recourse-service"];

/// `tree` lists one package a line, as `name vVERSION …`.
pub(super) fn check(tree: &str) -> Vec<Violation> {
    let mut names: Vec<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    names.sort_unstable();
    names.dedup();
    let violation = |name: &str| {
        let sentence = format!("{name} is for the server only, but would be compiled into the browser's bundle");
        Violation::new("frontend", sentence)
    };
    names.into_iter().filter(|name| SERVER_ONLY.contains(name)).map(violation).collect()
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_server_crate_is_found_once() {
        let tree =
            "frontend v0.1.0 (/x/frontend)\nleptos v0.8.23\ntokio v1.52.0\ntokio v1.52.0 (*)\n\ntokio-stream v0.1.0\n";
        assert_eq!(check(tree).len(), 1);
        assert!(check("frontend v0.1.0\nleptos v0.8.23\n").is_empty());
    }
}
