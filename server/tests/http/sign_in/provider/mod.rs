//! Signing in at an identity provider, through Recourse's own addresses.

mod accounts;
mod claims;
mod confirming;
mod refused;

use std::sync::Arc;

use server::settings::Settings;
use service::clock::ManualClock;

use crate::{
    app::{App, morning, run_at},
    browser::Browser,
    databases::Database,
    openid::stub::{CLIENT, SECRET, Stub, User},
    wire::Answer,
};

/// Makes two tests of one story that has an identity provider: `name::sqlite` and `name::postgres`.
macro_rules! at_a_provider {
    (set up by $change:ident; $($(#[$doc:meta])* async fn $name:ident($app:ident, $stub:ident) $story:block)+) => { $(
        $(#[$doc])*
        async fn $name($app: &$crate::app::App, $stub: &$crate::openid::stub::Stub) $story

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let database = $crate::databases::Database::sqlite().await;
                $crate::sign_in::provider::run(database, super::$change, super::$name).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let database = $crate::databases::Database::postgres().await;
                $crate::sign_in::provider::run(database, super::$change, super::$name).await;
            }
        }
    )+ };
}
use at_a_provider;

/// Tells a story about an application whose people may sign in at a provider, which goes by the same clock.
async fn run(database: Database, change: fn(&mut Settings), story: impl AsyncFnOnce(&App, &Stub)) {
    let clock = Arc::new(ManualClock::at(morning()));
    let stub = Stub::start(clock.clone()).await;
    let known = |settings: &mut Settings| {
        let written = &mut settings.openid;
        written.openid_issuer = Some(stub.url.clone());
        written.openid_client_id = Some(CLIENT.into());
        written.openid_client_secret = Some(SECRET.into());
        written.openid_label = Some("the stub".into());
        written.openid_roles = Some("ops = operator, leads = supervisor, it = admin".into());
        written.openid_teams = Some("ops = finance-ops, leads = finance-ops, desk = support".into());
        change(settings);
    };
    run_at(database, clock, known, async |app: &App| story(app, &stub).await).await;
}

/// As it comes.
fn plainly(_: &mut Settings) {}

/// Rights that decide over others' work take a second admin.
fn strictly(settings: &mut Settings) {
    settings.governance = "strict".into();
}

/// Sends the browser to the provider, from an address of ours; answers where it is sent back to.
async fn leave(browser: &Browser<'_>, stub: &Stub, from: &str) -> String {
    let away = browser.get(from).await;
    assert!(away.location().starts_with(&stub.url), "{}", away.location());
    let back = stub.visit(away.location()).await;
    back.strip_prefix(&browser.app.settings.public_url()).expect("it leads back here").to_owned()
}

/// Signs in there, whoever the provider knows, and comes back.
async fn sign_in(browser: &Browser<'_>, stub: &Stub) -> Answer {
    let back = leave(browser, stub, "/sign-in/openid").await;
    browser.get(&back).await
}

/// Somebody signs in there for the first time, or again, with these groups.
async fn signed_in<'a>(app: &'a App, stub: &Stub, name: &str, groups: &[&str]) -> Browser<'a> {
    stub.knows(User::new(name, groups));
    let browser = app.browser();
    assert_eq!(sign_in(&browser, stub).await.location(), "/queue");
    browser
}

/// Insists that they were not let in, and told why on the sign-in page.
#[track_caller]
fn told(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 403, "{}", answer.shown());
    let page = answer.text();
    assert!(page.contains(why) && page.contains("<h1>Sign in</h1>"), "{why}: {}", answer.shown());
}
