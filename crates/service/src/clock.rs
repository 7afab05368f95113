//! The clock: the only place where the real time is read (R20).

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, in UTC and whole microseconds: what both databases keep.
    fn now(&self) -> DateTime<Utc>;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(6)
    }
}

/// A clock that stands still until it is moved, for tests.
#[derive(Debug)]
pub struct ManualClock(Mutex<DateTime<Utc>>);

impl ManualClock {
    /// Stands at `at`.
    #[must_use]
    pub fn at(at: DateTime<Utc>) -> Self {
        Self(Mutex::new(at.trunc_subsecs(6)))
    }

    /// Moves by `delta`, which may be negative.
    pub fn advance(&self, delta: TimeDelta) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += delta;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
