//! Requests to other systems, as the use cases see them: who carries them out is wired in by the binary.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use chrono::TimeDelta;
use domain::workflow::{HeaderValue, Method, SecretName};

/// One request, ready but for its secrets, which are read when it is sent.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Its method.
    pub method: Method,
    /// Its whole address.
    pub url: String,
    /// Headers as the workflow configures them.
    pub configured: Vec<(String, HeaderValue)>,
    /// Headers that Recourse adds; they win over configured ones of the same name.
    pub added: Vec<(String, String)>,
    /// How it is signed, if it is.
    pub signature: Option<Signature>,
    /// The exact bytes of its body.
    pub body: Vec<u8>,
    /// How long an answer is waited for, its body included.
    pub timeout: Duration,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    pub allow_private: bool,
}

/// A Standard Webhooks signature to be made.
#[derive(Debug, Clone)]
pub struct Signature {
    /// The secret's name.
    pub secret: SecretName,
    /// `webhook-id`: the same for every attempt with one key.
    pub id: String,
    /// `webhook-timestamp`, in seconds.
    pub timestamp: i64,
}

/// Nothing has left, for certain; why not, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotSent(pub String);

/// What came of sending.
#[derive(Debug, Clone)]
pub enum Sent {
    /// Nothing has left after all.
    Nothing(NotSent),
    /// Something has left, and no answer came that could be read.
    NoAnswer(String),
    /// There is an answer.
    Answered(Reply),
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its status code.
    pub status: u16,
    /// When it says to come again.
    pub retry_after: Option<TimeDelta>,
    /// Its content type.
    pub media_type: Option<String>,
    /// Its body, up to [`READ_AT_MOST`].
    pub body: Vec<u8>,
    /// More came, or should have come.
    pub cut: bool,
}

/// Bytes of an answer that are read; of these [`KEPT_AT_MOST`] are kept.
pub const READ_AT_MOST: usize = 1 << 20;
/// Bytes of an answer that are kept and shown.
pub const KEPT_AT_MOST: usize = 64 << 10;

/// Carries requests to other systems.
#[async_trait]
pub trait Courier: Send + Sync {
    /// Finds the address, checks that it may be called, and connects. No byte of the request leaves.
    async fn connect(&self, request: Outgoing) -> Result<Box<dyn Line>, NotSent>;
}

/// A connection on which one request can be sent, once.
#[async_trait]
pub trait Line: Send {
    /// Sends it, unless its first byte would leave after `first_byte_by` (R6).
    async fn send(self: Box<Self>, first_byte_by: Instant) -> Sent;
}

/// How requests are handed around.
pub type SharedCourier = Arc<dyn Courier>;
