//! What a person was told: reading it, and marking it as read.

use chrono::{DateTime, Utc};
use domain::{access::Person, ids::NoticeId, refusal::Refusal};
use store::NoticeRow;
use uuid::Uuid;

use crate::{Request, Result, Service};

/// Rows of a page.
const PAGE: i64 = 50;

/// One page of a person's notices.
#[derive(Debug, Clone)]
pub struct Told {
    /// Notices, newest first.
    pub rows: Vec<NoticeRow>,
    /// Where the next page begins, if there is one.
    pub next: Option<(DateTime<Utc>, Uuid)>,
    /// How many are not read; counted up to 100.
    pub unread: i64,
    /// When this was read: what comes later is not marked with it.
    pub as_of: DateTime<Utc>,
}

impl Service {
    /// The notices of the person who asks. Looking at them marks nothing.
    pub async fn notices(&self, request: &Request, before: Option<(DateTime<Utc>, Uuid)>) -> Result<Told> {
        let person = reader(request)?;
        let before = before.map(|(at, id)| (crate::calendar::within(at), id));
        let mut uow = self.store.read().await?;
        let mut rows = uow.notices(person.id, before, PAGE + 1).await?;
        let more = i64::try_from(rows.len()).is_ok_and(|len| len > PAGE);
        if more {
            rows.pop();
        }
        let next = rows.last().filter(|_| more).map(|last| (last.at, last.id.0));
        Ok(Told { next, unread: uow.unread_notices(person.id).await?, as_of: self.now(), rows })
    }

    /// Marks one notice of the person who asks as read. Nothing is decided by that, so nothing is recorded.
    pub async fn read_notice(&self, request: &Request, id: NoticeId) -> Result<()> {
        let person = reader(request)?.id;
        let mut uow = self.store.begin().await?;
        uow.read_notice(person, id, self.now()).await?;
        Ok(uow.commit().await?)
    }

    /// The same for all that came no later than `upto`.
    pub async fn read_notices(&self, request: &Request, upto: DateTime<Utc>) -> Result<()> {
        let person = reader(request)?.id;
        let mut uow = self.store.begin().await?;
        uow.read_notices(person, crate::calendar::within(upto), self.now()).await?;
        Ok(uow.commit().await?)
    }
}

fn reader(request: &Request) -> Result<&Person, Refusal> {
    match &request.caller {
        domain::access::Caller::Person(person) => Ok(person),
        _ => Err(Refusal::NotSignedIn),
    }
}
