//! What a receiver says, without what is secret of its address: it may well repeat how it was called.

use url::{Url, form_urlencoded};

/// Shorter parts of an address are words that anything could hold.
const SHORTEST: usize = 4;

/// The text with each part of the address's path and query taken out of it.
#[must_use]
pub fn scrubbed(said: &str, address: &str) -> String {
    let mut said = said.to_owned();
    for part in parts(address) {
        said = said.replace(&part, "…");
    }
    said
}

/// What may be secret of an address, as it is written and as it is meant; the longest first.
fn parts(address: &str) -> Vec<String> {
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let query = url.query().unwrap_or_default().split('&');
    let values = query.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    let written = url.path().split('/').chain(values).chain(url.fragment());
    let mut parts: Vec<String> = written.flat_map(|part| [part.to_owned(), decoded(part)]).collect();
    parts.retain(|part| part.chars().count() >= SHORTEST);
    parts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    parts.dedup();
    parts
}

/// Without its %-encoding.
fn decoded(part: &str) -> String {
    let one = part.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(one.as_bytes()).next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_repeats_how_it_was_called_gives_nothing_away() {
        let address = "https://hooks.example/services/T0AB1/ab/s3cr%2Bet==?sig=Zm9v%3D&v=2&bare-key#part";
        let told = scrubbed(
            "POST /services/T0AB1/ab/s3cr%2Bet== ?sig=Zm9v%3D&v=2&bare-key: no service for s3cr+et== or Zm9v= at hooks.example",
            address,
        );
        assert_eq!(told, "POST /…/…/ab/… ?sig=…&v=2&…: no service for … or … at hooks.example");
        assert_eq!(scrubbed("no_service", "https://hooks.example/"), "no_service");
        assert_eq!(scrubbed("aaaabbbb", "https://hooks.example/aaaa/aaaabbbb"), "…", "the longest goes first");
    }
}
