//! An action's input: the same JSON from a script, and made from a form.

use std::collections::HashMap;

use chrono::NaiveDateTime;
use domain::refusal::{FieldProblem, Refusal};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::items::actions::{FieldKind, ItemAction};

/// Reads an action's input strictly; a wrong field is named by its pointer.
pub(super) fn from_json<T: DeserializeOwned>(input: Value) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(input).map_err(|error| {
        let message = error.inner().to_string();
        let mut pointer: String = error.path().iter().map(|segment| format!("/{segment}")).collect();
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
        let Some(text) = typed.get(field.name).filter(|text| !text.trim().is_empty()) else { continue };
        let value = match field.kind {
            FieldKind::Number => {
                // What is no number stays as it is, for the refusal to name.
                let number = text.trim().parse::<i64>().map_or_else(|_| text.clone().into(), Value::from);
                input.insert(field.name.to_owned(), number);
                continue;
            }
            FieldKind::Text => text.replace("\r\n", "\n"),
            FieldKind::Time => utc(text.trim()),
            FieldKind::Line
            | FieldKind::Choice(_)
            | FieldKind::Person
            | FieldKind::Team
            | FieldKind::Attempt
            | FieldKind::Item => text.trim().to_owned(),
        };
        input.insert(field.name.to_owned(), Value::String(value));
    }
    Value::Object(input)
}

/// A form's time has no zone: it is UTC, as the field says. What is no time stays as it is, for the refusal to name.
#[expect(clippy::disallowed_types, reason = "the one place where a time without a zone comes in")]
fn utc(text: &str) -> String {
    let read = |format| NaiveDateTime::parse_from_str(text, format).ok();
    let time = read("%Y-%m-%dT%H:%M").or_else(|| read("%Y-%m-%dT%H:%M:%S"));
    time.map_or_else(|| text.to_owned(), |time| time.and_utc().to_rfc3339())
}
