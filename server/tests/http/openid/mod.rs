//! Signing in at an identity provider: the protocol, against one that signs for real and does wrong when told to.

mod keys;
mod misdeed;
mod refusals;
mod rotation;
pub(crate) mod stub;
mod user;

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;
use server::openid::{Begun, Config, Error, Identity, Pending, Provider};
use service::clock::ManualClock;

use self::stub::{Misdeed, Stub, User};
use crate::app::morning;

const BACK: &str = "https://recourse.example/sign-in/back";

/// A provider, and the part of Recourse that talks to it.
pub(super) struct Scene {
    pub(super) clock: Arc<ManualClock>,
    pub(super) stub: Stub,
    pub(super) provider: Provider,
}

impl Scene {
    pub(super) async fn set() -> Self {
        Self::set_with(|_| {}, |_| {}).await
    }

    /// The same after the provider was arranged, and what Recourse knows of it.
    pub(super) async fn set_with(arrange: impl FnOnce(&Stub), configure: impl FnOnce(&mut Config)) -> Self {
        let clock = Arc::new(ManualClock::at(morning()));
        let stub = Stub::start(clock.clone()).await;
        arrange(&stub);
        let mut config = stub.config();
        configure(&mut config);
        let provider = Provider::new(config, BACK.into(), clock.clone()).unwrap();
        Self { clock, stub, provider }
    }

    /// A whole sign-in.
    pub(super) async fn sign_in(&self) -> Result<Identity, Error> {
        let begun = self.provider.begin(false).await?;
        self.come_back(begun).await
    }

    /// A whole sign-in of somebody who has to prove anew who they are.
    pub(super) async fn sign_in_again(&self) -> Result<Identity, Error> {
        let begun = self.provider.begin(true).await?;
        self.come_back(begun).await
    }

    async fn come_back(&self, begun: Begun) -> Result<Identity, Error> {
        let callback = self.stub.callback(&begun.url).await;
        self.provider.finish(begun.pending, &callback).await
    }
}

/// What came out, in one word or two.
pub(super) fn told<T>(outcome: Result<T, Error>) -> String {
    match outcome {
        Ok(_) => "signed in".into(),
        Err(Error::Unreachable(_)) => "unreachable".into(),
        Err(Error::BadDiscovery(_)) => "bad discovery".into(),
        Err(Error::Denied(code)) => format!("denied {code}"),
        Err(Error::WrongState) => "wrong state".into(),
        Err(Error::TooLate) => "too late".into(),
        Err(Error::BadToken(reason, _)) => format!("bad token {reason:?}"),
        Err(Error::MissingClaim(name)) => format!("missing {name}"),
    }
}

#[tokio::test]
async fn who_signs_in_is_told() {
    let scene = Scene::set().await;
    scene.stub.knows(User::new("Amara Okafor", &["ops", "finance leads"]));
    let expected = Identity {
        issuer: scene.stub.url.clone(),
        subject: "subject of amara.okafor".into(),
        email: Some("amara.okafor@example.test".into()),
        email_verified: true,
        name: Some("Amara Okafor".into()),
        groups: vec!["ops".into(), "finance leads".into()],
        auth_time: None,
    };
    assert_eq!(scene.sign_in().await.unwrap(), expected);
    assert_eq!(scene.stub.asked("/userinfo"), 0);
}

/// The session keeps it as JSON; every sign-in has its own; nothing secret shows when it is printed.
#[tokio::test]
async fn what_is_pending_survives_the_session() {
    let scene = Scene::set().await;
    let begun = scene.provider.begin(false).await.unwrap();
    let callback = scene.stub.callback(&begun.url).await;
    let kept = serde_json::to_string(&begun.pending).unwrap();
    let pending: Pending = serde_json::from_str(&kept).unwrap();
    for secret in [&pending.state, &pending.nonce, &pending.verifier] {
        assert!(secret.len() > 20 && !format!("{pending:?}").contains(secret));
    }
    let other = scene.provider.begin(false).await.unwrap().pending;
    assert!(other.state != pending.state && other.nonce != pending.nonce && other.verifier != pending.verifier);
    let finishing = scene.provider.finish(pending, &callback);
    fits_a_handler(&finishing);
    finishing.await.unwrap();
}

/// A handler's future has to be `Send`.
const fn fits_a_handler(_: &impl Send) {}

#[tokio::test]
async fn the_question_is_whole_and_shows_no_secret() {
    let scene = Scene::set().await;
    let begun = scene.provider.begin(false).await.unwrap();
    for part in ["response_type=code", "scope=openid+email+profile", "code_challenge_method=S256", "client_id=recourse"]
    {
        assert!(begun.url.contains(part), "{part}: {}", begun.url);
    }
    assert!(!begun.url.contains(&begun.pending.verifier) && !begun.url.contains("secret"));
    assert!(!begun.url.contains("prompt") && !begun.url.contains("max_age"));
}

#[tokio::test]
async fn a_client_without_a_secret_proves_itself_by_the_verifier() {
    let scene = Scene::set_with(Stub::is_public, |_| {}).await;
    let begun = scene.provider.begin(false).await.unwrap();
    let callback = scene.stub.callback(&begun.url).await;
    let stolen = Pending { verifier: "x".repeat(43), ..begun.pending };
    assert_eq!(told(scene.provider.finish(stolen, &callback).await), "denied invalid_grant");
    scene.sign_in().await.unwrap();
}

#[tokio::test]
async fn the_secret_goes_where_the_provider_wants_it() {
    Scene::set_with(Stub::wants_secret_in_body, |_| {}).await.sign_in().await.unwrap();
    let wrong = Scene::set_with(|_| {}, |config| config.client_secret = Some("guessed".into())).await;
    assert_eq!(told(wrong.sign_in().await), "denied invalid_client");
}

#[tokio::test]
async fn what_the_token_leaves_out_the_userinfo_endpoint_is_asked() {
    let scene = Scene::set().await;
    scene.stub.knows(User { reserved: true, email_verified: false, ..User::new("Amara", &["ops"]) });
    let identity = scene.sign_in().await.unwrap();
    assert_eq!(identity.email.as_deref(), Some("amara@example.test"));
    assert!(!identity.email_verified);
    assert_eq!(identity.groups, ["ops"]);
    assert_eq!(scene.stub.asked("/userinfo"), 1);

    scene.stub.knows(User { email: None, name: None, more: json!({ "groups": [] }), ..User::new("Amara", &[]) });
    let identity = scene.sign_in().await.unwrap();
    assert_eq!((identity.email, identity.email_verified, identity.name), (None, false, None));
    assert_eq!(scene.stub.asked("/userinfo"), 2);
}

#[tokio::test]
async fn groups_may_lie_deeper() {
    let scene = Scene::set_with(|_| {}, |config| config.groups_claim = "/realm_access/roles".into()).await;
    let more = json!({ "realm_access": { "roles": ["ops:read", "finance leads"] }, "email_verified": "true" });
    scene.stub.knows(User { more, ..User::new("Amara", &[]) });
    assert_eq!(scene.sign_in().await.unwrap().groups, ["ops:read", "finance leads"]);
    assert_eq!(scene.stub.asked("/userinfo"), 0);
}

#[tokio::test]
async fn whoever_is_to_prove_themselves_anew_has_to() {
    let scene = Scene::set().await;
    let url = scene.provider.begin(true).await.unwrap().url;
    assert!(url.contains("prompt=login") && url.contains("max_age=0"), "{url}");
    assert_eq!(scene.sign_in_again().await.unwrap().auth_time, Some(morning()));

    scene.stub.misbehave(Misdeed::Remembers);
    assert_eq!(told(scene.sign_in_again().await), "bad token Stale");
    scene.stub.misbehave(Misdeed::NoAuthTime);
    assert_eq!(told(scene.sign_in_again().await), "missing auth_time");
    // Where nobody asked for it, it does not matter.
    scene.sign_in().await.unwrap();
}

#[tokio::test]
async fn a_sign_in_is_good_for_ten_minutes_and_once() {
    let scene = Scene::set().await;
    let begun = scene.provider.begin(false).await.unwrap();
    let callback = scene.stub.callback(&begun.url).await;
    scene.clock.advance(TimeDelta::minutes(10));
    scene.provider.finish(begun.pending.clone(), &callback).await.unwrap();
    assert_eq!(told(scene.provider.finish(begun.pending.clone(), &callback).await), "denied invalid_grant");
    scene.clock.advance(TimeDelta::seconds(1));
    assert_eq!(told(scene.provider.finish(begun.pending, &callback).await), "too late");
}
