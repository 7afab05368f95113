//! The chain of an item's escalations.

use chrono::{DateTime, Utc};
use domain::ids::{ItemId, TeamId};
use uuid::Uuid;

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, statements},
};

statements! {
    INSERT_ESCALATION = "INSERT INTO escalation (id, item_id, level, team_id, team_name, by_id, by_name, reason, respond_by, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    ANSWER = "UPDATE escalation SET answered_at = $2, answered_by_name = $3 WHERE item_id = $1 AND answered_at IS NULL";
    CHAIN = "SELECT id, level, team_id, team_name, by_id, by_name, reason, respond_by, at, answered_at, answered_by_name FROM escalation WHERE item_id = $1 ORDER BY level";
}

/// One step of the chain.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Escalation {
    /// Its id.
    pub id: Uuid,
    /// Counts from 1.
    pub level: i64,
    /// To which team.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// Its name then.
    pub team_name: String,
    /// Who did it; nobody where a target was missed.
    pub by_id: Option<Uuid>,
    /// Their name then.
    pub by_name: String,
    /// Why.
    pub reason: String,
    /// By when somebody of the team has to claim it.
    pub respond_by: Option<DateTime<Utc>>,
    /// When.
    pub at: DateTime<Utc>,
    /// When somebody claimed it after that.
    pub answered_at: Option<DateTime<Utc>>,
    /// Who, as named then.
    pub answered_by_name: Option<String>,
}

impl Uow {
    /// Adds a step to an item's chain.
    pub async fn add_escalation(&mut self, item: ItemId, step: &Escalation) -> Result<()> {
        execute!(
            self,
            INSERT_ESCALATION,
            step.id,
            item.0,
            step.level,
            step.team_id.0,
            &step.team_name,
            step.by_id,
            &step.by_name,
            &step.reason,
            step.respond_by,
            step.at
        )
        .map(drop)
    }

    /// Somebody claimed the item: whatever waited for an answer has one.
    pub async fn answer_escalations(&mut self, item: ItemId, by_name: &str, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, ANSWER, item.0, now, by_name)
    }

    /// An item's chain, in order.
    pub async fn escalations(&mut self, item: ItemId) -> Result<Vec<Escalation>> {
        fetch_all!(self, Escalation, CHAIN, item.0)
    }
}
