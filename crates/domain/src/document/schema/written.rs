//! The schema's text for the checker: as a value, with the limits beside it as they are written. A value holds numbers only
//! nearly; the keywords that judge numbers read what is written instead.

use serde_json::{Map, Value};

use super::scalar::{nearest, said};
use crate::document::json::{Json, Node, Shape};

/// The member that holds what is written, by keyword. No schema needs a keyword of its own with this name.
const AS_WRITTEN: &str = "x-recourse-as-written";

/// Keywords whose value is a number to compare or divide with.
pub(super) const LIMITS: [&str; 5] = ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"];

/// What an array or object is in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Schema,
    /// A list of schemas, or schemas by name: a name here is nobody's keyword.
    Schemas,
    /// A value to compare with or to show. Nothing in it is a keyword.
    Data,
    /// Behind a keyword that is not known here; a reference may still lead to it.
    Unknown,
}

impl Role {
    fn of_member(self, name: &str, shape: Shape) -> Self {
        match (self, name) {
            (Self::Data, _) | (Self::Schema | Self::Unknown, "enum" | "const") => Self::Data,
            (Self::Unknown, _) => Self::Unknown,
            (Self::Schemas, _) => Self::Schema,
            (Self::Schema, "default" | "examples" | "example") => Self::Data,
            (
                Self::Schema,
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies"
                | "allOf" | "anyOf" | "oneOf" | "prefixItems",
            ) => Self::Schemas,
            (Self::Schema, "items") if shape == Shape::Array => Self::Schemas,
            (
                Self::Schema,
                "items"
                | "additionalItems"
                | "unevaluatedItems"
                | "contains"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contentSchema",
            ) => Self::Schema,
            (Self::Schema, _) => Self::Unknown,
        }
    }

    /// Whether a member is one of the keywords that are judged by what is written.
    fn keeps(self, name: &str, shape: Shape) -> bool {
        match (self, name) {
            (Self::Schemas | Self::Data, _) => false,
            (Self::Schema, "const") => true,
            // Where it is not known whether names are keywords, this may be a schema that is called so.
            (Self::Unknown, "const") => !matches!(shape, Shape::Object | Shape::Bool),
            (_, "enum") => shape == Shape::Array,
            _ => LIMITS.contains(&name) && shape == Shape::Number,
        }
    }
}

/// The schema as a value, its keywords that judge numbers with what is written beside them.
pub(super) fn value(json: &Json<'_>) -> Value {
    let roles = roles(json);
    let mut values: Vec<Value> = vec![Value::Null; json.len()];
    // Backwards, what is inside a value is there before it.
    for node in json.nodes().rev() {
        let built = match json.shape(node) {
            Shape::Null => Value::Null,
            Shape::Bool => Value::Bool(json.raw(node) == "true"),
            Shape::Number => Value::Number(nearest(json.raw(node))),
            Shape::String => Value::String(said(json.raw(node)).into_owned()),
            Shape::Array => json.children(node).map(|child| std::mem::take(&mut values[child.index()])).collect(),
            Shape::Object => Value::Object(object(json, node, roles[node.index()], &mut values)),
        };
        values[node.index()] = built;
    }
    values.into_iter().next().unwrap_or_default()
}

fn object(json: &Json<'_>, node: Node, role: Role, values: &mut [Value]) -> Map<String, Value> {
    let (mut members, mut written) = (Map::new(), Map::new());
    for child in json.children(node) {
        let name = json.key(child).map_or_else(String::new, |key| said(key).into_owned());
        // Of two members with one name the last counts, here too.
        written.remove(&name);
        if role.keeps(&name, json.shape(child)) {
            written.insert(name.clone(), Value::from(json.raw(child)));
        }
        members.insert(name, std::mem::take(&mut values[child.index()]));
    }
    if matches!(role, Role::Schema | Role::Unknown) {
        members.remove(AS_WRITTEN);
        // Without it the checker tells of one member too many only, and as if it were the object.
        if members.get("additionalProperties") == Some(&Value::Bool(false)) && !members.contains_key("properties") {
            members.insert("properties".to_owned(), Value::Object(Map::new()));
        }
    }
    if !written.is_empty() {
        members.insert(AS_WRITTEN.to_owned(), Value::Object(written));
    }
    members
}

fn roles(json: &Json<'_>) -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::with_capacity(json.len());
    for node in json.nodes() {
        let role = match json.parent(node) {
            None => Role::Schema,
            Some(parent) => {
                let name = json.key(node).map(said).unwrap_or_default();
                roles[parent.index()].of_member(&name, json.shape(node))
            }
        };
        roles.push(role);
    }
    roles
}

/// What is written for a keyword of a schema. Where nothing was kept, its value says it nearly.
pub(super) fn written(schema: &Map<String, Value>, keyword: &str, value: &Value) -> String {
    let kept = schema.get(AS_WRITTEN).and_then(|written| written.get(keyword)).and_then(Value::as_str);
    kept.map_or_else(|| value.to_string(), str::to_owned)
}
