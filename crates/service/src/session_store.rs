//! What browser sessions are kept in: only a hash of the id, findable by person.

use chrono::{DateTime, Utc};
use domain::{digest::Sha256, ids::PersonId};
use store::SessionRow;

use crate::{Result, Service};

/// A session's data and end.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Its data, as JSON.
    pub data: String,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// Who is signed in with it.
    pub person: Option<PersonId>,
}

impl Service {
    /// Adds a session; `false` if the id is taken.
    pub async fn create_session(&self, id: i128, kept: &Kept) -> Result<bool> {
        let mut uow = self.store.begin().await?;
        let row = SessionRow { data: kept.data.clone(), expires_at: kept.expires_at };
        let created = uow.create_session(&key(id), kept.person, &row).await?;
        uow.commit().await?;
        Ok(created)
    }

    /// Replaces a session's data. A session that was ended meanwhile stays ended.
    pub async fn save_session(&self, id: i128, kept: &Kept) -> Result<()> {
        let mut uow = self.store.begin().await?;
        let row = SessionRow { data: kept.data.clone(), expires_at: kept.expires_at };
        uow.save_session(&key(id), kept.person, &row).await?;
        Ok(uow.commit().await?)
    }

    /// A session that has not ended.
    pub async fn load_session(&self, id: i128) -> Result<Option<(String, DateTime<Utc>)>> {
        let mut uow = self.store.read().await?;
        let row = uow.load_session(&key(id), self.now()).await?;
        Ok(row.map(|row| (row.data, row.expires_at)))
    }

    /// Ends a session.
    pub async fn delete_session(&self, id: i128) -> Result<()> {
        let mut uow = self.store.begin().await?;
        uow.delete_session(&key(id)).await?;
        Ok(uow.commit().await?)
    }

    /// Removes sessions that have ended by themselves; answers how many.
    pub async fn sweep_sessions(&self) -> Result<u64> {
        let mut uow = self.store.begin().await?;
        let gone = uow.delete_expired_sessions(self.now()).await?;
        uow.commit().await?;
        Ok(gone)
    }
}

fn key(id: i128) -> [u8; 32] {
    Sha256::of(&id.to_be_bytes()).0
}
