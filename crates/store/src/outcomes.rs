//! What automations are told: every closing and reopening, numbered per workflow.

use chrono::{DateTime, Utc};
use domain::ids::{ItemId, WorkflowId};

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    // The row's lock gives events their numbers in the order in which they are committed: a reader never skips one.
    NEXT_OUTCOME = "UPDATE workflow SET outcomes = outcomes + 1 WHERE id = $1 RETURNING outcomes";
    INSERT_OUTCOME = "INSERT INTO outcome (workflow_id, number, item_id, event, at) VALUES ($1, $2, $3, $4, $5)";
    OUTCOMES_AFTER = "SELECT number, event FROM outcome WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT $3";
    OUTCOMES_OPEN = "SELECT number, event FROM outcome WHERE workflow_id = $1 AND acknowledged_at IS NULL ORDER BY number LIMIT $2";
    ACKNOWLEDGE = "UPDATE outcome SET acknowledged_at = $3 WHERE workflow_id = $1 AND number <= $2 AND acknowledged_at IS NULL";
    LAST_OF_ITEM = "SELECT acknowledged_at FROM outcome WHERE item_id = $1 ORDER BY number DESC LIMIT 1";
}

/// One event.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct OutcomeRow {
    /// Its number within the workflow.
    pub number: i64,
    /// What it says, as JSON.
    pub event: String,
}

impl Uow {
    /// Adds an event, in the transaction of what it tells of.
    pub async fn add_outcome(
        &mut self,
        workflow: WorkflowId,
        item: ItemId,
        event: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let (number,) = fetch_one!(self, (i64,), NEXT_OUTCOME, workflow.0)?;
        execute!(self, INSERT_OUTCOME, workflow.0, number, item.0, event, now).map(drop)
    }

    /// A workflow's events after a number; without one, those that were not acknowledged.
    pub async fn outcomes(&mut self, workflow: WorkflowId, after: Option<i64>, limit: i64) -> Result<Vec<OutcomeRow>> {
        match after {
            Some(after) => fetch_all!(self, OutcomeRow, OUTCOMES_AFTER, workflow.0, after, limit),
            None => fetch_all!(self, OutcomeRow, OUTCOMES_OPEN, workflow.0, limit),
        }
    }

    /// Notes that the automation has taken a workflow's events up to a number; answers how many were new to it.
    pub async fn acknowledge(&mut self, workflow: WorkflowId, through: i64, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, ACKNOWLEDGE, workflow.0, through, now)
    }

    /// Whether the automation has taken the last event about an item; `None` where there was none.
    pub async fn outcome_taken(&mut self, item: ItemId) -> Result<Option<bool>> {
        let last = fetch_optional!(self, (Option<DateTime<Utc>>,), LAST_OF_ITEM, item.0)?;
        Ok(last.map(|(at,)| at.is_some()))
    }
}
