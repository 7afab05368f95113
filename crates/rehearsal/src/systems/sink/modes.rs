//! The sink's modes.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::systems::{
    Fault,
    answer::Answer,
    books::{Books, Fresh, Pages},
    clerk, conduct,
    incoming::Incoming,
    keys::Recall,
};

pub(super) async fn serve(State(books): State<Arc<Books>>, Path(mode): Path<String>, request: Incoming) -> Response {
    let (fault, answer) = settle(&books, &mode, &request);
    if fault.is_some() {
        return conduct::act_out(fault.as_ref(), answer, &request.line).await;
    }
    let seconds = Duration::from_secs(number(&request, "s", 600));
    match mode.as_str() {
        "hang" => {
            tokio::time::sleep(seconds).await;
            answer.into_response()
        }
        "reset" => conduct::reset(&request.line).await,
        "cut" => conduct::cut_short(answer, &request.line),
        "drip" => {
            // One byte a second or faster, so that the whole takes the asked time.
            let body = Bytes::from(vec![b' '; usize::try_from(seconds.as_secs()).unwrap_or(600).max(1)]);
            answer.carrying(conduct::drip(body, Duration::from_secs(1)))
        }
        "bigbody" => answer.carrying(conduct::huge(number(&request, "mb", 1) * 1_000_000)),
        "wrong" => conduct::wrong_page(),
        _ => answer.into_response(),
    }
}

/// Writes the request down and decides, in one step, whether it is kept and what will be answered.
fn settle(books: &Books, mode: &str, request: &Incoming) -> (Option<Fault>, Answer) {
    let at = books.now();
    let mut pages = books.open();
    let fault = pages.next_fault(request);
    let number = pages.note(request, fault.clone(), at);
    if let Some(fault) = fault.as_ref().filter(|fault| fault.prevents_commit()) {
        return (Some(fault.clone()), conduct::refusal(fault));
    }
    let answer = answer(&mut pages, mode, request, at);
    if fault == Some(Fault::Accepted) && answer.status.is_success() {
        clerk::set_aside(&mut pages.records, number);
        return (fault, Answer::json(202, &json!({ "ok": true, "status": "accepted" })));
    }
    (fault, answer)
}

fn answer(pages: &mut Pages, mode: &str, request: &Incoming, at: DateTime<Utc>) -> Answer {
    match mode {
        "limit" if over_the_rate(pages, request) => Answer::of_code(429).retry_after(Some(1)),
        "stripe" => match pages.keys.recall(request.key(), &request.target(), &request.body, at) {
            Recall::Same(first) => first,
            Recall::OtherParameters => {
                Answer::refusal(400, "idempotency_error", "This key was used with other parameters.")
            }
            Recall::Unknown => {
                let answer = accept(pages, request, 200);
                pages.keys.remember(request.key(), &request.target(), &request.body, &answer, at);
                answer
            }
        },
        "dedupe" if known(pages, request) => Answer::json(200, &json!({ "ok": true, "dropped": "duplicate" })),
        "flaky" if u64::from(nth(pages)) <= number(request, "fail", 1) => code(number(request, "code", 503)),
        "echo" => echo(pages, request),
        "created" | "201" => accept(pages, request, 201),
        "204" => accept(pages, request, 204),
        "202" => accept(pages, request, 202),
        "301" | "302" | "303" | "307" | "308" => {
            let to = request.query("to").unwrap_or_else(|| "/ok".to_owned());
            code(mode.parse().unwrap_or(302)).with_header("location", to)
        }
        _ => match mode.parse() {
            Ok(status) if status >= 300 => {
                let wait = request.query("retry_after").and_then(|wait| wait.parse().ok());
                code(status).retry_after(wait)
            }
            _ => accept(pages, request, 200),
        },
    }
}

fn accept(pages: &mut Pages, request: &Incoming, status: u16) -> Answer {
    let id = pages.keep(Fresh { prefix: "S", kind: "line", status: "kept", reference: None }, request);
    let mut answer = Answer::json(status, &json!({ "ok": true, "id": id, "nth_with_key": nth(pages) }));
    if status == 204 {
        answer.body = Bytes::new();
    }
    answer
}

fn echo(pages: &mut Pages, request: &Incoming) -> Answer {
    accept(pages, request, 200);
    let headers: serde_json::Map<_, _> = request
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into()))
        .collect();
    let body = String::from_utf8_lossy(&request.body);
    Answer::json(200, &json!({ "ok": true, "method": request.method.as_str(), "headers": headers, "body": body }))
}

fn code(status: u64) -> Answer {
    Answer::of_code(u16::try_from(status).unwrap_or(500))
}

fn number(request: &Incoming, name: &str, otherwise: u64) -> u64 {
    request.query(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn nth(pages: &Pages) -> u32 {
    pages.receipts.last().map_or(0, |last| last.nth_with_key)
}

fn known(pages: &Pages, request: &Incoming) -> bool {
    request.key().is_some_and(|key| pages.records.iter().any(|record| record.matches_key(key)))
}

/// Whether more than `rps` requests to this path arrived in the second that ends now, this one included.
fn over_the_rate(pages: &Pages, request: &Incoming) -> bool {
    let Some(last) = pages.receipts.last() else {
        return false;
    };
    let path = request.uri.path();
    let recent = pages.receipts.iter().rev().take_while(|receipt| last.at - receipt.at < TimeDelta::seconds(1));
    let accepted_or_asked =
        recent.filter(|receipt| receipt.target.starts_with(path) && (receipt.kept || receipt.number == last.number));
    accepted_or_asked.count() as u64 > number(request, "rps", 10)
}
