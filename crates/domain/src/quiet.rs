//! Quiet hours: when a person gets no e-mail, by the clock of their own zone.
//!
//! Where that clock is set back, what it shows twice counts as long as it shows it: quiet begins with the first and ends with
//! the last. Where it is set forward, what it never shows is the moment after the gap.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

use crate::refusal::{FieldProblem, Refusal};

/// From when until when, and in which zone. What ends before it begins, ends on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    from: NaiveTime,
    to: NaiveTime,
    zone: Tz,
}

/// A gap in the clock is never longer than this many minutes: some places have skipped a day.
const LONGEST_GAP: i64 = 25 * 60;

impl Quiet {
    /// Reads them as a person typed them; each mistake is told at its field.
    pub fn read(from: &str, to: &str, zone: &str) -> Result<Self, Refusal> {
        let time = |text: &str| NaiveTime::parse_from_str(text.trim(), "%H:%M").ok();
        let mut problems = Vec::new();
        let (begins, ends, place) = (time(from), time(to), zone.trim().parse::<Tz>().ok());
        for (read, pointer) in [(begins, "/quiet_from"), (ends, "/quiet_to")] {
            if read.is_none() {
                problems.push(FieldProblem::new(pointer, "Give a time of day such as 22:00."));
            }
        }
        if place.is_none() {
            problems.push(FieldProblem::new("/quiet_zone", "Give a time zone such as Europe/Oslo."));
        }
        if begins.is_some() && begins == ends {
            problems.push(FieldProblem::new("/quiet_to", "They must not end when they begin."));
        }
        match (begins, ends, place) {
            (Some(from), Some(to), Some(zone)) if problems.is_empty() => Ok(Self { from, to, zone }),
            _ => Err(Refusal::Invalid(problems)),
        }
    }

    /// When it begins, as a time of day.
    #[must_use]
    pub fn begins(&self) -> String {
        self.from.format("%H:%M").to_string()
    }

    /// When it ends, as a time of day.
    #[must_use]
    pub fn ends(&self) -> String {
        self.to.format("%H:%M").to_string()
    }

    /// The zone's name.
    #[must_use]
    pub fn zone(&self) -> &'static str {
        self.zone.name()
    }

    /// When the quiet that holds now is over; `None` where it is not quiet.
    #[must_use]
    pub fn until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let today = now.with_timezone(&self.zone).date_naive();
        let days = [today.checked_sub_days(Days::new(1)), Some(today)];
        days.into_iter().flatten().find_map(|day| {
            let last = if self.to > self.from { day } else { day.checked_add_days(Days::new(1))? };
            let (begins, ends) = (self.moment(day, self.from, false)?, self.moment(last, self.to, true)?);
            (begins <= now && now < ends).then_some(ends)
        })
    }

    /// When the zone's clock shows it; the last time where it does so twice.
    fn moment(&self, day: NaiveDate, time: NaiveTime, last: bool) -> Option<DateTime<Utc>> {
        let shown = day.and_time(time);
        (0..=LONGEST_GAP).find_map(|minutes| {
            let found = self.zone.from_local_datetime(&(shown + TimeDelta::minutes(minutes)));
            let found = if last { found.latest() } else { found.earliest() };
            found.map(|at| at.to_utc())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(from: &str, to: &str, zone: &str, now: &str) -> Option<String> {
        let quiet = Quiet::read(from, to, zone).unwrap();
        let until = quiet.until(now.parse().unwrap())?;
        Some(until.format("%Y-%m-%dT%H:%M:%SZ").to_string())
    }

    #[test]
    fn a_night_ends_in_the_morning_whichever_side_of_midnight_it_is() {
        let night = |now| until("22:00", "07:00", "Europe/Oslo", now);
        assert_eq!(night("2026-11-29T20:59:59Z"), None);
        assert_eq!(night("2026-11-29T21:00:00Z").as_deref(), Some("2026-11-30T06:00:00Z"));
        assert_eq!(night("2026-11-30T03:00:00Z").as_deref(), Some("2026-11-30T06:00:00Z"));
        assert_eq!(night("2026-11-30T06:00:00Z"), None);
        assert_eq!(until("12:00", "13:00", "UTC", "2026-11-29T12:30:00Z").as_deref(), Some("2026-11-29T13:00:00Z"));
        assert_eq!(until("12:00", "13:00", "UTC", "2026-11-29T13:00:00Z"), None);
        // Another year's first hours.
        assert_eq!(night("2026-12-31T23:30:00Z").as_deref(), Some("2027-01-01T06:00:00Z"));
    }

    #[test]
    fn the_nights_in_which_the_clock_is_set() {
        let night = |now| until("22:00", "07:00", "Europe/Oslo", now);
        // Forward, at 02:00 on 29 March 2026: an hour less.
        assert_eq!(night("2026-03-28T21:00:00Z").as_deref(), Some("2026-03-29T05:00:00Z"));
        // Back, at 03:00 on 25 October 2026: an hour more.
        assert_eq!(night("2026-10-24T20:00:00Z").as_deref(), Some("2026-10-25T06:00:00Z"));
    }

    #[test]
    fn a_time_that_the_clock_never_shows_is_the_moment_after_the_gap() {
        let ends = |now| until("22:00", "02:30", "Europe/Oslo", now);
        assert_eq!(ends("2026-03-29T00:30:00Z").as_deref(), Some("2026-03-29T01:00:00Z"));
        assert_eq!(ends("2026-03-29T01:00:00Z"), None);
        let begins = |now| until("02:30", "07:00", "Europe/Oslo", now);
        assert_eq!(begins("2026-03-29T00:59:59Z"), None);
        assert_eq!(begins("2026-03-29T01:00:00Z").as_deref(), Some("2026-03-29T05:00:00Z"));
    }

    #[test]
    fn a_time_that_the_clock_shows_twice_is_quiet_from_the_first_to_the_last() {
        let ends = |now| until("22:00", "02:30", "Europe/Oslo", now);
        assert_eq!(ends("2026-10-25T00:45:00Z").as_deref(), Some("2026-10-25T01:30:00Z"));
        assert_eq!(ends("2026-10-25T01:30:00Z"), None);
        let begins = |now| until("02:30", "07:00", "Europe/Oslo", now);
        assert_eq!(begins("2026-10-25T00:29:59Z"), None);
        assert_eq!(begins("2026-10-25T00:30:00Z").as_deref(), Some("2026-10-25T06:00:00Z"));
    }

    #[test]
    fn what_is_no_time_is_told_at_its_field() {
        let Err(Refusal::Invalid(problems)) = Quiet::read("25:00", "x", "Oslo") else { panic!("it is refused") };
        let pointers: Vec<_> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, ["/quiet_from", "/quiet_to", "/quiet_zone"]);
        assert!(Quiet::read("22:00", "22:00", "UTC").is_err());
        let quiet = Quiet::read("22:00", " 07:00", "Europe/Oslo").unwrap();
        assert_eq!((quiet.begins().as_str(), quiet.ends().as_str(), quiet.zone()), ("22:00", "07:00", "Europe/Oslo"));
    }
}
