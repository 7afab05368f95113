//! The keywords that judge numbers, by what is written in the schema and in the document. They take the place of the checker's
//! own, which see machine numbers.

use std::collections::HashSet;

use jsonschema::{Draft, Keyword, ValidationError, ValidationOptions, paths::Location};
use serde_json::{Map, Value};

use super::{
    sentence::{EXCERPT, excerpt},
    view::{At, Lossless, View},
    written::{LIMITS, written},
};
use crate::document::{exact::Decimal, json::Json};

/// How a value stands to a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fits,
    Unfit,
    /// Counts as unfit: nobody may rely on what was not judged.
    CannotTell,
}

impl From<bool> for Verdict {
    fn from(fits: bool) -> Self {
        if fits { Self::Fits } else { Self::Unfit }
    }
}

/// Which of the numbers may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Most,
    Least,
    Below,
    Above,
    Multiple,
}

impl Rule {
    /// The rule behind a keyword; in draft 4 a truth value beside a limit says whether the limit itself is allowed.
    fn of(keyword: &str, schema: &Map<String, Value>) -> Self {
        let excluded = |name: &str| schema.get(name).and_then(Value::as_bool) == Some(true);
        match keyword {
            "maximum" if excluded("exclusiveMaximum") => Self::Below,
            "minimum" if excluded("exclusiveMinimum") => Self::Above,
            "maximum" => Self::Most,
            "minimum" => Self::Least,
            "exclusiveMaximum" => Self::Below,
            "exclusiveMinimum" => Self::Above,
            _ => Self::Multiple,
        }
    }

    fn judge(self, number: &Decimal, limit: &Decimal) -> Verdict {
        match self {
            Self::Most => (number <= limit).into(),
            Self::Least => (number >= limit).into(),
            Self::Below => (number < limit).into(),
            Self::Above => (number > limit).into(),
            Self::Multiple => number.is_multiple_of(limit).map_or(Verdict::CannotTell, Verdict::from),
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Most => "at most",
            Self::Least => "at least",
            Self::Below => "less than",
            Self::Above => "greater than",
            Self::Multiple => "a multiple of",
        }
    }
}

enum Exact {
    /// A limit that cannot be read lets nobody tell.
    Limit { rule: Rule, limit: Option<Decimal>, text: String },
    /// One of these, each as canonical bytes.
    OneOf { values: HashSet<Vec<u8>>, text: String, many: bool },
    /// Belongs to another keyword.
    Nothing,
}

impl Exact {
    fn limit(keyword: &str, schema: &Map<String, Value>, value: &Value) -> Self {
        if value.is_boolean() {
            return Self::Nothing;
        }
        let text = written(schema, keyword, value);
        Self::Limit { rule: Rule::of(keyword, schema), limit: Decimal::read(&text), text }
    }

    fn one_of(keyword: &str, schema: &Map<String, Value>, value: &Value) -> Self {
        let text = written(schema, keyword, value);
        let many = keyword == "enum";
        let values = Json::read(&text).map_or_else(
            |_| HashSet::new(),
            |json| {
                let view = View::of(&json);
                if many { view.root().canonical_inside() } else { HashSet::from([view.root().canonical()]) }
            },
        );
        Self::OneOf { values, text, many }
    }

    fn judge(&self, at: At<'_>) -> Verdict {
        match self {
            Self::Nothing => Verdict::Fits,
            Self::OneOf { values, .. } => values.contains(&at.canonical()).into(),
            Self::Limit { rule, limit, .. } => match (at.number(), limit) {
                (None, _) => Verdict::Fits,
                (Some(text), Some(limit)) => {
                    Decimal::read(text).map_or(Verdict::CannotTell, |number| rule.judge(&number, limit))
                }
                (Some(_), None) => Verdict::CannotTell,
            },
        }
    }

    fn sentence(&self, verdict: Verdict) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::OneOf { text, many: false, .. } => format!("must be {}", excerpt(text, EXCERPT)),
            Self::OneOf { text, .. } => format!("must be one of {}", excerpt(text, EXCERPT)),
            Self::Limit { rule, text, .. } => {
                let (words, text) = (rule.words(), excerpt(text, EXCERPT));
                match verdict {
                    Verdict::CannotTell => format!("must be {words} {text}, and the number is too long to tell"),
                    _ => format!("must be {words} {text}"),
                }
            }
        }
    }
}

impl<'i> Keyword<'i, Lossless> for Exact {
    fn validate(&self, at: At<'i>) -> Result<(), ValidationError<'i>> {
        match self.judge(at) {
            Verdict::Fits => Ok(()),
            verdict => Err(ValidationError::custom(self.sentence(verdict))),
        }
    }

    fn is_valid(&self, at: At<'i>) -> bool {
        self.judge(at) == Verdict::Fits
    }
}

/// What the checker is told to build.
pub(super) type Options = ValidationOptions<'static, std::sync::Arc<dyn jsonschema::Retrieve>, Lossless>;

/// Puts the exact keywords in the place of the checker's.
pub(super) fn exactly(mut options: Options, draft: Draft) -> Options {
    type Made<'a> = Result<Box<dyn for<'i> Keyword<'i, Lossless>>, ValidationError<'a>>;
    for keyword in LIMITS {
        options =
            options.with_keyword(keyword, move |schema: &Map<String, Value>, value: &Value, _: Location| -> Made<'_> {
                Ok(Box::new(Exact::limit(keyword, schema, value)))
            });
    }
    // Draft 4 knows no `const`.
    for keyword in if draft == Draft::Draft4 { &["enum"][..] } else { &["enum", "const"] } {
        options = options.with_keyword(
            *keyword,
            move |schema: &Map<String, Value>, value: &Value, _: Location| -> Made<'_> {
                Ok(Box::new(Exact::one_of(keyword, schema, value)))
            },
        );
    }
    options
}
