//! The checker's errors as findings: sorted, limited, and with their place in the text.

use jsonschema::{ErrorIterator, ValidationError, error::ValidationErrorKind};

use super::{
    sentence::{NO_MEMBERS, not_provided, sentence, unexpected},
    view::View,
};
use crate::document::json::{Json, Node, escaped};

/// Findings that are told one by one.
pub const MOST_FINDINGS: usize = 100;

/// One thing about a document that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// JSON pointer of the value, the root's being empty.
    pub pointer: String,
    /// The value.
    pub node: Option<Node>,
    /// The line it begins in, from 1.
    pub line: usize,
    /// The character of that line it begins with, from 1.
    pub column: usize,
    /// The keyword of the schema that is not fulfilled.
    pub keyword: String,
    /// What is wrong, to stand after where. It quotes the schema and names of members, never a value of the document.
    pub message: String,
}

/// The first findings in the order of the document, and how many more there are.
pub(super) fn told<'v>(view: &'v View<'v>, errors: ErrorIterator<'v>) -> (Vec<Finding>, usize) {
    let errors = errors.map(|error| (node(view, &error), error));
    let mut errors: Vec<_> = errors.filter(|(node, error)| !is_there(view, *node, error)).collect();
    errors.sort_by_key(|(node, _)| *node);
    let count: usize = errors.iter().map(|(_, error)| unexpected(error.kind()).map_or(1, <[_]>::len)).sum();
    let mut first = Vec::new();
    for (node, error) in errors {
        if first.len() >= MOST_FINDINGS {
            break;
        }
        tell(view, node, &error, &mut first);
    }
    first.truncate(MOST_FINDINGS);
    first.sort_by_key(|finding| finding.node);
    let starts = first.iter().map(|finding| finding.node.map_or(0, |node| view.json().span(node).start));
    for (finding, (line, column)) in places(view.json(), starts.collect()).into_iter().enumerate() {
        (first[finding].line, first[finding].column) = (line, column);
    }
    let more = count - first.len();
    (first, more)
}

/// The value an error is about: it carries the value's number in the place of the value.
fn node(view: &View<'_>, error: &ValidationError<'_>) -> Option<Node> {
    error.instance().as_u64().and_then(|index| view.node(usize::try_from(index).ok()?))
}

fn tell(view: &View<'_>, node: Option<Node>, error: &ValidationError<'_>, findings: &mut Vec<Finding>) {
    let pointer = error.instance_path().as_str();
    let finding = |pointer: String, node: Option<Node>, message: String| Finding {
        pointer,
        node,
        line: 1,
        column: 1,
        keyword: error.kind().keyword().to_owned(),
        message,
    };
    match unexpected(error.kind()) {
        Some(names) => findings.extend(names.iter().take(MOST_FINDINGS).map(|name| {
            let member = node.and_then(|object| view.member(object, name)).or(node);
            finding(format!("{pointer}/{}", escaped(name)), member, not_provided(name))
        })),
        None => {
            let shape = node.map(|node| view.json().shape(node));
            let message = if allows_no_name(error) { NO_MEMBERS.to_owned() } else { sentence(error.kind(), shape) };
            findings.push(finding(pointer.to_owned(), node, message));
        }
    }
}

/// Whether the member said to be missing is there. Where a required member is one too many as well, the checker says both; that
/// it is one too many remains.
fn is_there(view: &View<'_>, node: Option<Node>, error: &ValidationError<'_>) -> bool {
    match (error.kind(), node) {
        (ValidationErrorKind::Required { property }, Some(object)) => {
            property.as_str().is_some_and(|name| view.member(object, name).is_some())
        }
        _ => false,
    }
}

/// Whether it is `propertyNames` that is `false`, and not a schema for the value itself.
fn allows_no_name(error: &ValidationError<'_>) -> bool {
    let path = error.schema_path().as_str();
    matches!(error.kind(), ValidationErrorKind::FalseSchema)
        && path.ends_with("/propertyNames")
        && !path.ends_with("/properties/propertyNames")
}

/// Line and column, from 1, of ascending places in a text: one walk for all of them.
pub(super) fn places(json: &Json<'_>, ascending: Vec<usize>) -> Vec<(usize, usize)> {
    let (text, mut from, mut line, mut column) = (json.text(), 0, 1, 1);
    ascending
        .into_iter()
        .map(|to| {
            // No value begins between the two characters that end a line.
            let mut rest = text[from..to].chars().peekable();
            while let Some(character) = rest.next() {
                match character {
                    '\r' if rest.peek() == Some(&'\n') => {}
                    '\r' | '\n' => (line, column) = (line + 1, 1),
                    _ => column += 1,
                }
            }
            from = to;
            (line, column)
        })
        .collect()
}
