//! The second pair of eyes (R11, R12): what one person asks for another decides, on exactly one content, once. What counts
//! is what the ledger holds.

mod changing;
mod compensating;
mod completing;
mod deciding;
mod handing;
mod interleaving;
mod pages;
mod racing;
mod troubles;

use std::sync::Arc;

use domain::{
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use rehearsal::systems::{Ledger, Running};
use serde_json::{Value, json};

use crate::{
    actions::not_sent,
    app::{App, Token},
    wire::Answer,
    words::with,
};

/// What the ledger is told of an invoice: its amount spelled as no float keeps it.
pub(super) const WRONG: &str =
    r#"{"invoice_number":"INV-1042","amount": 4000.00,"currency":"NOK","cost_centre":"4100"}"#;
/// The same with the right amount.
pub(super) const RIGHT: &str =
    r#"{"invoice_number":"INV-1042","amount": 400.00,"currency":"NOK","cost_centre":"4100"}"#;

/// How the invoice's effect is made good: one plan, its parts and parameters below.
pub(super) const REVERSAL: &str = "
[[step.compensation]]
key = \"reverse_invoice\"
name = \"Post an authorised reversal\"
cannot_undo = \"The original entry stays; a reversal is posted beside it.\"
undoes = \"whole\"
only_if = { url = \"{ledger}/api/invoices/{record_id}\", allow_private = true, pointer = \"/status\", equals = \"posted\" }
[[step.compensation.param]]
key = \"reason_code\"
type = \"choice\"
choices = [\"wrong-amount\", \"duplicate\"]
[[step.compensation.param]]
key = \"fee\"
type = \"decimal\"
min = 0
max = 100
[[step.compensation.part]]
name = \"reversal\"
url = \"{ledger}/api/reversals\"
allow_private = true
timeout = \"1s\"
record_id = \"/reversal/id\"
body = { invoice = \"{record_id}\", amount = \"{payload:/amount}\", fee = \"{param:fee}\", reason = \"{param:reason_code}\" }
[step.compensation.part.lookup]
url = \"{ledger}/api/reversals?key={key}\"
allow_private = true
found = { pointer = \"/items/0/id\" }
absent = { pointer = \"/count\", equals = 0 }
";

/// A ledger, its registered workflow, an operator and two supervisors.
pub(super) struct Office<'a> {
    pub(super) app: &'a App,
    pub(super) ledger: Running<Ledger>,
    pub(super) sync: Token<'a>,
    pub(super) amara: Token<'a>,
    pub(super) selma: Token<'a>,
    pub(super) sven: Token<'a>,
}

pub(super) fn file(ledger: &str, step: &str, after: &str) -> String {
    format!(
        "[workflow]\nkey = \"invoice-sync\"\nname = \"Supplier invoices\"\nowner_team = \"finance-ops\"\nversion = \"2026-11-20\"\n\
         [[step]]\nkey = \"create_invoice\"\nside_effect = \"irreversible\"\nrepeat = \"key\"\nkey_memory = \"24h\"\nsensitivity = \"internal\"\n{step}\n\
         [step.destination]\nkind = \"http\"\nurl = \"{ledger}/api/invoices\"\nallow_private = true\ntimeout = \"1s\"\n\
         success = {{ pointer = \"/ok\", equals = true }}\nrecord_id = \"/invoice/id\"\n{}\n",
        after.replace("{ledger}", ledger)
    )
}

impl<'a> Office<'a> {
    pub(super) async fn new(app: &'a App, step: &str) -> Self {
        let ledger = Ledger::start(clock(app)).await.unwrap();
        app.register(&file(&ledger.url, step, REVERSAL)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let (selma, sven) = (supervisor(app, "Selma").await, supervisor(app, "Sven").await);
        Self { app, ledger, sync, amara, selma, sven }
    }

    /// The clock that other systems go by, too.
    pub(super) fn clock(&self) -> rehearsal::Now {
        clock(self.app)
    }

    /// Work of which nothing has happened, with this payload.
    pub(super) async fn unsent(&self, key: &str, payload: &str) -> String {
        let payload = json!({ "payload": { "media_type": "application/json", "text": payload } });
        self.sync.reported(&with(not_sent(key), payload)).await
    }

    /// An item whose wrong invoice the ledger holds, open again.
    pub(super) async fn posted(&self, key: &str) -> String {
        let item = self.unsent(key, WRONG).await;
        self.amara.act(&item, "replay", json!({ "revision": 1, "reason": "The ledger is back" })).await.is(202);
        self.app.send_due().await;
        self.amara.act(&item, "reopen", json!({ "reason": "The amount is wrong" })).await.is(200);
        assert_eq!(self.ledger.invoices().len(), 1, "the ledger holds the wrong invoice");
        item
    }

    /// A corrected revision 2.
    pub(super) async fn corrected(&self, item: &str) {
        let correction = json!({ "parent": 1, "text": RIGHT, "reason": "A nought too many" });
        self.amara.act(item, "correct", correction).await.is(200);
    }

    /// Asks for a replay to be approved; the approval.
    pub(super) async fn asked(&self, item: &str, revision: i64) -> String {
        let body = json!({ "revision": revision, "reason": "It is right now", "request_approval": true });
        let taken = self.amara.act(item, "replay", body).await.is(202).json();
        assert_eq!(taken["state"], "awaiting_approval", "{taken}");
        taken["approval"].as_str().unwrap().to_owned()
    }

    /// Asks for the reversal; the approval.
    pub(super) async fn asked_to_reverse(&self, item: &str) -> String {
        let taken = self.amara.act(item, "compensations", reversal()).await.is(202).json();
        assert_eq!(taken["state"], "awaiting_approval", "{taken}");
        taken["approval"].as_str().unwrap().to_owned()
    }

    /// How an item stands: state, effect, resolution.
    pub(super) async fn standing(&self, item: &str) -> (String, String, Option<String>) {
        let item = self.sync.item(item).await;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (text(&item["state"]).unwrap(), text(&item["effect"]["status"]).unwrap(), text(&item["resolution"]))
    }
}

fn clock(app: &App) -> rehearsal::Now {
    let clock = Arc::clone(&app.clock);
    Arc::new(move || service::clock::Clock::now(&*clock))
}

/// What is asked for.
pub(super) fn reversal() -> Value {
    json!({
        "plan": "reverse_invoice", "reason": "A nought too many",
        "parameters": { "reason_code": "wrong-amount", "fee": 1.50 },
    })
}

/// A supervisor's script that may decide.
pub(super) async fn supervisor<'a>(app: &'a App, name: &str) -> Token<'a> {
    let email = app.add(name, &[Role::Supervisor], &["finance-ops"], Clearance::Restricted).await;
    app.script_of(&email, &[Permission::ItemsRead, Permission::ApprovalsDecide]).await
}

impl Token<'_> {
    /// Decides an approval of an item as it stands now.
    pub(super) async fn decide(&self, item: &str, approval: &str, verb: &str) -> Answer {
        let version = self.app.version(item).await.to_string();
        self.decide_as_seen(approval, verb, &version).await
    }

    pub(super) async fn decide_as_seen(&self, approval: &str, verb: &str, version: &str) -> Answer {
        let request = self.request("POST", &format!("/api/v1/approvals/{approval}/{verb}")).header("if-match", version);
        Answer::to(request.body(json!({ "reason": "Compared with the paper" }).to_string())).await
    }

    /// What waits for them.
    pub(super) async fn waiting(&self) -> Vec<Value> {
        self.get("/api/v1/approvals").await.is(200).json()["items"].as_array().unwrap().clone()
    }

    /// One approval, among those that have ended.
    pub(super) async fn ended(&self, approval: &str) -> Value {
        let page = self.get("/api/v1/approvals?tab=decided").await.is(200).json();
        page["items"].as_array().unwrap().iter().find(|row| row["id"] == *approval).cloned().expect("it has ended")
    }
}
