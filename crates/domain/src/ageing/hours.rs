//! Time as a team works it: only inside its hours, without its holidays, right on the days on which clocks are changed.

use std::collections::BTreeSet;

use chrono::{
    DateTime, Datelike as _, LocalResult, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Timelike as _, Utc,
};
use chrono_tz::Tz;

use crate::{
    span::Span,
    workflow::{Hours, Weekday},
};

/// Days that are looked at for the end of a target: who has no working day in ten years has none.
const DAYS: usize = 3_660;
/// Minutes a gap of a time zone may last: a whole day was left out once.
const LONGEST_GAP: usize = 1_500;

/// When a team works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkingTime {
    /// Around the clock.
    Always,
    /// Inside its hours.
    Within(Week),
}

/// A team's hours, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Week {
    zone: Tz,
    days: BTreeSet<Weekday>,
    from: NaiveTime,
    to: NaiveTime,
    holidays: BTreeSet<NaiveDate>,
}

impl WorkingTime {
    /// The hours of a workflow file; around the clock where there are none, or they say nothing.
    #[must_use]
    pub fn of(hours: Option<&Hours>) -> Self {
        let week = |hours: &Hours| {
            let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").ok();
            Some(Week {
                zone: hours.zone.as_str().parse().ok()?,
                days: hours.days.iter().copied().collect(),
                from: time(hours.from.as_str())?,
                to: time(hours.to.as_str())?,
                holidays: hours.holidays.iter().filter_map(|date| date.as_str().parse().ok()).collect(),
            })
        };
        hours.and_then(week).map_or(Self::Always, Self::Within)
    }

    /// The seconds that somebody works in `span`. Inside hours a day is a working day: "1d" ends at the same time of the next one.
    #[must_use]
    pub fn seconds_of(&self, span: &Span) -> i64 {
        match (self, span.days()) {
            (Self::Within(week), Some(days)) => days.saturating_mul((week.to - week.from).num_seconds()),
            _ => span.seconds(),
        }
    }

    /// When `seconds` of working time after `start` are over; nothing where that never comes.
    #[must_use]
    pub fn after(&self, start: DateTime<Utc>, seconds: i64) -> Option<DateTime<Utc>> {
        let end = match self {
            Self::Always => start.checked_add_signed(TimeDelta::try_seconds(seconds)?)?,
            Self::Within(week) => week.after(start, TimeDelta::try_seconds(seconds)?)?,
        };
        // Both databases order times up to the year 9999.
        (end.year() <= 9_998).then_some(end)
    }
}

impl Week {
    fn after(&self, start: DateTime<Utc>, mut left: TimeDelta) -> Option<DateTime<Utc>> {
        let first = start.with_timezone(&self.zone).date_naive();
        for date in first.iter_days().take(DAYS).filter(|date| self.is_worked(*date)) {
            let (opens, closes) = (self.instant(date, self.from, false)?, self.instant(date, self.to, true)?);
            let begin = opens.max(start);
            let length = closes - begin;
            if length < TimeDelta::zero() {
                continue;
            }
            // What is over exactly at closing time ends today.
            if left <= length {
                return Some(begin + left);
            }
            left -= length;
        }
        None
    }

    fn is_worked(&self, date: NaiveDate) -> bool {
        let day = match date.weekday() {
            chrono::Weekday::Mon => Weekday::Mon,
            chrono::Weekday::Tue => Weekday::Tue,
            chrono::Weekday::Wed => Weekday::Wed,
            chrono::Weekday::Thu => Weekday::Thu,
            chrono::Weekday::Fri => Weekday::Fri,
            chrono::Weekday::Sat => Weekday::Sat,
            chrono::Weekday::Sun => Weekday::Sun,
        };
        self.days.contains(&day) && !self.holidays.contains(&date)
    }

    /// A time of day there. Of a time that is there twice, hours begin with the first and end with the second; one that is
    /// left out is the first moment after the gap.
    fn instant(&self, date: NaiveDate, time: NaiveTime, ends: bool) -> Option<DateTime<Utc>> {
        let mut at = date.and_time(time);
        for _ in 0..LONGEST_GAP {
            let local = self.zone.with_ymd_and_hms(at.year(), at.month(), at.day(), at.hour(), at.minute(), 0);
            match local {
                LocalResult::Single(found) => return Some(found.to_utc()),
                LocalResult::Ambiguous(first, second) => return Some(if ends { second } else { first }.to_utc()),
                LocalResult::None => at += TimeDelta::minutes(1),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::Definition;

    fn hours(zone: &str, from: &str, to: &str, days: &str, holidays: &str) -> WorkingTime {
        let source = format!(
            "[workflow]\nkey = \"w\"\nname = \"W\"\nowner_team = \"t\"\nversion = \"1\"\n[workflow.hours]\nzone = \"{zone}\"\n\
             days = [{days}]\nfrom = \"{from}\"\nto = \"{to}\"\nholidays = [{holidays}]\n"
        );
        let definition: Definition = toml::from_str(&source).unwrap();
        WorkingTime::of(definition.workflow.hours.as_ref())
    }

    const WEEK: &str = "\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"";
    const EVERY: &str = "\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"";

    fn ends(hours: &WorkingTime, start: &str, span: &str) -> String {
        let span = span.parse().unwrap();
        let end = hours.after(start.parse().unwrap(), hours.seconds_of(&span));
        end.map_or_else(|| "never".to_owned(), |end| end.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
    }

    #[test]
    fn targets_count_only_while_the_team_works() {
        let oslo = hours("Europe/Oslo", "08:00", "17:00", WEEK, "");
        // Inside the day, over the night, over the weekend; before the day begins and after it ended.
        assert_eq!(ends(&oslo, "2026-11-30T09:00:00Z", "4h"), "2026-11-30T13:00:00Z");
        assert_eq!(ends(&oslo, "2026-11-30T15:30:00Z", "30m"), "2026-11-30T16:00:00Z", "exactly at closing time");
        assert_eq!(ends(&oslo, "2026-11-30T15:30:00Z", "31m"), "2026-12-01T07:01:00Z");
        assert_eq!(ends(&oslo, "2026-12-04T15:00:00Z", "4h"), "2026-12-07T10:00:00Z", "Friday to Monday");
        assert_eq!(ends(&oslo, "2026-12-05T03:00:00Z", "1h"), "2026-12-07T08:00:00Z", "on a Saturday");
        assert_eq!(ends(&oslo, "2026-11-30T02:00:00Z", "0m"), "2026-11-30T07:00:00Z", "at once is when they begin");
        assert_eq!(ends(&oslo, "2026-11-30T22:00:00Z", "1h"), "2026-12-01T08:00:00Z");
    }

    #[test]
    fn a_day_is_a_working_day_and_without_hours_24_hours() {
        let oslo = hours("Europe/Oslo", "08:00", "17:00", WEEK, "");
        assert_eq!(ends(&oslo, "2026-12-03T10:00:00Z", "1d"), "2026-12-04T10:00:00Z");
        assert_eq!(ends(&oslo, "2026-12-04T10:00:00Z", "1d"), "2026-12-07T10:00:00Z");
        assert_eq!(
            ends(&oslo, "2026-12-03T10:00:00Z", "24h"),
            "2026-12-07T16:00:00Z",
            "hours are hours of work: six, nine and nine"
        );
        assert_eq!(ends(&WorkingTime::Always, "2026-12-04T10:00:00Z", "1d"), "2026-12-05T10:00:00Z");
    }

    #[test]
    fn holidays_and_the_year_s_end_are_left_out() {
        let free = "\"2026-12-24\", \"2026-12-25\", \"2026-12-31\", \"2027-01-01\"";
        let oslo = hours("Europe/Oslo", "08:00", "17:00", WEEK, free);
        assert_eq!(ends(&oslo, "2026-12-23T15:00:00Z", "2h"), "2026-12-28T08:00:00Z");
        assert_eq!(ends(&oslo, "2026-12-30T15:00:00Z", "2h"), "2027-01-04T08:00:00Z");
        assert_eq!(ends(&oslo, "2026-12-30T15:00:00Z", "3d"), "2027-01-06T15:00:00Z");
    }

    #[test]
    fn clocks_that_change_neither_add_nor_take_working_time() {
        // Oslo: 2026-10-25 03:00 becomes 02:00, 2027-03-28 02:00 becomes 03:00. The day begins an hour later, or earlier, by UTC.
        let oslo = hours("Europe/Oslo", "08:00", "17:00", EVERY, "");
        assert_eq!(ends(&oslo, "2026-10-24T14:00:00Z", "2h"), "2026-10-25T08:00:00Z");
        assert_eq!(ends(&oslo, "2027-03-27T15:00:00Z", "2h"), "2027-03-28T07:00:00Z");
        // Who works through the night works an hour more in autumn, and one less in spring.
        let night = hours("Europe/Oslo", "00:00", "06:00", EVERY, "");
        assert_eq!(ends(&night, "2026-10-24T22:00:00Z", "7h"), "2026-10-25T05:00:00Z");
        assert_eq!(ends(&night, "2027-03-27T23:00:00Z", "5h"), "2027-03-28T04:00:00Z");
        // Hours that begin or end at a time that is left out, or is there twice.
        let edge = hours("Europe/Oslo", "02:30", "04:00", EVERY, "");
        assert_eq!(ends(&edge, "2027-03-27T22:00:00Z", "1h"), "2027-03-28T02:00:00Z", "03:00 to 04:00 is left");
        let edge = hours("Europe/Oslo", "01:00", "02:30", EVERY, "");
        assert_eq!(ends(&edge, "2026-10-24T22:00:00Z", "150m"), "2026-10-25T01:30:00Z", "until the second 02:30");
        // The other side of the world, and half-hour zones.
        let lord_howe = hours("Australia/Lord_Howe", "08:00", "16:00", EVERY, "");
        assert_eq!(ends(&lord_howe, "2026-10-03T05:00:00Z", "1h"), "2026-10-03T21:30:00Z");
        // Samoa left 2011-12-30 out.
        let apia = hours("Pacific/Apia", "08:00", "17:00", EVERY, "");
        assert_eq!(ends(&apia, "2011-12-30T02:00:00Z", "2h"), "2011-12-30T19:00:00Z");
    }

    #[test]
    fn what_never_comes_is_said_so() {
        let never = hours("Europe/Oslo", "08:00", "08:01", "\"mon\"", "");
        assert_eq!(ends(&never, "2026-12-01T00:00:00Z", "100h"), "never");
        assert_eq!(ends(&WorkingTime::Always, "9998-12-31T00:00:00Z", "7d"), "never");
    }
}
