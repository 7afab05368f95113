//! The books of one system: requests, records, remembered keys and fault rules behind one lock, so that "count, decide, keep"
//! is one step.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

use super::{Fault, Receipt, Record, faults::Rule, incoming::Incoming, keys::KeyMemory};
use crate::Now;

pub(super) struct Books {
    now: Now,
    pages: Mutex<Pages>,
}

#[derive(Debug)]
pub(super) struct Pages {
    pub(super) receipts: Vec<Receipt>,
    pub(super) records: Vec<Record>,
    pub(super) keys: KeyMemory,
    pub(super) rules: Vec<Rule>,
}

impl std::fmt::Debug for Books {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Books").field("pages", &self.pages).finish_non_exhaustive()
    }
}

impl Books {
    pub(super) fn new(now: Now, remembers_keys_for: Option<TimeDelta>) -> Self {
        let keys = KeyMemory::new(remembers_keys_for);
        let pages = Pages { receipts: Vec::new(), records: Vec::new(), keys, rules: Vec::new() };
        Self { now, pages: Mutex::new(pages) }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        (self.now)()
    }

    pub(super) fn open(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a new record starts with.
pub(super) struct Fresh<'a> {
    pub(super) prefix: &'a str,
    pub(super) kind: &'static str,
    pub(super) status: &'a str,
    pub(super) reference: Option<String>,
}

impl Pages {
    /// Writes the request down and says its number.
    pub(super) fn note(&mut self, request: &Incoming, fault: Option<Fault>, at: DateTime<Utc>) -> u64 {
        let number = self.receipts.len() as u64 + 1;
        let writing = writes(request);
        let key = request.key().map(str::to_owned);
        let earlier = self.receipts.iter().rev().find(|receipt| receipt.nth_with_key > 0 && receipt.key == key);
        let nth_with_key =
            if writing && key.is_some() { earlier.map_or(0, |receipt| receipt.nth_with_key) + 1 } else { 0 };
        self.receipts.push(Receipt {
            number,
            at,
            method: request.method.to_string(),
            target: request.target(),
            headers: request.headers.clone(),
            body: request.body.clone(),
            key,
            nth_with_key,
            fault,
            kept: false,
        });
        number
    }

    /// The fault this request meets; a rule that was for a number of requests is one shorter afterwards.
    pub(super) fn next_fault(&mut self, request: &Incoming) -> Option<Fault> {
        let writing = writes(request);
        let fits = |rule: &Rule| {
            rule.fault.concerns(writing) && rule.mentions.as_deref().is_none_or(|text| request.mentions(text))
        };
        let position = self.rules.iter().position(fits)?;
        let rule = self.rules.get_mut(position)?;
        let fault = rule.fault.clone();
        if let Some(left) = rule.left.as_mut() {
            *left -= 1;
            if *left == 0 {
                self.rules.remove(position);
            }
        }
        Some(fault)
    }

    /// Keeps a new record made by the request noted last, and says its id.
    pub(super) fn keep(&mut self, fresh: Fresh<'_>, request: &Incoming) -> String {
        let id = format!("{}-{}", fresh.prefix, 100_001 + self.records.len());
        let (receipt, kept_at) = self.receipts.last().map_or((0, DateTime::UNIX_EPOCH), |last| (last.number, last.at));
        self.mark_kept();
        self.records.push(Record {
            id: id.clone(),
            kind: fresh.kind,
            key: request.key().map(str::to_owned),
            reference: fresh.reference,
            status: fresh.status.to_owned(),
            version: 1,
            media_type: request.media_type().map(str::to_owned),
            bodies: vec![request.body.clone()],
            receipt,
            kept_at,
            pending: false,
        });
        id
    }

    /// Changes a record because of the request noted last.
    pub(super) fn change(&mut self, id: &str, status: Option<&str>, body: Option<&Bytes>) -> Option<&Record> {
        self.mark_kept();
        let record = self.records.iter_mut().find(|record| record.id == id)?;
        record.version += 1;
        if let Some(status) = status {
            status.clone_into(&mut record.status);
        }
        record.bodies.extend(body.cloned());
        Some(record)
    }

    pub(super) fn find(&self, kind: &str, id: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.kind == kind && record.id == id && !record.pending)
    }

    fn mark_kept(&mut self) {
        if let Some(receipt) = self.receipts.last_mut() {
            receipt.kept = true;
        }
    }
}

pub(super) fn writes(request: &Incoming) -> bool {
    !request.method.is_safe()
}
