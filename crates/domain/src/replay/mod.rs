//! Sending a revision again: what has to be decided first (R4, R7, R18), how an answer is read (R8), and when Recourse
//! may ask again by itself.

mod answer;
mod decisions;
pub mod lookup;
mod retry;

pub use answer::{Answer, Meaning, Verdict, failure_class, holds, meaning, read, record_at as value_at};
pub use decisions::{Accept, Circumstances, KeyAge, demands, key_age, own_key};
pub use retry::Retries;

use chrono::TimeDelta;

/// The first byte leaves within this time after "sending" was committed, or it never leaves (R6).
pub const FIRST_BYTE_WITHIN: TimeDelta = TimeDelta::seconds(5);

/// What a slow machine may take to write down an answer.
const WRITING_DOWN: TimeDelta = TimeDelta::seconds(10);

/// How long a send is left alone before another process may take it for lost: longer than it can take (R6).
#[must_use]
pub fn lease(timeout: TimeDelta) -> TimeDelta {
    FIRST_BYTE_WITHIN + timeout + WRITING_DOWN
}
