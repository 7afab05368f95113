//! Payloads as documents: what is corrected keeps every other byte, what is hidden stays hidden, what is not open stays shut.

mod drafts;
mod editable;
mod kept;
mod masking;
mod patches;
mod schemas;

use std::collections::BTreeMap;

use domain::{permission::Permission, role::RoleKey, sensitivity::Clearance};
use serde_json::{Value, json};
use service::{rights::roles::SaveRole, workflows::apply::ApplyWorkflow};

use crate::{
    actions::not_sent,
    app::{App, Token, command_line},
    words::with,
};

/// Written as real systems write: odd spelling, escapes, a number that no float holds, white space of its own.
pub(super) const DOCUMENT: &str = "{\r\n  \"order\" : 10.0, \"amount\":1070468.14,\r\n  \"vendor\": {\"name\":\"L\\u00e9on\", \"iban\":\"NO9386011117947\"},\
    \r\n  \"contact\":{\"mail\":\"kari@hemmelig.example\",\"phone\":\"+47 900 00 123\"},\
    \r\n  \"lines\": [ {\"sku\":\"A-1\",\"qty\":1.00}, {\"sku\":\"B-2\",\"qty\":2} ],\
    \r\n  \"auth\": {\"Authorization\":\"Bearer abcdef1234567890abcdef\"}, \"ref\":90071992547409931\r\n}\n";

/// What of it is sensitive, each as it stands there.
pub(super) const SECRETS: [&str; 5] =
    ["NO9386011117947", "kari@hemmelig.example", "+47 900 00 123", "abcdef1234567890abcdef", "Bearer abcdef"];

/// The workflow, its step with these further lines.
pub(super) async fn register(app: &App, step: &str, schema: Option<&str>) {
    let file = format!(
        "[workflow]\nkey = \"invoice-sync\"\nname = \"Supplier invoices\"\nowner_team = \"finance-ops\"\nversion = \"2026-11-20\"\n\
         [[step]]\nkey = \"create_invoice\"\nside_effect = \"irreversible\"\nrepeat = \"key\"\nkey_memory = \"24h\"\nsensitivity = \"confidential\"\n{step}\n\
         [step.destination]\nkind = \"http\"\nurl = \"http://127.0.0.1:9/invoices\"\nallow_private = true\n"
    );
    let schemas: BTreeMap<String, String> =
        schema.into_iter().map(|text| ("invoice.schema.json".to_owned(), text.to_owned())).collect();
    let action = ApplyWorkflow::new(file, schemas, false).unwrap();
    assert!(
        !app.service.run(&command_line(), action).await.unwrap().changes.is_empty(),
        "a set-up that took no effect"
    );
}

/// What the step calls sensitive.
pub(super) const SENSITIVE: &str = "sensitive = [\"/vendor/iban\", \"/contact/**\"]";

/// An item with exactly this document.
pub(super) async fn reported(app: &App, key: &str, document: &str) -> String {
    let sync = app.token(&["invoice-sync"]).await;
    let told = with(not_sent(key), json!({ "payload": { "media_type": "application/json", "text": document } }));
    sync.reported(&told).await
}

/// The bytes that are kept of a revision.
pub(super) async fn kept(app: &App, item: &str, revision: i64) -> String {
    let payload = app.service.payload(&command_line(), item.parse().unwrap(), Some(revision)).await.unwrap();
    String::from_utf8(payload.bytes).unwrap()
}

/// The version of the draft that a page goes on with.
pub(super) fn draft_version(page: &str) -> String {
    let begins = page.split("name=\"draft_version\" value=\"").nth(1).expect("the page names its draft");
    begins.split('"').next().unwrap().to_owned()
}

/// A person of finance-ops who may do these things beside an operator's, with this clearance; their address.
pub(super) async fn person(app: &App, name: &str, may: &[Permission], clearance: Clearance) -> String {
    let mut roles: Vec<RoleKey> = vec![domain::permission::Role::Operator.into()];
    if !may.is_empty() {
        let key: RoleKey = name.to_lowercase().parse().unwrap();
        let role = SaveRole {
            key: key.to_string(),
            name: name.to_owned(),
            permissions: may.iter().copied().collect(),
            version: None,
        };
        app.service.run(&command_line(), role).await.unwrap();
        roles.push(key);
    }
    app.add(name, &roles, &["finance-ops"], clearance).await
}

/// Their script.
pub(super) async fn script<'a>(app: &'a App, name: &str, may: &[Permission], clearance: Clearance) -> Token<'a> {
    let email = person(app, name, may, clearance).await;
    app.script_of(&email, &[]).await
}

/// A correction by patch.
pub(super) fn patch(parent: i64, operations: Value) -> Value {
    json!({ "parent": parent, "patch": operations, "reason": "A digit was wrong" })
}
