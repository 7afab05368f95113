//! A stand-in for Recourse: takes reports at the door as the contract has them, and is strict about unknown fields.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{patch, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};

const FIELDS: [&str; 24] = [
    "report_id",
    "workflow",
    "workflow_version",
    "lane",
    "dedupe_key",
    "business_ref",
    "correlation_id",
    "sequence_key",
    "step",
    "failure",
    "effect",
    "payload",
    "occurred_at",
    "attempts",
    "steps",
    "affected",
    "evidence",
    "ai",
    "proposed_action",
    "sensitivity",
    "impact",
    "customer_impact",
    "source_version",
    "next_attempt_by_automation_at",
];
const CLASSES: &str = "timeout network rate_limited unavailable auth permission validation business_rule not_found conflict \
                       invalid_output low_confidence policy stale version_changed stalled unknown";

#[derive(Clone, Default)]
pub(crate) struct Taken(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    reports: Vec<Value>,
    items: HashMap<String, String>,
    report_ids: BTreeMap<String, String>,
    news: Vec<(String, Value)>,
    tokens: Vec<String>,
}

impl Taken {
    pub(crate) fn reports(&self) -> Vec<Value> {
        self.0.lock().unwrap().reports.clone()
    }

    pub(crate) fn items(&self) -> usize {
        self.0.lock().unwrap().items.len()
    }

    pub(crate) fn news(&self) -> Vec<(String, Value)> {
        self.0.lock().unwrap().news.clone()
    }

    pub(crate) fn tokens(&self) -> Vec<String> {
        self.0.lock().unwrap().tokens.clone()
    }

    fn take(&self, report: Result<Value, String>, headers: &HeaderMap) -> Response {
        let mut kept = self.0.lock().unwrap();
        kept.tokens.push(headers["authorization"].to_str().unwrap().trim_start_matches("Bearer ").to_owned());
        let report = match report.and_then(|report| checked(&report).map(|()| report)) {
            Ok(report) => report,
            Err(title) => {
                let problem = json!({ "code": "invalid", "title": title, "quarantine_id": "q-1" });
                return (StatusCode::UNPROCESSABLE_ENTITY, Json(problem)).into_response();
            }
        };
        let text = |pointer: &str| report.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let work = format!("{} {} {}", text("/workflow"), text("/step"), text("/dedupe_key"));
        let report_id = format!("{} {}", text("/workflow"), text("/report_id"));
        let fresh = format!("item-{}", kept.items.len() + 1);
        let created = !kept.items.contains_key(&work);
        let id = kept.items.entry(work).or_insert(fresh).clone();
        if !text("/report_id").is_empty() {
            kept.report_ids.insert(report_id, id.clone());
        }
        let effect = report.pointer("/effect/status").cloned().unwrap_or_else(|| "uncertain".into());
        kept.reports.push(report);
        let body =
            json!({ "id": id, "created": created, "state": "open", "effect": effect, "url": format!("/items/{id}") });
        (if created { StatusCode::CREATED } else { StatusCode::OK }, Json(body)).into_response()
    }
}

fn checked(report: &Value) -> Result<(), String> {
    let object = report.as_object().ok_or("not an object")?;
    if let Some(unknown) = object.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("unknown field {unknown}"));
    }
    let class = report["failure"]["class"].as_str().unwrap_or("unknown");
    if !CLASSES.split_whitespace().any(|known| known == class) {
        return Err(format!("unknown class {class}"));
    }
    let needs_review = report["lane"] == "needs_review";
    if needs_review && report.pointer("/effect/status").is_none() {
        return Err("effect.status is required".to_owned());
    }
    let required = ["/workflow", "/dedupe_key", "/step", "/failure/message"];
    required.iter().try_for_each(|pointer| match report.pointer(pointer).and_then(Value::as_str) {
        Some(text) if !text.is_empty() && text.chars().count() <= 200 || *pointer == "/failure/message" => Ok(()),
        found => Err(format!("{pointer}: {found:?}")),
    })
}

pub(crate) async fn start() -> (String, Taken) {
    let taken = Taken::default();
    let app = Router::new()
        .route("/api/v1/items", post(report))
        .route("/api/v1/items/batch", post(batch))
        .route("/api/v1/items/{id}", patch(news))
        .layer(DefaultBodyLimit::disable())
        .with_state(taken.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (url, taken)
}

async fn report(State(taken): State<Taken>, headers: HeaderMap, body: Bytes) -> Response {
    let envelope = headers.get("recourse-item").map(|value| BASE64_URL_SAFE_NO_PAD.decode(value).unwrap());
    let text = envelope.as_deref().unwrap_or(&body);
    // Payloads may be deeper or odder than a parser takes; the contract keeps them as raw text.
    taken.take(read(text), &headers)
}

async fn batch(State(taken): State<Taken>, headers: HeaderMap, body: Bytes) -> Json<Value> {
    let all: Value = serde_json::from_slice(&body).unwrap();
    let results = all["items"].as_array().unwrap().iter().map(|one| {
        let status = taken.take(Ok(one.clone()), &headers).status();
        json!({ "status": status.as_u16() })
    });
    Json(json!({ "items": results.collect::<Vec<_>>() }))
}

async fn news(State(taken): State<Taken>, Path(id): Path<String>, Json(news): Json<Value>) -> Json<Value> {
    taken.0.lock().unwrap().news.push((id.clone(), news));
    Json(json!({ "id": id }))
}

fn read(text: &[u8]) -> Result<Value, String> {
    let fields: BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let fields = fields.into_iter().map(|(name, raw)| {
        let value = serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::String(raw.get().to_owned()));
        (name, value)
    });
    Ok(Value::Object(fields.collect()))
}
