//! Working an item: claims, comments, findings, decisions.

use chrono::{DateTime, Utc};
use domain::{
    digest::Sha256,
    effect::Effect,
    finding::Finding,
    ids::{AttemptId, ItemId, PersonId},
    item::Resolution,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    payloads::DigestColumn,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    CLAIM = "INSERT INTO claim (item_id, person_id, since, until) VALUES ($1, $2, $3, $4)
        ON CONFLICT (item_id) DO UPDATE SET person_id = excluded.person_id, until = excluded.until,
        since = CASE WHEN claim.person_id = excluded.person_id AND claim.until > $3 THEN claim.since ELSE excluded.since END
        WHERE claim.person_id = excluded.person_id OR claim.until <= $3 OR $5";
    CLAIM_OF = "SELECT claim.person_id, person.name, claim.since, claim.until FROM claim JOIN person ON person.id = claim.person_id WHERE item_id = $1 AND until > $2";
    CLAIMED_BY = "SELECT item_id FROM claim WHERE person_id = $1 AND until > $2 ORDER BY until DESC LIMIT 200";
    RELEASE = "DELETE FROM claim WHERE item_id = $1";
    INSERT_COMMENT = "INSERT INTO item_comment (id, item_id, person_id, person_name, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
    COMMENTS = "SELECT person_name, text, at FROM item_comment WHERE item_id = $1 ORDER BY at DESC, id DESC LIMIT 500";
    INSERT_FINDING = "INSERT INTO finding (id, item_id, attempt_id, finding, source, evidence, record_id, by_id, by_name, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    FINDERS = "SELECT DISTINCT by_id FROM finding WHERE item_id = $1";
    FINDINGS = "SELECT attempt_id, finding, source, evidence, record_id, by_name, at FROM finding WHERE item_id = $1 ORDER BY at DESC, id DESC LIMIT 500";
    INSERT_DECISION = "INSERT INTO decision (id, item_id, resolution, effect, reason, code, evidence, record_id, follow_up, revision, duplicate_of, by_id, by_name, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    LAST_DECISION = "SELECT resolution, effect, reason, code, evidence, record_id, follow_up, revision, duplicate_of, by_name, at FROM decision WHERE item_id = $1 ORDER BY at DESC, id DESC LIMIT 1";
    ASKED = "SELECT digest, item_id, attempt_id, approval_id FROM asked WHERE caller_id = $1 AND key = $2";
    INSERT_ASKED = "INSERT INTO asked (caller_id, key, digest, item_id, attempt_id, approval_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    SNOOZED_UNTIL = "SELECT id FROM item WHERE state = 'snoozed' AND snoozed_until <= $1 ORDER BY snoozed_until LIMIT 100";
}

/// Who is working an item.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Claim {
    /// The person.
    #[sqlx(try_from = "Uuid")]
    pub person_id: PersonId,
    /// Their name.
    pub name: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Until when, if they do nothing.
    pub until: DateTime<Utc>,
}

/// What somebody said.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Comment {
    /// Who, as named then.
    pub person_name: String,
    /// What.
    pub text: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// What was found out about an attempt.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct FoundOut {
    /// Which attempt.
    #[sqlx(try_from = "Uuid")]
    pub attempt_id: AttemptId,
    /// What.
    #[sqlx(try_from = "String")]
    pub finding: Finding,
    /// Where it was looked up.
    pub source: String,
    /// What was seen there.
    pub evidence: String,
    /// The other system's record.
    pub record_id: Option<String>,
    /// Who, as named then.
    pub by_name: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// How a person closed an item.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Decided {
    /// How.
    #[sqlx(try_from = "String")]
    pub resolution: Resolution,
    /// The effect then.
    #[sqlx(try_from = "String")]
    pub effect: Effect,
    /// Why.
    pub reason: String,
    /// The workflow's own code for it.
    pub code: Option<String>,
    /// What it rests on.
    pub evidence: Option<String>,
    /// The other system's record.
    pub record_id: Option<String>,
    /// What still has to be done where less was accepted.
    pub follow_up: Option<String>,
    /// The revision that was accepted.
    pub revision: Option<i64>,
    /// The item this one is a duplicate of.
    pub duplicate_of: Option<Uuid>,
    /// Who, as named then.
    pub by_name: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// A request that was done, by the key its script gave it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Asked {
    /// Digest of what it asked for.
    #[sqlx(try_from = "DigestColumn")]
    pub digest: Sha256,
    /// The item it was about.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// The attempt it has made.
    pub attempt_id: Option<Uuid>,
    /// What it lets wait for another person's decision.
    pub approval_id: Option<Uuid>,
}

impl Uow {
    /// The request that this caller gave this key.
    pub async fn asked(&mut self, caller: Uuid, key: &str) -> Result<Option<Asked>> {
        fetch_optional!(self, Asked, ASKED, caller, key)
    }

    /// Keeps a request's key. [`crate::Error::Duplicate`] if it is taken: the whole unit of work is to be given up then.
    pub async fn add_asked(&mut self, caller: Uuid, key: &str, asked: &Asked, now: DateTime<Utc>) -> Result<()> {
        execute!(
            self,
            INSERT_ASKED,
            caller,
            key,
            &asked.digest.0[..],
            asked.item_id.0,
            asked.attempt_id,
            asked.approval_id,
            now
        )
        .map(drop)
    }

    /// Claims an item, or prolongs the own claim; `take_over` ends another person's. One atomic step: `false` if another
    /// person's claim stands.
    pub async fn claim(
        &mut self,
        item: ItemId,
        person: PersonId,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        take_over: bool,
    ) -> Result<bool> {
        Ok(execute!(self, CLAIM, item.0, person.0, now, until, take_over)? == 1)
    }

    /// The claim on an item, if it has not run out.
    pub async fn claim_of(&mut self, item: ItemId, now: DateTime<Utc>) -> Result<Option<Claim>> {
        fetch_optional!(self, Claim, CLAIM_OF, item.0, now)
    }

    /// What somebody works now; at most 200.
    pub async fn claimed_by(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<Vec<ItemId>> {
        Ok(fetch_all!(self, (Uuid,), CLAIMED_BY, person.0, now)?.into_iter().map(|(id,)| ItemId(id)).collect())
    }

    /// Ends the claim on an item.
    pub async fn release(&mut self, item: ItemId) -> Result<()> {
        execute!(self, RELEASE, item.0).map(drop)
    }

    /// Keeps a comment.
    pub async fn add_comment(
        &mut self,
        id: Uuid,
        item: ItemId,
        by: (PersonId, &str),
        text: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, INSERT_COMMENT, id, item.0, by.0.0, by.1, text, now).map(drop)
    }

    /// The last 500 comments on an item, newest first.
    pub async fn comments(&mut self, item: ItemId) -> Result<Vec<Comment>> {
        fetch_all!(self, Comment, COMMENTS, item.0)
    }

    /// Keeps a finding.
    pub async fn add_finding(&mut self, id: Uuid, item: ItemId, found: &FoundOut, by: Uuid) -> Result<()> {
        execute!(
            self,
            INSERT_FINDING,
            id,
            item.0,
            found.attempt_id.0,
            found.finding.as_str(),
            &found.source,
            &found.evidence,
            &found.record_id,
            by,
            &found.by_name,
            found.at
        )
        .map(drop)
    }

    /// Who recorded findings about an item.
    pub async fn finders(&mut self, item: ItemId) -> Result<Vec<PersonId>> {
        Ok(fetch_all!(self, (Uuid,), FINDERS, item.0)?.into_iter().map(|(id,)| PersonId(id)).collect())
    }

    /// The last 500 findings about an item, newest first.
    pub async fn findings(&mut self, item: ItemId) -> Result<Vec<FoundOut>> {
        fetch_all!(self, FoundOut, FINDINGS, item.0)
    }

    /// Keeps a decision.
    pub async fn add_decision(&mut self, id: Uuid, item: ItemId, decided: &Decided, by: Uuid) -> Result<()> {
        execute!(
            self,
            INSERT_DECISION,
            id,
            item.0,
            decided.resolution.as_str(),
            decided.effect.as_str(),
            &decided.reason,
            &decided.code,
            &decided.evidence,
            &decided.record_id,
            &decided.follow_up,
            decided.revision,
            decided.duplicate_of,
            by,
            &decided.by_name,
            decided.at
        )
        .map(drop)
    }

    /// How a person closed an item last.
    pub async fn last_decision(&mut self, item: ItemId) -> Result<Option<Decided>> {
        fetch_optional!(self, Decided, LAST_DECISION, item.0)
    }

    /// Items whose snooze is over, at most 100.
    pub async fn snoozes_over(&mut self, now: DateTime<Utc>) -> Result<Vec<ItemId>> {
        Ok(fetch_all!(self, (Uuid,), SNOOZED_UNTIL, now)?.into_iter().map(|(id,)| ItemId(id)).collect())
    }
}
