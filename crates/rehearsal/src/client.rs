//! Recourse's public API for automations, as an integration uses it.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url, header};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    outgoing,
    report::{Attempt, Payload, Report},
};

const TIMEOUT: Duration = Duration::from_secs(30);

/// One automation's access to Recourse.
#[derive(Debug, Clone)]
pub struct Recourse {
    http: reqwest::Client,
    base_url: Url,
    token: String,
}

/// The answer to a report.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Reported {
    pub id: String,
    pub created: bool,
    pub state: String,
    pub effect: String,
    pub url: String,
}

/// An RFC 9457 answer, as far as an automation reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Problem {
    pub code: String,
    pub title: String,
    pub detail: Option<String>,
    /// Where a refused report is kept.
    pub quarantine_id: Option<String>,
}

/// A stored payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPayload {
    pub bytes: Bytes,
    pub media_type: Option<String>,
    /// The `Repr-Digest` header.
    pub digest: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("the address of Recourse is not usable")]
    Address,
    #[error("Recourse could not be reached")]
    Unreachable(#[from] reqwest::Error),
    #[error("Recourse refused with {status}: {} ({})", problem.title, problem.code)]
    Refused { status: StatusCode, problem: Problem },
    #[error("the answer could not be read")]
    Answer(#[source] serde_json::Error),
    #[error("the report could not be written")]
    Report(#[source] serde_json::Error),
}

pub type Result<T> = std::result::Result<T, ClientError>;

impl Recourse {
    /// # Errors
    /// When the address is not a URL.
    pub fn new(base_url: &str, token: &str) -> Result<Self> {
        let base_url = Url::parse(base_url).map_err(|_| ClientError::Address)?;
        Ok(Self { http: outgoing::http_client(TIMEOUT)?, base_url, token: token.to_owned() })
    }

    /// Reports one piece of work with its payload.
    ///
    /// # Errors
    /// When Recourse refuses or cannot be reached; so for all calls here.
    pub async fn report(&self, report: &Report, payload: &Payload) -> Result<Reported> {
        self.report_text(report.text(payload).map_err(ClientError::Report)?).await
    }

    /// Reports with a text made elsewhere, right or wrong.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn report_text(&self, text: impl Into<Bytes>) -> Result<Reported> {
        read(self.post("/api/v1/items").body(text.into()).send().await?).await
    }

    /// Reports with the payload as the request's body and everything else in the `Recourse-Item` header.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn report_with_body(
        &self,
        report: &Report,
        media_type: &str,
        payload: impl Into<Bytes>,
    ) -> Result<Reported> {
        let envelope = report.envelope().map_err(ClientError::Report)?;
        let request = self
            .request(Method::POST, "/api/v1/items")
            .header("recourse-item", BASE64_URL_SAFE_NO_PAD.encode(envelope))
            .header(header::CONTENT_TYPE, media_type)
            .body(payload.into());
        read(request.send().await?).await
    }

    /// Reports many at once (`{"items": [...]}`); one result each, in order.
    ///
    /// # Errors
    /// As [`Recourse::report`]; a refused member is not an error.
    pub async fn report_batch(&self, reports: &[(Report, Payload)]) -> Result<Vec<Value>> {
        let mut text = br#"{"items":["#.to_vec();
        for (at, (report, payload)) in reports.iter().enumerate() {
            if at > 0 {
                text.push(b',');
            }
            text.extend(report.text(payload).map_err(ClientError::Report)?);
        }
        text.extend_from_slice(b"]}");
        let answer: Value = read(self.post("/api/v1/items/batch").body(text).send().await?).await?;
        let results = answer.get("items").or_else(|| answer.get("results")).and_then(Value::as_array);
        Ok(results.cloned().unwrap_or_default())
    }

    /// Says that a further attempt started (no `finished_at`; it holds the activity for `lease_s`) or finished.
    ///
    /// # Errors
    /// As [`Recourse::report`]; 409 `in_progress` when something else is live.
    pub async fn attempt(&self, item: &str, attempt: &Attempt, lease_s: Option<u32>) -> Result<Value> {
        let mut body = serde_json::to_value(attempt).map_err(ClientError::Report)?;
        if let (Some(lease_s), Some(body)) = (lease_s, body.as_object_mut()) {
            body.insert("lease_s".to_owned(), lease_s.into());
        }
        read(self.post(&format!("/api/v1/items/{item}/attempts")).body(body.to_string()).send().await?).await
    }

    /// Sends later news: `source_version`, `evidence`, `proposed_action` or `succeeded`.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn patch(&self, item: &str, news: &Value) -> Result<Value> {
        let request = self.request(Method::PATCH, &format!("/api/v1/items/{item}"));
        read(request.header(header::CONTENT_TYPE, "application/json").body(news.to_string()).send().await?).await
    }

    /// # Errors
    /// As [`Recourse::report`].
    pub async fn item(&self, item: &str) -> Result<Value> {
        read(self.request(Method::GET, &format!("/api/v1/items/{item}")).send().await?).await
    }

    /// The items of one piece of work, at most one per step.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn find(&self, workflow: &str, dedupe_key: &str) -> Result<Vec<Value>> {
        let mut address = self.address("/api/v1/items");
        address.query_pairs_mut().append_pair("workflow", workflow).append_pair("dedupe_key", dedupe_key);
        let answer: Value = read(self.http.get(address).bearer_auth(&self.token).send().await?).await?;
        Ok(answer.get("items").and_then(Value::as_array).cloned().unwrap_or_default())
    }

    /// The exact bytes of one revision.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn payload(&self, item: &str, revision: u32) -> Result<StoredPayload> {
        let path = format!("/api/v1/items/{item}/revisions/{revision}/payload");
        let answer = accepted(self.request(Method::GET, &path).send().await?).await?;
        let text = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (media_type, digest) = (text("content-type"), text("repr-digest"));
        Ok(StoredPayload { bytes: answer.bytes().await?, media_type, digest })
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path).header(header::CONTENT_TYPE, "application/json")
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, self.address(path)).bearer_auth(&self.token)
    }

    fn address(&self, path: &str) -> Url {
        let mut address = self.base_url.clone();
        address.set_path(path);
        address
    }
}

async fn accepted(answer: Response) -> Result<Response> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let problem = serde_json::from_slice(&answer.bytes().await?).unwrap_or_default();
    Err(ClientError::Refused { status, problem })
}

async fn read<T: serde::de::DeserializeOwned>(answer: Response) -> Result<T> {
    let body = accepted(answer).await?.bytes().await?;
    serde_json::from_slice(&body).map_err(ClientError::Answer)
}
