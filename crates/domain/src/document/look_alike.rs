//! Characters that pretend to be others, by the tables of Unicode Technical Standard 39.

use unicode_security::{GeneralSecurityProfile, confusable_detection::skeleton, mixed_script::AugmentedScriptSet};

/// Characters of a text that pass for a Latin letter or a digit, each with its place in bytes and where it comes from: a letter
/// of another script in a word with Latin letters; every letter of a word that passes for one as a whole, where the text has
/// nothing else in that script; a letter in a form that nobody types. Texts in their own script have none.
#[must_use]
pub fn look_alikes(text: &str) -> Vec<(usize, char, &'static str)> {
    let own = scripts_at_home(text);
    let mut found = Vec::new();
    for (start, word) in words(text) {
        let latin = word.chars().any(|letter| letter.is_ascii_alphabetic() || is_ordinary_latin(letter));
        let passes =
            word.chars().count() > 1 && word.chars().all(|letter| letter.is_ascii() || passes_for_ascii(letter));
        let marked = word.char_indices().filter(|(_, letter)| passes_for_ascii(*letter)).filter_map(|(at, letter)| {
            let origin = origin(letter);
            (latin || passes && !own.contains(&origin)).then_some((start + at, letter, origin))
        });
        found.extend(marked);
    }
    found
}

/// Whether two texts differ and a reader could take one for the other.
#[must_use]
pub fn looks_the_same(a: &str, b: &str) -> bool {
    a != b && skeleton(a).eq(skeleton(b))
}

/// Runs of letters, digits and what combines with them.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let within = |letter: char| letter.is_alphanumeric() || AugmentedScriptSet::for_char(letter).base.is_inherited();
    let mut at = 0;
    text.split(move |letter| !within(letter)).filter_map(move |word| {
        let start = at;
        at += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// A letter of a Latin alphabet as people write it: `æ`, `ø` and `ı` are themselves.
fn is_ordinary_latin(letter: char) -> bool {
    letter.is_alphabetic() && script(letter) == "Latin" && letter.identifier_allowed()
}

fn passes_for_ascii(letter: char) -> bool {
    let mut shown = [0; 4];
    let mut looks = skeleton(letter.encode_utf8(&mut shown));
    let ascii = looks.next().is_some_and(|first| first.is_ascii_alphanumeric()) && looks.next().is_none();
    ascii && !letter.is_ascii() && !is_ordinary_latin(letter) && !matches!(letter, 'ª' | 'º')
}

/// Where a character comes from, as a person would call it.
fn origin(letter: char) -> &'static str {
    match letter {
        '\u{ff00}'..='\u{ffef}' => "fullwidth",
        '\u{1d400}'..='\u{1d7ff}' => "mathematical",
        _ => script(letter),
    }
}

fn script(letter: char) -> &'static str {
    AugmentedScriptSet::for_char(letter).base.iter().next().map_or("symbol", |script| script.full_name())
}

/// Scripts the text has letters of that pass for no other. Full width belongs to the scripts of East Asia.
fn scripts_at_home(text: &str) -> Vec<&'static str> {
    let mut scripts: Vec<&'static str> = Vec::new();
    for letter in
        text.chars().filter(|letter| !letter.is_ascii() && letter.is_alphabetic() && !passes_for_ascii(*letter))
    {
        let script = script(letter);
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    if scripts.iter().any(|script| matches!(*script, "Han" | "Hiragana" | "Katakana" | "Hangul" | "Bopomofo")) {
        scripts.push("fullwidth");
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pretends_is_marked_where_it_stands() {
        for (text, expected) in [
            ("p\u{430}ypal", &[(1, '\u{430}', "Cyrillic")][..]),
            ("Kari, \u{410}cme AS", &[(6, '\u{410}', "Cyrillic")]),
            (
                "\u{440}\u{430}\u{443}",
                &[(0, '\u{440}', "Cyrillic"), (2, '\u{430}', "Cyrillic"), (4, '\u{443}', "Cyrillic")],
            ),
            ("NO\u{39f}1", &[(2, '\u{39f}', "Greek")]),
            ("\u{410}-\u{410}1", &[(3, '\u{410}', "Cyrillic")]),
            ("ord\u{ff45}r", &[(3, '\u{ff45}', "fullwidth")]),
            ("\u{ff50}\u{ff41}", &[(0, '\u{ff50}', "fullwidth"), (3, '\u{ff41}', "fullwidth")]),
            ("\u{1d429}ay", &[(0, '\u{1d429}', "mathematical")]),
            ("bi\u{261}", &[(2, '\u{261}', "Latin")]),
            ("Привет, p\u{430}y", &[(15, '\u{430}', "Cyrillic")]),
        ] {
            assert_eq!(look_alikes(text), expected, "{text}");
        }
    }

    #[test]
    fn ordinary_text_is_not_marked() {
        for text in [
            "Blåbærsyltetøy på ørret, æ e i A å",
            "Ærlig talt: garçon, naïve, Straße, Łódź, İstanbul ısı, œuvre",
            "Привет, а у вас сор и оса? Москва, ул. Новая, д. 5А",
            "Киев, Ωμέγα 12",
            "Καλημέρα, το όνομα μου είναι Νίκος και ο Ηρ",
            "שלום עולם, סוס",
            "中文订单 二〇二四年 ＡＢＣ１２３ 口工",
            "東京タワー ＴＥＬ ０３ー１２３４",
            "한국어 주문",
            "مرحبا ١٢٣",
            "5 m² à 20 °C, 3º piso, α-amylase",
            "SKU-0O1l|I",
            "",
        ] {
            assert_eq!(look_alikes(text), [], "{text}");
        }
    }

    #[test]
    fn values_that_look_alike_are_not_equal() {
        for (one, other, same) in [
            ("paypal", "p\u{430}ypal", true),
            ("O1", "0l", true),
            ("e\u{301}", "é", true),
            ("acme\u{a0}as", "acme as", true),
            ("ac\u{200b}me", "acme", true),
            ("acme", "acme", false),
            ("acme", "acne", false),
            ("ø", "o", false),
        ] {
            assert_eq!(looks_the_same(one, other), same, "{one} {other}");
        }
    }
}
