//! Compensation plans: how an effect can be made good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    AnswerMeans, AnswerRule, Backoff, Destination, DestinationKind, HeaderValue, Key, Lookup, Method, ParamType,
    Pointer, Scalar, SecretName, StatusCode, Template, Undoes,
};
use crate::span::Span;

/// How an effect can be made good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compensation {
    /// Names the plan.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What it can't undo, in words.
    pub cannot_undo: String,
    /// Whether a confirmed one opens a new epoch; `part` if left out.
    #[serde(default = "part")]
    pub undoes: Undoes,
    /// How many must approve; 1 if left out.
    #[serde(default = "one")]
    pub approvers: u32,
    /// How long an approval lasts.
    #[serde(default)]
    pub approval_expires: Option<Span>,
    /// Must hold at request, decision and before dispatch.
    #[serde(default)]
    pub only_if: Option<Condition>,
    /// What the requester fills in.
    #[serde(default, rename = "param")]
    pub params: Vec<Param>,
    /// What is sent, in order.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
}

const fn part() -> Undoes {
    Undoes::Part
}
const fn one() -> u32 {
    1
}

/// A condition on another system's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
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
    /// Where to look.
    pub pointer: Pointer,
    /// What must be there.
    pub equals: Scalar,
}

/// A parameter that the requester of a compensation fills in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name in templates.
    pub key: Key,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// The least value, or the fewest characters.
    #[serde(default)]
    pub min: Option<Scalar>,
    /// The greatest value, or the most characters.
    #[serde(default)]
    pub max: Option<Scalar>,
    /// What may be chosen.
    #[serde(default)]
    pub choices: Vec<String>,
}

/// One request of a compensation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Names it among the parts.
    pub name: Key,
    /// HTTP method; POST if left out.
    #[serde(default)]
    pub method: Option<Method>,
    /// Address.
    pub url: Template,
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
    /// What is sent; a text that is exactly one placeholder becomes the raw token.
    #[serde(default)]
    pub body: Option<serde_json::Value>,
    /// How to find out whether it happened.
    #[serde(default)]
    pub lookup: Option<Lookup>,
}

impl Part {
    /// Where it is sent, in the shape that every request is sent by.
    #[must_use]
    pub fn destination(&self) -> Destination {
        Destination {
            kind: DestinationKind::Http,
            method: self.method,
            url: Some(self.url.clone()),
            headers: self.headers.clone(),
            sign_secret: self.sign_secret.clone(),
            key_header: self.key_header.clone(),
            timeout: self.timeout.clone(),
            accepted_deadline: self.accepted_deadline.clone(),
            max_attempts: self.max_attempts,
            max_elapsed: self.max_elapsed.clone(),
            backoff: self.backoff.clone(),
            rate_per_second: self.rate_per_second,
            allow_private: self.allow_private,
            answers: self.answers.clone(),
            success: self.success.clone(),
            record_id: self.record_id.clone(),
        }
    }
}
