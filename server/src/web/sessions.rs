//! Browser sessions: a cookie, and our own store behind it that keeps only a hash of the id.

use std::fmt;

use chrono::{DateTime, Utc};
use domain::ids::PersonId;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use service::{Service, session_store::Begun, sign_in::Waiting};
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::{SameSite, time},
    session::{Error, Id, Record},
    session_store,
};

const PERSON: &str = "person";
const ADDRESS: &str = "address";
const AGENT: &str = "agent";
/// They proved just now who they are, which counts as a step-up.
const PROVED: &str = "proved";
/// Of the password with which they did.
const MARK: &str = "mark";
/// What the store knows of a session beside its data; written by the store alone.
const KEPT: &str = "kept";
/// Somebody whose second step is waited for.
const WAITING: &str = "waiting";

/// What the store knows of a session.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) id: domain::ids::SessionId,
    pub(super) started_at: DateTime<Utc>,
    pub(super) seen_at: DateTime<Utc>,
    pub(super) stepped_up_at: DateTime<Utc>,
}

/// The session layer. With https the cookie has the `__Host-` prefix and is `Secure`; on loopback http it has neither. The
/// cookie lasts as long as a session can; when the session ends is the store's to say.
pub(super) fn layer(service: Service, secure: bool) -> SessionManagerLayer<Sessions> {
    let lifetime = time::Duration::seconds(service.settings().session_lifetime.num_seconds());
    SessionManagerLayer::new(Sessions(service))
        .with_name(if secure { "__Host-recourse" } else { "recourse" })
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(lifetime))
}

/// How somebody proved who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proved {
    /// By the password with this mark, which counts as a step-up.
    Password(String),
    /// By a one-time link, which does, too.
    Link,
    /// At an identity provider, perhaps long ago: something consequential asks again.
    #[cfg_attr(not(feature = "openid"), expect(dead_code, reason = "there is no provider"))]
    Elsewhere,
}

/// Signs a person in: a new session with an id of its own, so that one known before is worth nothing.
pub(crate) async fn sign_in(
    session: &Session,
    person: PersonId,
    proved: Proved,
    request: &service::Request,
    agent: Option<&str>,
) -> Result<(), Error> {
    session.cycle_id().await?;
    session.clear().await;
    session.insert(PERSON, person).await?;
    session.insert(PROVED, proved != Proved::Elsewhere).await?;
    if let Proved::Password(mark) = proved {
        session.insert(MARK, mark).await?;
    }
    session.insert(ADDRESS, &request.address).await?;
    session.insert(AGENT, agent).await
}

/// Keeps, until the second step, whose password fitted. Nobody is signed in with it.
pub(crate) async fn wait(session: &Session, waiting: &Waiting) -> Result<(), Error> {
    keep(session, WAITING, waiting).await
}

/// Who is waited for.
pub(crate) async fn waiting(session: &Session) -> Result<Option<Waiting>, Error> {
    session.get(WAITING).await
}

/// Keeps something in a session until it is taken. Who was not signed in gets a session with a new id.
pub(crate) async fn keep<T: Serialize>(session: &Session, name: &str, value: &T) -> Result<(), Error> {
    if person(session).await?.is_none() {
        session.cycle_id().await?;
    }
    session.insert(name, value).await
}

/// Takes out what was kept.
#[cfg_attr(not(feature = "openid"), expect(dead_code, reason = "only an identity provider's answer is waited for"))]
pub(crate) async fn take<T: DeserializeOwned>(session: &Session, name: &str) -> Result<Option<T>, Error> {
    session.remove(name).await
}

/// Who is signed in with this session. A store that fails counts as an error, not as signed out.
pub(super) async fn person(session: &Session) -> Result<Option<PersonId>, Error> {
    session.get(PERSON).await
}

/// What the store knows of this session.
pub(super) async fn kept(session: &Session) -> Result<Option<Kept>, Error> {
    session.get(KEPT).await
}

/// tower-sessions' view of our store.
#[derive(Clone)]
pub(super) struct Sessions(Service);

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions")
    }
}

fn encoded(record: &Record) -> session_store::Result<String> {
    let mut data = record.data.clone();
    data.remove(KEPT);
    serde_json::to_string(&data).map_err(|error| session_store::Error::Encode(error.to_string()))
}

fn failed(error: service::Error) -> session_store::Error {
    tracing::error!(error = &error as &dyn std::error::Error, "a session could not be kept");
    session_store::Error::Backend("the session store failed".into())
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        let read = |name: &str| record.data.get(name).cloned();
        let text = |name: &str| read(name).and_then(|value| serde_json::from_value(value).ok().flatten());
        let begun = Begun {
            data: encoded(record)?,
            person: read(PERSON).and_then(|value| serde_json::from_value(value).ok()),
            address: text(ADDRESS),
            agent: text(AGENT),
            mark: text(MARK),
            proved: read(PROVED) == Some(serde_json::Value::Bool(true)),
        };
        while !self.0.create_session(record.id.0, &begun).await.map_err(failed)? {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        self.0.save_session(record.id.0, &encoded(record)?).await.map_err(failed)
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let Some(row) = self.0.load_session(id.0).await.map_err(failed)? else { return Ok(None) };
        let decode = |error: serde_json::Error| session_store::Error::Decode(error.to_string());
        let mut data: std::collections::HashMap<String, serde_json::Value> =
            serde_json::from_str(&row.data).map_err(decode)?;
        let (started_at, seen_at, stepped_up_at) = (row.started_at, row.seen_at, row.stepped_up_at);
        let kept = Kept { id: row.id, started_at, seen_at, stepped_up_at };
        data.insert(KEPT.to_owned(), serde_json::to_value(kept).map_err(decode)?);
        let expiry_date = time::OffsetDateTime::from_unix_timestamp(row.expires_at.timestamp())
            .map_err(|error| session_store::Error::Decode(error.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        self.0.delete_session(id.0).await.map_err(failed)
    }
}
