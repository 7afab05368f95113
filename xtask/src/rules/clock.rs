//! The clock is read in one file; everything else is told what time it is.

use super::{Source, Violation, line};

const READS: &[&str] = &["Utc::now", "SystemTime::now", "Local::now"];

pub(super) fn check(sources: &[Source]) -> Vec<Violation> {
    let ours = |source: &&Source| source.path.ends_with(".rs") && !source.path.starts_with("xtask/");
    let readers: Vec<(&Source, usize)> = sources
        .iter()
        .filter(ours)
        .filter_map(|source| {
            let reads = |code: &str| READS.iter().any(|read| code.contains(read));
            line::code(source).find(|(_, code)| reads(code)).map(|(number, _)| (source, number))
        })
        .collect();
    if readers.len() < 2 {
        return Vec::new();
    }
    let all: Vec<&str> = readers.iter().map(|(source, _)| source.path.as_str()).collect();
    let sentence =
        format!("the clock is read in one file only, here in {}; take the time as a parameter", all.join(", "));
    readers.iter().map(|(source, number)| Violation::at(source, *number, &sentence)).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::rules::Source;

    fn file(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    #[test]
    fn a_second_reader_is_found() {
        let clock = file("crates/service/src/clock.rs", "Utc::now()\nSystemTime::now()");
        let other = file("app/src/pages/item.rs", "\nlet age = Utc::now() - at;");
        assert_eq!(check(&[clock, other]).len(), 2);
    }

    #[test]
    fn one_reader_and_any_number_of_remarks_are_fine() {
        let clock = file("crates/service/src/clock.rs", "Utc::now()");
        let other = file("app/src/pages/item.rs", "// not Utc::now: the page is told\nlet started = Instant::now();");
        assert!(check(&[clock, other]).is_empty());
    }
}
