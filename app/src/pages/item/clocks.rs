//! Whether the automation's clock agrees with ours (R20).

use chrono::{DateTime, Datelike as _, TimeDelta, Utc};

use crate::age;

/// What is less than this apart counts as the same.
const TOLERATED: TimeDelta = TimeDelta::minutes(5);

/// How `reported` disagrees with `received`, in words; nothing where they agree.
pub(super) fn disagreement(reported: DateTime<Utc>, received: DateTime<Utc>) -> Option<String> {
    let ahead = reported - received;
    if reported.year() < 2000 || ahead > TimeDelta::days(366) {
        Some("can't be right: look at the automation's clock".to_owned())
    } else if ahead > TOLERATED {
        Some(format!("{} ahead of our clock", age::in_words(ahead.num_seconds())))
    } else if -ahead > TOLERATED {
        Some(format!("{} before the report came", age::in_words((-ahead).num_seconds())))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_minutes_are_tolerated_and_nonsense_is_called_so() {
        let received: DateTime<Utc> = "2026-11-29T10:00:00Z".parse().unwrap();
        let told = |reported: &str| disagreement(reported.parse().unwrap(), received);
        assert_eq!(told("2026-11-29T09:55:00Z"), None);
        assert_eq!(told("2026-11-29T10:05:00Z"), None);
        assert_eq!(told("2026-11-29T10:10:00Z").as_deref(), Some("10 min ahead of our clock"));
        assert_eq!(told("2025-10-25T10:00:00Z").as_deref(), Some("400 d before the report came"));
        for absurd in ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            assert_eq!(told(absurd).as_deref(), Some("can't be right: look at the automation's clock"));
        }
    }
}
