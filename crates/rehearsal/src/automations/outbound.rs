//! Sending one document to another system: bounded waiting, bounded repeats, and a note of every try.

use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, StatusCode, header};
use serde_json::Value;

use super::Document;
use crate::outgoing;

/// How long an automation waits, and how long it says it waited.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Really waited for an answer.
    pub patience: Duration,
    /// Waited for an answer, according to the report.
    pub told: TimeDelta,
    /// Tries at most.
    pub tries: u32,
    /// Really waited between tries.
    pub pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            patience: Duration::from_millis(600),
            told: TimeDelta::seconds(10),
            tries: 3,
            pause: Duration::from_millis(50),
        }
    }
}

/// Outgoing calls of one automation.
#[derive(Debug, Clone)]
pub struct Outbound {
    http: reqwest::Client,
    pace: Pace,
}

/// One call to make.
pub(super) struct Letter<'a> {
    pub(super) method: Method,
    pub(super) url: String,
    pub(super) key: &'a str,
    pub(super) document: &'a Document,
}

/// One try and its end.
#[derive(Debug, Clone)]
pub(super) struct Try {
    pub(super) number: u32,
    pub(super) started_at: DateTime<Utc>,
    pub(super) finished_at: DateTime<Utc>,
    pub(super) end: End,
}

#[derive(Debug, Clone)]
pub(super) enum End {
    Answered {
        status: StatusCode,
        retry_after: bool,
        body: Bytes,
    },
    /// Written, and nothing came back in time.
    NoAnswer,
    /// The connection broke after the first byte.
    Broken,
    /// No connection could be made.
    NotSent,
}

impl End {
    /// Known to have had no effect, and worth another try.
    fn may_be_repeated(&self) -> bool {
        match self {
            Self::Answered { status, retry_after, .. } => {
                *status == StatusCode::TOO_MANY_REQUESTS || (*status == StatusCode::SERVICE_UNAVAILABLE && *retry_after)
            }
            Self::NotSent => true,
            Self::NoAnswer | Self::Broken => false,
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Answered { body, .. } => serde_json::from_slice(body).unwrap_or_default(),
            _ => Value::Null,
        }
    }
}

impl Outbound {
    /// # Errors
    /// When the HTTP client cannot be set up.
    pub fn new(pace: Pace) -> reqwest::Result<Self> {
        Ok(Self { http: outgoing::http_client(pace.patience)?, pace })
    }

    /// How long its reports say it waits for an answer, in seconds.
    pub(super) fn told_seconds(&self) -> i64 {
        self.pace.told.num_seconds()
    }

    /// Sends until it is settled, uncertain or tried often enough. At least one try is returned, oldest first.
    pub(super) async fn deliver(&self, letter: &Letter<'_>, first_at: DateTime<Utc>) -> Vec<Try> {
        let mut tries = Vec::new();
        let mut started_at = first_at;
        for number in 1..=self.pace.tries.max(1) {
            let end = self.send(letter).await;
            let finished_at = started_at + self.told_duration(&end);
            let again = end.may_be_repeated();
            tries.push(Try { number, started_at, finished_at, end });
            if !again {
                break;
            }
            started_at = finished_at + TimeDelta::seconds(5 * i64::from(number).pow(2));
            tokio::time::sleep(self.pace.pause).await;
        }
        tries
    }

    async fn send(&self, letter: &Letter<'_>) -> End {
        let request = self
            .http
            .request(letter.method.clone(), &letter.url)
            .header(header::CONTENT_TYPE, &letter.document.media_type)
            .header("idempotency-key", letter.key.as_bytes())
            .body(letter.document.bytes.clone());
        let answer = match request.send().await {
            Ok(answer) => answer,
            // A key that no header can carry is a request that could not be built.
            Err(error) if error.is_connect() || error.is_builder() => return End::NotSent,
            Err(error) if error.is_timeout() => return End::NoAnswer,
            Err(_) => return End::Broken,
        };
        let status = answer.status();
        let retry_after = answer.headers().contains_key(header::RETRY_AFTER);
        match answer.bytes().await {
            Ok(body) => End::Answered { status, retry_after, body },
            Err(error) if error.is_timeout() => End::NoAnswer,
            Err(_) => End::Broken,
        }
    }

    fn told_duration(&self, end: &End) -> TimeDelta {
        match end {
            End::Answered { .. } => TimeDelta::milliseconds(420),
            End::NoAnswer => self.pace.told,
            End::Broken => TimeDelta::milliseconds(2_310),
            End::NotSent => TimeDelta::milliseconds(35),
        }
    }
}
