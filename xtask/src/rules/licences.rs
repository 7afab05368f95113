//! Every dependency's licence is one that `deny.toml` allows.

use super::Violation;
use super::manifest::array;
use anyhow::{Context, Result};
use serde_json::Value;
use toml::Table;

pub(super) fn check(metadata: &str, deny: &str) -> Result<Vec<Violation>> {
    let metadata: Value = serde_json::from_str(metadata).context("cargo metadata is not JSON")?;
    let deny: Table = deny.parse().context("deny.toml is not TOML")?;
    let allowed: Vec<&str> = array(&deny, &["licenses", "allow"]).iter().filter_map(toml::Value::as_str).collect();
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let foreign = packages.iter().filter(|package| !package["source"].is_null());
    let violation = |package: &Value| {
        let name = package["name"].as_str().unwrap_or_default();
        let sentence = match package["license"].as_str() {
            Some(licence) if is_allowed(licence, &allowed) => return None,
            Some(licence) => format!("its licence {licence} is not among those deny.toml allows"),
            None => "it states no licence".to_owned(),
        };
        Some(Violation::new(format!("the dependency {name}"), sentence))
    };
    Ok(foreign.filter_map(violation).collect())
}

/// Reads an SPDX expression; the old `A/B` means `A OR B`. What it cannot read is not allowed.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let holds = any(&mut words, allowed);
    holds && words.next().is_none()
}

type Words<'a, 'w> = std::iter::Peekable<std::str::SplitWhitespace<'w>>;

fn any(words: &mut Words<'_, '_>, allowed: &[&str]) -> bool {
    let mut holds = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        // Not short-circuited: the words must be consumed.
        holds |= all(words, allowed);
    }
    holds
}

fn all(words: &mut Words<'_, '_>, allowed: &[&str]) -> bool {
    let mut holds = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        holds &= one(words, allowed);
    }
    holds
}

fn one(words: &mut Words<'_, '_>, allowed: &[&str]) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        let holds = any(words, allowed);
        return words.next() == Some(")") && holds;
    }
    if words.next_if_eq(&"WITH").is_some() {
        let exception = words.next().unwrap_or_default();
        return allowed.contains(&format!("{word} WITH {exception}").as_str());
    }
    allowed.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::{check, is_allowed};

    const ALLOWED: &[&str] = &["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];

    #[test]
    fn expressions_are_read() {
        for licence in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(is_allowed(licence, ALLOWED), "{licence}");
        }
        for licence in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR Apache-2.0) AND MIT", "(MIT", "(MIT) MIT", ""] {
            assert!(!is_allowed(licence, ALLOWED), "{licence}");
        }
    }

    #[test]
    fn a_dependency_without_an_allowed_licence_is_found() {
        let metadata = r#"{"packages": [
            {"name": "ours", "source": null, "license": null},
            {"name": "fine", "source": "registry", "license": "MIT"},
            {"name": "viral", "source": "registry", "license": "AGPL-3.0"},
            {"name": "silent", "source": "registry", "license": null}
        ]}"#;
        let found = check(metadata, "[licenses]\nallow = [\"MIT\"]").unwrap();
        let places: Vec<&str> = found.iter().map(|violation| violation.place.as_str()).collect();
        assert_eq!(places, ["the dependency viral", "the dependency silent"]);
    }
}
