//! How each endpoint is asked, and on what.

use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::TimeDelta;
use serde_json::{Map, Value, json};
use service::items::actions::ItemAction;

use super::{
    May,
    cast::{Cast, Kind},
    items::{alert, approval, corrected, ready, said},
    things,
};
use crate::{
    app::PASSWORD,
    wire::Answer,
    words::{report, with},
};

/// An endpoint and who may use it.
pub(super) struct Told {
    method: &'static str,
    pub(super) path: String,
    pub(super) may: May,
    pub(super) on: On,
}

/// What it is used on.
#[derive(Clone, Copy)]
pub(super) enum On {
    /// Nothing in particular.
    Nothing,
    /// An item.
    Item,
    /// An item on which this action is possible.
    Ready(&'static ItemAction),
    /// An item whose payload was corrected.
    Corrected,
    /// A report in quarantine.
    Case,
    /// Somebody's account.
    Account,
    /// An invitation.
    Link,
    /// A role of an admin's own.
    Role,
    /// A team.
    Team,
    /// An automation's token.
    Token,
    /// A channel.
    Channel,
    /// A token that acts as who asks.
    OwnToken,
    /// A right that waits for a second admin.
    Grant,
    /// An alert about an item.
    Alert,
    /// Something that waits for another person's decision.
    Approval,
    /// Something that who asks has asked for themselves.
    OwnRequest,
    /// Somebody who stands in for who asks.
    Substitute,
    /// Somebody who may decide what others ask for.
    Decider,
    /// Another session of who asks.
    OtherSession,
    /// A second step that who asks has begun to set up.
    SecondStepBegun,
    /// One that is asked of them.
    SecondStepAsked,
    /// Somebody whose password fitted and whose second step is waited for.
    Waiting,
}

/// A thing that was made for one use.
pub(super) struct Thing {
    pub(super) id: String,
    pub(super) key: String,
    /// Its last attempt, of an item; of an approval, its item.
    pub(super) attempt: Option<String>,
}

pub(super) fn endpoint(method: &'static str, path: impl Into<String>, may: May, on: On) -> Told {
    Told { method, path: path.into(), may, on }
}

static MADE: AtomicUsize = AtomicUsize::new(0);

impl Told {
    /// Method and address.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Makes what it is used on.
    pub(super) async fn prepare(&self, cast: &Cast<'_>, kind: Kind) -> Thing {
        let key = format!("thing {}", MADE.fetch_add(1, Ordering::Relaxed));
        let app = cast.app;
        let owner = if kind.permissions().is_some() { kind } else { Kind::Operator };
        let id = match self.on {
            On::Nothing => String::new(),
            On::Account => things::account(app, &key).await.to_string(),
            On::Link => things::link(app, &key).await,
            On::Role => things::role(app, &key).await,
            On::Team => things::team(app, &key).await,
            On::Token => things::token(app, &key).await.to_string(),
            On::Channel => things::channel(app, &key).await,
            On::OwnToken => things::own_token(app, owner, &key).await.to_string(),
            On::Grant => things::grant(app, &key).await.to_string(),
            On::OtherSession => things::other_session(app, owner).await.to_string(),
            On::SecondStepBegun | On::SecondStepAsked => {
                for who in [Kind::Operator, owner] {
                    things::own_two_step(app, who, matches!(self.on, On::SecondStepAsked)).await;
                }
                String::new()
            }
            On::Waiting => {
                let (email, codes) = things::two_step(app, &key).await;
                format!("{email} {}", codes[0])
            }
            On::Item => cast.sync.reported(&report(&key)).await,
            On::Alert => alert(cast, &key).await,
            On::Ready(action) => ready(cast, kind, action, &key).await,
            On::Approval | On::OwnRequest => {
                let asker = if matches!(self.on, On::OwnRequest) { kind } else { Kind::Operator };
                let (id, item) = approval(cast, asker, &key).await;
                return Thing { id, key, attempt: Some(item) };
            }
            On::Decider => things::decider(app, &key).await,
            On::Substitute => things::substitute(app, owner, &key).await.to_string(),
            On::Corrected => corrected(cast, &key).await,
            On::Case => cast.sync.report(&with(report(&key), json!({ "x": 1 }))).await.kept(422, "invalid"),
        };
        let attempt = match self.on {
            On::Ready(_) => things::last_attempt(cast, &id).await,
            _ => None,
        };
        Thing { id, key, attempt }
    }

    /// Asks for it with what they bring.
    pub(super) async fn ask(&self, cast: &Cast<'_>, kind: Kind, thing: &Thing) -> Answer {
        let path = self.path.replace("{id}", &thing.id).replace("{number}", "1").replace("{action}", "claim");
        let path = path.replace("{revision}", "2").replace("{verb}", "anything").replace("{name}", &thing.id);
        let path = path
            .replace("{key}", &thing.id)
            .replace("{secret}", if thing.id.is_empty() { "{secret}" } else { &thing.id });
        let path = match path.as_str() {
            "/api/docs/{*rest}" => "/api/docs/swagger-ui.css".to_owned(),
            "/pkg/{*file}" => things::bundle_file(cast).await,
            "/api/v1/outcomes" => "/api/v1/outcomes?workflow=invoice-sync".to_owned(),
            path => path.to_owned(),
        };
        let (token, browser) = (cast.token(kind), cast.browser(kind));
        if path.starts_with("/api/v1/") {
            let mut request = token.request(self.method, &path);
            if let (On::Approval | On::OwnRequest, Some(item)) = (self.on, &thing.attempt) {
                request = request.header("if-match", version(cast, item).await.to_string());
            }
            if let On::Ready(_) = self.on {
                request = request.header("if-match", version(cast, &thing.id).await.to_string());
            }
            return Answer::to(request.body(self.body(cast, kind, thing).await.to_string())).await;
        }
        match self.method {
            "GET" => browser.get(&path).await,
            "ANY" => {
                let request = browser.request("POST", &path).header("sec-fetch-site", "same-origin");
                let asked = json!({ "query": "", "since": 0, "item": thing.id }).to_string();
                browser.exchange(request.header("content-type", "application/json").body(asked)).await
            }
            _ => self.post(cast, kind, thing, &path).await,
        }
    }

    /// Posts its form, and signs them in again where that was ended.
    async fn post(&self, cast: &Cast<'_>, kind: Kind, thing: &Thing, path: &str) -> Answer {
        let browser = cast.browser(kind);
        if path.ends_with("/help") {
            // Asked for more often than that, it would be turned away.
            cast.app.later(TimeDelta::minutes(31));
        }
        let mut fields: Vec<(String, String)> = match &self.body(cast, kind, thing).await {
            Value::Object(body) => body
                .iter()
                .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
                .collect(),
            _ => Vec::new(),
        };
        if let On::Ready(_) = self.on {
            fields.push(("version".into(), version(cast, &thing.id).await.to_string()));
            fields.push(("stage".into(), "save".into()));
        }
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if path == "/sign-in" || matches!(self.on, On::Link | On::Waiting) {
            // In a browser of its own, or they would be somebody else afterwards.
            let other = cast.app.browser();
            if let (On::Waiting, Some((email, _))) = (self.on, thing.id.split_once(' ')) {
                other.sign_in(email).await.is(303);
            }
            return other.post(path, &fields).await;
        }
        let answer = browser.post(path, &fields).await;
        if kind.permissions().is_some() && path == "/sign-out" {
            browser.sign_in(&kind.email()).await.is(303);
        }
        answer
    }

    /// What is sent.
    async fn body(&self, cast: &Cast<'_>, kind: Kind, thing: &Thing) -> Value {
        match (self.name().as_str(), self.on) {
            ("POST /api/v1/items", _) => report(&format!("told {}", thing.key)),
            ("POST /api/v1/items/batch", _) => json!({ "items": [] }),
            ("PATCH /api/v1/items/{id}", _) => json!({ "source_version": "etag-2" }),
            ("POST /api/v1/outcomes/ack", _) => json!({ "workflow": "invoice-sync", "through": "0" }),
            ("POST /sign-in", _) => json!({ "email": Kind::Operator.email(), "password": PASSWORD }),
            ("POST /quarantine/{id}/accept", _) => {
                json!({ "mode": "report", "note": "checked", "text": report(&thing.key).to_string() })
            }
            ("POST /quarantine/{id}/close", _) => json!({ "note": "checked" }),
            (name @ ("POST /items/{id}/draft" | "POST /items/{id}/reveal"), _) => {
                self.typed(cast, kind, name, thing).await
            }
            (name, _) if name.contains(" /api/v1/approvals/") => json!({ "reason": "Compared with the paper" }),
            (name, _) if name.contains(" /approvals/") => {
                let seen = match &thing.attempt {
                    Some(item) => version(cast, item).await,
                    None => 0,
                };
                let person = Kind::Supervisor.email();
                json!({ "version": seen, "reason": "Compared", "note": "Yours", "person": person, "confirm": PASSWORD })
            }
            (name, _) if name.contains(" /admin/") || name.contains(" /me/") || self.on_sign_in() => {
                self.typed(cast, kind, name, thing).await
            }
            (_, On::Ready(action)) => said(cast, action, thing),
            _ => Value::Object(Map::new()),
        }
    }
}

pub(super) async fn version(cast: &Cast<'_>, item: &str) -> i64 {
    cast.app.service.packet(&crate::app::command_line(), item.parse().unwrap()).await.unwrap().item.version
}
