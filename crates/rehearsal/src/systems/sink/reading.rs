//! What the sink answers when it is asked instead of told.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Response,
};
use serde_json::json;

use crate::systems::{Record, answer::Answer, books::Books, clerk, incoming::Incoming};

pub(super) async fn lookup(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| {
        let key = request.query("key").unwrap_or_default();
        clerk::listing(pages.records.iter().filter(|record| record.kind == "line" && record.matches_key(&key)))
    })
    .await
}

pub(super) async fn absent(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |_, _| clerk::listing(std::iter::empty())).await
}

pub(super) async fn unavailable(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |_, _| Answer::of_code(503)).await
}

pub(super) async fn source(State(books): State<Arc<Books>>, Path(name): Path<String>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, _| {
        let known = pages.records.iter().find(|record| is_source(record, &name));
        known.map_or_else(|| Answer::of_code(404), |record| Answer::json(200, &json!({ "etag": record.status })))
    })
    .await
}

/// A source record keeps its etag as its status: it is the only thing about it that is ever read.
pub(super) fn set_source(books: &Books, name: &str, etag: &str) {
    let kept_at = books.now();
    let mut pages = books.open();
    if let Some(record) = pages.records.iter_mut().find(|record| is_source(record, name)) {
        etag.clone_into(&mut record.status);
        record.version += 1;
        return;
    }
    pages.records.push(Record {
        id: format!("SRC-{name}"),
        kind: "source",
        key: None,
        reference: Some(name.to_owned()),
        status: etag.to_owned(),
        version: 1,
        media_type: None,
        bodies: Vec::new(),
        receipt: 0,
        kept_at,
        pending: false,
    });
}

fn is_source(record: &Record, name: &str) -> bool {
    record.kind == "source" && record.reference.as_deref() == Some(name)
}
