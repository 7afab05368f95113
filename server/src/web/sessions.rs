//! Browser sessions: a cookie, and our own store behind it that keeps only a hash of the id.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ids::PersonId;
use service::{Service, session_store::Kept};
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::{SameSite, time},
    session::{Id, Record},
    session_store,
};

/// A session ends after this long without a page being looked at.
const IDLE: TimeDelta = TimeDelta::hours(12);
/// Looking at a page prolongs the session, but not more often than this.
const PROLONG_AFTER: TimeDelta = TimeDelta::minutes(5);

const PERSON: &str = "person";
const SEEN: &str = "seen";

/// The session layer. With https the cookie has the `__Host-` prefix and is `Secure`; on loopback http it has neither.
pub(super) fn layer(service: Service, secure: bool) -> SessionManagerLayer<Sessions> {
    SessionManagerLayer::new(Sessions(service))
        .with_name(if secure { "__Host-recourse" } else { "recourse" })
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(time::Duration::hours(IDLE.num_hours())))
}

/// Signs a person in: a new session id, so that one known before is worth nothing.
pub(crate) async fn sign_in(
    session: &Session,
    person: PersonId,
    now: DateTime<Utc>,
) -> Result<(), tower_sessions::session::Error> {
    session.cycle_id().await?;
    session.insert(PERSON, person).await?;
    session.insert(SEEN, now).await
}

/// Who is signed in with this session. A store that fails counts as an error, not as signed out.
pub(super) async fn person(session: &Session) -> Result<Option<PersonId>, tower_sessions::session::Error> {
    session.get(PERSON).await
}

/// Notes that the person looked at a page.
pub(super) async fn prolong(session: &Session, now: DateTime<Utc>) -> Result<(), tower_sessions::session::Error> {
    let seen: Option<DateTime<Utc>> = session.get(SEEN).await?;
    if seen.is_none_or(|seen| now - seen >= PROLONG_AFTER) {
        session.insert(SEEN, now).await?;
    }
    Ok(())
}

/// tower-sessions' view of our store.
#[derive(Clone)]
pub(super) struct Sessions(Service);

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions")
    }
}

impl Sessions {
    /// The end is counted on our clock, not on the library's.
    fn keep(&self, record: &Record) -> session_store::Result<Kept> {
        let data =
            serde_json::to_string(&record.data).map_err(|error| session_store::Error::Encode(error.to_string()))?;
        let person = record.data.get(PERSON).and_then(|value| serde_json::from_value(value.clone()).ok());
        Ok(Kept { data, expires_at: self.0.now() + IDLE, person })
    }
}

fn failed(error: service::Error) -> session_store::Error {
    tracing::error!(error = &error as &dyn std::error::Error, "a session could not be kept");
    session_store::Error::Backend("the session store failed".into())
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        let kept = self.keep(record)?;
        while !self.0.create_session(record.id.0, &kept).await.map_err(failed)? {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        self.0.save_session(record.id.0, &self.keep(record)?).await.map_err(failed)
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let Some((data, expires_at)) = self.0.load_session(id.0).await.map_err(failed)? else { return Ok(None) };
        let data = serde_json::from_str(&data).map_err(|error| session_store::Error::Decode(error.to_string()))?;
        let expiry_date = time::OffsetDateTime::from_unix_timestamp(expires_at.timestamp())
            .map_err(|error| session_store::Error::Decode(error.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        self.0.delete_session(id.0).await.map_err(failed)
    }
}
