//! Documents checked against a JSON Schema (2020-12, and the drafts before it). The document is judged as it is written: no
//! number is rounded, and nothing of it is written anew. References outside the schema are never fetched.

mod findings;
mod keywords;
mod problem;
mod scalar;
mod sentence;
mod stack;
mod view;
mod written;

pub use findings::{Finding, MOST_FINDINGS};
pub use problem::SchemaProblem;

use jsonschema::{Draft, PatternOptions, Validator};

use self::view::{Lossless, View};
use super::json::Json;

/// Whether a `format` is a rule here and no mere remark. A format nobody knows is a remark all the same.
pub const FORMATS_ASSERTED: bool = true;

/// Levels up to which a document is checked; the checker recurses.
pub const DEEPEST: usize = 256;

/// Values up to which a document is checked.
pub const MOST_VALUES: usize = 500_000;

/// Levels up to which a schema is read.
pub const DEEPEST_SCHEMA: usize = 128;

/// Values up to which a schema is read.
pub const MOST_SCHEMA_VALUES: usize = 50_000;

/// How often a pattern may be tried anew in one string.
const MOST_BACKTRACKING: usize = 100_000;

/// A schema that documents can be checked against.
#[derive(Debug)]
pub struct Schema {
    validator: Validator<Lossless>,
    /// Steps the checker may take from schema to schema at one value.
    in_place: usize,
}

/// What a check said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// What does not fit, in the order of the document; nothing where the document fits.
    Findings {
        /// The first of them, at most [`MOST_FINDINGS`].
        first: Vec<Finding>,
        /// How many more there are.
        more: usize,
    },
    /// The document was not checked, and why: it may fit or not.
    NotChecked(&'static str),
}

impl Checked {
    /// Whether the document was checked and fits.
    #[must_use]
    pub fn fits(&self) -> bool {
        matches!(self, Self::Findings { first, more: 0 } if first.is_empty())
    }
}

impl Schema {
    /// Reads a schema: a JSON text that is valid by the draft it names, 2020-12 where it names none.
    pub fn read(text: &str) -> Result<Self, SchemaProblem> {
        let json = Json::read(text).map_err(SchemaProblem::NotJson)?;
        if json.len() > MOST_SCHEMA_VALUES || depth(&json) > DEEPEST_SCHEMA {
            return Err(SchemaProblem::TooLarge);
        }
        let in_place = stack::in_place(&json);
        if in_place > stack::MOST_IN_PLACE {
            return Err(SchemaProblem::TooLarge);
        }
        let validator = stack::on_large_stack(|| build(&json)).unwrap_or(Err(SchemaProblem::TooLarge))?;
        Ok(Self { validator, in_place })
    }

    /// Checks a document.
    #[must_use]
    pub fn check(&self, document: &Json<'_>) -> Checked {
        if document.len() > MOST_VALUES {
            return Checked::NotChecked("The document has too many values to be checked.");
        }
        let depth = depth(document);
        if depth > DEEPEST || depth * (self.in_place + 1) > stack::MOST_STEPS {
            return Checked::NotChecked("The document is nested too deeply to be checked.");
        }
        let checked = stack::on_large_stack(|| {
            let view = View::of(document);
            let (first, more) = findings::told(&view, self.validator.iter_errors(view.root()));
            Checked::Findings { first, more }
        });
        checked.unwrap_or(Checked::NotChecked("The document could not be checked."))
    }
}

fn build(schema: &Json<'_>) -> Result<Validator<Lossless>, SchemaProblem> {
    let value = written::value(schema);
    let options = jsonschema::options_for::<Lossless>()
        .offline()
        .should_validate_formats(FORMATS_ASSERTED)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKING));
    keywords::exactly(options, Draft::default().detect(&value))
        .build(&value)
        .map_err(|error| SchemaProblem::of(schema, &error))
}

/// How many values stand in each other where it is deepest.
fn depth(json: &Json<'_>) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(json.len());
    for node in json.nodes() {
        let depth = json.parent(node).map_or(1, |parent| depths[parent.index()] + 1);
        depths.push(depth);
    }
    depths.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
