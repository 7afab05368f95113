//! The world outside: a clock that only moves when told, and a caller.

use std::{
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use rehearsal::Now;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;

#[derive(Clone)]
pub(crate) struct Clock(Arc<Mutex<DateTime<Utc>>>);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Arc::new(Mutex::new("2026-11-29T10:00:00Z".parse().unwrap())))
    }

    pub(crate) fn pass(&self, time: TimeDelta) {
        *self.0.lock().unwrap() += time;
    }

    pub(crate) fn now(&self) -> Now {
        let clock = self.0.clone();
        Arc::new(move || *clock.lock().unwrap())
    }
}

static CALLER: LazyLock<Client> = LazyLock::new(|| {
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .timeout(Duration::from_secs(1))
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .no_proxy()
        .build()
        .unwrap()
});

/// A client that waits a second and follows no redirect.
pub(crate) fn caller() -> Client {
    CALLER.clone()
}

pub(crate) fn invoice(ledger_url: &str, key: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
    caller()
        .post(format!("{ledger_url}/api/invoices"))
        .header("idempotency-key", key)
        .header("content-type", "application/json")
        .body(body)
}

pub(crate) async fn json(answer: Response) -> Value {
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

pub(crate) async fn get(url: &str) -> (u16, Value) {
    let answer = caller().get(url).send().await.unwrap();
    let status = answer.status().as_u16();
    (status, json(answer).await)
}
