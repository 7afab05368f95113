//! Why a text is no schema that documents can be checked against.

use jsonschema::{ReferencingError, ValidationError, error::ValidationErrorKind};

use super::{
    findings::places,
    sentence::{EXCERPT, excerpt, not_provided, sentence, unexpected},
};
use crate::document::json::{Json, Wrong};

/// Why a text is no schema that documents can be checked against. It quotes the schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaProblem {
    /// It is no JSON.
    #[error("the schema is not JSON: line {}, column {}: {}", .0.line, .0.column, .0.what)]
    NotJson(Wrong),
    /// It has too many values, or too many levels.
    #[error("the schema is too large to be used")]
    TooLarge,
    /// A reference leads out of the schema, or to nothing in it.
    #[error("the schema refers to {0}, which is not part of it; schemas from elsewhere are never fetched")]
    Unreachable(String),
    /// It is no schema by the draft it names.
    #[error("the schema is not valid: line {line}, column {column} ({}): {message}", if .pointer.is_empty() { "the whole" } else { .pointer })]
    Invalid {
        /// JSON pointer into the schema.
        pointer: String,
        /// The line of the schema, from 1.
        line: usize,
        /// The character of that line, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

impl SchemaProblem {
    pub(super) fn of(schema: &Json<'_>, error: &ValidationError<'_>) -> Self {
        if let ValidationErrorKind::Referencing(problem) = error.kind()
            && let Some(reference) = unreachable(problem)
        {
            return Self::Unreachable(excerpt(reference, EXCERPT));
        }
        let pointer = error.instance_path().as_str();
        let node = schema.find(pointer);
        let start = node.map_or(0, |node| schema.span(node).start);
        let (line, column) = places(schema, vec![start]).first().copied().unwrap_or((1, 1));
        let message = match unexpected(error.kind()).and_then(<[_]>::first) {
            Some(name) => not_provided(name),
            None => sentence(error.kind(), node.map(|node| schema.shape(node))),
        };
        Self::Invalid { pointer: pointer.to_owned(), line, column, message }
    }
}

/// The reference that leads nowhere.
fn unreachable(problem: &ReferencingError) -> Option<&str> {
    match problem {
        ReferencingError::Unretrievable { uri, .. } => Some(uri),
        ReferencingError::PointerToNowhere { pointer } => Some(pointer),
        ReferencingError::NoSuchAnchor { anchor } => Some(anchor),
        ReferencingError::UnknownSpecification { specification } => Some(specification),
        _ => None,
    }
}
