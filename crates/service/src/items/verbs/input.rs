//! What fields can hold. A field that can't be kept is refused while the input is read, before anything is decided.

use chrono::{DateTime, Datelike as _, Utc};
use domain::{
    ids::ItemId,
    report::{KEY_LIMIT, TEXT_LIMIT},
    text,
};
use serde::{Deserialize, Deserializer, de::Error as _};

/// Something said in words: trimmed, not empty, at most `LIMIT` characters.
#[derive(Debug, Clone)]
pub(crate) struct Said<const LIMIT: usize = TEXT_LIMIT>(pub(crate) String);

impl<'de, const LIMIT: usize> Deserialize<'de> for Said<LIMIT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.trim().chars().count() {
            0 => Err(D::Error::custom("Say it in words.")),
            n if n > LIMIT => Err(D::Error::custom(format!("Use at most {LIMIT} characters; this has {n}."))),
            _ => Ok(Self(text::message(text.trim()))),
        }
    }
}

/// A name that other systems or teams gave: kept as it is, but for the space around it.
#[derive(Debug, Clone)]
pub(crate) struct Name(pub(crate) String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let name = text::key(text.trim(), KEY_LIMIT).map_err(|wrong| D::Error::custom(format!("It {wrong}.")))?;
        Ok(Self(name.to_owned()))
    }
}

/// Another item, by its id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Other(pub(crate) ItemId);

impl<'de> Deserialize<'de> for Other {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let id = text.trim().parse().map_err(|_| {
            D::Error::custom("This is no item's id: copy the last part of the address of the item's page.")
        })?;
        Ok(Self(ItemId(id)))
    }
}

/// A time in whole microseconds (R20), as both databases keep it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(pub(crate) DateTime<Utc>);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let at = DateTime::<Utc>::deserialize(deserializer)?;
        let kept = DateTime::from_timestamp_micros(at.timestamp_micros());
        let kept = kept.filter(|_| (1..=9_999).contains(&at.year()));
        kept.map(Self).ok_or_else(|| D::Error::custom("Use a time in the years 0001 to 9999."))
    }
}
