//! Columns that hold something the domain has a type for.

use std::ops::Deref;

use domain::{
    UnknownWord,
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
optional_words!(Resolution, Impact, Sensitivity, Outcome, Effect);
