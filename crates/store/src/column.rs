//! Columns that hold something the domain has a type for.

use std::ops::Deref;

use chrono::{DateTime, Datelike as _, TimeZone as _, Utc};
use domain::{
    UnknownWord,
    ageing::{Cause, Level},
    attempt::Outcome,
    effect::Effect,
    item::{Impact, Resolution},
    sensitivity::Sensitivity,
};
use serde::de::DeserializeOwned;
use sqlx::{Database, Decode, Type, error::BoxDynError};

/// A value kept as JSON text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stored<T>(pub T);

impl<T> Deref for Stored<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> TryFrom<String> for Stored<T> {
    type Error = serde_json::Error;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        serde_json::from_str(&text).map(Self)
    }
}

/// The JSON text of a value, for binding.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> crate::Result<String> {
    serde_json::to_string(value).map_err(|error| crate::Error::Database(sqlx::Error::Encode(error.into())))
}

/// A word, or NULL.
#[derive(Debug)]
pub(crate) struct MaybeWord(Option<String>);

impl<D: Database> Type<D> for MaybeWord
where
    String: Type<D>,
{
    fn type_info() -> D::TypeInfo {
        String::type_info()
    }
    fn compatible(found: &D::TypeInfo) -> bool {
        String::compatible(found)
    }
}

impl<'r, D: Database> Decode<'r, D> for MaybeWord
where
    Option<String>: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Option::<String>::decode(value).map(Self)
    }
}

macro_rules! optional_words {
    ($($word:ty),+) => { $(
        impl TryFrom<MaybeWord> for Option<$word> {
            type Error = UnknownWord;
            fn try_from(word: MaybeWord) -> Result<Self, UnknownWord> {
                word.0.as_deref().map(str::parse).transpose()
            }
        }
    )+ };
}
optional_words!(Resolution, Impact, Sensitivity, Outcome, Effect, Cause);

/// A moment that may never come: kept as the far end of the calendar, so that one index orders all of them.
#[derive(Debug, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct Someday(DateTime<Utc>);

impl From<Someday> for Option<DateTime<Utc>> {
    fn from(someday: Someday) -> Self {
        Some(someday.0).filter(|at| at.year() < 9_999)
    }
}

/// How such a moment is kept.
pub(crate) fn someday(at: Option<DateTime<Utc>>) -> DateTime<Utc> {
    let never = || Utc.with_ymd_and_hms(9_999, 12, 31, 0, 0, 0).single().unwrap_or_default();
    at.unwrap_or_else(never)
}

/// What is due next on an item.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Due {
    /// What.
    #[sqlx(rename = "due_cause", try_from = "MaybeWord")]
    pub cause: Option<Cause>,
    /// From when it is at risk.
    #[sqlx(try_from = "Someday")]
    pub risk_at: Option<DateTime<Utc>>,
    /// By when.
    #[sqlx(rename = "due_at", try_from = "Someday")]
    pub at: Option<DateTime<Utc>>,
}

impl Due {
    /// How late it is.
    #[must_use]
    pub fn level(&self, now: DateTime<Utc>) -> Option<Level> {
        let reached = |moment: Option<DateTime<Utc>>| moment.is_some_and(|moment| moment <= now);
        if reached(self.at) { Some(Level::Overdue) } else { reached(self.risk_at).then_some(Level::AtRisk) }
    }
}
