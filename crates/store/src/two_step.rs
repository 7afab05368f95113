//! The second step of signing in, and recovery codes under a hash.

use chrono::{DateTime, Utc};
use domain::ids::PersonId;

use crate::{
    Result, Uow,
    sql::{execute, fetch_one, fetch_optional, statements},
};

statements! {
    BEGIN_TWO_STEP = "INSERT INTO two_step (person_id, secret, last_step, created_at) VALUES ($1, $2, 0, $3)
        ON CONFLICT (person_id) DO UPDATE SET secret = $2, created_at = $3 WHERE two_step.confirmed_at IS NULL";
    TWO_STEP = "SELECT secret, last_step, created_at, confirmed_at FROM two_step WHERE person_id = $1";
    USE_STEP = "UPDATE two_step SET last_step = $2 WHERE person_id = $1 AND last_step < $2";
    CONFIRM_TWO_STEP = "UPDATE two_step SET confirmed_at = $2 WHERE person_id = $1 AND confirmed_at IS NULL";
    REMOVE_TWO_STEP = "DELETE FROM two_step WHERE person_id = $1";
    INSERT_CODE = "INSERT INTO recovery_code (person_id, code_hash) VALUES ($1, $2)";
    USE_CODE = "UPDATE recovery_code SET used_at = $3 WHERE person_id = $1 AND code_hash = $2 AND used_at IS NULL";
    CODES_LEFT = "SELECT COUNT(*) FROM recovery_code WHERE person_id = $1 AND used_at IS NULL";
    REMOVE_CODES = "DELETE FROM recovery_code WHERE person_id = $1";
}

/// A person's second step.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct TwoStepRow {
    /// The secret that it shares with their authenticator.
    pub secret: Vec<u8>,
    /// The time step of the last code that was used.
    pub last_step: i64,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// Since when it is asked for; before that it is only being set up.
    pub confirmed_at: Option<DateTime<Utc>>,
}

impl Uow {
    /// Begins to set a second step up; `false` if one is in use.
    pub async fn begin_two_step(&mut self, person: PersonId, secret: &[u8], now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, BEGIN_TWO_STEP, person.0, secret, now)? == 1)
    }

    /// A person's second step, also one that is being set up.
    pub async fn two_step(&mut self, person: PersonId) -> Result<Option<TwoStepRow>> {
        fetch_optional!(self, TwoStepRow, TWO_STEP, person.0)
    }

    /// Uses the code of a time step up; `false` if it, or a later one, was used.
    pub async fn use_two_step(&mut self, person: PersonId, step: i64) -> Result<bool> {
        Ok(execute!(self, USE_STEP, person.0, step)? == 1)
    }

    /// From now on it is asked for.
    pub async fn confirm_two_step(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, CONFIRM_TWO_STEP, person.0, now).map(drop)
    }

    /// Takes the second step and its recovery codes away; `false` if there was none.
    pub async fn remove_two_step(&mut self, person: PersonId) -> Result<bool> {
        execute!(self, REMOVE_CODES, person.0)?;
        Ok(execute!(self, REMOVE_TWO_STEP, person.0)? == 1)
    }

    /// Replaces a person's recovery codes.
    pub async fn set_recovery_codes(&mut self, person: PersonId, hashes: &[[u8; 32]]) -> Result<()> {
        execute!(self, REMOVE_CODES, person.0)?;
        for hash in hashes {
            execute!(self, INSERT_CODE, person.0, &hash[..])?;
        }
        Ok(())
    }

    /// Uses a recovery code up; `false` if it is not one, or was used.
    pub async fn use_recovery_code(&mut self, person: PersonId, hash: &[u8], now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, USE_CODE, person.0, hash, now)? == 1)
    }

    /// How many recovery codes a person has left.
    pub async fn recovery_codes_left(&mut self, person: PersonId) -> Result<i64> {
        fetch_one!(self, (i64,), CODES_LEFT, person.0).map(|(count,)| count)
    }
}
