//! The CRM: contacts under an external key of the caller's choice. It ignores idempotency keys; a second contact with the same
//! external key is a conflict, and a change against an old version (`If-Match`) is refused.

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
    ledger::first_text,
};
use crate::Now;

/// Kind of a [`Running`] CRM.
///
/// `POST /api/contacts` with `external_key` · `GET /api/contacts?external_key=` or `?key=` · `GET` and `PATCH
/// /api/contacts/{id}` (`If-Match` with the `etag` of the answers is optional; `{"status"}` sets the status)
#[derive(Debug)]
pub enum Crm {}

impl Crm {
    /// # Errors
    /// When no port can be opened.
    pub async fn start(now: Now) -> std::io::Result<Running<Self>> {
        Running::start("CRM", now, None, || {
            Router::new()
                .route("/api/contacts", post(create).get(list))
                .route("/api/contacts/{id}", get(one).patch(change))
        })
        .await
    }
}

impl Running<Crm> {
    #[must_use]
    pub fn contacts(&self) -> Vec<Record> {
        self.of_kind("contact")
    }
}

async fn create(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let Some(body) = request.json().filter(Value::is_object) else {
            return Answer::refusal(400, "malformed", "The body is not a JSON object.");
        };
        let Some(external) = first_text(&body, &["/external_key"]) else {
            return Answer::invalid("/external_key", "A contact needs an external key.");
        };
        if body.pointer("/email").and_then(Value::as_str).is_some_and(|email| !email.contains('@')) {
            return Answer::invalid("/email", "This is not an e-mail address.");
        }
        let known = |record: &&Record| record.kind == "contact" && record.reference.as_deref() == Some(&external);
        if let Some(existing) = pages.records.iter().find(known) {
            let message = format!("{} already has the external key {external}.", existing.id);
            return Answer::refusal(409, "duplicate", &message);
        }
        let id =
            pages.keep(Fresh { prefix: "C", kind: "contact", status: "active", reference: Some(external) }, request);
        Answer::json(201, &json!({ "ok": true, "contact": { "id": id, "etag": format!("{id}-v1") } }))
    })
    .await
}

async fn list(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| {
        let (external, key) = (request.query("external_key"), request.query("key"));
        clerk::listing(pages.records.iter().filter(|record| {
            record.kind == "contact"
                && !record.pending
                && external.as_deref().is_none_or(|external| record.reference.as_deref() == Some(external))
                && key.as_deref().is_none_or(|key| record.matches_key(key))
        }))
    })
    .await
}

async fn one(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, _| clerk::single(pages.find("contact", &id))).await
}

async fn change(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let Some(current) = pages.find("contact", &id) else {
            return Answer::of_code(404);
        };
        let expected = request.header("if-match").map(|tag| tag.trim_matches('"'));
        if expected.is_some_and(|tag| tag != format!("{id}-v{}", current.version)) {
            return Answer::refusal(412, "changed", "The contact was changed since it was read.");
        }
        let status = request.json().and_then(|body| first_text(&body, &["/status"]));
        let body = request.body.clone();
        match pages.change(&id, status.as_deref(), Some(&body)) {
            Some(record) => Answer::json(200, &json!({ "ok": true, "contact": clerk::summary(record) })),
            None => Answer::of_code(404),
        }
    })
    .await
}
