//! The ledger: invoices and the reversals posted beside them. It remembers idempotency keys for a day and looks at what it is
//! sent as a real one would: unknown currencies, unknown cost centres and due dates before the issue date are refused.

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
    books::{Books, Fresh, Pages},
    clerk,
    incoming::Incoming,
};
use crate::Now;

const CURRENCIES: [&str; 10] = ["NOK", "SEK", "DKK", "EUR", "USD", "GBP", "JPY", "ILS", "AED", "CHF"];
const COST_CENTRES: [&str; 6] = ["4100", "4200", "4310", "6300", "6800", "7140"];
const NUMBERS: [&str; 5] = ["/invoice_number", "/InvoiceNumber", "/number", "/Invoices/0/InvoiceNumber", "/reference"];

/// Kind of a [`Running`] ledger.
///
/// `POST /api/invoices` · `GET /api/invoices?key=` or `?reference=` · `GET /api/invoices/{id}` · `POST /api/reversals` with
/// `{"invoice", "amount", "reason"}` · `GET /api/reversals?key=`
#[derive(Debug)]
pub enum Ledger {}

impl Ledger {
    /// # Errors
    /// When no port can be opened.
    pub async fn start(now: Now) -> std::io::Result<Running<Self>> {
        Running::start("Ledger", now, Some(TimeDelta::hours(24)), || {
            Router::new()
                .route("/api/invoices", post(create).get(list))
                .route("/api/invoices/{id}", get(one))
                .route("/api/reversals", post(reverse).get(list_reversals))
        })
        .await
    }
}

impl Running<Ledger> {
    /// The invoices it holds, those accepted and not carried out left out.
    #[must_use]
    pub fn invoices(&self) -> Vec<Record> {
        self.of_kind("invoice")
    }

    #[must_use]
    pub fn reversals(&self) -> Vec<Record> {
        self.of_kind("reversal")
    }
}

async fn create(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let body = request.json();
        if let Some((pointer, message)) = body.as_ref().and_then(objection) {
            return match pointer {
                "/cost_centre" => Answer::breaks_rule(pointer, &message),
                _ => Answer::invalid(pointer, &message),
            };
        }
        let reference = body.and_then(|body| first_text(&body, &NUMBERS));
        let id = pages.keep(Fresh { prefix: "LED", kind: "invoice", status: "posted", reference }, request);
        Answer::json(201, &json!({ "ok": true, "invoice": { "id": id, "status": "posted" } }))
    })
    .await
}

async fn list(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| by_key_or_reference(pages, request, "invoice")).await
}

async fn list_reversals(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, request| by_key_or_reference(pages, request, "reversal")).await
}

async fn one(State(books): State<Arc<Books>>, Path(id): Path<String>, request: Incoming) -> Response {
    clerk::read(&books, request, |pages, _| clerk::single(pages.find("invoice", &id))).await
}

async fn reverse(State(books): State<Arc<Books>>, request: Incoming) -> Response {
    clerk::write(&books, request, |pages, request| {
        let invoice = request.json().and_then(|body| first_text(&body, &["/invoice"]));
        let Some(invoice) = invoice else {
            return Answer::invalid("/invoice", "Which invoice is to be reversed?");
        };
        match pages.find("invoice", &invoice).map(|record| record.status.as_str()) {
            None => Answer::of_code(404),
            Some("reversed") => Answer::refusal(409, "already_reversed", "This invoice has been reversed before."),
            Some(_) => {
                let fresh =
                    Fresh { prefix: "REV", kind: "reversal", status: "posted", reference: Some(invoice.clone()) };
                let id = pages.keep(fresh, request);
                pages.change(&invoice, Some("reversed"), None);
                Answer::json(201, &json!({ "ok": true, "reversal": { "id": id, "invoice": invoice } }))
            }
        }
    })
    .await
}

/// What this ledger will not book, as the field and the sentence. Documents that are not JSON objects are booked unread.
fn objection(body: &Value) -> Option<(&'static str, String)> {
    let text = |pointer| body.pointer(pointer).and_then(Value::as_str);
    if let Some(currency) = text("/currency").filter(|currency| !CURRENCIES.contains(currency)) {
        return Some(("/currency", format!("\"{currency}\" is not an active currency of this ledger.")));
    }
    if let Some(centre) = text("/cost_centre").filter(|centre| !COST_CENTRES.contains(centre)) {
        return Some(("/cost_centre", format!("Cost centre {centre} is closed or does not exist.")));
    }
    match (text("/issue_date"), text("/due_date")) {
        // ISO dates sort as text.
        (Some(issued), Some(due)) if due < issued => {
            Some(("/due_date", format!("The due date {due} is before the issue date {issued}.")))
        }
        _ => None,
    }
}

pub(super) fn first_text(body: &Value, pointers: &[&str]) -> Option<String> {
    pointers.iter().find_map(|pointer| match body.pointer(pointer)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The records of one kind with the asked key (`key`) or reference (`reference`); all of them when neither is asked for.
pub(super) fn by_key_or_reference(pages: &Pages, request: &Incoming, kind: &str) -> Answer {
    let (key, reference) = (request.query("key"), request.query("reference"));
    clerk::listing(pages.records.iter().filter(|record| {
        record.kind == kind
            && !record.pending
            && key.as_deref().is_none_or(|key| record.matches_key(key))
            && reference.as_deref().is_none_or(|reference| record.reference.as_deref() == Some(reference))
    }))
}
