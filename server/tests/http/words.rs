//! What automations say in these stories.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

/// A workflow with a step of each kind.
pub(crate) const INVOICES: &str = r#"
[workflow]
key = "invoice-sync"
name = "Supplier invoices"
owner_team = "finance-ops"
version = "2026-11-20"

[[step]]
key = "create_invoice"
name = "Create the invoice in the ledger"
side_effect = "irreversible"
repeat = "key"
key_memory = "24h"
impact = "high"
sensitivity = "confidential"

[[step]]
key = "extract"
name = "Read the document"
side_effect = "none"
sensitivity = "internal"

[[step]]
key = "pay"
name = "Pay the supplier"
side_effect = "irreversible"
sensitivity = "restricted"
"#;

/// Another team's workflow.
pub(crate) const REPLIES: &str = r#"
[workflow]
key = "support-replies"
name = "Replies to customers"
owner_team = "support"
version = "7"

[[step]]
key = "send"
side_effect = "irreversible"
"#;

/// The least an invoice's report says: the effect is left open.
pub(crate) fn report(key: &str) -> Value {
    json!({
        "workflow": "invoice-sync", "step": "create_invoice", "dedupe_key": key,
        "failure": { "class": "timeout", "message": "The ledger did not answer in 10 s" },
        "payload": { "media_type": "application/json", "json": { "amount": 40 } },
    })
}

/// A report with some fields set, or left out where null.
pub(crate) fn with(mut report: Value, fields: Value) -> Value {
    let known = report.as_object_mut().unwrap();
    for (name, value) in fields.as_object().unwrap() {
        known.insert(name.clone(), value.clone());
    }
    report
}

/// A report without a field.
pub(crate) fn without(mut report: Value, field: &str) -> Value {
    assert!(report.as_object_mut().unwrap().remove(field).is_some(), "a set-up that took no effect");
    report
}

/// A report's text with the payload's JSON exactly as given.
pub(crate) fn with_payload_text(report: Value, json: &str) -> String {
    let mut text = without(report, "payload").to_string();
    text.pop();
    format!(r#"{text},"payload":{{"media_type":"application/json","json":{json}}}}}"#)
}

/// A time as automations write it.
pub(crate) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
}
