//! The mail service. It ignores idempotency keys: what is posted twice is sent twice. It can be asked what it sent under a key.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::{get, post},
};
use serde_json::{Value, json};

use super::{
    Record, Running,
    answer::Answer,
    books::{Books, Fresh},
    clerk,
    incoming::Incoming,
    ledger::{by_key_or_reference, first_text},
};
use crate::Now;

/// Kind of a [`Running`] mail service.
///
/// `POST /api/messages` with `to` · `GET /api/messages?key=` or `?reference=` · `GET /api/messages/{id}`
#[derive(Debug)]
pub enum Mail {}

impl Mail {
    /// # Errors
    /// When no port can be opened.
    pub async fn start(now: Now) -> std::io::Result<Running<Self>> {
        Running::start("Mail service", now, None, || {
            Router::new().route("/api/messages", post(send).get(list)).route("/api/messages/{id}", get(one))
        })
        .await
    }
}

impl Running<Mail> {
    #[must_use]
    pub fn messages(&self) -> Vec<Record> {
        self.of_kind("message")
    }
}

async fn send(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let body = request.json().unwrap_or(Value::Null);
        let to = first_text(&body, &["/to", "/to/0", "/to/email"]).unwrap_or_default();
        if !to.contains('@') {
            return Answer::invalid("/to", "There is no usable recipient address.");
        }
        let reference = first_text(&body, &["/ticket", "/reference", "/in_reply_to"]);
        let id = pages.keep(Fresh { prefix: "MSG", kind: "message", status: "sent", reference }, request);
        Answer::json(201, &json!({ "ok": true, "message": { "id": id, "status": "sent" } }))
    })
    .await
}

async fn list(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| by_key_or_reference(pages, request, "message")).await
}

async fn one(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, _| clerk::single(pages.find("message", &id))).await
}
