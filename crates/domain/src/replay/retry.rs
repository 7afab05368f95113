//! When Recourse may ask again by itself: only where R8 allows it, a bounded number of times, in a bounded time.

use chrono::{DateTime, TimeDelta, Utc};

use crate::workflow::Destination;

/// How late a sender may be with a try that was due in time.
const LATE: TimeDelta = TimeDelta::minutes(5);

/// The limits and pauses of one destination.
#[derive(Debug, Clone, Copy)]
pub struct Retries {
    at_most: u32,
    within: TimeDelta,
    first: TimeDelta,
    factor: u32,
    longest: TimeDelta,
}

impl From<&Destination> for Retries {
    fn from(to: &Destination) -> Self {
        let backoff = to.backoff.as_ref();
        Self {
            at_most: to.max_attempts.unwrap_or(3),
            within: to.max_elapsed.as_ref().map_or(TimeDelta::minutes(5), |span| span.delta()),
            first: backoff.map_or(TimeDelta::seconds(5), |backoff| backoff.first.delta()),
            factor: backoff.and_then(|backoff| backoff.factor).unwrap_or(4),
            longest: backoff.and_then(|b| b.max.as_ref()).map_or(TimeDelta::minutes(2), |span| span.delta()),
        }
    }
}

impl Retries {
    /// Whether the time in which Recourse may try again by itself has passed.
    #[must_use]
    pub fn are_over(&self, first_try: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        // A pause that ended at the limit is still in time when the sender gets to it.
        first_try.checked_add_signed(self.within + LATE).is_some_and(|end| now > end)
    }

    /// Tries at most, the first included.
    #[must_use]
    pub const fn at_most(&self) -> u32 {
        self.at_most
    }

    /// Within which time, from the first one on.
    #[must_use]
    pub const fn within(&self) -> TimeDelta {
        self.within
    }

    /// When the next try is due; `None` where the limits are reached. `jitter` is anything from 0 to 1: it stretches the
    /// pause by up to a fifth, so that what failed together does not return together. A destination that asks to wait is
    /// never asked sooner.
    #[must_use]
    pub fn next(
        &self,
        tries: u32,
        first_try: DateTime<Utc>,
        asked_to_wait: Option<TimeDelta>,
        jitter: f64,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        if tries >= self.at_most {
            return None;
        }
        let doublings = tries.saturating_sub(1);
        let factor = i32::try_from(self.factor.checked_pow(doublings).unwrap_or(u32::MAX)).unwrap_or(i32::MAX);
        let pause = self.first.checked_mul(factor).unwrap_or(self.longest).min(self.longest);
        let fifth = pause.num_milliseconds() / 5;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "a fraction of a pause, in milliseconds"
        )]
        let stretched = pause + TimeDelta::milliseconds((fifth as f64 * jitter.clamp(0.0, 1.0)) as i64);
        let due = now.checked_add_signed(stretched.max(asked_to_wait.unwrap_or_default()))?;
        (due <= first_try.checked_add_signed(self.within)?).then_some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(n)
    }
    fn after(tries: u32, wait: Option<i64>, jitter: f64, now: i64) -> Option<i64> {
        let retries = Retries {
            at_most: 4,
            within: TimeDelta::seconds(300),
            first: TimeDelta::seconds(5),
            factor: 4,
            longest: TimeDelta::seconds(60),
        };
        let due = retries.next(tries, seconds(0), wait.map(TimeDelta::seconds), jitter, seconds(now))?;
        Some((due - seconds(0)).num_seconds())
    }

    #[test]
    fn r8_pauses_grow_are_stretched_and_end() {
        assert_eq!(after(1, None, 0.0, 0), Some(5));
        assert_eq!(after(2, None, 0.0, 5), Some(25));
        assert_eq!(after(3, None, 0.0, 25), Some(85), "never longer than the longest pause");
        assert_eq!(after(3, None, 1.0, 25), Some(97));
        assert_eq!(after(4, None, 0.0, 85), None, "four tries were all");
        assert_eq!(after(1, Some(120), 0.0, 0), Some(120), "the destination is not asked sooner than it wants");
        assert_eq!(after(1, Some(301), 0.0, 0), None, "not within the time there is");
        assert_eq!(after(1, Some(i64::MAX / 1_000), 0.0, 0), None);
    }
}
