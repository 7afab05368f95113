//! The memory for idempotency keys, as Stripe documents it: the same key with the same parameters gets the first answer
//! again, with other parameters an error, and after some time the key is forgotten.

use std::collections::HashMap;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

use super::answer::Answer;

#[derive(Debug)]
pub(super) struct KeyMemory {
    remembers_for: Option<TimeDelta>,
    first: HashMap<String, First>,
}

#[derive(Debug)]
struct First {
    at: DateTime<Utc>,
    target: String,
    body: Bytes,
    answer: Answer,
}

/// What the memory says about a request.
#[derive(Debug)]
pub(super) enum Recall {
    Unknown,
    Same(Answer),
    OtherParameters,
}

impl KeyMemory {
    /// `None`: this system does not look at keys at all.
    pub(super) fn new(remembers_for: Option<TimeDelta>) -> Self {
        Self { remembers_for, first: HashMap::new() }
    }

    pub(super) fn recall(&self, key: Option<&str>, target: &str, body: &Bytes, now: DateTime<Utc>) -> Recall {
        let (Some(window), Some(first)) = (self.remembers_for, key.and_then(|key| self.first.get(key))) else {
            return Recall::Unknown;
        };
        if now - first.at > window {
            Recall::Unknown
        } else if first.target == target && first.body == *body {
            Recall::Same(first.answer.clone().with_header("idempotent-replayed", "true"))
        } else {
            Recall::OtherParameters
        }
    }

    pub(super) fn remember(
        &mut self,
        key: Option<&str>,
        target: &str,
        body: &Bytes,
        answer: &Answer,
        at: DateTime<Utc>,
    ) {
        if let (Some(_), Some(key)) = (self.remembers_for, key) {
            let first = First { at, target: target.to_owned(), body: body.clone(), answer: answer.clone() };
            self.first.insert(key.to_owned(), first);
        }
    }
}
