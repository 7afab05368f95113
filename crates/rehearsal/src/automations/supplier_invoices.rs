//! Supplier invoices → ledger: a model reads the document, the supplier is matched, the ledger books it, the buyer is told.

mod reports;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;

use super::{
    Document, Ending, Outbound,
    outbound::Letter,
    verdict::{Subject, Verdict, judge},
};

/// The integration.
#[derive(Debug, Clone)]
pub struct SupplierInvoices {
    pub outbound: Outbound,
    pub ledger_url: String,
    pub mail_url: String,
}

/// One invoice to book.
#[derive(Debug, Clone)]
pub struct Invoice {
    pub number: String,
    pub supplier: String,
    /// Distinguishes equal numbers of different suppliers.
    pub supplier_code: String,
    pub document: Document,
    pub reading: Reading,
    pub started_at: DateTime<Utc>,
    /// `low`, `medium` or `high`; `None` leaves it to the step.
    pub impact: Option<&'static str>,
    pub sensitivity: Option<&'static str>,
    /// The worker stops between the ledger's answer and saving it.
    pub worker_stops: bool,
    /// The version of the workflow that worked on it; `None` for the present one.
    pub version: Option<&'static str>,
}

/// What the model made of the document.
#[derive(Debug, Clone)]
pub enum Reading {
    Good {
        confidence: f64,
    },
    /// It matches its supplier only perhaps.
    Doubtful {
        confidence: f64,
        other: String,
    },
    /// The output breaks its contract; one finding per field.
    BrokenContract {
        findings: Vec<String>,
    },
    /// No answer within the limits, tried three times.
    NoAnswer,
    /// It was paused, and the workflow moved on meanwhile.
    Paused {
        moved_to: &'static str,
    },
}

impl Invoice {
    #[must_use]
    pub fn dedupe_key(&self) -> String {
        format!("supplier-invoice:{}:{}", self.supplier_code, self.number)
    }
}

impl SupplierInvoices {
    pub async fn work(&self, invoice: &Invoice) -> Ending {
        match &invoice.reading {
            Reading::Good { confidence } => self.book(invoice, *confidence).await,
            Reading::Doubtful { confidence, other } => reports::doubtful(invoice, *confidence, other),
            Reading::BrokenContract { findings } => reports::broken_contract(invoice, findings),
            Reading::NoAnswer => reports::no_answer(invoice),
            Reading::Paused { moved_to } => reports::paused(invoice, moved_to),
        }
    }

    async fn book(&self, invoice: &Invoice, confidence: f64) -> Ending {
        let key = invoice.dedupe_key();
        let letter = Letter {
            method: Method::POST,
            url: format!("{}/api/invoices", self.ledger_url),
            key: &key,
            document: &invoice.document,
        };
        let tries = self.outbound.deliver(&letter, invoice.started_at + TimeDelta::seconds(9)).await;
        if invoice.worker_stops {
            return reports::stalled(invoice, confidence);
        }
        let waited_s = self.outbound.told_seconds();
        let subject = Subject { system: "The ledger", thing: "the invoice", record_id: "/invoice/id", waited_s };
        match judge(&tries, &subject) {
            Verdict::Done { record_id } => {
                self.notify(invoice, &record_id).await;
                Ending::Done { record_id }
            }
            Verdict::Failed(diagnosis) => {
                Ending::unfinished(reports::unbooked(invoice, confidence, *diagnosis), &invoice.document)
            }
        }
    }

    /// Tells the buyer. Whether that mail arrives decides nothing, so its failure is not an item.
    async fn notify(&self, invoice: &Invoice, record_id: &str) {
        let key = format!("{}:notice", invoice.dedupe_key());
        let text = serde_json::json!({
            "to": "purchasing@recourse.example",
            "reference": invoice.number,
            "subject": format!("{} was booked as {record_id}", invoice.number),
        });
        let document = Document::json(text.to_string());
        let letter = Letter {
            method: Method::POST,
            url: format!("{}/api/messages", self.mail_url),
            key: &key,
            document: &document,
        };
        let tries = self.outbound.deliver(&letter, invoice.started_at).await;
        tracing::debug!(invoice = invoice.number, tries = tries.len(), "buyer told");
    }
}
