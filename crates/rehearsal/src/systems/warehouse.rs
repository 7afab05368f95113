//! The warehouse: shipments and their cancellations. It remembers idempotency keys for an hour only.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::{get, post},
};
use chrono::TimeDelta;
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

/// Kind of a [`Running`] warehouse.
///
/// `POST /api/shipments` · `GET /api/shipments?key=` or `?reference=` · `GET /api/shipments/{id}` · `POST
/// /api/shipments/{id}/cancellations`
#[derive(Debug)]
pub enum Warehouse {}

impl Warehouse {
    /// # Errors
    /// When no port can be opened.
    pub async fn start(now: Now) -> std::io::Result<Running<Self>> {
        Running::start("Warehouse", now, Some(TimeDelta::hours(1)), || {
            Router::new()
                .route("/api/shipments", post(book).get(list))
                .route("/api/shipments/{id}", get(one))
                .route("/api/shipments/{id}/cancellations", post(cancel))
        })
        .await
    }
}

impl Running<Warehouse> {
    #[must_use]
    pub fn shipments(&self) -> Vec<Record> {
        self.of_kind("shipment")
    }

    #[must_use]
    pub fn cancellations(&self) -> Vec<Record> {
        self.of_kind("cancellation")
    }
}

async fn book(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let body = request.json().unwrap_or(Value::Null);
        if body.pointer("/shipping_address/country_code").and_then(Value::as_str) == Some("XX") {
            return Answer::breaks_rule("/shipping_address/country_code", "XX is not a country we deliver to.");
        }
        let reference = first_text(&body, &["/name", "/order", "/order_number", "/id"]);
        let id = pages.keep(Fresh { prefix: "SHP", kind: "shipment", status: "booked", reference }, request);
        Answer::json(201, &json!({ "ok": true, "shipment": { "id": id, "status": "booked" } }))
    })
    .await
}

async fn list(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| by_key_or_reference(pages, request, "shipment")).await
}

async fn one(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, _| clerk::single(pages.find("shipment", &id))).await
}

async fn cancel(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        match pages.find("shipment", &id).map(|record| record.status.as_str()) {
            None => Answer::of_code(404),
            Some("cancelled") => Answer::refusal(409, "already_cancelled", "This shipment has been cancelled before."),
            Some(_) => {
                let fresh = Fresh { prefix: "CAN", kind: "cancellation", status: "done", reference: Some(id.clone()) };
                let cancellation = pages.keep(fresh, request);
                pages.change(&id, Some("cancelled"), None);
                Answer::json(201, &json!({ "ok": true, "cancellation": { "id": cancellation, "shipment": id } }))
            }
        }
    })
    .await
}
