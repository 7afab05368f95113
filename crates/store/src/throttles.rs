//! Tries that are counted, in the database: every process counts together, and a restart forgets none.

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::PersonId;

use crate::{
    Result, Uow,
    sql::{execute, fetch_one, fetch_optional, statements},
};

statements! {
    // How far `due` may lie ahead is how many are let through at once; each moves it on by one interval.
    TAKE = "INSERT INTO throttle (bucket, due, turned_away) VALUES ($1, CAST($2 AS BIGINT) + $3, 0)
        ON CONFLICT (bucket) DO UPDATE SET due = (CASE WHEN throttle.due > $2 THEN throttle.due ELSE $2 END) + $3 WHERE throttle.due <= $4";
    TURN_AWAY = "UPDATE throttle SET turned_away = turned_away + 1 WHERE bucket = $1";
    DUE = "SELECT due FROM throttle WHERE bucket = $1";
    TURNED_AWAY = "SELECT turned_away FROM throttle WHERE bucket = $1 AND turned_away > 0";
    TELL = "UPDATE throttle SET turned_away = 0 WHERE bucket = $1";
    GIVE_BACK = "UPDATE throttle SET due = due - $2 WHERE bucket = $1";
    FORGET = "DELETE FROM throttle WHERE bucket = $1";
    FORGET_OLD = "DELETE FROM throttle WHERE due < $1 AND turned_away = 0";
    KNOW_ADDRESS = "INSERT INTO known_address (person_id, address, at) VALUES ($1, $2, $3) ON CONFLICT (person_id, address) DO UPDATE SET at = $3";
    KNOWS_ADDRESS = "SELECT COUNT(*) FROM known_address WHERE person_id = $1 AND address = $2 AND at > $3";
    FORGET_ADDRESSES = "DELETE FROM known_address WHERE at < $1";
    FORGET_ADDRESSES_OF = "DELETE FROM known_address WHERE person_id = $1";
}

/// How often something may be tried.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// At once.
    pub burst: i32,
    /// After that, one in this time.
    pub every: TimeDelta,
}

impl Pace {
    fn every(self) -> i64 {
        self.every.num_microseconds().unwrap_or(i64::MAX)
    }
}

impl Uow {
    /// Counts a try; the seconds to wait where there were too many, which is then not counted.
    pub async fn take_try(&mut self, bucket: &str, pace: Pace, now: DateTime<Utc>) -> Result<Result<(), i64>> {
        let (at, every) = (now.timestamp_micros(), pace.every());
        let ahead = at.saturating_add(every.saturating_mul(i64::from(pace.burst) - 1));
        if execute!(self, TAKE, bucket, at, every, ahead)? == 1 {
            return Ok(Ok(()));
        }
        execute!(self, TURN_AWAY, bucket)?;
        let due = fetch_optional!(self, (i64,), DUE, bucket)?.map_or(at, |(due,)| due);
        Ok(Err(due.saturating_sub(ahead).max(0).div_euclid(1_000_000) + 1))
    }

    /// How many were turned away since this was asked last.
    pub async fn turned_away(&mut self, bucket: &str) -> Result<i64> {
        let Some((count,)) = fetch_optional!(self, (i64,), TURNED_AWAY, bucket)? else { return Ok(0) };
        execute!(self, TELL, bucket)?;
        Ok(count)
    }

    /// Takes a try back: it was a good one.
    pub async fn give_try_back(&mut self, bucket: &str, pace: Pace) -> Result<()> {
        execute!(self, GIVE_BACK, bucket, pace.every()).map(drop)
    }

    /// Forgets the tries of a bucket.
    pub async fn forget_tries(&mut self, bucket: &str) -> Result<()> {
        execute!(self, FORGET, bucket).map(drop)
    }

    /// Removes what no longer holds anybody back, and addresses that were last used before `known_since`.
    pub async fn forget_old_tries(&mut self, now: DateTime<Utc>, known_since: DateTime<Utc>) -> Result<()> {
        execute!(self, FORGET_OLD, now.timestamp_micros())?;
        execute!(self, FORGET_ADDRESSES, known_since).map(drop)
    }

    /// Notes that a person signed in from an address.
    pub async fn know_address(&mut self, person: PersonId, address: &str, now: DateTime<Utc>) -> Result<()> {
        execute!(self, KNOW_ADDRESS, person.0, address, now).map(drop)
    }

    /// Whether a person signed in from an address after `since`.
    pub async fn knows_address(&mut self, person: PersonId, address: &str, since: DateTime<Utc>) -> Result<bool> {
        fetch_one!(self, (i64,), KNOWS_ADDRESS, person.0, address, since).map(|(count,)| count > 0)
    }

    /// Forgets from where a person signed in.
    pub async fn forget_addresses_of(&mut self, person: PersonId) -> Result<()> {
        execute!(self, FORGET_ADDRESSES_OF, person.0).map(drop)
    }
}
