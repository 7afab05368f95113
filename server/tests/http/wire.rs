//! Answers as they came over the wire, and many requests at once.

use std::{future::Future, sync::Arc};

use futures::future::join_all;
use reqwest::{RequestBuilder, header::HeaderMap};
use serde_json::Value;
use tokio::sync::Barrier;

/// A whole answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// What must never reach a caller: the database's own words.
const DATABASE_WORDS: &[&str] = &["SELECT", "INSERT", "sqlx", "sqlite", "postgres", "PoolClosed", "pool", "constraint"];

impl Answer {
    /// Sends a request and waits for its whole answer.
    pub(crate) async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("every request is answered");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.expect("every answer arrives whole").to_vec() }
    }

    /// Insists on a status.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.shown());
        self
    }

    /// The body for a person who looks at a failed test: of a page, what is inside its frame.
    pub(crate) fn shown(&self) -> String {
        let text = self.text();
        let inside = text.split_once("<main").map_or(text.as_str(), |(_, main)| main);
        domain::text::head(inside, 3_000)
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// What a page says, without what changes with every answer.
    pub(crate) fn words(&self) -> String {
        let text = self.text();
        let nonce = text.split("nonce=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("none");
        text.replace(nonce, "").replace(self.header("x-request-id"), "")
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// A header's text; empty if it is not there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Where it sends the browser.
    #[track_caller]
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.text());
        self.header("location")
    }

    /// Insists on a problem with this status and code, told as RFC 9457 wants it and in nothing but our own words.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["type"], "about:blank", "{problem}");
        for field in ["title", "detail"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
        }
        for word in DATABASE_WORDS {
            assert!(!problem["detail"].as_str().unwrap().contains(word), "{problem}");
        }
        assert_eq!(self.header("x-request-id").len(), 32, "{:?}", self.headers);
        problem
    }

    /// Insists on a problem whose report was kept; answers where.
    #[track_caller]
    pub(crate) fn kept(&self, status: u16, code: &str) -> String {
        let problem = self.problem(status, code);
        problem["quarantine_id"].as_str().unwrap_or_else(|| panic!("not kept: {problem}")).to_owned()
    }

    /// Insists on a problem about nothing but the field at `pointer`, kept in quarantine.
    #[track_caller]
    pub(crate) fn kept_for(&self, pointer: &str) -> String {
        let id = self.kept(422, "invalid");
        let fields = self.json()["fields"].clone();
        let pointers: Vec<_> =
            fields.as_array().unwrap().iter().map(|field| field["pointer"].as_str().unwrap()).collect();
        assert_eq!(pointers, [pointer], "{fields}");
        id
    }
}

/// Lets `count` of them go at the same moment; answers what each met, in order.
pub(crate) async fn race<T, F: Future<Output = T>>(count: usize, racer: impl Fn(usize) -> F) -> Vec<T> {
    let start = Arc::new(Barrier::new(count));
    join_all((0..count).map(|number| {
        let (start, run) = (start.clone(), racer(number));
        async move {
            start.wait().await;
            run.await
        }
    }))
    .await
}

/// How often each status was answered.
pub(crate) fn statuses(answers: &[Answer]) -> Vec<(u16, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for answer in answers {
        *counts.entry(answer.status).or_default() += 1;
    }
    counts.into_iter().collect()
}
