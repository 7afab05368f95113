//! What applying a file would change, field by field.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Definition;

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where, such as `step create_invoice › destination › timeout`.
    pub place: String,
    /// Before; `None` where it is new.
    pub old: Option<String>,
    /// After; `None` where it is gone.
    pub new: Option<String>,
}

/// The fields that differ between two definitions; a first definition lists every field it sets.
#[must_use]
pub fn between(old: Option<&Definition>, new: &Definition) -> Vec<Change> {
    let before = old.map(fields).unwrap_or_default();
    let after = fields(new);
    let mut places: Vec<&String> = before.keys().chain(after.keys()).collect();
    places.sort();
    places.dedup();
    places
        .into_iter()
        .filter(|place| before.get(*place) != after.get(*place))
        .map(|place| Change { place: place.clone(), old: before.get(place).cloned(), new: after.get(place).cloned() })
        .collect()
}

fn fields(definition: &Definition) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if let Ok(value) = serde_json::to_value(definition) {
        walk(&value, String::new(), &mut found);
    }
    found
}

fn walk(value: &Value, place: String, found: &mut BTreeMap<String, String>) {
    let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place} › {name}") };
    match value {
        Value::Null => {}
        Value::Object(object) => object.iter().for_each(|(key, value)| walk(value, inside(key), found)),
        // Steps, plans, parameters and parts are named by their key, so that moving one is no change of the others.
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (i, entry) in list.iter().enumerate() {
                let name = entry.get("key").or_else(|| entry.get("name")).and_then(Value::as_str);
                let name = name.map_or_else(|| (i + 1).to_string(), str::to_owned);
                walk(entry, format!("{place} {name}"), found);
            }
        }
        Value::Array(list) if list.is_empty() => {}
        Value::String(text) => drop(found.insert(place, text.clone())),
        other => drop(found.insert(place, other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_a_new_and_a_removed_field_are_told_apart() {
        let text = include_str!("../../samples/workflow.toml");
        let old = super::super::file::read(text).unwrap();
        let edited = text.replace("timeout = \"10s\"", "timeout = \"20s\"").replace("rate_per_second = 5\n", "");
        let new = super::super::file::read(&edited).unwrap();
        let place = |field: &str| format!("step create_invoice › destination › {field}");
        let expected = [
            Change { place: place("rate_per_second"), old: Some("5".into()), new: None },
            Change { place: place("timeout"), old: Some("10s".into()), new: Some("20s".into()) },
        ];
        assert_eq!(between(Some(&old), &new), expected);
        assert_eq!(between(Some(&old), &old), []);
        assert!(between(None, &new).iter().all(|change| change.old.is_none()));
    }
}
