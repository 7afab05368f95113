//! The sink: a destination whose path says how it behaves. Every request is written down as a line before it is answered, so
//! that a test can compare what was sent with what was recorded.
//!
//! A fault that was switched on comes before the mode.
//!
//! | path | behaviour |
//! |---|---|
//! | `ok` `created` `204` `202` `wrong` | 200, 201, 204, 202, 200 with a page that means nothing |
//! | `301` `302` `303` `307` `308` | redirect to `?to=`, by default `/ok` |
//! | any other code, `?retry_after=S` | that code |
//! | `hang?s=600` | accepts, answers after so many seconds |
//! | `reset`, `cut` | accepts, then resets before or in the middle of the answer |
//! | `drip?s=600`, `bigbody?mb=2000` | accepts, answers over so many seconds, or with so many megabytes |
//! | `limit?rps=10` | 429 beyond so many in a second |
//! | `stripe` | the first answer again for the same key and parameters, 400 for other parameters |
//! | `dedupe` | 200 for a repeated key, which is dropped |
//! | `flaky?fail=2&code=503` | that code for the first requests of a key, then 200 |
//! | `echo` | the request, as JSON |
//! | `lookup?key=`, `lookup/absent`, `lookup/unavailable` | what was kept under a key (GET) |
//! | `source/NAME` | the version of a source record (GET), see [`Running::set_source`] |

mod modes;
mod reading;

use axum::{
    Router,
    routing::{any, get},
};
use chrono::TimeDelta;

use super::{Receipt, Record, Running};
use crate::Now;

/// Kind of a [`Running`] sink.
#[derive(Debug)]
pub enum Sink {}

impl Sink {
    /// # Errors
    /// When no port can be opened.
    pub async fn start(now: Now) -> std::io::Result<Running<Self>> {
        Running::start("Sink", now, Some(TimeDelta::hours(24)), || {
            Router::new()
                .route("/lookup", get(reading::lookup))
                .route("/lookup/absent", get(reading::absent))
                .route("/lookup/unavailable", get(reading::unavailable))
                .route("/source/{name}", get(reading::source))
                .route("/{mode}", any(modes::serve))
        })
        .await
    }
}

impl Running<Sink> {
    /// Every request to a mode, lookups and source reads left out.
    #[must_use]
    pub fn lines(&self) -> Vec<Receipt> {
        let reading =
            |receipt: &Receipt| receipt.target.starts_with("/lookup") || receipt.target.starts_with("/source");
        self.receipts().into_iter().filter(|receipt| !reading(receipt)).collect()
    }

    /// What it accepted, in order. A repeated key on `stripe` or `dedupe` adds nothing.
    #[must_use]
    pub fn kept(&self) -> Vec<Record> {
        self.of_kind("line")
    }

    /// Sets what `GET /source/{name}` answers as `etag`.
    pub fn set_source(&self, name: &str, etag: &str) {
        reading::set_source(&self.books, name, etag);
    }
}
