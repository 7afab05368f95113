//! What people were told, written in the transaction of the change it tells of.

use chrono::{DateTime, Utc};
use domain::{
    ids::{ItemId, NoticeId, PersonId},
    notice::NoticeKind,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_one, statements},
};

statements! {
    INSERT_NOTICE = "INSERT INTO notice (id, person_id, kind, by_name, about, item_id, at, alert_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    NOTICES = "SELECT id, kind, by_name, about, item_id, alert_id, at, read_at FROM notice WHERE person_id = $1 AND (at, id) < ($2, $3) ORDER BY at DESC, id DESC LIMIT $4";
    UNREAD = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM notice WHERE person_id = $1 AND read_at IS NULL LIMIT 100) AS unread";
    READ_ONE = "UPDATE notice SET read_at = $3 WHERE person_id = $1 AND id = $2 AND read_at IS NULL";
    READ_ALL = "UPDATE notice SET read_at = $3 WHERE person_id = $1 AND at <= $2 AND read_at IS NULL";
}

/// A notice.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct NoticeRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: NoticeId,
    /// What it tells.
    #[sqlx(try_from = "String")]
    pub kind: NoticeKind,
    /// Who did it, as named then.
    pub by_name: String,
    /// What it is about, as named then.
    pub about: String,
    /// The item it is about.
    pub item_id: Option<Uuid>,
    /// The alert it is about.
    pub alert_id: Option<Uuid>,
    /// When.
    pub at: DateTime<Utc>,
    /// When it was marked as read.
    pub read_at: Option<DateTime<Utc>>,
}

/// A notice to write.
#[derive(Debug)]
pub struct NewNotice<'a> {
    /// Its id.
    pub id: NoticeId,
    /// Whom it tells.
    pub person: PersonId,
    /// What it tells.
    pub kind: NoticeKind,
    /// Who did it.
    pub by_name: &'a str,
    /// What it is about.
    pub about: &'a str,
    /// The item it is about.
    pub item: Option<ItemId>,
    /// The alert it is about.
    pub alert: Option<Uuid>,
}

impl Uow {
    /// Tells somebody something.
    pub async fn add_notice(&mut self, notice: &NewNotice<'_>, now: DateTime<Utc>) -> Result<()> {
        let (kind, item) = (notice.kind.as_str(), notice.item.map(|id| id.0));
        execute!(
            self,
            INSERT_NOTICE,
            notice.id.0,
            notice.person.0,
            kind,
            notice.by_name,
            notice.about,
            item,
            now,
            notice.alert
        )
        .map(drop)
    }

    /// A person's notices, newest first.
    pub async fn notices(
        &mut self,
        person: PersonId,
        before: Option<(DateTime<Utc>, Uuid)>,
        limit: i64,
    ) -> Result<Vec<NoticeRow>> {
        let far = DateTime::<Utc>::from_timestamp(253_402_300_799, 0).unwrap_or_default();
        let (at, id) = before.unwrap_or((far, Uuid::max()));
        fetch_all!(self, NoticeRow, NOTICES, person.0, at, id, limit)
    }

    /// How many notices a person has not read; counted up to 100.
    pub async fn unread_notices(&mut self, person: PersonId) -> Result<i64> {
        fetch_one!(self, (i64,), UNREAD, person.0).map(|(count,)| count)
    }

    /// Marks one as read.
    pub async fn read_notice(&mut self, person: PersonId, id: NoticeId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, READ_ONE, person.0, id.0, now).map(drop)
    }

    /// Marks those as read that came no later than `upto`.
    pub async fn read_notices(&mut self, person: PersonId, upto: DateTime<Utc>, now: DateTime<Utc>) -> Result<()> {
        execute!(self, READ_ALL, person.0, upto, now).map(drop)
    }
}
