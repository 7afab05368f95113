//! Requests to other systems, as the use cases see them: who carries them out is wired in by the binary.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
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
    /// Whether http, which anybody on the way can read, is for private addresses only.
    pub plain_is_private: bool,
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

/// One e-mail.
#[derive(Debug, Clone)]
pub struct Letter {
    /// Names it: the same for every try.
    pub id: String,
    /// The name of whom it goes to.
    pub name: String,
    /// Their address.
    pub address: String,
    /// Its subject.
    pub subject: String,
    /// What it says, as plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// When it was written.
    pub at: DateTime<Utc>,
}

/// A letter was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTaken {
    /// Why, in a sentence.
    pub why: String,
    /// Whether another try is of no use.
    pub for_good: bool,
}

/// Hands letters to a mail server.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Hands one over, once.
    async fn mail(&self, letter: Letter) -> Result<(), NotTaken>;
}

/// How mailers are handed around.
pub type SharedMailer = Arc<dyn Mailer>;
