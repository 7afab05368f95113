//! Two revisions of an item beside one another.

use domain::{
    access::Caller,
    document::{
        line_diff::{Hunk, line_diff, whole_diff},
        pretty,
    },
    ids::ItemId,
    refusal::Refusal,
};
use store::{Revision, Uow};

use crate::{Result, Service};

/// Lines of both texts together up to which all of them are shown; of more only what differs and its surroundings.
const ALL_LINES: usize = 1_000;

/// How one revision differs from another.
#[derive(Debug, Clone)]
pub enum Difference {
    /// Line by line; empty where they are the same.
    Lines {
        /// What differs, with what stands around it.
        hunks: Vec<Hunk>,
        /// Each of the two is one line of JSON and was laid out for reading.
        laid_out: bool,
    },
    /// One of the two is not text: sizes and digests are all there is to compare.
    NotText,
}

impl Difference {
    /// What differs, with a few lines around it.
    #[must_use]
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        Self::of(old, new, line_diff)
    }

    /// Everything, where it is not too long to be read.
    #[must_use]
    pub fn whole(old: &[u8], new: &[u8]) -> Self {
        let lines = |old: &str, new: &str| {
            let short = old.lines().count() + new.lines().count() <= ALL_LINES;
            if short { vec![whole_diff(old, new)] } else { line_diff(old, new) }
        };
        Self::of(old, new, lines)
    }

    fn of(old: &[u8], new: &[u8], lines: impl Fn(&str, &str) -> Vec<Hunk>) -> Self {
        let (Ok(old), Ok(new)) = (std::str::from_utf8(old), std::str::from_utf8(new)) else { return Self::NotText };
        match (laid_out(old), laid_out(new)) {
            // What differs in the layout only would be hidden by one.
            (Some(before), Some(after)) if before != after => {
                Self::Lines { hunks: lines(&before, &after), laid_out: true }
            }
            _ => Self::Lines { hunks: lines(old, new), laid_out: false },
        }
    }
}

/// One line of JSON, laid out: token by token as it is, each on its line.
fn laid_out(text: &str) -> Option<String> {
    if text.trim_end_matches(['\r', '\n']).contains(['\r', '\n']) {
        return None;
    }
    let layout = pretty(text)?;
    let mut lines = String::with_capacity(text.len() * 2);
    for line in &layout.lines {
        lines.extend(std::iter::repeat_n("  ", line.depth.min(40)));
        for token in &line.tokens {
            lines.push_str(if token.text == ":" { ": " } else { token.text });
        }
        lines.push('\n');
    }
    Some(lines)
}

/// A revision's bytes; `None` where they were erased.
pub(crate) async fn bytes_of(uow: &mut Uow, revision: &Revision) -> Result<Option<Vec<u8>>> {
    Ok(uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes))
}

impl Service {
    /// How a revision differs from the original; `None` above the caller's clearance, where bytes were erased, and of the
    /// original itself.
    pub async fn difference_from_original(
        &self,
        caller: &Caller,
        id: ItemId,
        revision: i64,
    ) -> Result<Option<Difference>> {
        let mut uow = self.store.read().await?;
        let item = super::readable(&mut uow, caller, id).await?;
        if !caller.sees(item.sensitivity) || revision == 1 {
            return Ok(None);
        }
        let revisions = uow.revisions(id).await?;
        let numbered = |number: i64| revisions.iter().find(|r| r.number == number).ok_or(Refusal::NotFound);
        let (old, new) = (numbered(1)?, numbered(revision)?);
        let old = bytes_of(&mut uow, old).await?;
        let new = bytes_of(&mut uow, new).await?;
        Ok(old.zip(new).map(|(old, new)| Difference::between(&old, &new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(difference: Difference) -> (Vec<String>, bool) {
        match difference {
            Difference::Lines { hunks, laid_out } => {
                (hunks.into_iter().flatten().map(|line| line.text).collect(), laid_out)
            }
            Difference::NotText => panic!("it is text"),
        }
    }

    #[test]
    fn one_line_of_json_is_laid_out_unless_only_its_layout_differs() {
        let (told, laid_out) = lines(Difference::between(br#"{"a":1,"b":2}"#, br#"{"a":1,"b":3}"#));
        assert_eq!(told, ["{", r#"  "a": 1,"#, r#"  "b": 2"#, r#"  "b": 3"#, "}"]);
        assert!(laid_out);
        let (told, laid_out) = lines(Difference::between(br#"{"a":1}"#, br#"{"a": 1}"#));
        assert_eq!((told, laid_out), (vec![r#"{"a":1}"#.to_owned(), r#"{"a": 1}"#.to_owned()], false));
        let (told, laid_out) = lines(Difference::between(b"a,b\n1,2\n", b"a,b\n1,3\n"));
        assert_eq!((told.len(), laid_out), (3, false));
        assert!(matches!(Difference::between(b"\xff", b"a"), Difference::NotText));
    }

    #[test]
    fn the_whole_is_shown_where_it_can_be_read() {
        let text =
            |marked: usize| (0..300).map(|n| format!("{}\n", if n == marked { "x" } else { "." })).collect::<String>();
        let (told, _) = lines(Difference::whole(text(5).as_bytes(), text(6).as_bytes()));
        assert!(told.len() >= 300);
        let long = ".\n".repeat(600);
        let (told, _) = lines(Difference::whole(format!("{long}a\n").as_bytes(), format!("{long}b\n").as_bytes()));
        assert_eq!(told.len(), 5);
    }
}
