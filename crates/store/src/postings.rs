//! Postings: what is told through channels and by e-mail, written in the transaction of what it tells of, and sent after it.

use chrono::{DateTime, Utc};
use domain::{
    channel::Telling,
    ids::{ChannelId, ItemId, PersonId, PostingId},
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::json,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    INSERT_POSTING = "INSERT INTO posting (id, channel_id, person_id, address, item_id, telling, created_at, due_at, tries, first_try_at, tried_at, fence, leased_until, withheld)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, FALSE)";
    POSTING = "SELECT id, channel_id, person_id, address, item_id, telling, created_at, due_at, tries, first_try_at, tried_at, fence, leased_until, last_error, sent_at, given_up_at, withheld FROM posting WHERE id = $1";
    POSTINGS_DUE = "SELECT id, channel_id FROM (
        SELECT id, channel_id, due_at, ROW_NUMBER() OVER (PARTITION BY channel_id ORDER BY due_at, id) AS turn FROM posting
        WHERE sent_at IS NULL AND given_up_at IS NULL AND due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)) AS waiting
        WHERE turn <= $2 ORDER BY turn, due_at, id LIMIT 500";
    TAKE_POSTING = "UPDATE posting SET leased_until = $3, fence = fence + 1, tries = tries + 1, tried_at = $2, first_try_at = COALESCE(first_try_at, $2)
        WHERE id = $1 AND sent_at IS NULL AND given_up_at IS NULL AND due_at <= $2 AND (leased_until IS NULL OR leased_until <= $2)";
    POSTING_SENT = "UPDATE posting SET sent_at = $3, leased_until = NULL, last_error = NULL WHERE id = $1 AND fence = $2 AND sent_at IS NULL AND given_up_at IS NULL";
    POSTING_FAILED = "UPDATE posting SET due_at = $3, given_up_at = $4, last_error = $5, leased_until = NULL WHERE id = $1 AND fence = $2 AND sent_at IS NULL AND given_up_at IS NULL";
    WITHHOLD_POSTING = "UPDATE posting SET given_up_at = $3, withheld = TRUE, last_error = $4, leased_until = NULL, tries = tries - 1 WHERE id = $1 AND fence = $2 AND sent_at IS NULL AND given_up_at IS NULL";
    PUT_POSTING_OFF = "UPDATE posting SET due_at = $3, leased_until = NULL, tries = tries - 1, first_try_at = CASE WHEN tries = 1 THEN NULL ELSE first_try_at END
        WHERE id = $1 AND fence = $2 AND sent_at IS NULL AND given_up_at IS NULL";
    GIVE_POSTING_BACK = "UPDATE posting SET leased_until = NULL WHERE id = $1 AND fence = $2 AND sent_at IS NULL AND given_up_at IS NULL";
    GIVE_UP_WAITING = "UPDATE posting SET given_up_at = $2, last_error = $3, leased_until = NULL
        WHERE channel_id = $1 AND sent_at IS NULL AND given_up_at IS NULL AND (leased_until IS NULL OR leased_until <= $2)";
    POSTINGS_OF_CHANNEL = "SELECT id, channel_id, person_id, address, item_id, telling, created_at, due_at, tries, first_try_at, tried_at, fence, leased_until, last_error, sent_at, given_up_at, withheld FROM posting WHERE channel_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20";
    MAILS_THAT_FAIL = "SELECT id, channel_id, person_id, address, item_id, telling, created_at, due_at, tries, first_try_at, tried_at, fence, leased_until, last_error, sent_at, given_up_at, withheld FROM posting WHERE address IS NOT NULL AND last_error IS NOT NULL AND sent_at IS NULL AND NOT withheld ORDER BY created_at DESC, id DESC LIMIT 20";
    MAILS_WITHHELD = "SELECT id, channel_id, person_id, address, item_id, telling, created_at, due_at, tries, first_try_at, tried_at, fence, leased_until, last_error, sent_at, given_up_at, withheld FROM posting WHERE address IS NOT NULL AND withheld ORDER BY created_at DESC, id DESC LIMIT 20";
    MAILS_WAITING = "SELECT COUNT(*) FROM posting WHERE address IS NOT NULL AND sent_at IS NULL AND given_up_at IS NULL";
    FORGET_POSTINGS = "DELETE FROM posting WHERE person_id = $1";
    SWEEP_POSTINGS = "DELETE FROM posting WHERE (sent_at IS NOT NULL OR given_up_at IS NOT NULL) AND created_at < $1";
}

/// A posting that is due, as far as it matters for whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct DuePosting {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: PostingId,
    /// The channel it goes through; `None` for an e-mail.
    pub channel_id: Option<Uuid>,
}

/// One telling on its way.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct PostingRow {
    /// Its id: a receiver knows it again by that.
    #[sqlx(try_from = "Uuid")]
    pub id: PostingId,
    /// The channel it goes through; `None` for an e-mail.
    pub channel_id: Option<Uuid>,
    /// Whom an e-mail goes to.
    pub person_id: Option<Uuid>,
    /// Their address, as it was when this was written.
    pub address: Option<String>,
    /// The item it is about, where a person must see that still when it is sent.
    pub item_id: Option<Uuid>,
    /// What it says.
    #[sqlx(try_from = "String")]
    pub telling: Stored<Telling>,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// Not before this.
    pub due_at: DateTime<Utc>,
    /// Tries that were begun.
    pub tries: i64,
    /// When the first was.
    pub first_try_at: Option<DateTime<Utc>>,
    /// When the last was.
    pub tried_at: Option<DateTime<Utc>>,
    /// Grows with each try that begins.
    pub fence: i64,
    /// Until then it is somebody's to send.
    pub leased_until: Option<DateTime<Utc>>,
    /// Why it did not arrive, the last time.
    pub last_error: Option<String>,
    /// When it arrived.
    pub sent_at: Option<DateTime<Utc>>,
    /// When it was given up.
    pub given_up_at: Option<DateTime<Utc>>,
    /// It was given up on purpose: its reader was not to get it.
    pub withheld: bool,
}

impl PostingRow {
    /// A new one through a channel, due at once.
    #[must_use]
    pub fn through(channel: ChannelId, id: PostingId, telling: Telling, now: DateTime<Utc>) -> Self {
        Self { channel_id: Some(channel.0), ..Self::new(id, telling, now) }
    }

    /// A new e-mail to a person, due then.
    #[must_use]
    pub fn mail(
        (person, address): (PersonId, String),
        id: PostingId,
        telling: Telling,
        now: DateTime<Utc>,
        due: DateTime<Utc>,
    ) -> Self {
        Self { person_id: Some(person.0), address: Some(address), due_at: due, ..Self::new(id, telling, now) }
    }

    /// The same about an item, which its reader must see still when it is sent.
    #[must_use]
    pub fn about(self, item: Option<ItemId>) -> Self {
        Self { item_id: item.map(|item| item.0), ..self }
    }

    fn new(id: PostingId, telling: Telling, now: DateTime<Utc>) -> Self {
        Self {
            id,
            channel_id: None,
            person_id: None,
            address: None,
            item_id: None,
            telling: Stored(telling),
            created_at: now,
            due_at: now,
            tries: 0,
            first_try_at: None,
            tried_at: None,
            fence: 0,
            leased_until: None,
            last_error: None,
            sent_at: None,
            given_up_at: None,
            withheld: false,
        }
    }

    /// The same, taken by who writes it: nobody else sends it until then.
    #[must_use]
    pub fn taken(self, until: DateTime<Utc>) -> Self {
        let now = Some(self.created_at);
        Self { tries: 1, fence: 1, first_try_at: now, tried_at: now, leased_until: Some(until), ..self }
    }
}

impl Uow {
    /// Writes one down.
    pub async fn add_posting(&mut self, row: &PostingRow) -> Result<()> {
        execute!(
            self,
            INSERT_POSTING,
            row.id.0,
            row.channel_id,
            row.person_id,
            &row.address,
            row.item_id,
            json(&row.telling.0)?,
            row.created_at,
            row.due_at,
            row.tries,
            row.first_try_at,
            row.tried_at,
            row.fence,
            row.leased_until
        )
        .map(drop)
    }

    /// One of them.
    pub async fn posting(&mut self, id: PostingId) -> Result<Option<PostingRow>> {
        fetch_optional!(self, PostingRow, POSTING, id.0)
    }

    /// Those that are due and nobody's: of each receiver so many at most, the first of each before the second of any. The
    /// mail server is one receiver. 500 at most.
    pub async fn postings_due(&mut self, now: DateTime<Utc>, each: i64) -> Result<Vec<DuePosting>> {
        fetch_all!(self, DuePosting, POSTINGS_DUE, now, each)
    }

    /// Takes one to send it until then; `None` if it is not due, or somebody else has it.
    pub async fn take_posting(
        &mut self,
        id: PostingId,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostingRow>> {
        match execute!(self, TAKE_POSTING, id.0, now, until)? {
            1 => self.posting(id).await,
            _ => Ok(None),
        }
    }

    /// It arrived; `false` if it is somebody else's by now.
    pub async fn posting_sent(&mut self, id: PostingId, fence: i64, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(self, POSTING_SENT, id.0, fence, now)? == 1)
    }

    /// It did not arrive. It is due again then, or given up; `false` if it is somebody else's by now.
    pub async fn posting_failed(
        &mut self,
        (id, fence): (PostingId, i64),
        why: &str,
        due: DateTime<Utc>,
        given_up: Option<DateTime<Utc>>,
    ) -> Result<bool> {
        Ok(execute!(self, POSTING_FAILED, id.0, fence, due, given_up, why)? == 1)
    }

    /// Whoever took it does not try it, and nobody will: its reader is not to get it.
    pub async fn withhold_posting(&mut self, id: PostingId, fence: i64, why: &str, now: DateTime<Utc>) -> Result<()> {
        execute!(self, WITHHOLD_POSTING, id.0, fence, now, why).map(drop)
    }

    /// Whoever took it does not try it after all: it is due then.
    pub async fn put_posting_off(&mut self, id: PostingId, fence: i64, due: DateTime<Utc>) -> Result<()> {
        execute!(self, PUT_POSTING_OFF, id.0, fence, due).map(drop)
    }

    /// Whoever took it does not send it after all: it is due for others at once.
    pub async fn give_posting_back(&mut self, id: PostingId, fence: i64) -> Result<()> {
        execute!(self, GIVE_POSTING_BACK, id.0, fence).map(drop)
    }

    /// Gives up what waits for a channel; answers how many. What is somebody's at the time ends by itself.
    pub async fn give_up_postings_of(&mut self, channel: ChannelId, why: &str, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, GIVE_UP_WAITING, channel.0, now, why)
    }

    /// The last 20 of a channel, newest first.
    pub async fn postings_of(&mut self, channel: ChannelId) -> Result<Vec<PostingRow>> {
        fetch_all!(self, PostingRow, POSTINGS_OF_CHANNEL, channel.0)
    }

    /// The last 20 e-mails that did not arrive, newest first.
    pub async fn mails_that_fail(&mut self) -> Result<Vec<PostingRow>> {
        fetch_all!(self, PostingRow, MAILS_THAT_FAIL)
    }

    /// The last 20 e-mails that were not sent on purpose, newest first.
    pub async fn mails_withheld(&mut self) -> Result<Vec<PostingRow>> {
        fetch_all!(self, PostingRow, MAILS_WITHHELD)
    }

    /// How many e-mails wait to be sent.
    pub async fn mails_waiting(&mut self) -> Result<i64> {
        fetch_one!(self, (i64,), MAILS_WAITING).map(|(count,)| count)
    }

    /// Forgets what was and would be told to a person.
    pub async fn forget_postings_of(&mut self, person: PersonId) -> Result<()> {
        execute!(self, FORGET_POSTINGS, person.0).map(drop)
    }

    /// Removes those that have ended and were written before then.
    pub async fn sweep_postings(&mut self, before: DateTime<Utc>) -> Result<u64> {
        execute!(self, SWEEP_POSTINGS, before)
    }
}
