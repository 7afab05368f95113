//! Proving who one is: tries, the second step, sessions, one-time links, passwords, an identity provider, and what keeps
//! all of it safe in a browser.

mod asking;
mod confirming;
mod flood;
mod forwarded;
mod headers;
mod hidden;
mod limits;
mod links;
mod passwords;
#[cfg(feature = "openid")]
mod provider;
mod recovery;
mod rehash;
mod second_step;
mod sessions;
mod stages;
mod tries;

use chrono::TimeDelta;
use domain::{ids::PersonId, permission::Role, sensitivity::Clearance};
use server::settings::Settings;
use service::{AuditRow, sign_in::two_step::authenticator};

use crate::{
    app::{App, PASSWORD},
    browser::Browser,
    wire::Answer,
};

/// The tests' own machine is a proxy whose word is believed, so that a story can come from several addresses.
fn behind_a_proxy(settings: &mut Settings) {
    settings.trusted_proxies = "127.0.0.1".into();
}

/// Adds an operator of the finance team; answers the address.
async fn operator(app: &App, name: &str) -> String {
    app.add(name, &[Role::Operator], &["finance-ops"], Clearance::Internal).await
}

/// An admin, signed in.
async fn admin(app: &App) -> Browser<'_> {
    app.signed_in("Ada", Role::Admin, "triage").await
}

async fn id_of(app: &App, email: &str) -> PersonId {
    app.service.account_of(email).await.unwrap()
}

/// Insists that nobody is signed in here.
async fn is_out(browser: &Browser<'_>) {
    assert!(browser.get("/queue").await.location().starts_with("/sign-in"));
}

/// Insists that somebody is.
async fn is_in(browser: &Browser<'_>) {
    browser.get("/me").await.is(200);
}

/// A number or word of an audit entry; nothing if it is not there.
fn detail(entry: &AuditRow, name: &str) -> serde_json::Value {
    entry.detail.get(name).cloned().unwrap_or_default()
}

/// What is between two pieces of a page.
#[track_caller]
fn between(answer: &Answer, before: &str, after: &str) -> String {
    let text = answer.text();
    let found = text.split_once(before).and_then(|(_, rest)| rest.split_once(after));
    found.unwrap_or_else(|| panic!("no {before}: {}", answer.shown())).0.to_owned()
}

/// What a form made and shows this once.
#[track_caller]
fn made(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.shown());
    between(answer, "<pre id=\"made\" tabindex=\"0\" class=\"secret\">", "</pre>")
}

/// Makes a reset or join link as an admin; its path.
async fn link_for(admin: &Browser<'_>, email: &str) -> String {
    let person = id_of(admin.app, email).await;
    let answer = admin.post(&format!("/admin/people/{person}/link"), &[]).await;
    made(&answer).strip_prefix(&admin.app.settings.public_url()).unwrap().to_owned()
}

/// What somebody was told, newest first.
async fn notices(browser: &Browser<'_>) -> String {
    browser.get("/notices").await.is(200).text()
}

/// Somebody's authenticator.
struct Authenticator<'a> {
    app: &'a App,
    secret: String,
}

impl Authenticator<'_> {
    /// What it shows now.
    fn code(&self) -> String {
        self.code_in(0)
    }

    /// What it shows in so many seconds.
    fn code_in(&self, seconds: i64) -> String {
        authenticator(&self.secret, self.app.service.now().timestamp() + seconds).unwrap()
    }

    /// Waits for a code that was not used, and answers it.
    fn next_code(&self) -> String {
        self.app.later(TimeDelta::seconds(60));
        self.code()
    }
}

/// Begins to set a second step up; answers what the authenticator was given.
async fn begin_second_step<'a>(browser: &Browser<'a>) -> Authenticator<'a> {
    let begun = browser.post("/me/security/begin-two-step", &[]).await;
    assert_eq!(begun.location(), "/me/security#two-step");
    let page = browser.get("/me/security").await.is(200);
    let secret = between(&page, "<code class=\"secret-line\">", "</code>").replace(' ', "");
    Authenticator { app: browser.app, secret }
}

/// Sets a second step up; answers the authenticator and the recovery codes.
async fn set_up_second_step<'a>(browser: &Browser<'a>) -> (Authenticator<'a>, Vec<String>) {
    let authenticator = begin_second_step(browser).await;
    let confirmed = browser.post("/me/security/confirm-two-step", &[("code", &authenticator.code())]).await;
    let codes = made(&confirmed).lines().map(str::to_owned).collect();
    (authenticator, codes)
}

/// The first stage of signing in, for somebody who has a second.
async fn first_stage<'a>(app: &'a App, email: &str) -> Browser<'a> {
    let browser = app.browser();
    assert_eq!(browser.sign_in_with(email, PASSWORD).await.location(), "/sign-in/code");
    browser
}

/// The second stage.
async fn second_stage(browser: &Browser<'_>, code: &str) -> Answer {
    browser.post("/sign-in/code", &[("code", code)]).await
}
