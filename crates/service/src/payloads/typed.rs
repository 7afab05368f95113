//! A correction as somebody typed it, and what that is of a text: the whole, bytes, a patch, or single values over a draft.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{
    document::{
        browser_text,
        fields::{self, TypedValue},
        json::Json,
    },
    refusal::{FieldProblem, Refusal},
};
use serde::Deserialize;
use store::Draft;

use super::{
    bench::{Bench, MOST_FIELDS},
    heavy::heavy,
};

/// A correction as it was typed: exactly one of its texts, or the draft alone.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// Exactly this text.
    #[serde(default)]
    pub text: Option<String>,
    /// The parent's text as a browser returned it, with the person's edits.
    #[serde(default)]
    pub browser_text: Option<String>,
    /// Exactly these bytes.
    #[serde(default)]
    pub base64: Option<String>,
    /// An RFC 6902 patch, as it was written.
    #[serde(default)]
    pub patch: Option<String>,
    /// Single values by their pointers, as a form returned them: of the draft, where one is named.
    #[serde(default)]
    pub fields: Option<BTreeMap<String, TypedValue>>,
    /// The version of the person's draft that was seen: `fields` are values of it; with nothing else, it is meant itself.
    #[serde(default)]
    pub draft: Option<i64>,
}

/// What was typed, as one thing.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(String),
    Browser(String),
    Bytes(Vec<u8>),
    Patch(String),
    Fields(BTreeMap<String, TypedValue>),
}

impl Typed {
    /// The version of the draft that this goes on from, or is.
    pub(crate) fn goes_on_from(&self) -> Option<i64> {
        let whole = [&self.text, &self.browser_text, &self.base64, &self.patch].iter().any(|text| text.is_some());
        self.draft.filter(|_| !whole)
    }

    /// What was typed; `draft` is the one that it names.
    pub(crate) fn content(self, bench: &Bench, draft: Option<&Draft>) -> Result<Content, Refusal> {
        let Self { text, browser_text, base64, patch, fields, draft: _ } = self;
        match (text, browser_text, base64, patch, fields) {
            (Some(text), None, None, None, None) => Ok(Content::Text(text)),
            (None, Some(returned), None, None, None) => Ok(Content::Browser(returned)),
            (None, None, Some(base64), None, None) => STANDARD
                .decode(base64.as_bytes())
                .map(Content::Bytes)
                .map_err(|error| Refusal::field("/base64", format!("is not standard base64 with padding: {error}"))),
            (None, None, None, Some(patch), None) => Ok(Content::Patch(patch)),
            (None, None, None, None, Some(values)) => match draft {
                None => Ok(Content::Fields(values)),
                Some(draft) => {
                    let (text, problems) = with_values(&text_of(bench, draft)?, &values)?;
                    if problems.is_empty() { Ok(Content::Text(text)) } else { Err(Refusal::Invalid(problems)) }
                }
            },
            (None, None, None, None, None) if draft.is_some() => Ok(draft.map_or(Content::Bytes(Vec::new()), kept)),
            _ => Err(Refusal::field("/text", "Send exactly one of text, base64 or patch.")),
        }
    }
}

/// What a draft holds.
fn kept(draft: &Draft) -> Content {
    if draft.exact {
        return Content::Bytes(draft.content.clone());
    }
    Content::Browser(String::from_utf8_lossy(&draft.content).into_owned())
}

/// A draft as text.
pub(super) fn text_of(bench: &Bench, draft: &Draft) -> Result<String, Refusal> {
    let text = heavy(draft.content.len(), || {
        let returned = String::from_utf8(draft.content.clone()).ok();
        if draft.exact { returned } else { bench.to_edit().zip(returned).map(applied) }
    });
    text.ok_or_else(|| Refusal::field("/fields", "Your draft is not text."))
}

fn applied((before, returned): (String, String)) -> String {
    browser_text::apply(&before, &returned)
}

/// A text with single values changed, those that can be; the others are told.
pub(super) fn with_values(
    text: &str,
    values: &BTreeMap<String, TypedValue>,
) -> Result<(String, Vec<FieldProblem>), Refusal> {
    if values.len() > MOST_FIELDS {
        let why = format!("At most {MOST_FIELDS} values can be edited one by one. Edit the text.");
        return Err(Refusal::field("/fields", why));
    }
    let (text, problems) = heavy(text.len(), || {
        let json = Json::read(text).map_err(|_| Refusal::field("/fields", "This is not JSON. Edit it as text."))?;
        Ok::<_, Refusal>(fields::apply(&json, values))
    })?;
    let placed = |problem: FieldProblem| FieldProblem::new(format!("/fields{}", problem.pointer), problem.message);
    Ok((text, problems.into_iter().map(placed).collect()))
}
