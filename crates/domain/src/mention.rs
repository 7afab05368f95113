//! People named in a comment: `@` and the address with which they sign in.

use crate::text::fold;

/// People that one comment may name.
pub const LIMIT: usize = 20;

/// A comment names more people than [`LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Name at most {limit} people in one comment; this names {0}.", limit = LIMIT)]
pub struct TooMany(pub usize);

/// The addresses that a text names, each once, in their order. An address without an `@` before it names nobody.
pub fn mentions(text: &str) -> Result<Vec<&str>, TooMany> {
    let mut found: Vec<(String, &str)> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('@') {
        rest = after;
        if ends_an_address(before) {
            continue;
        }
        let Some(address) = address(after) else { continue };
        rest = &after[address.len()..];
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

/// Whether the `@` that follows stands inside an address or a link.
fn ends_an_address(before: &str) -> bool {
    before.chars().rev().take_while(|c| is_local(*c)).any(char::is_alphanumeric)
}

/// The address that a text begins with; a full stop or a dash after it ends the sentence.
fn address(text: &str) -> Option<&str> {
    let (local, host) = text.split_once('@')?;
    let whole = !local.is_empty() && local.chars().all(is_local);
    let end = host.find(|c: char| !is_host(c)).unwrap_or(host.len());
    let host = host[..end].trim_end_matches(['.', '-']);
    (whole && !host.is_empty()).then(|| &text[..local.len() + 1 + host.len()])
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
    fn more_than_twenty_people_are_too_many_and_one_named_five_hundred_times_is_one() {
        let people = |count: usize| (0..count).map(|n| format!("@p{n}@example.test ")).collect::<String>();
        assert_eq!(named(&people(LIMIT)).len(), LIMIT);
        assert_eq!(mentions(&people(500)), Err(TooMany(500)));
        assert_eq!(TooMany(500).to_string(), "Name at most 20 people in one comment; this names 500.");
        assert_eq!(named(&"@bo@example.test ".repeat(500)), ["bo@example.test"]);
    }
}
