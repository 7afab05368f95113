//! How every request to a system is handled: written down, its fault chosen, its key recalled and its work done under one
//! lock; then answered as the fault wants it.

use axum::response::Response;
use serde_json::json;

use super::{
    Fault, Record,
    answer::Answer,
    books::{Books, Pages},
    conduct,
    incoming::Incoming,
    keys::Recall,
};

/// Handles a writing request. `work` looks at the books and makes or changes records; it runs at most once per key.
pub(super) async fn write<W>(books: &Books, request: Incoming, work: W) -> Response
where
    W: FnOnce(&mut Pages, &Incoming) -> Answer,
{
    let (fault, answer) = settle(books, &request, work);
    conduct::act_out(fault.as_ref(), answer, &request.line).await
}

/// Handles a reading request.
pub(super) async fn read<W>(books: &Books, request: Incoming, look: W) -> Response
where
    W: FnOnce(&Pages, &Incoming) -> Answer,
{
    let at = books.now();
    let answer = {
        let mut pages = books.open();
        let fault = pages.next_fault(&request);
        pages.note(&request, fault.clone(), at);
        fault.map_or_else(|| look(&pages, &request), |fault| conduct::refusal(&fault))
    };
    conduct::act_out(None, answer, &request.line).await
}

fn settle<W>(books: &Books, request: &Incoming, work: W) -> (Option<Fault>, Answer)
where
    W: FnOnce(&mut Pages, &Incoming) -> Answer,
{
    let at = books.now();
    let mut pages = books.open();
    let fault = pages.next_fault(request);
    let number = pages.note(request, fault.clone(), at);
    if let Some(fault) = fault.as_ref().filter(|fault| fault.prevents_commit()) {
        return (Some(fault.clone()), conduct::refusal(fault));
    }
    let (key, target) = (request.key(), request.target());
    let answer = match pages.keys.recall(key, &target, &request.body, at) {
        Recall::Same(first) => first,
        Recall::OtherParameters => Answer::refusal(
            400,
            "idempotency_error",
            "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        ),
        Recall::Unknown => {
            let mut answer = work(&mut pages, request);
            if fault == Some(Fault::Accepted) && answer.status.is_success() {
                set_aside(&mut pages.records, number);
                answer = Answer::json(202, &json!({ "ok": true, "status": "accepted" }));
            }
            if answer.status.is_success() {
                pages.keys.remember(key, &target, &request.body, &answer, at);
            }
            answer
        }
    };
    (fault, answer)
}

/// Answered as accepted: not carried out yet.
pub(super) fn set_aside(records: &mut [Record], receipt: u64) {
    for record in records.iter_mut().filter(|record| record.receipt == receipt) {
        record.pending = true;
    }
}

/// What a lookup by key or reference answers: `{"count", "items": [{"id", "status", "version", "etag"}]}`.
pub(super) fn listing<'a>(records: impl Iterator<Item = &'a Record>) -> Answer {
    let items: Vec<_> = records.map(summary).collect();
    Answer::json(200, &json!({ "count": items.len(), "items": items }))
}

/// One record as a reader sees it.
pub(super) fn summary(record: &Record) -> serde_json::Value {
    json!({
        "id": record.id,
        "kind": record.kind,
        "status": record.status,
        "reference": record.reference,
        "key": record.key,
        "version": record.version,
        "etag": format!("{}-v{}", record.id, record.version),
        "kept_at": record.kept_at.to_rfc3339(),
    })
}

/// One record or 404.
pub(super) fn single(record: Option<&Record>) -> Answer {
    record.map_or_else(|| Answer::of_code(404), |record| Answer::json(200, &summary(record)))
}
