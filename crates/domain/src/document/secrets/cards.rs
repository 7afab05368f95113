//! Numbers of payment cards.

use std::{ops::Range, sync::LazyLock};

use super::pattern;
use regex::Regex;

/// Digits that may be one number: groups with one space or dash between them.
static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern("[0-9](?:[ -]?[0-9]){12,}"));

/// Where numbers of payment cards stand: 13 to 19 digits that begin as an issuer's do and whose last one checks (Luhn), in one
/// piece or in groups as cards print them.
pub(super) fn cards(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let is_word =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    for run in DIGITS.iter().flat_map(|digits| digits.find_iter(text)) {
        let groups = groups(bytes, run.range());
        let mut next = 0;
        while next < groups.len() {
            let first = &groups[next];
            let is_fraction =
                first.start > 1 && bytes[first.start - 1] == b'.' && bytes[first.start - 2].is_ascii_digit();
            let card = (!is_fraction && !is_word(first.start.checked_sub(1)))
                .then(|| {
                    (1..=5).filter_map(|count| groups.get(next..next + count)).find(|groups| is_card(bytes, groups))
                })
                .flatten()
                .filter(|groups| !is_word(Some(groups[groups.len() - 1].end)));
            next += card.map_or(1, <[_]>::len);
            found.extend(card.map(|groups| groups[0].start..groups[groups.len() - 1].end));
        }
    }
}

fn groups(bytes: &[u8], run: Range<usize>) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for at in run.filter(|at| bytes[*at].is_ascii_digit()) {
        match groups.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

fn is_card(bytes: &[u8], groups: &[Range<usize>]) -> bool {
    let length: usize = groups.iter().map(Range::len).sum();
    let is_printed_so = match groups {
        [_] => true,
        [first, rest @ ..] => first.len() == 4 && rest.iter().all(|group| (1..=7).contains(&group.len())),
        [] => false,
    };
    if !is_printed_so || !(13..=19).contains(&length) {
        return false;
    }
    let digits: Vec<u32> =
        groups.iter().flat_map(|group| &bytes[group.clone()]).map(|byte| u32::from(byte - b'0')).collect();
    is_issued(&digits) && luhn(&digits)
}

/// Whether an issuer's numbers begin like this and are this long.
fn is_issued(digits: &[u32]) -> bool {
    let first = |count: usize| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit);
    match digits.len() {
        13 | 19 if first(1) == 4 => true,
        14 => matches!(first(3), 300..=305) || matches!(first(2), 36 | 38 | 39),
        15 => matches!(first(2), 34 | 37),
        16 => {
            first(1) == 4
                || matches!(first(2), 51..=55 | 65 | 62)
                || matches!(first(4), 2221..=2720 | 6011 | 3528..=3589)
                || matches!(first(3), 644..=649)
        }
        17..=19 => matches!(first(2), 62 | 65) || matches!(first(4), 5018 | 5020 | 5038 | 6304 | 6759 | 6761..=6763),
        _ => false,
    }
}

fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}
