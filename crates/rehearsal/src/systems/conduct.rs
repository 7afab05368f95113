//! How a fault is acted out towards the client, once it is settled what was kept.

use std::time::Duration;

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{StreamExt, stream};

use super::{Fault, answer::Answer, line::Line};

const CHUNK: u64 = 64 * 1024;

/// The answer that a fault puts in the place of the work.
pub(super) fn refusal(fault: &Fault) -> Answer {
    match fault {
        Fault::Status { code, retry_after_s } => Answer::of_code(*code).retry_after(*retry_after_s),
        Fault::Reject { pointer, message } => Answer::invalid(pointer, message),
        Fault::RateLimited { retry_after_s } => Answer::of_code(429).retry_after(Some(*retry_after_s)),
        _ => Answer::of_code(503),
    }
}

/// Answers, late, oddly or never, as the fault wants it.
pub(super) async fn act_out(fault: Option<&Fault>, answer: Answer, line: &Line) -> Response {
    match fault {
        Some(Fault::HangBeforeCommit | Fault::CommitThenTimeout) => never().await,
        Some(Fault::ResetBeforeCommit | Fault::CommitThenReset) => reset(line).await,
        Some(Fault::CommitThenStatus { code }) => Answer::of_code(*code).into_response(),
        Some(Fault::Drip { pause_ms }) => {
            let body = drip(answer.body.clone(), Duration::from_millis(*pause_ms));
            answer.carrying(body)
        }
        Some(Fault::HugeBody { bytes }) => answer.carrying(huge(*bytes)),
        Some(Fault::WrongBody) => wrong_page(),
        Some(Fault::CutBody) => cut_short(answer, line),
        _ => answer.into_response(),
    }
}

pub(super) async fn never() -> Response {
    std::future::pending().await
}

pub(super) async fn reset(line: &Line) -> Response {
    line.cut();
    never().await
}

/// One byte at a time, each after a pause.
pub(super) fn drip(body: Bytes, pause: Duration) -> Body {
    Body::from_stream(stream::iter(body).then(move |byte| async move {
        tokio::time::sleep(pause).await;
        Ok::<_, std::io::Error>(Bytes::copy_from_slice(&[byte]))
    }))
}

/// White space of the given length, made while it is sent.
pub(super) fn huge(bytes: u64) -> Body {
    let chunk = Bytes::from_static(&[b' '; CHUNK as usize]);
    let lengths = (0..bytes.div_ceil(CHUNK)).map(move |at| CHUNK.min(bytes - at * CHUNK) as usize);
    Body::from_stream(stream::iter(lengths.map(move |length| Ok::<_, std::io::Error>(chunk.slice(..length)))))
}

/// What a load balancer shows during maintenance, with the status code of success.
pub(super) fn wrong_page() -> Response {
    const PAGE: &str = "<!doctype html><title>Scheduled maintenance</title><p>We will be back shortly.</p>";
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE).into_response()
}

/// Announces the whole answer, sends half of it and resets.
pub(super) fn cut_short(answer: Answer, line: &Line) -> Response {
    let announced = HeaderValue::from(answer.body.len());
    let half = answer.body.slice(..answer.body.len() / 2);
    let line = line.clone();
    let end = stream::once(async move {
        // Long enough for the first half to be on its way.
        tokio::time::sleep(Duration::from_millis(50)).await;
        line.cut();
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
    });
    let body = Body::from_stream(stream::once(async move { Ok(half) }).chain(end));
    let mut response = answer.carrying(body);
    response.headers_mut().insert(header::CONTENT_LENGTH, announced);
    response
}
