//! The installation that is killed: its database, its work, and the process on top of it.

use std::{collections::BTreeMap, process::Stdio, sync::Arc, time::Duration};

use domain::{permission::Role, sensitivity::Clearance};
use futures::{StreamExt as _, stream::FuturesUnordered};
use serde_json::{Value, json};
use server::settings::{LogFormat, Settings};
use service::{
    Request, Service,
    clock::SystemClock,
    people::add::AddPerson,
    tokens::{
        authenticate::Brought,
        create::{CreatePersonalToken, CreateToken},
    },
    workflows::apply::ApplyWorkflow,
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::app::{PASSWORD, client, command_line};

/// A step whose destination remembers keys, and one whose destination would not notice a repeat.
const WORKFLOW: &str = r#"
[workflow]
key = "kills"
name = "Kills"
owner_team = "ops"
version = "1"

[[step]]
key = "remembers"
side_effect = "irreversible"
sensitivity = "internal"
repeat = "key"
key_memory = "1d"
[step.destination]
kind = "http"
url = "{sink}/stripe"
allow_private = true
timeout = "3s"
max_attempts = 20
backoff = { first = "1s", factor = 1 }
record_id = "/id"

[[step]]
key = "hangs"
side_effect = "irreversible"
sensitivity = "internal"
[step.destination]
kind = "http"
url = "{sink}/hang?s=600"
allow_private = true
timeout = "10m"

[[step]]
key = "forgets"
side_effect = "irreversible"
sensitivity = "internal"
[step.destination]
kind = "http"
url = "{sink}/ok"
allow_private = true
timeout = "3s"
record_id = "/id"
"#;

pub(super) struct Installation {
    settings: Settings,
    service: Service,
    person: String,
    /// Items of both steps in turn, none of which has happened.
    pub(super) items: Vec<String>,
    client: reqwest::Client,
}

impl Installation {
    /// Items of these steps, in this order.
    pub(super) async fn set_up(database: &str, sink: &str, steps: &[&str]) -> Self {
        let settings = Settings {
            database_url: database.to_owned(),
            listen: "127.0.0.1:0".parse().unwrap(),
            public_url: None,
            fallback_team: "triage".into(),
            payload_limit: 1 << 20,
            allow_unsafe_database: true,
            governance: "standard".into(),
            session_idle: "12h".into(),
            session_lifetime: "7d".into(),
            trusted_proxies: String::new(),
            allow_private: "127.0.0.0/8".into(),
            secrets_dir: None,
            secrets: BTreeMap::new(),
            openid: Default::default(),
            mail: Default::default(),
            log_format: LogFormat::Text,
            log: "off".into(),
        };
        let service = server::wiring::open_with(&settings, Arc::new(SystemClock)).await.unwrap();
        let workflow = ApplyWorkflow::new(WORKFLOW.replace("{sink}", sink), BTreeMap::new(), false).unwrap();
        service.run(&command_line(), workflow).await.unwrap();
        let email = "amara@example.test";
        let person = AddPerson::new(
            email,
            "Amara",
            PASSWORD.into(),
            vec![Role::Operator],
            vec!["ops".into()],
            Clearance::Restricted,
        );
        service.run(&command_line(), person.await.unwrap()).await.unwrap();
        let person = service
            .run(&command_line(), CreatePersonalToken { email: email.into(), scopes: Vec::new() })
            .await
            .unwrap();
        let token = CreateToken::lasting("kills", Some(["kills".to_owned()].into()));
        let token = service.run(&command_line(), token).await.unwrap();
        let automation = Request::of(service.authenticate(Brought::Token(&token), None, None).await.unwrap());
        let mut items = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let report = json!({
                "workflow": "kills", "step": step, "dedupe_key": format!("work-{number}"),
                "failure": { "message": "Not sent" }, "payload": { "json": { "number": number } },
                "attempts": [{ "number": 1, "outcome": "failed", "sent": false }],
            });
            let taken = service
                .report(&automation, &service::report::Incoming::json(report.to_string().into_bytes()))
                .await
                .unwrap();
            items.push(taken.answer.id.to_string());
        }
        Self { settings, service, person, items, client: client() }
    }

    /// Starts the binary and waits until it says where it listens.
    pub(super) async fn start(&self) -> Process<'_> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_recourse"))
            .arg("serve")
            .env("RECOURSE_DATABASE_URL", &self.settings.database_url)
            .env("RECOURSE_LISTEN", "127.0.0.1:0")
            .env("RECOURSE_ALLOW_PRIVATE", "127.0.0.0/8")
            .env("RECOURSE_ALLOW_UNSAFE_DATABASE", "true")
            .env("RECOURSE_LOG", "error")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = loop {
            let line = printed.next_line().await.unwrap().expect("it starts");
            if let Some((_, url)) = line.split_once("Recourse is at ") {
                break url.trim().to_owned();
            }
        };
        Process { child, url, installation: self }
    }

    /// How many of these were being sent when the process ended.
    pub(super) async fn under_way(&self, items: &[String]) -> usize {
        let mut count = 0;
        for item in items {
            let packet = self.service.packet(&crate::app::command_line(), item.parse().unwrap()).await.unwrap();
            let sending = packet.replays.first().is_some_and(|replay| replay.stage == service::Stage::Sending);
            count += usize::from(sending);
        }
        count
    }

    /// Waits until nothing of these is under way any more: every lease has run out, every further try was made.
    pub(super) async fn until_settled(&self, items: &[String]) {
        for item in items {
            self.service.replay_settled(item.parse().unwrap()).await.unwrap();
        }
    }

    pub(super) async fn items_as_they_stand(&self, process: &Process<'_>) -> BTreeMap<String, Value> {
        let mut all = BTreeMap::new();
        for item in &self.items {
            let answer = self
                .client
                .get(format!("{}/api/v1/items/{item}", process.url))
                .bearer_auth(&self.person)
                .send()
                .await
                .unwrap();
            all.insert(item.clone(), serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap());
        }
        all
    }
}

/// The binary, running.
pub(super) struct Process<'i> {
    child: Child,
    url: String,
    installation: &'i Installation,
}

impl Process<'_> {
    /// Asks for a replay of each of these, all at once, and lets this much time pass.
    pub(super) async fn replay(&mut self, items: &[String], then: Duration) {
        let asking: FuturesUnordered<_> = items
            .iter()
            .map(|item| {
                let url = format!("{}/api/v1/items/{item}/replay", self.url);
                let body = json!({ "revision": 1, "reason": "A drill" }).to_string();
                // Nobody has touched it since it was reported.
                let request =
                    self.installation.client.post(url).bearer_auth(&self.installation.person).header("if-match", "1");
                request.header("content-type", "application/json").body(body).send()
            })
            .collect();
        // Who is cut off in the middle hears nothing: that is the point.
        tokio::select! {
            () = tokio::time::sleep(then) => {}
            () = async { asking.collect::<Vec<_>>().await; std::future::pending().await } => {}
        }
    }

    /// `kill -9`.
    pub(super) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }
}
