//! Payload bytes and the revisions that name them. Both are only ever added to (R1, R2).

use chrono::{DateTime, Utc};
use domain::{
    digest::Sha256,
    ids::{ItemId, PayloadId, PersonId},
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_PAYLOAD = "INSERT INTO payload (id, sha256, size, bytes) VALUES ($1, $2, $3, $4)";
    PAYLOAD = "SELECT sha256, size, bytes FROM payload WHERE id = $1";
    INSERT_REVISION = "INSERT INTO revision (item_id, number, payload_id, media_type, parent, author_kind, author_id, author_name, reason, at, source_version, breaks_glass, overrides_schema, completing) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    REVISIONS = "SELECT number, payload_id, media_type, parent, author_kind, author_name, person.deleted_at AS author_deleted_at, reason, at, source_version, breaks_glass, overrides_schema, completing, sha256, size, payload.bytes IS NULL AS erased FROM revision JOIN payload ON payload.id = revision.payload_id LEFT JOIN person ON person.id = revision.author_id WHERE item_id = $1 ORDER BY number";
}

/// Bytes as they were received.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct StoredPayload {
    /// SHA-256 of the bytes.
    #[sqlx(try_from = "DigestColumn")]
    pub sha256: Sha256,
    /// How many there are.
    pub size: i64,
    /// The bytes; `None` once they were erased.
    pub bytes: Option<Vec<u8>>,
}

/// A revision, without its bytes.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Revision {
    /// Counts from 1, the original.
    pub number: i64,
    /// Where its bytes are.
    #[sqlx(try_from = "Uuid")]
    pub payload_id: PayloadId,
    /// As declared.
    pub media_type: String,
    /// What it was made from; the original has none.
    pub parent: Option<i64>,
    /// `automation` or `person`.
    pub author_kind: String,
    /// Who made it, as named then.
    pub author_name: String,
    /// Since when that account is gone.
    pub author_deleted_at: Option<DateTime<Utc>>,
    /// Why; the automation gives none.
    pub reason: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
    /// The version of the source record it was made from, where one was told.
    pub source_version: Option<String>,
    /// It touches what is not open for editing.
    pub breaks_glass: bool,
    /// It was saved although it fails the step's schema.
    pub overrides_schema: bool,
    /// It does the rest of what happened in part, and nothing of what was done.
    pub completing: bool,
    /// SHA-256 of its bytes.
    #[sqlx(try_from = "DigestColumn")]
    pub sha256: Sha256,
    /// How many bytes it has.
    pub size: i64,
    /// Whether the bytes were erased.
    pub erased: bool,
}

/// What an automation sent.
#[derive(Debug)]
pub struct NewRevision<'a> {
    /// Its number on the item.
    pub number: i64,
    /// Where its bytes are.
    pub payload: PayloadId,
    /// As declared.
    pub media_type: &'a str,
    /// The version of the source record it was made from, where one was told.
    pub source_version: Option<&'a str>,
}

/// A digest's 32 bytes.
#[derive(Debug, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct DigestColumn(Vec<u8>);

#[derive(Debug, thiserror::Error)]
#[error("a digest has 32 bytes, this has {0}")]
pub(crate) struct NotADigest(usize);

impl TryFrom<DigestColumn> for Sha256 {
    type Error = NotADigest;
    fn try_from(column: DigestColumn) -> Result<Self, NotADigest> {
        Self::from_slice(&column.0).ok_or(NotADigest(column.0.len()))
    }
}

/// A person's correction to add.
#[derive(Debug)]
pub struct NewCorrection<'a> {
    /// Its number on the item.
    pub number: i64,
    /// Where its bytes are.
    pub payload: PayloadId,
    /// As its parent's.
    pub media_type: &'a str,
    /// What it was made from.
    pub parent: i64,
    /// Why.
    pub reason: &'a str,
    /// As its parent's.
    pub source_version: Option<&'a str>,
    /// It touches what is not open for editing.
    pub breaks_glass: bool,
    /// It fails the step's schema.
    pub overrides_schema: bool,
    /// It does the rest of what happened in part.
    pub completing: bool,
}

impl Uow {
    /// Adds a revision by a person.
    pub async fn add_correction(
        &mut self,
        item: ItemId,
        new: &NewCorrection<'_>,
        by: (PersonId, &str),
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(
            self,
            INSERT_REVISION,
            item.0,
            new.number,
            new.payload.0,
            new.media_type,
            Some(new.parent),
            "person",
            by.0.0,
            by.1,
            Some(new.reason),
            now,
            new.source_version,
            new.breaks_glass,
            new.overrides_schema,
            new.completing
        )
        .map(drop)
    }

    /// Keeps bytes as they are; answers their digest.
    pub async fn add_payload(&mut self, id: PayloadId, bytes: &[u8]) -> Result<Sha256> {
        let digest = Sha256::of(bytes);
        let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
        execute!(self, INSERT_PAYLOAD, id.0, &digest.0[..], size, bytes)?;
        Ok(digest)
    }

    /// Bytes that were kept.
    pub async fn payload(&mut self, id: PayloadId) -> Result<Option<StoredPayload>> {
        fetch_optional!(self, StoredPayload, PAYLOAD, id.0)
    }

    /// Adds a revision by an automation.
    pub async fn add_automation_revision(
        &mut self,
        item: ItemId,
        new: &NewRevision<'_>,
        by: (Uuid, &str),
        now: DateTime<Utc>,
    ) -> Result<()> {
        let parent = (new.number > 1).then_some(new.number - 1);
        execute!(
            self,
            INSERT_REVISION,
            item.0,
            new.number,
            new.payload.0,
            new.media_type,
            parent,
            "automation",
            by.0,
            by.1,
            None::<String>,
            now,
            new.source_version,
            false,
            false,
            false
        )
        .map(drop)
    }

    /// An item's revisions, the original first.
    pub async fn revisions(&mut self, item: ItemId) -> Result<Vec<Revision>> {
        fetch_all!(self, Revision, REVISIONS, item.0)
    }
}
