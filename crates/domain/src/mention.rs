//! People named in a comment: `@` and the address with which they sign in.

use crate::text::fold;

/// People that one comment may name.
pub const LIMIT: usize = 20;

/// A comment names more people than [`LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Name at most {limit} people in one comment; this names {0}.", limit = LIMIT)]
pub struct TooMany(pub usize);

/// The addresses that a text names, each once, in their order. An address without an `@` before it names nobody, and
/// neither does what goes on as a path or with another `@`.
pub fn mentions(text: &str) -> Result<Vec<&str>, TooMany> {
    let mut found: Vec<(String, &str)> = Vec::new();
    // What follows the address that was found last, and from where on it was not looked at.
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find('@').map(|at| from + at) {
        from = at + 1;
        let (before, after) = (&rest[..at], &rest[from..]);
        if is_within(before) {
            continue;
        }
        let Some(address) = address(after) else { continue };
        (rest, from) = (&after[address.len()..], 0);
        let folded = fold(address);
        if found.iter().all(|(known, _)| *known != folded) {
            found.push((folded, address));
        }
    }
    if found.len() > LIMIT {
        return Err(TooMany(found.len()));
    }
    Ok(found.into_iter().map(|(_, address)| address).collect())
}

/// What an address may have before its `@`.
fn is_local(c: char) -> bool {
    c.is_alphanumeric() || "._%+-'!#$&*/=?^`{|}~".contains(c)
}

/// What it may have after that.
fn is_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-')
}

/// Whether the `@` that follows stands inside a word, an address or a link, or after another `@`.
fn is_within(before: &str) -> bool {
    before.ends_with('@') || before.chars().rev().take_while(|c| is_local(*c)).any(char::is_alphanumeric)
}

/// The address that a text begins with; a full stop or a dash after it ends the sentence. A path is none, and neither is a
/// version: `types/node@18`.
fn address(text: &str) -> Option<&str> {
    let (local, after) = text.split_once('@')?;
    let end = after.find(|c: char| !is_host(c)).unwrap_or(after.len());
    let host = after[..end].trim_end_matches(['.', '-']);
    let is_name = !local.is_empty() && local.chars().all(|c| is_local(c) && c != '/');
    let goes_on = after[end..].starts_with(['/', '@']);
    (is_name && !goes_on && host.contains(char::is_alphabetic)).then(|| &text[..local.len() + 1 + host.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&str> {
        mentions(text).unwrap()
    }

    #[test]
    fn an_address_with_an_at_before_it_names_a_person() {
        assert_eq!(named("@amara@example.test"), ["amara@example.test"]);
        assert_eq!(
            named("Ask @amara.okafor+ap@mail.example-one.test please"),
            ["amara.okafor+ap@mail.example-one.test"]
        );
        assert_eq!(named("@o'neil@example.test\n@bo@localhost"), ["o'neil@example.test", "bo@localhost"]);
        assert_eq!(named("@åsa@exämple.test"), ["åsa@exämple.test"]);
    }

    #[test]
    fn what_stands_around_it_is_not_part_of_it() {
        for text in [
            "@bo@example.test.",
            "@bo@example.test, look",
            "(@bo@example.test)",
            "\"@bo@example.test\"",
            "@bo@example.test: look",
            "@bo@example.test…",
            "@bo@example.test!?",
            "**@bo@example.test**",
            "- @bo@example.test - ",
            "-@bo@example.test--",
            "cc:@bo@example.test;",
            "<@bo@example.test>",
        ] {
            assert_eq!(named(text), ["bo@example.test"], "{text}");
        }
    }

    #[test]
    fn several_are_named_in_their_order_and_each_once() {
        let text = "@bo@example.test, @Amara@example.test and @BO@example.test; again @amara@example.test";
        assert_eq!(named(text), ["bo@example.test", "Amara@example.test"]);
    }

    #[test]
    fn an_address_in_running_text_names_nobody() {
        for text in [
            "",
            "@",
            "@@",
            "@ bo@example.test",
            "Write to bo@example.test.",
            "mailto:bo@example.test",
            "two bo@example.test@example.test",
            "@bo",
            "@bo said it, write to jo@example.test",
            "@bo@",
            "@bo@.",
            "https://social.example/@bo@example.test/1",
        ] {
            assert_eq!(named(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn packages_versions_and_paths_name_nobody() {
        for text in [
            "@types/node@18",
            "npm i @types/node@18.2.0 broke it",
            "@types/node@latest",
            "@node@18",
            "@bo@example.test/inbox",
            "@bo@example.test@2",
            "@bo@example.test@other.test",
            "@@bo@example.test",
            "x@bo@example.test",
            "see/@bo@example.test",
            "jo.@bo@example.test",
        ] {
            assert_eq!(named(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(named("@types/node@18 breaks it, @bo@example.test: look"), ["bo@example.test"]);
        let text = "@jo@example.test/1, @bo@example.test|@amara@example.test";
        assert_eq!(named(text), ["bo@example.test", "amara@example.test"]);
    }

    #[test]
    fn more_than_twenty_people_are_too_many_and_one_named_five_hundred_times_is_one() {
        let people = |count: usize| (0..count).map(|n| format!("@p{n}@example.test ")).collect::<String>();
        assert_eq!(named(&people(LIMIT)).len(), LIMIT);
        assert_eq!(mentions(&people(500)), Err(TooMany(500)));
        assert_eq!(TooMany(500).to_string(), "Name at most 20 people in one comment; this names 500.");
        assert_eq!(named(&"@bo@example.test ".repeat(500)), ["bo@example.test"]);
    }
}
