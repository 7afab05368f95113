//! What a viewer may see of an item's payloads: the one place that decides it. Pages, differences, downloads, the API and
//! corrections all look through here; alerts, payload search and exports have to, too.

use domain::{
    access::Caller,
    document::{json::Json, mask, pattern::Matcher, secrets},
    workflow::Step,
};
use store::Item;

use super::heavy::heavy;
use crate::clearance::Veil;

/// How much of an item's payloads a viewer sees.
#[derive(Debug)]
pub(crate) enum Sight {
    /// Everything.
    All,
    /// Everything but what the step calls sensitive, and what looks like a secret.
    Parts(Matcher),
    /// Nothing: the step names no parts, or the item is restricted.
    Nothing,
}

/// A payload as a viewer sees it.
#[derive(Debug, Clone)]
pub(crate) enum Seen {
    /// As it is.
    Whole,
    /// With something in the place of so many values.
    Masked {
        /// What is shown instead.
        text: String,
        /// How many values are hidden.
        hidden: usize,
    },
    /// Not at all.
    Nothing,
}

impl Seen {
    /// Whether something is hidden.
    pub(crate) fn hides(&self) -> bool {
        match self {
            Self::Whole => false,
            Self::Masked { hidden, .. } => *hidden > 0,
            Self::Nothing => true,
        }
    }
}

impl Sight {
    /// What `caller` sees of an item's payloads, as the item's step stands now.
    pub(crate) fn of(caller: &Caller, item: &Item, step: Option<&Step>) -> Self {
        match (Veil::of(caller, item.sensitivity), step) {
            (Veil::Nothing, _) => Self::All,
            (Veil::Content, Some(step)) if !step.sensitive.is_empty() => {
                Self::Parts(Matcher::new(step.sensitive.iter().map(domain::workflow::Pattern::as_str)))
            }
            (Veil::Content | Veil::Whole, _) => Self::Nothing,
        }
    }

    /// A payload as they see it. Where the places can't be found out, all of it is hidden.
    pub(crate) fn see(&self, bytes: &[u8]) -> Seen {
        let matcher = match self {
            Self::All => return Seen::Whole,
            Self::Nothing => return Seen::Nothing,
            Self::Parts(matcher) => matcher,
        };
        heavy(bytes.len(), || {
            let text = std::str::from_utf8(bytes).ok();
            let Some(json) = text.and_then(|text| Json::read(text).ok()) else { return Seen::Nothing };
            let places = hidden(matcher, &json);
            Seen::Masked { text: mask::shown(&json, &places), hidden: mask::outermost(&json, &places).len() }
        })
    }
}

/// The places that are hidden: what the step names, and what looks like a secret.
pub(crate) fn hidden(matcher: &Matcher, json: &Json<'_>) -> Vec<domain::document::json::Node> {
    let mut places = matcher.all(json);
    places.extend(secrets::in_document(json));
    places
}
