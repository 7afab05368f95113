use axum::{
    Json, Router,
    body::Bytes,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::{any, get},
};
use rehearsal::{
    client::{ClientError, Recourse},
    report::{Attempt, AttemptOutcome},
};
use serde_json::{Value, json};

/// Says what it was asked, refuses the item "forbidden", and has one payload.
async fn start() -> Recourse {
    let app = Router::new()
        .route(
            "/api/v1/items/i-1/revisions/1/payload",
            get(|| async { ([("content-type", "text/x"), ("repr-digest", "sha-256=:AA==:")], &b"a\r\n\xff"[..]) }),
        )
        .fallback(any(say));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    Recourse::new(&url, "token").unwrap()
}

async fn say(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    if uri.path().ends_with("forbidden") {
        let problem = json!({ "code": "forbidden", "title": "Not yours", "quarantine_id": "q-9" });
        return (StatusCode::FORBIDDEN, Json(problem)).into_response();
    }
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let token = headers["authorization"].to_str().unwrap().to_owned();
    let asked = json!({ "asked": format!("{method} {uri}"), "token": token, "body": body });
    Json(json!({ "items": [asked], "asked": format!("{method} {uri}"), "body": body })).into_response()
}

#[tokio::test]
async fn items_are_read_and_found_with_the_token() {
    let recourse = start().await;
    assert_eq!(recourse.item("i-1").await.unwrap()["asked"], "GET /api/v1/items/i-1");
    let found = recourse.find("invoice-sync", "a:b &c").await.unwrap();
    assert_eq!(found[0]["asked"], "GET /api/v1/items?workflow=invoice-sync&dedupe_key=a%3Ab+%26c");
    assert_eq!(found[0]["token"], "Bearer token");
}

#[tokio::test]
async fn payloads_come_back_byte_for_byte_with_type_and_digest() {
    let stored = start().await.payload("i-1", 1).await.unwrap();
    assert_eq!(stored.bytes.as_ref(), b"a\r\n\xff");
    assert_eq!(stored.media_type.as_deref(), Some("text/x"));
    assert_eq!(stored.digest.as_deref(), Some("sha-256=:AA==:"));
}

#[tokio::test]
async fn a_running_attempt_is_told_with_its_lease() {
    let attempt = Attempt {
        number: 2,
        started_at: "2026-11-29T10:00:00Z".parse().unwrap(),
        finished_at: None,
        outcome: AttemptOutcome::InFlight,
        sent: false,
        message: None,
        status_code: None,
        record_id: None,
    };
    let told = start().await.attempt("i-1", &attempt, Some(60)).await.unwrap();
    assert_eq!(told["asked"], "POST /api/v1/items/i-1/attempts");
    let expected = json!({
        "number": 2, "started_at": "2026-11-29T10:00:00Z", "outcome": "in_flight", "sent": false, "lease_s": 60,
    });
    assert_eq!(told["body"], expected);
}

#[tokio::test]
async fn a_refusal_is_told_with_its_code_and_quarantine() {
    let recourse = start().await;
    let Err(ClientError::Refused { status, problem }) = recourse.item("forbidden").await else {
        unreachable!("the item is refused");
    };
    assert_eq!((status.as_u16(), problem.code.as_str()), (403, "forbidden"));
    assert_eq!(problem.quarantine_id.as_deref(), Some("q-9"));
}
