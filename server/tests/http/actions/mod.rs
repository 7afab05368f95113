//! What people do with an item: from scripts with a personal token, and from the pages' forms.

mod aside;
mod asking;
mod claims;
mod doubles;
mod following_up;
mod giving;
mod mentioning;
mod reconciling;
mod resolving;
mod sequences;
mod tokens;

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use serde_json::{Value, json};
use service::{AuditRow, items::packet::Packet, tokens::create::CreatePersonalToken};

use crate::{
    app::{App, Token, command_line},
    wire::Answer,
    words::{report, with},
};

impl App {
    /// A new person's script.
    pub(super) async fn script(&self, name: &str, role: Role, team: &str) -> Token<'_> {
        let email = self.add(name, &[role], &[team], Clearance::Restricted).await;
        self.script_of(&email, &[]).await
    }

    /// A script of the person with this address, limited to these permissions where any are named.
    pub(super) async fn script_of(&self, email: &str, scopes: &[Permission]) -> Token<'_> {
        let action = CreatePersonalToken { email: email.to_owned(), scopes: scopes.to_vec() };
        Token { app: self, secret: self.service.run(&command_line(), action).await.unwrap() }
    }

    /// Everything about an item.
    pub(super) async fn packet(&self, item: &str) -> Packet {
        let (who, item) = (crate::app::command_line(), item.parse().unwrap());
        // In a box: whoever asks for one version after the other is no larger for it.
        Box::pin(self.service.packet(&who, item)).await.unwrap()
    }

    /// An item's version.
    pub(super) async fn version(&self, item: &str) -> i64 {
        self.packet(item).await.item.version
    }
}

impl Token<'_> {
    /// Acts on an item as it stands now.
    pub(super) async fn act(&self, item: &str, action: &str, body: Value) -> Answer {
        let version = self.app.version(item).await.to_string();
        self.ask(item, action, body, &[("if-match", &version)]).await
    }

    /// Acts on an item with these headers.
    pub(super) async fn ask(&self, item: &str, action: &str, body: Value, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.request("POST", &format!("/api/v1/items/{item}/{action}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Answer::to(request.header("content-type", "application/json").body(body.to_string())).await
    }
}

/// Work whose effect is known: none of it happened.
pub(super) fn not_sent(key: &str) -> Value {
    with(report(key), json!({ "attempts": [{ "number": 1, "outcome": "failed", "sent": false }] }))
}

/// Work with this effect.
pub(super) fn with_effect(key: &str, status: &str) -> Value {
    with(report(key), json!({ "effect": { "status": status } }))
}

/// Work with two attempts that may have had an effect.
pub(super) fn twice_uncertain(key: &str) -> Value {
    let tries = json!([{ "number": 1, "outcome": "uncertain", "sent": true }, { "number": 2, "outcome": "uncertain", "sent": true }]);
    with(report(key), json!({ "attempts": tries }))
}

/// What a finding says at least.
pub(super) fn finding(word: &str) -> Value {
    json!({ "finding": word, "source": "the ledger", "evidence": "searched by number" })
}

/// What a resolution says at least.
pub(super) fn resolution(word: &str, effect: &str) -> Value {
    json!({ "resolution": word, "effect": effect, "reason": "Agreed with the supplier" })
}

/// Insists that nothing but the field at `pointer` is wrong.
#[track_caller]
pub(super) fn wrong(answer: &Answer, pointer: &str) {
    let problem = answer.problem(422, "invalid");
    let pointers: Vec<_> =
        problem["fields"].as_array().unwrap().iter().map(|field| field["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, [pointer], "{problem}");
}

/// The ids of an item's attempts, the first first.
pub(super) fn attempt_ids(item: &Value) -> Vec<String> {
    item["attempts"].as_array().unwrap().iter().map(|attempt| attempt["id"].as_str().unwrap().to_owned()).collect()
}

/// Insists on a single entry of this kind and outcome; answers it.
#[track_caller]
pub(super) fn only(entries: Vec<AuditRow>, kind: AuditKind, outcome: AuditOutcome) -> AuditRow {
    let told: Vec<_> = entries.iter().map(|entry| (entry.action, entry.outcome)).collect();
    assert_eq!(told, [(kind, outcome)]);
    entries.into_iter().next().unwrap()
}
