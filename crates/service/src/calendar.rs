//! The times that both databases can compare.

use chrono::{DateTime, Datelike as _, Utc};

/// A time from an address; one outside the years 0001 to 9999 becomes the nearest inside.
pub(crate) fn within(at: DateTime<Utc>) -> DateTime<Utc> {
    let (first, last) = (-62_135_596_800_000_000, 253_402_300_799_999_999);
    let nearest = match at.year() {
        ..1 => first,
        1..=9_999 => return at,
        _ => last,
    };
    DateTime::from_timestamp_micros(nearest).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_the_calendar_become_its_ends() {
        for (text, nearest) in [
            ("-262143-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
            ("+10000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(within(text.parse().unwrap()), nearest.parse::<DateTime<Utc>>().unwrap(), "{text}");
        }
    }
}
