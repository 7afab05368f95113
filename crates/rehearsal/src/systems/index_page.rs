//! The page at `/`: what this system really holds, for people.

use std::{fmt::Write as _, sync::Arc};

use axum::{Router, extract::State, response::Html, routing::get};

use super::{Record, books::Books};

const SHOWN_BYTES: usize = 2_000;
const STYLE: &str = "body{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem;color-scheme:light dark}\
table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.35rem .6rem;border-bottom:1px solid #8884;\
vertical-align:top}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}code{font-size:.9em}";

pub(super) fn route(name: &'static str) -> Router<Arc<Books>> {
    Router::new().route("/", get(move |State(books): State<Arc<Books>>| async move { Html(page(name, &books)) }))
}

fn page(name: &str, books: &Books) -> String {
    let pages = books.open();
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{name}</title><style>{STYLE}</style>\
         <h1>{name}</h1><p>A rehearsal system. It keeps {} records and has been asked {} times. Newest first.</p>\
         <table><thead><tr><th>Record<th>Status<th>Reference<th>Key<th>Kept at<th>Holds</thead><tbody>",
        pages.records.len(),
        pages.receipts.len(),
    );
    for record in pages.records.iter().rev() {
        row(&mut html, record);
    }
    html.push_str("</tbody></table></html>");
    html
}

fn row(html: &mut String, record: &Record) {
    let body = String::from_utf8_lossy(record.body());
    let shown: String = body.chars().take(SHOWN_BYTES).collect();
    let more = if shown.len() < body.len() { "\n… (cut here)" } else { "" };
    let status = if record.pending { "accepted, not carried out" } else { record.status.as_str() };
    // Writing to a String cannot fail.
    let _infallible = write!(
        html,
        "<tr><td>{} {}<td>{}{}<td dir=\"auto\">{}<td><code>{}</code><td>{}<td><details><summary>{} bytes</summary>\
         <pre dir=\"auto\">{}{more}</pre></details>",
        record.kind,
        escaped(&record.id),
        escaped(status),
        if record.version > 1 { format!(" (version {})", record.version) } else { String::new() },
        escaped(record.reference.as_deref().unwrap_or("–")),
        escaped(record.key.as_deref().unwrap_or("–")),
        record.kept_at.format("%Y-%m-%d %H:%M:%S UTC"),
        record.body().len(),
        escaped(&shown),
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
