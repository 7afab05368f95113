//! An action's input: the same JSON from a script, and made from a form.

use std::collections::HashMap;

use chrono::DateTime;
use domain::{
    refusal::{FieldProblem, Refusal},
    replay::Accept,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use crate::items::actions::{FieldKind, ItemAction};

/// Reads an action's input strictly; a wrong field is named by its pointer.
pub(super) fn from_json<T: DeserializeOwned>(input: Value) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(input).map_err(|error| {
        let message = error.inner().to_string();
        let place = |segment: &Segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            other => format!("/{other}"),
        };
        let mut pointer: String = error.path().iter().map(place).collect();
        if pointer == "/." {
            pointer.clear();
        }
        let named = ["unknown field `", "missing field `"].iter().find_map(|start| {
            let rest = message.split_once(start)?.1;
            rest.split_once('`').map(|(name, _)| name.to_owned())
        });
        match named {
            Some(name) if message.starts_with("missing") => {
                Refusal::Invalid(vec![FieldProblem::new(format!("/{name}"), "Fill this in.")])
            }
            Some(name) => Refusal::Invalid(vec![FieldProblem::new(format!("/{name}"), message)]),
            None => Refusal::Invalid(vec![FieldProblem::new(pointer, message)]),
        }
    })
}

/// The input of an action from a form's fields: what was left empty is left out.
#[must_use]
pub fn from_form(action: &ItemAction, typed: &HashMap<String, String>) -> Value {
    let mut input = Map::new();
    for field in action.fields {
        if matches!(field.kind, FieldKind::Accepts) {
            let ticked = |accept: &&Accept| typed.contains_key(&ticked_as(field.name, **accept));
            let accepted = Accept::ALL.iter().filter(ticked).map(|accept| accept.as_str().into()).collect();
            input.insert(field.name.to_owned(), Value::Array(accepted));
            continue;
        }
        if matches!(field.kind, FieldKind::Object) {
            let prefix = format!("{}.", field.name);
            let member =
                |(name, text): (&String, &String)| Some((name.strip_prefix(&prefix)?.to_owned(), text.clone().into()));
            let members: Map<String, Value> = typed.iter().filter_map(member).collect();
            input.insert(field.name.to_owned(), Value::Object(members).to_string().into());
            continue;
        }
        let Some(text) = typed.get(field.name).filter(|text| !text.trim().is_empty()) else { continue };
        let value = match field.kind {
            FieldKind::Object => continue,
            FieldKind::Number => {
                // What is no number stays as it is, for the refusal to name.
                let number = text.trim().parse::<i64>().map_or_else(|_| text.clone().into(), Value::from);
                input.insert(field.name.to_owned(), number);
                continue;
            }
            FieldKind::Flag => {
                input.insert(field.name.to_owned(), Value::Bool(true));
                continue;
            }
            FieldKind::Text => text.replace("\r\n", "\n"),
            FieldKind::Time => utc(text.trim()),
            FieldKind::Line
            | FieldKind::Choice(_)
            | FieldKind::Person
            | FieldKind::Team
            | FieldKind::Attempt
            | FieldKind::Accepts
            | FieldKind::Json
            | FieldKind::Code
            | FieldKind::Item => text.trim().to_owned(),
        };
        input.insert(field.name.to_owned(), Value::String(value));
    }
    Value::Object(input)
}

/// The name of the box in a form that accepts something.
#[must_use]
pub fn ticked_as(field: &str, accept: Accept) -> String {
    format!("{field}.{accept}")
}

/// A form's time has no zone: it is UTC, as the field says. What is no time stays as it is, for the refusal to name.
#[must_use]
pub fn utc(text: &str) -> String {
    let read = |text: &str| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%:z").ok();
    let time = read(&format!("{text}:00+00:00")).or_else(|| read(&format!("{text}+00:00")));
    time.map_or_else(|| text.to_owned(), |time| time.to_rfc3339())
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn a_forms_time_is_utc_and_anything_else_is_left_for_the_refusal() {
        assert_eq!(utc("2026-11-30T09:00"), "2026-11-30T09:00:00+00:00");
        assert_eq!(utc("2026-11-30T09:00:30"), "2026-11-30T09:00:30+00:00");
        assert_eq!(utc("2026-11-30T09:00:00Z"), "2026-11-30T09:00:00Z");
        assert_eq!(utc("tomorrow"), "tomorrow");
    }
}
