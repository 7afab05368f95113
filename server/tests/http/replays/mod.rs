//! Replays: from a person's decision to another system's record, or to an honest "nobody knows".

mod answers;
mod asking_again;
mod between;
mod decisions;
mod keys;
mod lapses;
mod late;
mod lookups;
mod racing;
mod samples;
mod sending;
mod trying_again;
mod unreachable;

use std::sync::Arc;

use domain::permission::Role;
use rehearsal::systems::{Receipt, Running, Sink};
use serde_json::{Value, json};

use crate::{
    actions::not_sent,
    app::{App, Token},
    wire::Answer,
    words::{report, with},
};

/// A workflow whose one step goes to a mode of the sink.
pub(super) struct Shape {
    /// Path and query below the sink's address.
    pub(super) mode: &'static str,
    /// Further lines of the step.
    pub(super) step: &'static str,
    /// Further lines of its destination.
    pub(super) to: &'static str,
    /// Further lines after the destination.
    pub(super) after: &'static str,
    /// Further lines of the workflow.
    pub(super) workflow: &'static str,
}

/// An irreversible step at a destination that recognises keys and answers well.
pub(super) const GOOD: Shape = Shape {
    mode: "ok",
    step: "repeat = \"key\"\nkey_memory = \"24h\"",
    to: "",
    after: "[step.lookup]\nurl = \"{sink}/lookup?key={key}\"\nallow_private = true\nfound = { pointer = \"/items/0/id\" }\nabsent = { pointer = \"/count\", equals = 0 }",
    workflow: "",
};

/// The same where a repeat is not recognised.
pub(super) const FORGETFUL: Shape = Shape { step: "repeat = \"nothing\"", ..GOOD };

impl Shape {
    fn file(&self, sink: &str) -> String {
        let Self { mode, step, to, after, workflow } = self;
        format!(
            "[workflow]\nkey = \"invoice-sync\"\nname = \"Supplier invoices\"\nowner_team = \"finance-ops\"\nversion = \"2026-11-20\"\n{workflow}\n\
             [[step]]\nkey = \"create_invoice\"\nside_effect = \"irreversible\"\nsensitivity = \"internal\"\n{step}\n\
             [step.destination]\nkind = \"http\"\nurl = \"{sink}/{mode}\"\nallow_private = true\ntimeout = \"2s\"\n\
             success = {{ pointer = \"/ok\", equals = true }}\nrecord_id = \"/id\"\n{to}\n{}\n",
            after.replace("{sink}", sink)
        )
    }
}

/// A sink, its registered workflow, the automation, and an operator's script.
pub(super) struct Stage<'a> {
    pub(super) app: &'a App,
    pub(super) sink: Running<Sink>,
    pub(super) sync: Token<'a>,
    pub(super) amara: Token<'a>,
}

impl<'a> Stage<'a> {
    pub(super) async fn new(app: &'a App, shape: Shape) -> Self {
        let clock = Arc::clone(&app.clock);
        let sink = Sink::start(Arc::new(move || service::clock::Clock::now(&*clock))).await.unwrap();
        app.register(&shape.file(&sink.url)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        Self { app, sink, sync, amara }
    }

    /// Applies another shape of the same workflow.
    pub(super) async fn reshape(&self, shape: Shape) {
        self.app.register(&shape.file(&self.sink.url)).await;
    }

    /// Applies a shape with its text changed.
    pub(super) async fn reshape_text(&self, shape: Shape, change: impl FnOnce(String) -> String) {
        let text = shape.file(&self.sink.url);
        let changed = change(text.clone());
        assert_ne!(text, changed, "a set-up that took no effect");
        self.app.register(&changed).await;
    }

    /// Work of which nothing has happened.
    pub(super) async fn unsent(&self, key: &str) -> String {
        self.sync.reported(&not_sent(key)).await
    }

    /// Work whose outcome is uncertain: it was sent with this key, a minute ago.
    pub(super) async fn doubtful(&self, key: &str) -> String {
        let began = self.app.service.now() - chrono::TimeDelta::minutes(1);
        let tries =
            json!([{ "number": 1, "outcome": "uncertain", "sent": true, "started_at": began, "finished_at": began }]);
        let effect = json!({ "status": "uncertain", "idempotency_key": key });
        self.sync.reported(&with(report(key), json!({ "attempts": tries, "effect": effect }))).await
    }

    /// Asks for a replay of a revision.
    pub(super) async fn replay(&self, item: &str, revision: i64) -> Answer {
        self.amara.act(item, "replay", replay(revision)).await
    }

    /// The same, taken on, and sent until nothing is due.
    pub(super) async fn replayed(&self, item: &str, revision: i64) -> Value {
        self.replay(item, revision).await.is(202);
        self.app.send_due().await;
        self.sync.item(item).await
    }

    /// Every request that arrived.
    pub(super) fn lines(&self) -> Vec<Receipt> {
        self.sink.lines()
    }
}

/// What a replay asks for at least.
pub(super) fn replay(revision: i64) -> Value {
    json!({ "revision": revision, "reason": "The ledger is back" })
}

/// How an item stands: state, effect, resolution.
pub(super) fn standing(item: &Value) -> (&str, &str, Option<&str>) {
    (item["state"].as_str().unwrap(), item["effect"]["status"].as_str().unwrap(), item["resolution"].as_str())
}

/// Each attempt's outcome and effect, the first first.
pub(super) fn attempts(item: &Value) -> Vec<(String, String)> {
    let word = |attempt: &Value, name: &str| attempt[name].as_str().unwrap().to_owned();
    let mut all: Vec<&Value> = item["attempts"].as_array().unwrap().iter().collect();
    all.sort_by_key(|attempt| attempt["number"].as_i64());
    all.into_iter().map(|attempt| (word(attempt, "outcome"), word(attempt, "effect"))).collect()
}

/// The last attempt.
pub(super) fn last(item: &Value) -> Value {
    let all = item["attempts"].as_array().unwrap();
    all.iter().max_by_key(|attempt| attempt["number"].as_i64()).unwrap().clone()
}
