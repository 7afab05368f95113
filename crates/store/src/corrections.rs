//! Corrections: revisions that people made, and which attempts sent them.

use chrono::{DateTime, Utc};
use domain::{
    attempt::Outcome,
    effect::Effect,
    ids::{ItemId, TeamId},
    sensitivity::Sensitivity,
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    column::MaybeWord,
    items::OwnerColumn,
    sql::{fetch_all, statements},
};

statements! {
    // A filter that is not set is NULL. The index on people's revisions carries it; a correction that was sent several
    // times comes once for each attempt.
    CORRECTIONS = "WITH page AS (
            SELECT revision.item_id, revision.number, revision.parent, revision.author_id, revision.author_name, revision.reason, revision.at,
                item.workflow_key, item.step, item.business_ref, item.dedupe_key, item.sensitivity, item.team_id, item.owner_team_id
            FROM revision JOIN item ON item.id = revision.item_id
            WHERE revision.author_kind = 'person' AND (revision.at, revision.item_id, revision.number) < ($1, $2, $3)
            AND (CAST($4 AS TEXT) IS NULL OR revision.author_name = $4) AND (CAST($5 AS TEXT) IS NULL OR item.workflow_key = $5)
            AND ($6 OR revision.item_id = $7)
            AND ($8 OR item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $9)
                OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $9))
            ORDER BY revision.at DESC, revision.item_id DESC, revision.number DESC LIMIT $10)
        SELECT page.item_id, page.number, page.parent, page.author_name, person.deleted_at AS author_deleted_at, page.reason, page.at, page.workflow_key, page.step,
            page.business_ref, page.dedupe_key, page.sensitivity, page.team_id, page.owner_team_id,
            attempt.number AS attempt, attempt.outcome, attempt.effect, attempt.record_id, attempt.started_at, attempt.finished_at
        FROM page LEFT JOIN person ON person.id = page.author_id LEFT JOIN attempt ON attempt.item_id = page.item_id AND attempt.revision = page.number
        ORDER BY page.at DESC, page.item_id DESC, page.number DESC, attempt.number";
}

/// Where a page of corrections continues: before this one.
pub type CorrectionPlace = (DateTime<Utc>, ItemId, i64);

/// Which corrections to show.
#[derive(Debug, Clone, Default)]
pub struct CorrectionFilter {
    /// By this person, exactly as named.
    pub person: Option<String>,
    /// Of this workflow.
    pub workflow: Option<String>,
    /// Of this item.
    pub item: Option<ItemId>,
    /// Before; pages continue here.
    pub before: Option<CorrectionPlace>,
    /// Only of the teams of this person.
    pub bound_to: Option<Uuid>,
}

/// A revision that a person made.
#[derive(Debug, Clone)]
pub struct Correction {
    /// Its item.
    pub item_id: ItemId,
    /// The item's team.
    pub team_id: TeamId,
    /// The team it was given to.
    pub owner_team_id: Option<TeamId>,
    /// What people call the item.
    pub business_ref: Option<String>,
    /// Names the work.
    pub dedupe_key: String,
    /// Its workflow.
    pub workflow_key: String,
    /// Its step.
    pub step: String,
    /// How sensitive it is.
    pub sensitivity: Sensitivity,
    /// The revision.
    pub number: i64,
    /// What it was made from.
    pub parent: Option<i64>,
    /// Who made it, as named then.
    pub author_name: String,
    /// Since when that account is gone.
    pub author_deleted_at: Option<DateTime<Utc>>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
    /// The attempts that sent it, or are to send it, oldest first.
    pub sent: Vec<SentCorrection>,
}

/// An attempt to send a correction.
#[derive(Debug, Clone)]
pub struct SentCorrection {
    /// Its number on the item.
    pub attempt: i64,
    /// How it ended.
    pub outcome: Outcome,
    /// What it did to the world.
    pub effect: Effect,
    /// The other system's record.
    pub record_id: Option<String>,
    /// When it began; nothing was sent before.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
}

#[derive(Debug, sqlx::FromRow)]
struct Row {
    #[sqlx(try_from = "Uuid")]
    item_id: ItemId,
    #[sqlx(try_from = "Uuid")]
    team_id: TeamId,
    #[sqlx(try_from = "OwnerColumn")]
    owner_team_id: Option<TeamId>,
    business_ref: Option<String>,
    dedupe_key: String,
    workflow_key: String,
    step: String,
    #[sqlx(try_from = "String")]
    sensitivity: Sensitivity,
    number: i64,
    parent: Option<i64>,
    author_name: String,
    author_deleted_at: Option<DateTime<Utc>>,
    reason: Option<String>,
    at: DateTime<Utc>,
    attempt: Option<i64>,
    #[sqlx(try_from = "MaybeWord")]
    outcome: Option<Outcome>,
    #[sqlx(try_from = "MaybeWord")]
    effect: Option<Effect>,
    record_id: Option<String>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
}

impl Row {
    fn split(self) -> (Correction, Option<SentCorrection>) {
        let sent = match (self.attempt, self.outcome, self.effect) {
            (Some(attempt), Some(outcome), Some(effect)) => Some(SentCorrection {
                attempt,
                outcome,
                effect,
                record_id: self.record_id,
                started_at: self.started_at,
                finished_at: self.finished_at,
            }),
            _ => None,
        };
        let correction = Correction {
            item_id: self.item_id,
            team_id: self.team_id,
            owner_team_id: self.owner_team_id,
            business_ref: self.business_ref,
            dedupe_key: self.dedupe_key,
            workflow_key: self.workflow_key,
            step: self.step,
            sensitivity: self.sensitivity,
            number: self.number,
            parent: self.parent,
            author_name: self.author_name,
            author_deleted_at: self.author_deleted_at,
            reason: self.reason,
            at: self.at,
            sent: Vec::new(),
        };
        (correction, sent)
    }
}

impl Uow {
    /// One page of corrections, newest first, each with the attempts that sent it.
    pub async fn corrections(&mut self, filter: &CorrectionFilter, limit: i64) -> Result<Vec<Correction>> {
        let far = DateTime::<Utc>::from_timestamp(253_402_300_799, 0).unwrap_or_default();
        let (at, item, number) = filter.before.unwrap_or((far, ItemId(Uuid::max()), i64::MAX));
        let rows = fetch_all!(
            self,
            Row,
            CORRECTIONS,
            at,
            item.0,
            number,
            filter.person.as_deref().map(domain::text::message),
            filter.workflow.as_deref().map(domain::text::message),
            filter.item.is_none(),
            filter.item.map(|item| item.0).unwrap_or_default(),
            filter.bound_to.is_none(),
            filter.bound_to.unwrap_or_default(),
            limit
        )?;
        let mut corrections: Vec<Correction> = Vec::new();
        for row in rows {
            let (correction, sent) = row.split();
            let same = |last: &Correction| (last.item_id, last.number) == (correction.item_id, correction.number);
            if !corrections.last().is_some_and(same) {
                corrections.push(correction);
            }
            if let Some(last) = corrections.last_mut() {
                last.sent.extend(sent);
            }
        }
        Ok(corrections)
    }
}
