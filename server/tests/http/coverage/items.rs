//! Items in the state that an action needs, and what each action is told.

use chrono::TimeDelta;
use domain::permission::Permission;
use serde_json::{Value, json};
use service::items::actions::ItemAction;

use super::{
    May,
    cast::{Cast, Kind},
    told::{Thing, version},
};
use crate::{
    wire::Answer,
    words::{report, time, with},
};

/// An item on which the action is possible, for this one.
pub(super) async fn ready(cast: &Cast<'_>, kind: Kind, action: &ItemAction, key: &str) -> String {
    let (sync, soon) = (&cast.sync, cast.app.service.now() + TimeDelta::hours(1));
    let unsent = with(report(key), json!({ "attempts": [{ "outcome": "failed", "sent": false }] }));
    let holder = if May::People(Permission::ItemsWork).holds(kind) { kind } else { Kind::Operator };
    let first = async |id: &str, step: &str, body: Value| {
        let request = cast.token(holder).request("POST", &format!("/api/v1/items/{id}/{step}"));
        Answer::to(request.body(body.to_string())).await.is(200);
    };
    match action.step.as_str() {
        "reconcile" => sync.reported(&report(key)).await,
        "ask_again" | "lookup" => {
            let attempt = json!({ "outcome": "uncertain", "sent": true, "started_at": time(cast.app.service.now()) });
            let effect = json!({ "status": "uncertain", "idempotency_key": key });
            sync.reported(&with(report(key), json!({ "attempts": [attempt], "effect": effect }))).await
        }
        "cancel_retry" => sync.reported(&with(unsent, json!({ "next_attempt_by_automation_at": time(soon) }))).await,
        "release" | "hand_over" => {
            let id = sync.reported(&unsent).await;
            first(&id, "claim", json!({})).await;
            id
        }
        "wake" => {
            let id = sync.reported(&unsent).await;
            first(&id, "snooze", json!({ "until": time(soon), "reason": "later" })).await;
            id
        }
        "reopen" | "compensations" => {
            let id = sync.reported(&report(key)).await;
            sync.patch(&id, &json!({ "succeeded": { "record_id": "LED-1" } })).await.is(200);
            if action.step.as_str() == "compensations" {
                let operator = cast.token(Kind::Operator).request("POST", &format!("/api/v1/items/{id}/reopen"));
                Answer::to(operator.body(json!({ "reason": "Wrong" }).to_string())).await.is(200);
            }
            id
        }
        _ => sync.reported(&unsent).await,
    }
}

/// A replay that waits for another person's approval, asked for by this one or by an operator: it and its item.
pub(super) async fn approval(cast: &Cast<'_>, kind: Kind, key: &str) -> (String, String) {
    let asker = if May::People(Permission::ItemsReplay).holds(kind) { kind } else { Kind::Operator };
    let unsent = with(report(key), json!({ "attempts": [{ "outcome": "failed", "sent": false }] }));
    let id = cast.sync.reported(&unsent).await;
    let request = cast.token(asker).request("POST", &format!("/api/v1/items/{id}/replay"));
    let request = request.header("if-match", version(cast, &id).await.to_string());
    let wanted = json!({ "revision": 1, "reason": "The ledger is back", "request_approval": true });
    let taken = Answer::to(request.body(wanted.to_string())).await.is(202).json();
    (taken["approval"].as_str().unwrap().to_owned(), id)
}

/// An alert: an item was escalated, and nobody answered.
pub(super) async fn alert(cast: &Cast<'_>, key: &str) -> String {
    let id = cast.sync.reported(&report(key)).await;
    let by = time(cast.app.service.now() + TimeDelta::seconds(1));
    let request = cast.token(Kind::Operator).request("POST", &format!("/api/v1/items/{id}/escalate"));
    let asked = json!({ "team": "finance-ops", "reason": "It is urgent", "respond_by": by });
    Answer::to(request.body(asked.to_string())).await.is(200);
    cast.app.later(TimeDelta::seconds(2));
    cast.app.watch().await;
    let alerts = cast.app.packet(&id).await.alerts;
    alerts.last().expect("nobody answered in time").id.to_string()
}

/// An item with a revision that a person made.
pub(super) async fn corrected(cast: &Cast<'_>, key: &str) -> String {
    let id = cast.sync.reported(&report(key)).await;
    let request = cast.token(Kind::Operator).request("POST", &format!("/api/v1/items/{id}/correct"));
    let request = request.header("if-match", version(cast, &id).await.to_string());
    let correction = json!({ "parent": 1, "text": r#"{"amount":41}"#, "reason": "A digit" });
    Answer::to(request.body(correction.to_string())).await.is(200);
    id
}

/// What an action is told.
pub(super) fn said(cast: &Cast<'_>, action: &ItemAction, thing: &Thing) -> Value {
    let soon = cast.app.service.now() + TimeDelta::hours(1);
    match action.step.as_str() {
        "claim" | "release" | "wake" | "lookup" => json!({}),
        "replay" => json!({ "revision": 1, "reason": "The ledger is back" }),
        "ask_again" => json!({ "attempt": thing.attempt, "reason": "The ledger is back" }),
        "compensations" => json!({ "plan": "reverse_invoice", "reason": "A nought too many" }),
        "comment" => json!({ "text": "Seen" }),
        "cancel_retry" | "reopen" => json!({ "reason": "Agreed" }),
        "hand_over" | "assign" => json!({ "team": "support", "note": "Yours" }),
        "snooze" => json!({ "until": time(soon), "reason": "later" }),
        "escalate" => json!({ "team": "support", "reason": "Stuck", "respond_by": time(soon) }),
        "reconcile" => json!({ "finding": "not_applied", "source": "the ledger", "evidence": "searched by number" }),
        "resolve" => json!({ "resolution": "discarded", "effect": "none", "reason": "Not wanted" }),
        "correct" => json!({ "parent": 1, "text": r#"{"amount":41}"#, "reason": "A digit" }),
        name => panic!("what `{name}` is told is not written here"),
    }
}
