//! Telling others through channels and by e-mail: once each, again where it did not arrive, and never a payload's value.

mod alerting;
mod choosing;
mod failing;
mod mailing;
mod making;
mod posting;

use std::sync::Arc;

use domain::{audit::AuditKind, channel::Telling, ids::PersonId, notice::Topic, permission::Role};
use rehearsal::systems::{Running, Sink};
use server::settings::Settings;
use service::{
    Service,
    action::{Act, Action, Gate},
    channels::{
        self, Target,
        read::PostingSeen,
        save::{AddChannel, Wanted},
    },
    people::change::SetRoles,
};

use crate::app::{App, command_line};

/// Something that happens and is told.
struct Happens {
    to: To,
    telling: Telling,
}

enum To {
    Channel(&'static str),
    Person(PersonId, Topic),
}

impl Action for Happens {
    const NAME: &'static str = "happens";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ChannelTested;
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> service::Result<bool> {
        let target = match self.to {
            To::Channel(name) => Target::Channel(name),
            To::Person(person, topic) => Target::Person(person, topic),
        };
        channels::send_to(act, target, &self.telling).await
    }
}

fn telling() -> Telling {
    Telling {
        kind: "alert.raised".into(),
        title: "3 items of <create_invoice> wait & nobody works them".into(),
        lines: vec![("Owner".into(), "finance-ops".into())],
        link: "https://recourse.example/items/1".into(),
    }
}

/// Lets something be told; whether it will be sent.
async fn happens(service: &Service, to: To) -> bool {
    service.run(&command_line(), Happens { to, telling: telling() }).await.unwrap()
}

/// A sink by the application's clock.
async fn sink(app: &App) -> Running<Sink> {
    let clock = Arc::clone(&app.clock);
    Sink::start(Arc::new(move || service::clock::Clock::now(&*clock))).await.unwrap()
}

/// Makes a channel.
async fn channel(app: &App, name: &str, kind: &str, url: &str, secret: &str) {
    let wanted = Wanted { kind: kind.into(), url: url.into(), secret: secret.into(), allow_private: true };
    app.service.run(&command_line(), AddChannel { name: name.into(), wanted }).await.unwrap();
}

/// Does what the poster does, once; how many it looked at.
async fn post_due(service: &Service) -> usize {
    let due = service.postings_due().await.unwrap();
    for due in &due {
        service.post(due.id).await.unwrap();
    }
    due.len()
}

/// The last posting of a channel.
async fn last(app: &App, name: &str) -> PostingSeen {
    app.service.channel(&command_line(), name).await.unwrap().postings.remove(0)
}

/// E-mail is set up; nobody takes it there.
fn with_mail(settings: &mut Settings) {
    settings.mail.smtp_url = Some("smtp://127.0.0.1:9".into());
    settings.mail.mail_from = Some("Recourse <recourse@example.test>".into());
}

/// Another process over the same database, which hands e-mails to this server.
async fn process(app: &App, smtp: &str) -> Service {
    let mut settings = app.settings.clone();
    settings.mail.smtp_url = Some(smtp.to_owned());
    settings.mail.mail_from = Some("Recourse <recourse@example.test>".into());
    settings.mail.mail_timeout = Some("1s".into());
    server::wiring::open_with(&settings, app.clock.clone()).await.unwrap()
}

/// Gives somebody another role, of which they are told.
async fn set_role(service: &Service, person: PersonId, role: Role) {
    let version = service.person(&command_line(), person).await.unwrap().listed.row.version;
    service.run(&command_line(), SetRoles { person, version, roles: vec![role.into()] }).await.unwrap();
}
