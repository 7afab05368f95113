//! Corrections under way: what somebody typed so far, theirs alone.

use chrono::{DateTime, Utc};
use domain::ids::{ItemId, PersonId};

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    // Whoever saves names the version they saw, 0 for none: of two windows the second changes nothing, and brings nothing back.
    INSERT_DRAFT = "INSERT INTO draft (person_id, item_id, parent, version, content, exact, basis, reason, item_version, saved_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (person_id, item_id, parent) DO NOTHING RETURNING version";
    UPDATE_DRAFT = "UPDATE draft SET version = CASE WHEN version >= $4 THEN version + 1 ELSE $4 END, content = $5, exact = $6, basis = $7, reason = $8, item_version = $9, saved_at = $10
        WHERE person_id = $1 AND item_id = $2 AND parent = $3 AND version = $11 RETURNING version";
    DRAFT = "SELECT parent, version, content, exact, basis, reason, item_version, saved_at FROM draft WHERE person_id = $1 AND item_id = $2 AND parent = $3";
    DRAFTS_OF = "SELECT parent, version, content, exact, basis, reason, item_version, saved_at FROM draft WHERE person_id = $1 AND item_id = $2 ORDER BY parent";
    OTHERS_DRAFTS = "SELECT person.name, draft.parent, draft.saved_at FROM draft JOIN person ON person.id = draft.person_id
        WHERE draft.item_id = $1 AND draft.person_id <> $2 AND draft.saved_at >= $3 AND person.disabled_at IS NULL ORDER BY draft.saved_at DESC LIMIT 20";
    DELETE_DRAFT = "DELETE FROM draft WHERE person_id = $1 AND item_id = $2 AND parent = $3 AND version = $4";
}

/// A correction under way.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Draft {
    /// The revision it is made from.
    pub parent: i64,
    /// Grows each time it is saved; by the clock, so that none that was thrown away comes again.
    pub version: i64,
    /// As a browser returned it, or the bytes of a file.
    pub content: Vec<u8>,
    /// Whether the bytes are meant just so.
    pub exact: bool,
    /// Digest of the text it was made from, as its author saw it.
    pub basis: Vec<u8>,
    /// What was wrong, as far as it was typed.
    pub reason: String,
    /// The item's version that was looked at.
    pub item_version: i64,
    /// When it was saved last.
    pub saved_at: DateTime<Utc>,
}

/// Somebody else who is correcting the same item.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OtherDraft {
    /// Their name.
    pub name: String,
    /// The revision they work from.
    pub parent: i64,
    /// When they last changed something.
    pub saved_at: DateTime<Utc>,
}

impl Uow {
    /// Keeps a draft; answers its version, or `None` where the kept one is not the one that `seen` names (0: none was seen).
    pub async fn save_draft(
        &mut self,
        person: PersonId,
        item: ItemId,
        draft: &Draft,
        seen: i64,
    ) -> Result<Option<i64>> {
        let (content, basis, reason) = (draft.content.as_slice(), draft.basis.as_slice(), draft.reason.as_str());
        let version = draft.saved_at.timestamp_micros();
        let kept = if seen == 0 {
            fetch_optional!(
                self,
                (i64,),
                INSERT_DRAFT,
                person.0,
                item.0,
                draft.parent,
                version,
                content,
                draft.exact,
                basis,
                reason,
                draft.item_version,
                draft.saved_at
            )?
        } else {
            fetch_optional!(
                self,
                (i64,),
                UPDATE_DRAFT,
                person.0,
                item.0,
                draft.parent,
                version,
                content,
                draft.exact,
                basis,
                reason,
                draft.item_version,
                draft.saved_at,
                seen
            )?
        };
        Ok(kept.map(|(version,)| version))
    }

    /// A person's draft from a revision of an item.
    pub async fn draft(&mut self, person: PersonId, item: ItemId, parent: i64) -> Result<Option<Draft>> {
        fetch_optional!(self, Draft, DRAFT, person.0, item.0, parent)
    }

    /// A person's drafts of an item.
    pub async fn drafts_of(&mut self, person: PersonId, item: ItemId) -> Result<Vec<Draft>> {
        fetch_all!(self, Draft, DRAFTS_OF, person.0, item.0)
    }

    /// Others who have been correcting an item since then, the latest first.
    pub async fn others_drafts(
        &mut self,
        item: ItemId,
        but: PersonId,
        since: DateTime<Utc>,
    ) -> Result<Vec<OtherDraft>> {
        fetch_all!(self, OtherDraft, OTHERS_DRAFTS, item.0, but.0, since)
    }

    /// Ends a draft of that version: it was saved as a revision, or thrown away. Answers whether it was there.
    pub async fn delete_draft(&mut self, person: PersonId, item: ItemId, parent: i64, version: i64) -> Result<bool> {
        Ok(execute!(self, DELETE_DRAFT, person.0, item.0, parent, version)? > 0)
    }
}
