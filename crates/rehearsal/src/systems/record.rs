//! What a system writes down: the requests it got and the records it keeps.

use axum::http::HeaderMap;
use bytes::Bytes;
use chrono::{DateTime, Utc};

use super::Fault;

/// One request, as it arrived, whatever became of it.
#[derive(Debug, Clone)]
pub struct Receipt {
    /// From 1, in the order of arrival at this system.
    pub number: u64,
    pub at: DateTime<Utc>,
    pub method: String,
    /// Path and query.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// The value of `Idempotency-Key`, or of `X-Request-Key` where that one is absent.
    pub key: Option<String>,
    /// 1 for the first writing request with this key, 2 for the next; 0 for requests without a key and for lookups.
    pub nth_with_key: u32,
    /// The fault this request met.
    pub fault: Option<Fault>,
    /// Whether a record was made or changed because of it.
    pub kept: bool,
}

impl Receipt {
    /// A header's value, when it is there and UTF-8.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.headers.get(name)?.as_bytes()).ok()
    }

    /// The Standard Webhooks message id.
    #[must_use]
    pub fn webhook_id(&self) -> Option<&str> {
        self.header("webhook-id")
    }
}

/// One business record: an invoice, a contact, a message, a shipment, a reversal.
#[derive(Debug, Clone)]
pub struct Record {
    pub id: String,
    /// `invoice`, `reversal`, `contact`, `message`, `shipment`, `cancellation` or `line` (the sink's).
    pub kind: &'static str,
    /// The idempotency key it was made with.
    pub key: Option<String>,
    /// What the business calls it: an invoice number, an external key, an order name.
    pub reference: Option<String>,
    pub status: String,
    /// Grows with every change, from 1.
    pub version: u32,
    pub media_type: Option<String>,
    /// Exact bytes of every request that made or changed it, oldest first.
    pub bodies: Vec<Bytes>,
    /// Number of the [`Receipt`] that made it.
    pub receipt: u64,
    pub kept_at: DateTime<Utc>,
    /// Answered with 202 and not carried out yet.
    pub pending: bool,
}

impl Record {
    /// The bytes it holds now.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.bodies.last().map_or(&[], |body| body.as_ref())
    }

    pub(super) fn matches_key(&self, key: &str) -> bool {
        !self.pending && self.key.as_deref() == Some(key)
    }
}
