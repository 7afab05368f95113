//! An identity provider on a port of its own: whoever comes is signed in at once, with tokens signed for real. It can be told
//! to misbehave.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Form, Json, Router,
    body::Body,
    extract::{Query, Request, State},
    http::{HeaderMap, StatusCode},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine as _, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use server::openid::{Callback, Config};
use service::clock::Clock;
use sha2::{Digest as _, Sha256};
use tokio::{net::TcpListener, task::JoinHandle};
use uuid::Uuid;

use super::{
    keys::{Key, unsigned},
    misdeed::spoil,
};
pub(crate) use super::{misdeed::Misdeed, user::User};

pub(crate) const CLIENT: &str = "recourse";
pub(crate) const SECRET: &str = "client secret: 100%";

type Fields = HashMap<String, String>;

/// An identity provider, running until it is dropped.
pub(crate) struct Stub {
    /// Its address, which is its issuer.
    pub(crate) url: String,
    state: Arc<Mutex<Inner>>,
    http: reqwest::Client,
    served: JoinHandle<()>,
}

struct Inner {
    url: String,
    clock: Arc<dyn Clock>,
    user: User,
    misdeed: Option<Misdeed>,
    secret: Option<&'static str>,
    secret_in_body: bool,
    keys: Vec<Key>,
    grants: HashMap<String, Grant>,
    asked: Vec<String>,
}

/// What was agreed to and waits for its code, or its access token, to be shown.
#[derive(Clone)]
struct Grant {
    user: User,
    redirect: String,
    challenge: String,
    nonce: String,
    proved: Option<DateTime<Utc>>,
}

impl Stub {
    /// Starts one that goes by this clock and knows Recourse by name and secret.
    pub(crate) async fn start(clock: Arc<dyn Clock>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let inner = Inner {
            url: url.clone(),
            clock,
            user: User::new("Amara", &[]),
            misdeed: None,
            secret: Some(SECRET),
            secret_in_body: false,
            keys: vec![Key::rsa()],
            grants: HashMap::new(),
            asked: Vec::new(),
        };
        let state = Arc::new(Mutex::new(inner));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .layer(from_fn_with_state(state.clone(), note))
            .with_state(state.clone());
        let served = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state, http: crate::app::client(), served }
    }

    /// What Recourse has to know of it.
    pub(crate) fn config(&self) -> Config {
        Config {
            issuer: self.url.clone(),
            client_id: CLIENT.into(),
            client_secret: self.inner().secret.map(str::to_owned),
            scopes: vec!["email".into(), "profile".into()],
            groups_claim: "groups".into(),
            label: "the stub".into(),
        }
    }

    /// From now on it is this person who comes.
    pub(crate) fn knows(&self, user: User) {
        self.inner().user = user;
    }

    /// Does wrong from now on.
    pub(crate) fn misbehave(&self, misdeed: Misdeed) {
        self.inner().misdeed = Some(misdeed);
    }

    /// Does right again.
    pub(crate) fn behave(&self) {
        self.inner().misdeed = None;
    }

    /// Recourse has no secret there.
    pub(crate) fn is_public(&self) {
        self.inner().secret = None;
    }

    /// Takes the secret in the body only, and says so.
    pub(crate) fn wants_secret_in_body(&self) {
        self.inner().secret_in_body = true;
    }

    /// Signs with a new key from now on, and withdraws the old one.
    pub(crate) fn changes_key(&self) {
        self.inner().keys = vec![Key::p256()];
    }

    /// How often this path was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.inner().asked.iter().filter(|asked| *asked == path).count()
    }

    /// What a browser does that is sent there: where it is sent back to.
    pub(crate) async fn visit(&self, url: &str) -> String {
        let answer = self.http.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 303, "{}", answer.text().await.unwrap());
        answer.headers()["location"].to_str().unwrap().to_owned()
    }

    /// The same, and what it brings back.
    pub(crate) async fn callback(&self, url: &str) -> Callback {
        let back = url::Url::parse(&self.visit(url).await).unwrap();
        let found = |name: &str| back.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        Callback { code: found("code"), state: found("state"), error: found("error") }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.state.lock().unwrap()
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.served.abort();
    }
}

type Shared = State<Arc<Mutex<Inner>>>;

async fn note(State(state): Shared, request: Request, next: Next) -> Response {
    state.lock().unwrap().asked.push(request.uri().path().to_owned());
    next.run(request).await
}

async fn discovery(State(state): Shared) -> Response {
    let inner = state.lock().unwrap();
    let url = &inner.url;
    let mut document = json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/userinfo"),
        "jwks_uri": format!("{url}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported":
            if inner.secret_in_body { json!(["client_secret_post"]) } else { json!(["client_secret_basic", "none"]) },
    });
    match inner.misdeed {
        Some(Misdeed::DiscoveryOfAnother) => document["issuer"] = json!("https://id.example"),
        Some(Misdeed::PlainEndpoint) => document["token_endpoint"] = json!("http://id.example/token"),
        Some(Misdeed::NoTokenEndpoint) => document["token_endpoint"] = Value::Null,
        Some(Misdeed::DiscoveryNotJson) => return "<p>Welcome</p>".into_response(),
        Some(Misdeed::DiscoveryBreaks) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => {}
    }
    Json(document).into_response()
}

async fn keys(State(state): Shared) -> Json<Value> {
    let keys: Vec<Value> = state.lock().unwrap().keys.iter().map(Key::public).collect();
    Json(json!({ "keys": keys }))
}

async fn authorize(State(state): Shared, Query(query): Query<Fields>) -> Response {
    let mut inner = state.lock().unwrap();
    let field = |name: &str| query.get(name).cloned().unwrap_or_default();
    let whole = field("response_type") == "code"
        && field("client_id") == CLIENT
        && field("code_challenge_method") == "S256"
        && field("scope").split(' ').any(|scope| scope == "openid")
        && ["redirect_uri", "state", "nonce", "code_challenge"].iter().all(|name| !field(name).is_empty());
    if !whole {
        return (StatusCode::BAD_REQUEST, format!("not a whole question: {query:?}")).into_response();
    }
    let anew = field("prompt") == "login" && inner.misdeed != Some(Misdeed::Remembers);
    let now = inner.clock.now();
    let proved = if anew { now } else { now - TimeDelta::hours(1) };
    let grant = Grant {
        user: inner.user.clone(),
        redirect: field("redirect_uri"),
        challenge: field("code_challenge"),
        nonce: field("nonce"),
        proved: query.contains_key("max_age").then_some(proved),
    };
    let code = Uuid::new_v4().to_string();
    inner.grants.insert(code.clone(), grant);
    let (name, value) = match inner.misdeed {
        Some(Misdeed::Declines) => ("error", "access_denied".to_owned()),
        Some(Misdeed::DeclinesWithText) => ("error", "<b>Call 0800 123</b>".to_owned()),
        _ => ("code", code),
    };
    let back = url::Url::parse_with_params(&field("redirect_uri"), [(name, value), ("state", field("state"))]).unwrap();
    Redirect::to(back.as_str()).into_response()
}

async fn token(State(state): Shared, headers: HeaderMap, Form(form): Form<Fields>) -> Response {
    let misdeed = state.lock().unwrap().misdeed;
    match misdeed {
        Some(Misdeed::TokenHangs) => tokio::time::sleep(Duration::from_secs(60)).await,
        Some(Misdeed::TokenBreaks) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(Misdeed::TokenNotJson) => return "<p>Welcome</p>".into_response(),
        Some(Misdeed::TokenRedirects) => return Redirect::temporary("/elsewhere").into_response(),
        Some(Misdeed::TokenWithoutEnd) => {
            return Body::from_stream(futures::stream::repeat(Ok::<_, Infallible>("[".repeat(1 << 16))))
                .into_response();
        }
        _ => {}
    }
    let mut inner = state.lock().unwrap();
    match inner.exchange(&headers, &form) {
        Ok(answer) => Json(answer).into_response(),
        Err(code) => {
            let answer = json!({ "error": code, "error_description": "the provider's own words" });
            (StatusCode::BAD_REQUEST, Json(answer)).into_response()
        }
    }
}

async fn userinfo(State(state): Shared, headers: HeaderMap) -> Response {
    let inner = state.lock().unwrap();
    let token = headers.get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let Some(grant) = token.and_then(|token| inner.grants.get(token)) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    match inner.misdeed {
        Some(Misdeed::UserinfoBreaks) => return StatusCode::BAD_GATEWAY.into_response(),
        Some(Misdeed::UserinfoRefuses) => return StatusCode::FORBIDDEN.into_response(),
        _ => {}
    }
    let mut told = grant.user.told();
    told["sub"] = match inner.misdeed {
        Some(Misdeed::UserinfoOfAnother) => json!("somebody else"),
        _ => json!(grant.user.subject),
    };
    Json(told).into_response()
}

impl Inner {
    fn exchange(&mut self, headers: &HeaderMap, form: &Fields) -> Result<Value, &'static str> {
        let field = |name: &str| form.get(name).map_or("", String::as_str);
        if !self.is_client(headers, form) {
            return Err("invalid_client");
        }
        if field("grant_type") != "authorization_code" {
            return Err("unsupported_grant_type");
        }
        let grant = self.grants.remove(field("code")).ok_or("invalid_grant")?;
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")));
        if grant.redirect != field("redirect_uri") || grant.challenge != challenge {
            return Err("invalid_grant");
        }
        let mut access = Uuid::new_v4().to_string();
        if self.misdeed == Some(Misdeed::OddAccessToken) {
            access.push('\n');
        }
        let mut answer = json!({ "access_token": access, "token_type": "Bearer", "expires_in": 300 });
        if self.misdeed != Some(Misdeed::NoToken) {
            answer["id_token"] = json!(self.id_token(&grant));
        }
        self.grants.insert(access, grant);
        Ok(answer)
    }

    /// Whether the client proves itself in the one way that was agreed, and in no other.
    fn is_client(&self, headers: &HeaderMap, form: &Fields) -> bool {
        let header = headers.get("authorization").map(|value| value.to_str().unwrap().to_owned());
        let body = form.get("client_secret").map(String::as_str);
        match self.secret {
            Some(secret) if self.secret_in_body => header.is_none() && body == Some(secret),
            Some(secret) => {
                let encoded: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
                let expected = format!("Basic {}", BASE64_STANDARD.encode(format!("{CLIENT}:{encoded}")));
                header == Some(expected) && body.is_none()
            }
            None => header.is_none() && body.is_none() && form.get("client_id").is_some_and(|id| id == CLIENT),
        }
    }

    fn id_token(&self, grant: &Grant) -> String {
        let now = self.clock.now().timestamp();
        let mut claims = if grant.user.reserved { json!({}) } else { grant.user.told() };
        claims["iss"] = json!(self.url);
        claims["aud"] = json!(CLIENT);
        claims["sub"] = json!(grant.user.subject);
        claims["iat"] = json!(now);
        claims["exp"] = json!(now + 300);
        claims["nonce"] = json!(grant.nonce);
        if let Some(name) = &grant.user.name {
            claims["name"] = json!(name);
        }
        if let Some(proved) = grant.proved.filter(|_| self.misdeed != Some(Misdeed::NoAuthTime)) {
            claims["auth_time"] = json!(proved.timestamp());
        }
        if let Some(misdeed) = self.misdeed {
            spoil(&mut claims, misdeed, now);
        }
        let key = &self.keys[0];
        match self.misdeed {
            Some(Misdeed::Unsigned) => unsigned(&claims),
            Some(Misdeed::PublicKeyAsSecret) => key.signed_with_its_public_half(&claims),
            Some(Misdeed::ClientSecretAsKey) => key.signed_with_secret(&claims, SECRET),
            Some(Misdeed::UnknownKey) => key.signed_as("unknown", &claims),
            Some(Misdeed::ForeignSignature) => {
                let (own, foreign) = (key.signed(&claims), key.signed(&json!({})));
                let signature = foreign.rsplit_once('.').unwrap().1;
                format!("{}.{signature}", own.rsplit_once('.').unwrap().0)
            }
            _ => key.signed(&claims),
        }
    }
}
