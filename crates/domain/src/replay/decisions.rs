//! What a person has to decide explicitly before a revision is sent.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{effect::Effect, ids::ItemId, span::Span, word::words};

words! {
    /// Something about a replay that is refused with its name until the person who asks accepts it.
    Accept {
        NewEpoch = "new_epoch", VersionMoved = "version_moved", SourceChanged = "source_changed", TooOld = "too_old",
        KeyExpired = "key_expired", SchemaFails = "schema_fails",
    }
}

impl Accept {
    /// For people: what is the case, as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NewEpoch => "The earlier effect was made good: this sends it anew, under a new key.",
            Self::VersionMoved => "The workflow has moved on since: this was made by an older version of it.",
            Self::SourceChanged => "The record it was made from has changed since.",
            Self::TooOld => "It is older than the workflow says it may be.",
            Self::KeyExpired => {
                "The destination may have forgotten the key of the earlier attempts: it would not recognise a repeat."
            }
            Self::SchemaFails => "It does not fit the step's schema: this sends it unedited all the same.",
        }
    }

    /// The rule behind it.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::NewEpoch => "R4",
            Self::KeyExpired => "R7",
            Self::VersionMoved | Self::SourceChanged | Self::TooOld | Self::SchemaFails => "R18",
        }
    }
}

/// How much protection a key still gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAge {
    /// No attempt that is in question carried it.
    Unused,
    /// The destination still knows it.
    RememberedUntil(DateTime<Utc>),
    /// It may have been forgotten: too long ago, or nobody knows when.
    Expired,
}

/// How old a key is (R7): counted from the earliest known start of the attempts that carried it; unknown counts as expired.
#[must_use]
pub fn key_age(
    started: impl IntoIterator<Item = Option<DateTime<Utc>>>,
    memory: Option<TimeDelta>,
    now: DateTime<Utc>,
) -> KeyAge {
    let mut earliest: Option<DateTime<Utc>> = None;
    for started_at in started {
        let Some(started_at) = started_at else { return KeyAge::Expired };
        earliest = Some(earliest.map_or(started_at, |earliest| earliest.min(started_at)));
    }
    let Some(earliest) = earliest else { return KeyAge::Unused };
    match memory.and_then(|memory| earliest.checked_add_signed(memory)) {
        Some(until) if now < until => KeyAge::RememberedUntil(until),
        _ => KeyAge::Expired,
    }
}

/// Recourse's own key for a revision in an epoch, where the automation's does not apply: the same whenever it is asked for.
#[must_use]
pub fn own_key(item: ItemId, revision: i64, epoch: i64) -> String {
    format!("recourse-{item}-r{revision}-e{epoch}")
}

/// What the decisions hang on.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'c> {
    /// The item's effect.
    pub effect: Effect,
    /// The version of the workflow that did the work.
    pub made_by_version: Option<&'c str>,
    /// Its version now.
    pub version_now: Option<&'c str>,
    /// The version of the source record that the revision was made from.
    pub made_from: Option<&'c str>,
    /// The source record's version now, as far as it was told.
    pub source_now: Option<&'c str>,
    /// When the work was done or came in, whichever was first.
    pub born: DateTime<Utc>,
    /// How old work may get.
    pub valid_for: Option<&'c Span>,
    /// Until when the automation said it is valid.
    pub valid_until: Option<DateTime<Utc>>,
    /// How old the key is that would be sent; none where the destination does not recognise keys.
    pub key: Option<KeyAge>,
}

/// What has to be accepted before this may be sent.
#[must_use]
pub fn demands(about: &Circumstances<'_>, now: DateTime<Utc>) -> Vec<Accept> {
    let differ = |made: Option<&str>, now: Option<&str>| matches!((made, now), (Some(made), Some(now)) if made != now);
    let moved = differ(about.made_by_version, about.version_now);
    let source_changed = differ(about.made_from, about.source_now);
    let outlived =
        about.valid_for.and_then(|span| about.born.checked_add_signed(span.delta())).is_some_and(|end| end < now);
    let too_old = outlived || about.valid_until.is_some_and(|until| until < now);
    [
        (about.effect == Effect::Compensated, Accept::NewEpoch),
        (moved, Accept::VersionMoved),
        (source_changed, Accept::SourceChanged),
        (too_old, Accept::TooOld),
        (about.key == Some(KeyAge::Expired), Accept::KeyExpired),
    ]
    .into_iter()
    .filter_map(|(demanded, accept)| demanded.then_some(accept))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hour)
    }

    #[test]
    fn r7_a_key_ages_from_the_earliest_start_and_an_unknown_start_counts_as_expired() {
        let day = Some(TimeDelta::hours(24));
        let age = |hours: &[Option<i64>], memory, now| key_age(hours.iter().map(|hour| hour.map(at)), memory, at(now));
        assert_eq!(age(&[], day, 1), KeyAge::Unused);
        assert_eq!(age(&[Some(5), Some(2)], day, 20), KeyAge::RememberedUntil(at(26)));
        assert_eq!(age(&[Some(5), Some(2)], day, 26), KeyAge::Expired);
        assert_eq!(age(&[Some(5), None], day, 6), KeyAge::Expired);
        assert_eq!(age(&[Some(5)], None, 5), KeyAge::Expired, "nobody says how long it remembers");
    }

    #[test]
    fn r18_stale_work_needs_its_own_decision() {
        let week: Span = "7d".parse().unwrap();
        let fresh = Circumstances {
            effect: Effect::None,
            made_by_version: Some("1"),
            version_now: Some("1"),
            made_from: Some("etag-1"),
            source_now: Some("etag-1"),
            born: at(0),
            valid_for: Some(&week),
            valid_until: None,
            key: Some(KeyAge::Unused),
        };
        assert_eq!(demands(&fresh, at(24 * 7)), []);
        assert_eq!(demands(&fresh, at(24 * 7) + TimeDelta::microseconds(1)), [Accept::TooOld]);
        assert_eq!(demands(&Circumstances { valid_until: Some(at(1)), ..fresh }, at(2)), [Accept::TooOld]);
        assert_eq!(demands(&Circumstances { version_now: Some("2"), ..fresh }, at(1)), [Accept::VersionMoved]);
        assert_eq!(demands(&Circumstances { made_by_version: None, version_now: Some("2"), ..fresh }, at(1)), []);
        assert_eq!(demands(&Circumstances { source_now: Some("etag-2"), ..fresh }, at(1)), [Accept::SourceChanged]);
        assert_eq!(demands(&Circumstances { made_from: None, source_now: Some("etag-2"), ..fresh }, at(1)), []);
        let all = Circumstances {
            effect: Effect::Compensated,
            version_now: Some("2"),
            valid_until: Some(at(1)),
            key: Some(KeyAge::Expired),
            ..fresh
        };
        assert_eq!(demands(&all, at(2)), [Accept::NewEpoch, Accept::VersionMoved, Accept::TooOld, Accept::KeyExpired]);
    }
}
