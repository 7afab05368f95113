//! What is said to people about a value that does not fit. Limits and names are quoted, what a value says never: who reads
//! this may be one from whom it is masked.

use jsonschema::{
    JsonType,
    error::{TypeKind, ValidationErrorKind as Kind},
};

use crate::document::json::Shape;

/// Characters of the schema that are quoted in one sentence.
pub(super) const EXCERPT: usize = 120;

/// The first characters of a text, in one line.
pub(super) fn excerpt(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn named(name: &str) -> String {
    format!("\"{}\"", excerpt(name, EXCERPT))
}

const fn type_words(name: JsonType) -> &'static str {
    match name {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

const fn shape_words(shape: Shape) -> &'static str {
    match shape {
        Shape::Null => "null",
        Shape::Bool => "true or false",
        Shape::Number => "a number",
        Shape::String => "a string",
        Shape::Array => "an array",
        Shape::Object => "an object",
    }
}

fn wrong_type(kind: &TypeKind, shape: Option<Shape>) -> String {
    let wanted: Vec<_> = match kind {
        TypeKind::Single(name) => vec![type_words(*name)],
        TypeKind::Multiple(names) => names.iter().map(type_words).collect(),
    };
    let wanted = wanted.join(" or ");
    match shape {
        Some(Shape::Number) => format!("must be {wanted}, not another number"),
        Some(shape) => format!("must be {wanted}, not {}", shape_words(shape)),
        None => format!("must be {wanted}"),
    }
}

/// A number of things, in words.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What is wrong with a value, to stand after where it stands. Members too many are told one by one by [`unexpected`].
pub(super) fn sentence(kind: &Kind, shape: Option<Shape>) -> String {
    match kind {
        Kind::Type { kind } => wrong_type(kind, shape),
        Kind::Required { property } => {
            format!("must have a member {}", named(property.as_str().unwrap_or_default()))
        }
        Kind::Custom { message, .. } => message.clone(),
        Kind::Format { format } => format!("must be written as {}", named(format)),
        Kind::Pattern { pattern } => format!("must match the pattern {}", excerpt(pattern, EXCERPT)),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "must match a pattern, and whether it does takes too long to tell".to_owned()
        }
        Kind::MinLength { limit } => format!("must have at least {}", counted(*limit, "character", "characters")),
        Kind::MaxLength { limit } => format!("must have at most {}", counted(*limit, "character", "characters")),
        Kind::MinItems { limit } => format!("must have at least {}", counted(*limit, "element", "elements")),
        Kind::MaxItems { limit } => format!("must have at most {}", counted(*limit, "element", "elements")),
        Kind::AdditionalItems { limit } => {
            format!("must have at most {}", counted(*limit as u64, "element", "elements"))
        }
        Kind::MinProperties { limit } => format!("must have at least {}", counted(*limit, "member", "members")),
        Kind::MaxProperties { limit } => format!("must have at most {}", counted(*limit, "member", "members")),
        Kind::UniqueItems => "must not have two equal elements".to_owned(),
        Kind::UnevaluatedItems { .. } => "has elements no part of the schema provides for".to_owned(),
        Kind::Contains => "has too few or too many elements of the kind that must be in it".to_owned(),
        Kind::AnyOf { context } => format!("must fit at least one of {} alternatives and fits none", context.len()),
        Kind::OneOfNotValid { context } => {
            format!("must fit exactly one of {} alternatives and fits none", context.len())
        }
        Kind::OneOfMultipleValid { context } => {
            format!("must fit exactly one of {} alternatives and fits several", context.len())
        }
        Kind::Not { .. } => "must not be what the schema excludes, and is".to_owned(),
        Kind::PropertyNames { error } => format!("has a name that is not allowed: it {}", sentence(error.kind(), None)),
        Kind::FalseSchema => "must not be there".to_owned(),
        Kind::ContentEncoding { content_encoding } => format!("must be encoded as {}", named(content_encoding)),
        Kind::ContentMediaType { content_media_type } => {
            format!("must contain {}", named(content_media_type))
        }
        other => format!("does not do what {} asks for", named(other.keyword())),
    }
}

/// Names of the members the schema does not provide for.
pub(super) fn unexpected(kind: &Kind) -> Option<&[String]> {
    match kind {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => Some(unexpected),
        _ => None,
    }
}

/// What is said where no name is allowed.
pub(super) const NO_MEMBERS: &str = "must not have any members";

/// What is said about such a member.
pub(super) fn not_provided(name: &str) -> String {
    format!("must not have a member {}", named(name))
}
