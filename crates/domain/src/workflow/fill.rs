//! Putting values into an address: always one percent-encoded path segment or query value, never a part of its structure.

use std::collections::BTreeMap;

use super::Template;
use crate::document::pointer;

/// What placeholders stand for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'v> {
    /// `{key}`.
    pub key: Option<&'v str>,
    /// `{record_id}`.
    pub record_id: Option<&'v str>,
    /// The payload that `{payload:/…}` points into.
    pub payload: Option<&'v [u8]>,
    /// What `{param:…}` stands for.
    pub params: Option<&'v BTreeMap<String, String>>,
}

impl Template {
    /// The address with every placeholder filled in, or what is missing for it.
    pub fn fill(&self, values: Values<'_>) -> Result<String, String> {
        let mut filled = String::with_capacity(self.as_str().len());
        let mut rest = self.as_str();
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, from)| Some((before, from.split_once('}')?)))
        {
            filled.push_str(before);
            filled.extend(encoded(&value(name, values)?));
            rest = after;
        }
        filled.push_str(rest);
        let path = filled.split(['?', '#']).next().unwrap_or_default();
        // "." and ".." would walk to another address, and nothing at all would shorten it.
        let walks = |segment: &str| matches!(segment, "." | "..");
        if path.splitn(4, '/').nth(3).is_some_and(|path| path.split('/').any(walks)) {
            return Err(format!("The address `{self}` would lead elsewhere with the values filled in."));
        }
        Ok(filled)
    }

    /// The address with something harmless for every placeholder: for trying whether it can be reached.
    #[must_use]
    pub fn sample(&self) -> String {
        let mut parts = self.as_str().split('{');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |sample, part| sample + "x" + part.split_once('}').map_or(part, |(_, after)| after))
    }

    /// Whether a part of the payload stands in the address.
    #[must_use]
    pub fn needs_payload(&self) -> bool {
        self.as_str().contains("{payload:")
    }

    /// Whether this placeholder stands in the address.
    #[must_use]
    pub fn names(&self, placeholder: &str) -> bool {
        self.as_str().contains(&format!("{{{placeholder}}}"))
    }
}

fn value(name: &str, values: Values<'_>) -> Result<String, String> {
    let found = match name {
        "key" => values.key.map(str::to_owned),
        "record_id" => values.record_id.map(str::to_owned),
        _ => match name.strip_prefix("param:") {
            Some(param) => values.params.and_then(|params| params.get(param)).cloned(),
            None => name.strip_prefix("payload:").and_then(|pointer| in_payload(values.payload?, pointer)),
        },
    };
    found
        .filter(|text| !text.is_empty())
        .ok_or_else(|| format!("The address needs {{{name}}}, and there is no such value."))
}

fn in_payload(payload: &[u8], pointer: &str) -> Option<String> {
    let text = std::str::from_utf8(payload).ok()?;
    pointer::plain(pointer::at(text, pointer)?).map(|text| text.into_owned())
}

/// Percent-encoded but for letters, digits and `-._~`.
fn encoded(text: &str) -> impl Iterator<Item = char> {
    text.bytes().flat_map(|byte| {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain { vec![char::from(byte)] } else { format!("%{byte:02X}").chars().collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAYLOAD: &[u8] = br#"{"id": 10000000000000000000.50, "name": "a/b ?#", "up": "..", "none": null}"#;

    fn fill(template: &str) -> Result<String, String> {
        let values = Values { key: Some("k:1"), record_id: Some("R&1"), payload: Some(PAYLOAD), params: None };
        template.parse::<Template>().unwrap().fill(values)
    }

    #[test]
    fn values_never_change_the_structure_of_an_address() {
        assert_eq!(fill("https://a.example/x/{payload:/id}").unwrap(), "https://a.example/x/10000000000000000000.50");
        assert_eq!(fill("https://a.example/{payload:/name}/z").unwrap(), "https://a.example/a%2Fb%20%3F%23/z");
        assert_eq!(fill("https://a.example/?k={key}&r={record_id}").unwrap(), "https://a.example/?k=k%3A1&r=R%261");
        assert!(fill("https://a.example/x/{payload:/up}/y").unwrap_err().contains("lead elsewhere"));
        assert_eq!(fill("https://a.example/?u={payload:/up}").unwrap(), "https://a.example/?u=..");
    }

    #[test]
    fn a_sample_has_no_placeholders() {
        let sample = |template: &str| template.parse::<Template>().unwrap().sample();
        assert_eq!(sample("https://a.example/x/{payload:/id}/{key}?r={record_id}"), "https://a.example/x/x/x?r=x");
        assert_eq!(sample("https://a.example/"), "https://a.example/");
    }

    #[test]
    fn a_missing_value_is_named() {
        for missing in ["payload:/nothing", "payload:/none", "param:reason"] {
            let told = fill(&format!("https://a.example/{{{missing}}}")).unwrap_err();
            assert!(told.contains(missing), "{told}");
        }
    }
}
