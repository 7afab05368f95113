//! What browser sessions are kept in: only a hash of the id, findable by person.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    digest::Sha256,
    ids::{PersonId, SessionId},
};
use store::SessionRow;

use crate::{Result, Service, new_id, sign_in};

/// How long a session lasts with which nobody is signed in yet.
const UNDER_WAY: TimeDelta = TimeDelta::minutes(15);
/// Looking at a page prolongs the session, but not more often than this.
const PROLONG_AFTER: TimeDelta = TimeDelta::minutes(5);

/// A session that begins.
#[derive(Debug, Clone, Default)]
pub struct Begun {
    /// Its data, as JSON.
    pub data: String,
    /// Who is signed in with it.
    pub person: Option<PersonId>,
    /// From which address.
    pub address: Option<String>,
    /// What the browser says of itself.
    pub agent: Option<String>,
    /// They proved just now who they are.
    pub proved: bool,
    /// Of the password with which they did.
    pub mark: Option<String>,
}

impl Service {
    /// Adds a session; `false` if the id is taken. Where the password that fitted is another by now, nobody is signed in with it:
    /// who replaced the password has ended the sessions there were.
    pub async fn create_session(&self, id: i128, begun: &Begun) -> Result<bool> {
        let now = self.now();
        let mut uow = self.store.begin().await?;
        let nobody = Begun { data: "{}".into(), ..Begun::default() };
        let begun = match (begun.person, &begun.mark) {
            (Some(person), Some(mark)) => {
                let row = uow.lock_person(person).await?;
                if row.is_some_and(|row| sign_in::mark(&row) == *mark) { begun } else { &nobody }
            }
            _ => begun,
        };
        let lasts = match begun.person {
            Some(_) => self.settings.session_idle.min(self.settings.session_lifetime),
            None => UNDER_WAY,
        };
        let short =
            |text: &Option<String>| text.as_ref().map(|text| domain::text::head(&domain::text::message(text), 300));
        let row = SessionRow {
            id: new_id(now),
            person_id: begun.person.map(|id| id.0),
            data: begun.data.clone(),
            address: short(&begun.address),
            agent: short(&begun.agent),
            started_at: now,
            seen_at: now,
            stepped_up_at: if begun.proved { now } else { DateTime::UNIX_EPOCH },
            expires_at: now + lasts,
        };
        let created = uow.create_session(&key(id), &row).await?;
        uow.commit().await?;
        Ok(created)
    }

    /// Replaces a session's data. A session that was ended meanwhile stays ended.
    pub async fn save_session(&self, id: i128, data: &str) -> Result<()> {
        let mut uow = self.store.begin().await?;
        uow.save_session(&key(id), data).await?;
        Ok(uow.commit().await?)
    }

    /// A session that has not ended.
    pub async fn load_session(&self, id: i128) -> Result<Option<SessionRow>> {
        Ok(self.store.read().await?.load_session(&key(id), self.now()).await?)
    }

    /// Notes that a page was looked at with a session, which prolongs it within its lifetime.
    pub async fn prolong_session(
        &self,
        id: SessionId,
        started_at: DateTime<Utc>,
        seen_at: DateTime<Utc>,
    ) -> Result<()> {
        let now = self.now();
        if now - seen_at < PROLONG_AFTER {
            return Ok(());
        }
        let expires_at = (now + self.settings.session_idle).min(started_at + self.settings.session_lifetime);
        let mut uow = self.store.begin().await?;
        uow.prolong_session(id, now, expires_at).await?;
        Ok(uow.commit().await?)
    }

    /// Ends a session.
    pub async fn delete_session(&self, id: i128) -> Result<()> {
        let mut uow = self.store.begin().await?;
        uow.delete_session(&key(id)).await?;
        Ok(uow.commit().await?)
    }

    /// Removes sessions that have ended by themselves, and tries that hold nobody back any more; answers how many sessions.
    pub async fn sweep_sessions(&self) -> Result<u64> {
        let now = self.now();
        let mut uow = self.store.begin().await?;
        let gone = uow.delete_expired_sessions(now).await?;
        uow.forget_old_tries(now, now - crate::sign_in::tries::KNOWN_FOR).await?;
        uow.commit().await?;
        Ok(gone)
    }
}

fn key(id: i128) -> [u8; 32] {
    Sha256::of(&id.to_be_bytes()).0
}
