//! Requests to other systems: destinations, lookups, sources.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::{AnswerMeans, DestinationKind, Method, Pointer, Scalar, SecretName, StatusCode, Template};
use crate::span::Span;

/// A header's value: plain, or read from a secret when it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a header is a text, or { secret = \"RECOURSE_SECRET_…\", prefix = \"…\" }")]
pub enum HeaderValue {
    /// As written.
    Plain(String),
    /// From a secret.
    Secret(SecretHeader),
}

/// A header whose value is a secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretHeader {
    /// Its name.
    pub secret: SecretName,
    /// Put before it, such as `Bearer `.
    #[serde(default)]
    pub prefix: String,
}

/// A rule that looks at one place of a JSON answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerRule {
    /// Where to look.
    pub pointer: Pointer,
    /// What must be there; left out means anything.
    #[serde(default)]
    pub equals: Option<Scalar>,
}

/// Pauses between tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backoff {
    /// Before the second try.
    pub first: Span,
    /// How much longer each further pause is.
    #[serde(default)]
    pub factor: Option<u32>,
    /// The longest pause.
    #[serde(default)]
    pub max: Option<Span>,
}

/// Where a step is performed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    /// Who delivers.
    pub kind: DestinationKind,
    /// HTTP method; POST if left out.
    #[serde(default)]
    pub method: Option<Method>,
    /// Address, with placeholders in path segments and query values.
    #[serde(default)]
    pub url: Option<Template>,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// Secret for Standard Webhooks signatures.
    #[serde(default)]
    pub sign_secret: Option<SecretName>,
    /// Header that carries the idempotency key.
    #[serde(default)]
    pub key_header: Option<String>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// How long to wait for the outcome after a 202.
    #[serde(default)]
    pub accepted_deadline: Option<Span>,
    /// Tries that Recourse may make by itself.
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// Time within which it may make them.
    #[serde(default)]
    pub max_elapsed: Option<Span>,
    /// Pauses between them.
    #[serde(default)]
    pub backoff: Option<Backoff>,
    /// Requests per second to this destination.
    #[serde(default)]
    pub rate_per_second: Option<u32>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Meanings of single status codes.
    #[serde(default)]
    pub answers: BTreeMap<StatusCode, AnswerMeans>,
    /// What a success looks like.
    #[serde(default)]
    pub success: Option<AnswerRule>,
    /// Where the record's id stands in the answer.
    #[serde(default)]
    pub record_id: Option<Pointer>,
}

/// How to find out whether an effect happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Where the record's id stands when it is there.
    #[serde(default)]
    pub found: Option<AnswerRule>,
    /// What the answer looks like when it is not there.
    #[serde(default)]
    pub absent: Option<AnswerRule>,
    /// How long after an attempt "not there" begins to count (R4).
    #[serde(default)]
    pub settle: Option<Span>,
    /// How often "not there" must be confirmed (R4).
    #[serde(default)]
    pub confirmations: Option<u32>,
}

/// Where the source record's version is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Address.
    pub url: Template,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderValue>,
    /// How long to wait for an answer.
    #[serde(default)]
    pub timeout: Option<Span>,
    /// Whether loopback and private addresses may be called, where the settings allow them too.
    #[serde(default)]
    pub allow_private: bool,
    /// Where the version stands in the answer.
    pub version: Pointer,
}

impl Destination {
    /// How long an answer is waited for, its body included.
    #[must_use]
    pub fn timeout(&self) -> TimeDelta {
        self.timeout.as_ref().map_or(TimeDelta::seconds(10), Span::delta)
    }

    /// How long after "taken on" the outcome is waited for.
    #[must_use]
    pub fn accepted_deadline(&self) -> TimeDelta {
        self.accepted_deadline.as_ref().map_or(TimeDelta::minutes(15), Span::delta)
    }

    /// Its method.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method.unwrap_or(Method::Post)
    }

    /// The header that carries the key.
    #[must_use]
    pub fn key_header(&self) -> &str {
        self.key_header.as_deref().unwrap_or("Idempotency-Key")
    }
}

impl Lookup {
    /// How long an answer is waited for, its body included.
    #[must_use]
    pub fn timeout(&self) -> TimeDelta {
        self.timeout.as_ref().map_or(TimeDelta::seconds(10), Span::delta)
    }
}
