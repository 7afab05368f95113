//! Reads a workflow file and refuses nonsense with the name and the line.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::{Definition, Destination, DestinationKind, HeaderValue, ParamType, Repeat, SideEffect, Step};

/// What is wrong with a workflow file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Mistake {
    /// Where, counted from 1.
    pub line: usize,
    /// What is wrong, naming the key.
    pub message: String,
}

/// Reads the text of a workflow file. Syntax and shape stop at the first mistake; the rules between fields tell all.
pub fn read(source: &str) -> Result<Definition, Vec<Mistake>> {
    let definition: Definition = toml::from_str(source).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        vec![Mistake { line: line_of(source, at), message: error.message().to_owned() }]
    })?;
    let mut mistakes = Mistakes { source, found: Vec::new() };
    mistakes.check(&definition);
    if mistakes.found.is_empty() { Ok(definition) } else { Err(mistakes.found) }
}

fn line_of(source: &str, offset: usize) -> usize {
    source.as_bytes().iter().take(offset).filter(|b| **b == b'\n').count() + 1
}

struct Mistakes<'s> {
    source: &'s str,
    found: Vec<Mistake>,
}

impl Mistakes<'_> {
    /// `path` is written as `step.0.destination.url`: the deepest part of it that stands in the file gives the line.
    fn add(&mut self, path: &str, message: impl Into<String>) {
        let line = line_of(self.source, self.locate(path).unwrap_or(0));
        self.found.push(Mistake { line, message: message.into() });
    }

    fn locate(&self, path: &str) -> Option<usize> {
        let document = DeTable::parse(self.source).ok()?;
        let mut at = None;
        let mut table = Some(document.get_ref());
        let mut array = None;
        for part in path.split('.') {
            let next = match (table, array) {
                (Some(table), _) => {
                    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == part)?;
                    at = Some(key.span().start);
                    value
                }
                (None, Some(list)) => {
                    let list: &toml::de::DeArray<'_> = list;
                    let value = list.get(part.parse::<usize>().ok()?)?;
                    at = Some(value.span().start);
                    value
                }
                (None, None) => break,
            };
            (table, array) = match next.get_ref() {
                DeValue::Table(inner) => (Some(inner), None),
                DeValue::Array(inner) => (None, Some(inner)),
                _ => (None, None),
            };
        }
        at
    }

    fn check(&mut self, definition: &Definition) {
        let workflow = &definition.workflow;
        if workflow.name.trim().is_empty() {
            self.add("workflow.name", "workflow `name` must not be empty");
        }
        for (impact, target) in &workflow.targets {
            if target.claim.seconds() > target.close.seconds() {
                self.add(
                    &format!("workflow.targets.{impact}"),
                    format!("target `{impact}`: `claim` must not be longer than `close`"),
                );
            }
        }
        if let Some(hours) = &workflow.hours {
            if hours.from >= hours.to {
                self.add("workflow.hours.from", "`from` must be before `to`");
            }
            if hours.days.is_empty() {
                self.add("workflow.hours.days", "`days` must name at least one day");
            }
        }
        for (i, escalation) in workflow.escalate.iter().enumerate() {
            for channel in &escalation.notify {
                let known = matches!(channel.as_str(), "app" | "email")
                    || channel.strip_prefix("webhook:").is_some_and(|n| !n.is_empty());
                if !known {
                    self.add(
                        &format!("workflow.escalate.{i}.notify"),
                        format!("`{channel}` is not a channel: write app, email or webhook:NAME"),
                    );
                }
            }
        }
        let mut keys = BTreeSet::new();
        for (i, step) in definition.steps.iter().enumerate() {
            if !keys.insert(&step.key) {
                self.add(&format!("step.{i}.key"), format!("step `{}` stands in the file twice", step.key));
            }
            self.check_step(&format!("step.{i}"), step);
        }
    }

    fn check_step(&mut self, at: &str, step: &Step) {
        let key = &step.key;
        if step.side_effect != SideEffect::None && step.repeat == Repeat::Lookup && step.lookup.is_none() {
            self.add(&format!("{at}.repeat"), format!("step `{key}`: repeat = \"lookup\" needs a [step.lookup]"));
        }
        if step.key_memory.is_some() && step.repeat != Repeat::Key {
            self.add(&format!("{at}.key_memory"), format!("step `{key}`: `key_memory` needs repeat = \"key\""));
        }
        if let Some(destination) = &step.destination {
            self.check_destination(&format!("{at}.destination"), key.as_str(), destination);
        }
        if let Some(lookup) = &step.lookup {
            self.check_headers(&format!("{at}.lookup"), lookup.headers.iter());
            if lookup.found.is_none() && lookup.absent.is_none() {
                self.add(
                    &format!("{at}.lookup"),
                    format!("step `{key}`: a lookup needs `found`, `absent` or both, or it can tell nothing"),
                );
            }
            if lookup.confirmations == Some(0) {
                self.add(
                    &format!("{at}.lookup.confirmations"),
                    format!("step `{key}`: `confirmations` must be 1 or more"),
                );
            }
        }
        if !step.compensations.is_empty() && step.side_effect == SideEffect::None {
            self.add(
                &format!("{at}.compensation"),
                format!("step `{key}` has no side effect, so there is nothing to compensate"),
            );
        }
        let mut plans = BTreeSet::new();
        for (i, plan) in step.compensations.iter().enumerate() {
            let at = format!("{at}.compensation.{i}");
            if !plans.insert(&plan.key) {
                self.add(&format!("{at}.key"), format!("compensation `{}` stands in step `{key}` twice", plan.key));
            }
            if plan.parts.is_empty() {
                self.add(&at, format!("compensation `{}` needs at least one [[step.compensation.part]]", plan.key));
            }
            if plan.approvers == 0 {
                self.add(
                    &format!("{at}.approvers"),
                    format!("compensation `{}`: `approvers` must be 1 or more", plan.key),
                );
            }
            for (j, param) in plan.params.iter().enumerate() {
                if (param.kind == ParamType::Choice) == param.choices.is_empty() {
                    self.add(
                        &format!("{at}.param.{j}"),
                        format!("parameter `{}`: `choices` go with type = \"choice\", and only with it", param.key),
                    );
                }
            }
            for (j, part) in plan.parts.iter().enumerate() {
                self.check_headers(&format!("{at}.part.{j}"), part.headers.iter());
            }
        }
    }

    fn check_destination(&mut self, at: &str, step: &str, destination: &Destination) {
        let http = destination.kind == DestinationKind::Http;
        if http && destination.url.is_none() {
            self.add(at, format!("step `{step}`: an http destination needs a `url`"));
        }
        if !http && destination.url.is_some() {
            self.add(
                &format!("{at}.url"),
                format!("step `{step}`: a pull destination has no `url`; the worker knows where to go"),
            );
        }
        if destination.max_attempts == Some(0) {
            self.add(&format!("{at}.max_attempts"), format!("step `{step}`: `max_attempts` must be 1 or more"));
        }
        if destination.timeout.as_ref().is_some_and(|t| t.seconds() == 0) {
            self.add(&format!("{at}.timeout"), format!("step `{step}`: `timeout` must be longer than 0 s"));
        }
        self.check_headers(at, destination.headers.iter());
    }

    fn check_headers<'h>(&mut self, at: &str, headers: impl Iterator<Item = (&'h String, &'h HeaderValue)>) {
        for (name, value) in headers {
            let token =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
            if !token {
                self.add(&format!("{at}.headers.{name}"), format!("`{name}` is not a legal header name"));
            }
            if let HeaderValue::Plain(text) = value
                && text.bytes().any(|b| b < b' ' || b == 0x7f)
            {
                self.add(
                    &format!("{at}.headers.{name}"),
                    format!("header `{name}` has a control character in its value"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "[workflow]\nkey = \"w\"\nname = \"W\"\nowner_team = \"t\"\nversion = \"1\"\n\n[[step]]\nkey = \"s\"\nside_effect = \"none\"\n";

    fn mistakes(source: &str) -> Vec<String> {
        read(source).unwrap_err().iter().map(ToString::to_string).collect()
    }
    fn only(source: &str) -> String {
        let found = mistakes(source);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    }

    #[test]
    fn the_example_file_is_read_whole_and_survives_storage() {
        let definition = read(include_str!("../../samples/workflow.toml")).unwrap();
        assert_eq!(definition.steps[0].compensations[0].parts[0].name.as_str(), "reversal");
        let stored = serde_json::to_string(&definition).unwrap();
        assert_eq!(serde_json::from_str::<Definition>(&stored).unwrap(), definition);
    }

    #[test]
    fn only_six_keys_are_required() {
        assert!(read(SMALL).is_ok());
        for line in [
            "key = \"w\"",
            "name = \"W\"",
            "owner_team = \"t\"",
            "version = \"1\"",
            "key = \"s\"",
            "side_effect = \"none\"",
        ] {
            let missing = SMALL.replacen(line, "", 1);
            assert!(only(&missing).contains("missing field"), "{line}: {}", only(&missing));
        }
    }

    #[test]
    fn nonsense_is_refused_with_name_and_line() {
        let step = |rest: &str| format!("{SMALL}{rest}\n");
        let cases = [
            (step("colour = \"red\""), "line 10: unknown field `colour`"),
            (step("impact = \"huge\""), "line 10: unknown variant `huge`"),
            (step("key_memory = \"1 day\""), "line 10: `1 day` is not a length of time"),
            (step("key_memory = \"1d\""), "line 10: step `s`: `key_memory` needs repeat"),
            (step("editable = [\"amount\"]"), "line 10: `amount` is not a pattern"),
            (step("[[step]]\nkey = \"s\"\nside_effect = \"none\""), "line 11: step `s` stands in the file twice"),
            (step("[step.destination]\nkind = \"http\""), "line 10: step `s`: an http destination needs a `url`"),
            (
                step("[step.destination]\nkind = \"http\"\nurl = \"ftp://x/\""),
                "line 12: `ftp://x/` is not an http or https address",
            ),
            (
                step("[step.destination]\nkind = \"http\"\nurl = \"https://{key}.example/\""),
                "line 12: `https://{key}.example/` has a placeholder in its host",
            ),
            (
                step("[step.destination]\nkind = \"http\"\nurl = \"https://a.example/{id}\""),
                "line 12: `{id}` is not a placeholder",
            ),
            (
                step(
                    "[step.destination]\nkind = \"http\"\nurl = \"https://a.example/\"\nanswers = { 99 = \"no_effect\" }",
                ),
                "line 13: `99` is not a status code",
            ),
            (
                step(
                    "[step.destination]\nkind = \"http\"\nurl = \"https://a.example/\"\nheaders = { \"a b\" = \"c\" }",
                ),
                "line 13: `a b` is not a legal header name",
            ),
            (
                step(
                    "[step.destination]\nkind = \"http\"\nurl = \"https://a.example/\"\nheaders = { A = { secret = \"PATH\" } }",
                ),
                "line 13: ",
            ),
            (step("[step.lookup]\nurl = \"https://a.example/\""), "line 10: step `s`: a lookup needs"),
            (SMALL.replace("side_effect = \"none\"", "side_effect = \"none"), "line 9: "),
        ];
        for (source, expected) in cases {
            let found = only(&source);
            assert!(found.starts_with(expected), "expected {expected:?}, found {found:?}");
        }
    }
}
