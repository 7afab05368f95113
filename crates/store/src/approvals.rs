//! What waits for another person's decision, who may not give it, and what was decided (R11, R12).

use chrono::{DateTime, Utc};
use domain::{
    approval::{ApprovalKind, ApprovalState, Bound, Excluded, Verdict},
    digest::Sha256,
    ids::{ApprovalId, ItemId, PersonId},
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::json,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    INSERT_APPROVAL = "INSERT INTO approval (id, item_id, kind, bound, hash, reason, requested_by, requested_by_name, requested_at, approvers, expires_at, seen_version, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'waiting')";
    APPROVAL = "SELECT * FROM approval WHERE id = $1";
    WAITING_OF_ITEM = "SELECT * FROM approval WHERE item_id = $1 AND ended_at IS NULL";
    APPROVALS_OF_ITEM = "SELECT * FROM approval WHERE item_id = $1 ORDER BY requested_at DESC, id DESC LIMIT 100";
    WAITING_FOR = "SELECT approval.* FROM approval JOIN item ON item.id = approval.item_id WHERE approval.ended_at IS NULL AND (item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR $2)
        AND NOT EXISTS (SELECT 1 FROM approval_exclusion WHERE approval_id = approval.id AND person_id = $1) AND NOT EXISTS (SELECT 1 FROM approval_decision WHERE approval_id = approval.id AND person_id = $1) AND (approval.requested_at, approval.id) > ($3, $4) ORDER BY approval.requested_at, approval.id LIMIT $5";
    COUNT_WAITING_FOR = "SELECT COUNT(*) FROM (SELECT 1 FROM approval JOIN item ON item.id = approval.item_id WHERE approval.ended_at IS NULL AND (item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR $2)
        AND NOT EXISTS (SELECT 1 FROM approval_exclusion WHERE approval_id = approval.id AND person_id = $1) AND NOT EXISTS (SELECT 1 FROM approval_decision WHERE approval_id = approval.id AND person_id = $1) LIMIT 100) AS waiting";
    ASKED_BY = "SELECT * FROM approval WHERE requested_by = $1 AND ended_at IS NULL AND (requested_at, id) > ($2, $3) ORDER BY requested_at, id LIMIT $4";
    ENDED = "SELECT approval.* FROM approval JOIN item ON item.id = approval.item_id WHERE approval.ended_at IS NOT NULL AND (item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR $2)
        AND (approval.ended_at, approval.id) < ($3, $4) ORDER BY approval.ended_at DESC, approval.id DESC LIMIT $5";
    ASKED_FOR = "SELECT approval.* FROM approval JOIN item ON item.id = approval.item_id WHERE (item.team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR item.owner_team_id IN (SELECT team_id FROM person_team WHERE person_id = $1) OR $2)
        AND (approval.requested_at, approval.id) < ($3, $4) ORDER BY approval.requested_at DESC, approval.id DESC LIMIT $5";
    UNSETTLED = "SELECT approval.id FROM approval JOIN item ON item.id = approval.item_id
        WHERE approval.ended_at IS NULL AND (approval.expires_at <= $1 OR item.state <> 'awaiting_approval' OR item.version <> approval.seen_version) ORDER BY approval.requested_at, approval.id LIMIT 100";
    END_APPROVAL = "UPDATE approval SET state = $2, ended_at = $3, ended_by_name = $4, ended_why = $5 WHERE id = $1 AND state IN ('waiting', 'approved')";
    SEEN_APPROVAL = "UPDATE approval SET seen_version = $2 WHERE id = $1 AND ended_at IS NULL";
    DELEGATE = "UPDATE approval SET delegate_id = $2 WHERE id = $1 AND ended_at IS NULL";
    INSERT_EXCLUSION = "INSERT INTO approval_exclusion (approval_id, person_id, why) VALUES ($1, $2, $3) ON CONFLICT (approval_id, person_id) DO NOTHING";
    EXCLUSIONS = "SELECT approval_id, person_id, why FROM approval_exclusion WHERE approval_id = $1 ORDER BY person_id";
    EDITORS = "SELECT DISTINCT author_id FROM revision WHERE item_id = $1 AND number <= $2 AND author_kind = 'person'";
    INSERT_DECISION = "INSERT INTO approval_decision (approval_id, person_id, person_name, acts_for, verdict, reason, hash, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    DECISIONS = "SELECT approval_id, person_id, person_name, acts_for, verdict, reason, at FROM approval_decision WHERE approval_id = $1 ORDER BY at, person_id";
}

/// Where a list of approvals goes on: by the time that orders it.
pub type ApprovalPlace = (DateTime<Utc>, ApprovalId);

/// Something that waits for another person's decision, or how it ended.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Approval {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: ApprovalId,
    /// Its item.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// What is asked for.
    #[sqlx(try_from = "String")]
    pub kind: ApprovalKind,
    /// Exactly what.
    #[sqlx(try_from = "String")]
    pub bound: Stored<Bound>,
    /// Over that.
    pub hash: Vec<u8>,
    /// Why.
    pub reason: String,
    /// Who asked.
    #[sqlx(try_from = "Uuid")]
    pub requested_by: PersonId,
    /// As named then.
    pub requested_by_name: String,
    /// When.
    pub requested_at: DateTime<Utc>,
    /// How many different people have to approve it.
    pub approvers: i64,
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// Whom it was handed to.
    pub delegate_id: Option<Uuid>,
    /// The item's version it was compared with last.
    pub seen_version: i64,
    /// How far it is.
    #[sqlx(try_from = "String")]
    pub state: ApprovalState,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// Who ended it.
    pub ended_by_name: Option<String>,
    /// Why.
    pub ended_why: Option<String>,
}

/// An approval to ask for.
#[derive(Debug)]
pub struct NewApproval<'a> {
    /// Its id.
    pub id: ApprovalId,
    /// What it is about.
    pub bound: &'a Bound,
    /// Over that.
    pub hash: Sha256,
    /// Why.
    pub reason: &'a str,
    /// Who asks.
    pub by: (PersonId, &'a str),
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// The item's version.
    pub seen_version: i64,
}

/// Somebody who may not decide an approval.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Exclusion {
    /// Which approval.
    #[sqlx(try_from = "Uuid")]
    pub approval_id: ApprovalId,
    /// Who.
    #[sqlx(try_from = "Uuid")]
    pub person_id: PersonId,
    /// Why.
    #[sqlx(try_from = "String")]
    pub why: Excluded,
}

/// What somebody decided.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ApprovalDecision {
    /// About which approval.
    #[sqlx(try_from = "Uuid")]
    pub approval_id: ApprovalId,
    /// Who.
    #[sqlx(try_from = "Uuid")]
    pub person_id: PersonId,
    /// As named then.
    pub person_name: String,
    /// For whom they stood in.
    pub acts_for: Option<Uuid>,
    /// What.
    #[sqlx(try_from = "String")]
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// The last day that both databases know.
fn last_day() -> DateTime<Utc> {
    DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(DateTime::UNIX_EPOCH)
}

impl Uow {
    /// Lets something wait for another person's decision, with everybody who may not give it.
    pub async fn add_approval(
        &mut self,
        new: &NewApproval<'_>,
        excluded: &[(PersonId, Excluded)],
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(
            self,
            INSERT_APPROVAL,
            new.id.0,
            new.bound.item.0,
            new.bound.action.as_str(),
            json(new.bound)?,
            new.hash.0.to_vec(),
            new.reason,
            new.by.0.0,
            new.by.1,
            now,
            i64::from(new.bound.policy.approvers),
            new.expires_at,
            new.seen_version
        )?;
        for (person, why) in excluded {
            execute!(self, INSERT_EXCLUSION, new.id.0, person.0, why.as_str())?;
        }
        Ok(())
    }

    /// An approval. Whoever changes it holds its item's lock.
    pub async fn approval(&mut self, id: ApprovalId) -> Result<Option<Approval>> {
        fetch_optional!(self, Approval, APPROVAL, id.0)
    }

    /// What waits about an item: at most one.
    pub async fn waiting_approval(&mut self, item: ItemId) -> Result<Option<Approval>> {
        fetch_optional!(self, Approval, WAITING_OF_ITEM, item.0)
    }

    /// An item's last 100 approvals, newest first.
    pub async fn approvals_of(&mut self, item: ItemId) -> Result<Vec<Approval>> {
        fetch_all!(self, Approval, APPROVALS_OF_ITEM, item.0)
    }

    /// What waits for this person, the oldest first, after the place named.
    pub async fn waiting_for(
        &mut self,
        person: PersonId,
        all_teams: bool,
        after: Option<ApprovalPlace>,
        most: i64,
    ) -> Result<Vec<Approval>> {
        let (at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, ApprovalId(Uuid::nil())));
        fetch_all!(self, Approval, WAITING_FOR, person.0, all_teams, at, id.0, most)
    }

    /// How many wait for this person; counted up to 100.
    pub async fn count_waiting_for(&mut self, person: PersonId, all_teams: bool) -> Result<i64> {
        Ok(fetch_one!(self, (i64,), COUNT_WAITING_FOR, person.0, all_teams)?.0)
    }

    /// What this person asked for and waits, the oldest first, after the place named.
    pub async fn asked_by(
        &mut self,
        person: PersonId,
        after: Option<ApprovalPlace>,
        most: i64,
    ) -> Result<Vec<Approval>> {
        let (at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, ApprovalId(Uuid::nil())));
        fetch_all!(self, Approval, ASKED_BY, person.0, at, id.0, most)
    }

    /// What has ended in this person's teams, the newest first, before the place named.
    pub async fn ended_approvals(
        &mut self,
        person: PersonId,
        all_teams: bool,
        before: Option<ApprovalPlace>,
        most: i64,
    ) -> Result<Vec<Approval>> {
        let (at, id) = before.unwrap_or((last_day(), ApprovalId(Uuid::max())));
        fetch_all!(self, Approval, ENDED, person.0, all_teams, at, id.0, most)
    }

    /// Everything that was asked for in this person's teams, the newest first, before the place named.
    pub async fn all_approvals(
        &mut self,
        person: PersonId,
        all_teams: bool,
        before: Option<ApprovalPlace>,
        most: i64,
    ) -> Result<Vec<Approval>> {
        let (at, id) = before.unwrap_or((last_day(), ApprovalId(Uuid::max())));
        fetch_all!(self, Approval, ASKED_FOR, person.0, all_teams, at, id.0, most)
    }

    /// Waiting approvals that may have to end: too old, or their item has moved. At most 100.
    pub async fn unsettled_approvals(&mut self, now: DateTime<Utc>) -> Result<Vec<ApprovalId>> {
        Ok(fetch_all!(self, (Uuid,), UNSETTLED, now)?.into_iter().map(|(id,)| ApprovalId(id)).collect())
    }

    /// Ends an approval that waits, or voids one that was given; `false` if it had ended otherwise.
    pub async fn end_approval(
        &mut self,
        id: ApprovalId,
        state: ApprovalState,
        by: &str,
        why: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        Ok(execute!(self, END_APPROVAL, id.0, state.as_str(), now, by, why)? == 1)
    }

    /// The item's version was compared with it.
    pub async fn approval_seen(&mut self, id: ApprovalId, version: i64) -> Result<()> {
        execute!(self, SEEN_APPROVAL, id.0, version).map(drop)
    }

    /// Hands an approval to somebody.
    pub async fn delegate_approval(&mut self, id: ApprovalId, to: PersonId) -> Result<bool> {
        Ok(execute!(self, DELEGATE, id.0, to.0)? == 1)
    }

    /// Who may not decide it.
    pub async fn exclusions(&mut self, id: ApprovalId) -> Result<Vec<Exclusion>> {
        fetch_all!(self, Exclusion, EXCLUSIONS, id.0)
    }

    /// The people who made an item's revisions up to this one.
    pub async fn editors(&mut self, item: ItemId, revision: i64) -> Result<Vec<PersonId>> {
        Ok(fetch_all!(self, (Uuid,), EDITORS, item.0, revision)?.into_iter().map(|(id,)| PersonId(id)).collect())
    }

    /// Keeps what somebody decided; a trigger refuses it of whoever is excluded.
    pub async fn add_approval_decision(&mut self, decision: &ApprovalDecision, hash: &[u8]) -> Result<()> {
        execute!(
            self,
            INSERT_DECISION,
            decision.approval_id.0,
            decision.person_id.0,
            &decision.person_name,
            decision.acts_for,
            decision.verdict.as_str(),
            &decision.reason,
            hash,
            decision.at
        )
        .map(drop)
    }

    /// What was decided, in its order.
    pub async fn approval_decisions(&mut self, id: ApprovalId) -> Result<Vec<ApprovalDecision>> {
        fetch_all!(self, ApprovalDecision, DECISIONS, id.0)
    }
}
