//! The assembled application on a port of its own, and who uses it.

use std::{collections::HashSet, net::SocketAddr, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Caller,
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    role::RoleKey,
    sensitivity::Clearance,
};
use futures::FutureExt as _;
use serde_json::Value;
use server::settings::{LogFormat, Settings};
use service::{
    AuditFilter, AuditRow, Request, Service, clock::ManualClock, people::add::AddPerson, tokens::create::CreateToken,
    workflows::apply::ApplyWorkflow,
};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{browser::Browser, databases::Database, wire::Answer, words};

/// Makes two tests of one story: `name::sqlite` and `name::postgres`.
///
/// With `set up by CHANGE;` before them, the application of each is set up by that function.
macro_rules! on_both {
    (set up by $change:ident; $($(#[$doc:meta])* async fn $name:ident($app:ident) $story:block)+) => { $(
        $(#[$doc])*
        async fn $name($app: &$crate::app::App) $story

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::app::run_with($crate::databases::Database::sqlite().await, super::$change, super::$name).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $crate::app::run_with($crate::databases::Database::postgres().await, super::$change, super::$name).await;
            }
        }
    )+ };
    ($($(#[$doc:meta])* async fn $name:ident($app:ident) $story:block)+) => { $(
        $(#[$doc])*
        async fn $name($app: &$crate::app::App) $story

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::app::run($crate::databases::Database::sqlite().await, super::$name).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $crate::app::run($crate::databases::Database::postgres().await, super::$name).await;
            }
        }
    )+ };
}
pub(crate) use on_both;

/// Decoded bytes a payload may have here: small, so that its limits can be tried. A body may have four times that.
pub(crate) const PAYLOAD_LIMIT: usize = 1 << 20;
/// The team that answers for what nobody registered.
pub(crate) const FALLBACK_TEAM: &str = "triage";
/// Everybody's password.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// The application, running.
pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) database: Database,
    /// Its address, without a slash at the end.
    pub(crate) url: String,
    /// How it was set up.
    pub(crate) settings: Settings,
    pub(crate) http: reqwest::Client,
}

/// Tells a story about an application over a new database.
pub(crate) async fn run(database: Database, story: impl AsyncFnOnce(&App)) {
    run_with(database, |_| {}, story).await;
}

/// The same about one that is set up otherwise.
pub(crate) async fn run_with(database: Database, change: impl FnOnce(&mut Settings), story: impl AsyncFnOnce(&App)) {
    run_at(database, Arc::new(ManualClock::at(morning())), change, story).await;
}

/// The same by a clock that others go by too.
pub(crate) async fn run_at(
    database: Database,
    clock: Arc<ManualClock>,
    change: impl FnOnce(&mut Settings),
    story: impl AsyncFnOnce(&App),
) {
    let (app, served) = App::start(database, clock, change).await;
    // In a box: a long story is large, and would be on the stack once for each caller.
    let outcome = AssertUnwindSafe(Box::pin(story(&app))).catch_unwind().await;
    served.abort();
    app.service.close().await;
    app.database.remove().await;
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

impl App {
    async fn start(
        database: Database,
        clock: Arc<ManualClock>,
        change: impl FnOnce(&mut Settings),
    ) -> (Self, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut settings = Settings {
            database_url: database.url.clone(),
            listen: listener.local_addr().unwrap(),
            public_url: None,
            fallback_team: FALLBACK_TEAM.into(),
            payload_limit: PAYLOAD_LIMIT,
            allow_unsafe_database: true,
            governance: "standard".into(),
            session_idle: "12h".into(),
            session_lifetime: "7d".into(),
            trusted_proxies: String::new(),
            // The fake systems are on this machine.
            allow_private: "127.0.0.0/8".into(),
            secrets_dir: None,
            secrets: secrets(),
            openid: Default::default(),
            mail: Default::default(),
            log_format: LogFormat::Text,
            log: "off".into(),
        };
        change(&mut settings);
        let service = server::wiring::open_with(&settings, clock.clone()).await.unwrap();
        let router = server::router(service.clone(), &settings).unwrap();
        let router = router.into_make_service_with_connect_info::<SocketAddr>();
        let served = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        // It listens where it was told to, whatever people call it.
        let url = format!("http://{}", settings.listen);
        let app = Self { service, clock, database, url, settings, http: client() };
        (app, served)
    }

    /// Lets time pass.
    pub(crate) fn later(&self, delta: TimeDelta) -> DateTime<Utc> {
        self.clock.advance(delta);
        self.service.now()
    }

    /// Does what the background loop does every second.
    pub(crate) async fn keep_leases(&self) -> usize {
        self.service.lapse_leases().await.unwrap()
    }

    /// Does what the sender does, until nothing is due any more; answers how many tries there were.
    pub(crate) async fn send_due(&self) -> usize {
        let mut tries = 0;
        loop {
            let due = self.service.replays_due(None).await.unwrap();
            if due.is_empty() {
                return tries;
            }
            tries += due.len();
            for replay in due {
                self.service.deliver(replay.id).await.unwrap();
            }
        }
    }

    /// Registers a workflow from its file.
    pub(crate) async fn register(&self, file: &str) {
        let action = ApplyWorkflow::new(file.to_owned(), Default::default(), false).unwrap();
        let applied = self.service.run(&command_line(), action).await.unwrap();
        assert!(!applied.changes.is_empty(), "a set-up that took no effect");
    }

    /// A token for an automation, bound to these workflows. Its name is theirs.
    pub(crate) async fn token(&self, workflows: &[&str]) -> Token<'_> {
        self.token_named(&workflows.join(", "), Some(workflows)).await
    }

    /// The same under a name of its own; without workflows, for any.
    pub(crate) async fn token_named(&self, name: &str, workflows: Option<&[&str]>) -> Token<'_> {
        let workflows = workflows.map(|keys| keys.iter().map(|key| (*key).to_owned()).collect());
        let action = CreateToken::lasting(name, workflows);
        Token { app: self, secret: self.service.run(&command_line(), action).await.unwrap() }
    }

    /// The invoices workflow, registered, and its automation.
    pub(crate) async fn invoices(&self) -> Token<'_> {
        self.register(words::INVOICES).await;
        self.token(&["invoice-sync"]).await
    }

    /// Adds a person with this name; the address is made from it.
    pub(crate) async fn add(
        &self,
        name: &str,
        roles: &[impl Into<RoleKey> + Clone],
        teams: &[&str],
        clearance: Clearance,
    ) -> String {
        let email = format!("{}@example.test", name.to_lowercase().replace(' ', "."));
        let teams = teams.iter().map(|team| (*team).to_owned()).collect();
        let action = AddPerson::new(&email, name, PASSWORD.into(), roles.to_vec(), teams, clearance).await.unwrap();
        self.service.run(&command_line(), action).await.unwrap();
        email
    }

    /// Adds a person who sees everything of their team, and signs them in.
    pub(crate) async fn signed_in(&self, name: &str, role: Role, team: &str) -> Browser<'_> {
        self.signed_in_with(name, role, team, Clearance::Restricted).await
    }

    /// The same with a clearance.
    pub(crate) async fn signed_in_with(&self, name: &str, role: Role, team: &str, clearance: Clearance) -> Browser<'_> {
        let email = self.add(name, &[role], &[team], clearance).await;
        let browser = self.browser();
        browser.sign_in(&email).await.is(303);
        browser
    }

    /// A browser that nobody has signed in with.
    pub(crate) fn browser(&self) -> Browser<'_> {
        Browser::new(self)
    }

    /// Whoever has no token and no session.
    pub(crate) fn nobody(&self) -> Token<'_> {
        Token { app: self, secret: String::new() }
    }

    /// The audit trail, the oldest entry first.
    pub(crate) async fn audit(&self) -> Vec<AuditRow> {
        let mut rows = Vec::new();
        let mut before = None;
        loop {
            let filter = AuditFilter { before, ..AuditFilter::default() };
            let page = self.service.audit_trail(&crate::app::command_line(), filter).await.unwrap();
            before = page.rows.last().map(|row| (row.at, row.id.0));
            rows.extend(page.rows);
            if !page.more {
                rows.reverse();
                return rows;
            }
        }
    }

    /// What the audit gained while something was done: who, what, how it ended.
    pub(crate) async fn audited<T>(&self, doing: impl Future<Output = T>) -> (T, Vec<AuditRow>) {
        // Entries of one moment have no order among themselves.
        let before: HashSet<_> = self.audit().await.into_iter().map(|row| row.id).collect();
        let done = doing.await;
        let entries = self.audit().await.into_iter().filter(|row| !before.contains(&row.id)).collect();
        (done, entries)
    }

    /// How many entries of this kind and outcome there are.
    pub(crate) async fn audit_count(&self, action: AuditKind, outcome: AuditOutcome) -> usize {
        self.audit().await.iter().filter(|row| row.action == action && row.outcome == outcome).count()
    }
}

/// An automation's program.
#[derive(Clone)]
pub(crate) struct Token<'a> {
    pub(crate) app: &'a App,
    pub(crate) secret: String,
}

impl Token<'_> {
    /// A request with this token.
    pub(crate) fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let request = self.app.http.request(method.parse().unwrap(), format!("{}{path}", self.app.url));
        if self.secret.is_empty() { request } else { request.bearer_auth(&self.secret) }
    }

    /// Reads something.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::to(self.request("GET", path)).await
    }

    /// Sends exactly these bytes as JSON.
    pub(crate) async fn send(&self, method: &str, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        Answer::to(self.request(method, path).header("content-type", "application/json").body(body)).await
    }

    /// Reports with exactly these bytes.
    pub(crate) async fn report_text(&self, body: impl Into<reqwest::Body>) -> Answer {
        self.send("POST", "/api/v1/items", body).await
    }

    /// Reports.
    pub(crate) async fn report(&self, report: &Value) -> Answer {
        self.report_text(report.to_string()).await
    }

    /// Reports something new; answers the item's id.
    pub(crate) async fn reported(&self, report: &Value) -> String {
        self.report(report).await.is(201).json()["id"].as_str().unwrap().to_owned()
    }

    /// Tells of an attempt.
    pub(crate) async fn attempt(&self, item: &str, attempt: &Value) -> Answer {
        self.send("POST", &format!("/api/v1/items/{item}/attempts"), attempt.to_string()).await
    }

    /// Changes an item.
    pub(crate) async fn patch(&self, item: &str, change: &Value) -> Answer {
        self.send("PATCH", &format!("/api/v1/items/{item}"), change.to_string()).await
    }

    /// An item as it stands.
    pub(crate) async fn item(&self, item: &str) -> Value {
        self.get(&format!("/api/v1/items/{item}")).await.is(200).json()
    }
}

/// What destinations may be told.
fn secrets() -> std::collections::BTreeMap<String, String> {
    [("RECOURSE_SECRET_LEDGER", "s3cret"), ("RECOURSE_SECRET_LEDGER_SIGN", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// When every story begins.
pub(crate) fn morning() -> DateTime<Utc> {
    "2026-11-29T10:00:00Z".parse().unwrap()
}

/// Somebody with a shell on the machine.
pub(crate) fn command_line() -> Request {
    Request::of(Caller::CommandLine)
}

pub(crate) fn client() -> reqwest::Client {
    // A second install is refused and harmless: the process already has a provider.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        // Only so that a request nobody answers fails the test instead of hanging it.
        .timeout(Duration::from_secs(120))
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap()
}
