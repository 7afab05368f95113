//! The checker recurses: over the document, and at each value over the schemas that apply to it. Both are limited, and the
//! work is done on a stack that is large enough for the limits. What is not used of it costs no memory.

use std::thread;

use crate::document::json::{Json, Shape};

/// Schemas that may apply in place of each other, in all of a schema.
pub(super) const MOST_IN_PLACE: usize = 2_000;

/// Steps from schema to schema and from value to value that fit on the stack.
pub(super) const MOST_STEPS: usize = 50_000;

const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Does it on the large stack; `None` where the machine gives none.
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("schema".to_owned()).stack_size(STACK_BYTES).spawn_scoped(scope, work);
        thread.ok()?.join().ok()
    })
}

/// How many schemas apply where another one applies already: an upper bound of how long a chain of them can be.
pub(super) fn in_place(schema: &Json<'_>) -> usize {
    schema
        .nodes()
        .map(|node| match schema.key(node).map(|key| key.trim_matches('"')) {
            Some("$ref" | "$dynamicRef" | "$recursiveRef" | "not" | "if" | "then" | "else") => 1,
            Some("allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies")
                if matches!(schema.shape(node), Shape::Array | Shape::Object) =>
            {
                schema.children(node).count()
            }
            _ => 0,
        })
        .sum()
}
