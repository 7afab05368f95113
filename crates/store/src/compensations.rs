//! Compensations that were approved. What of them was sent are attempts.

use chrono::{DateTime, Utc};
use domain::{
    UnknownWord,
    ids::{ApprovalId, AttemptId, CompensationId, ItemId},
    workflow::Compensation as Plan,
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::json,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    INSERT_COMPENSATION = "INSERT INTO compensation (id, item_id, approval_id, attempt_id, plan, stage, started_at) VALUES ($1, $2, $3, $4, $5, 'running', $6)";
    COMPENSATION = "SELECT * FROM compensation WHERE id = $1";
    COMPENSATIONS = "SELECT * FROM compensation WHERE item_id = $1 ORDER BY started_at DESC, id DESC LIMIT 100";
    END_COMPENSATION = "UPDATE compensation SET stage = $2, ended_at = $3 WHERE id = $1";
}

/// How far a compensation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompensationStage {
    /// Its parts are being sent.
    Running,
    /// All of them were acknowledged.
    Executed,
    /// None of them had an effect.
    Failed,
    /// Whether one had its effect is not known.
    Uncertain,
    /// Some of them were acknowledged, and no more.
    PartlyDone,
}

impl CompensationStage {
    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Executed => "executed",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
            Self::PartlyDone => "partly_done",
        }
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Running => "Under way",
            Self::Executed => "Executed",
            Self::Failed => "Failed",
            Self::Uncertain => "Uncertain",
            Self::PartlyDone => "Partly done",
        }
    }
}

impl TryFrom<String> for CompensationStage {
    type Error = UnknownWord;
    fn try_from(text: String) -> Result<Self, UnknownWord> {
        let all = [Self::Running, Self::Executed, Self::Failed, Self::Uncertain, Self::PartlyDone];
        let known = all.into_iter().find(|stage| stage.as_str() == text);
        known.ok_or_else(|| UnknownWord { found: text, expected: all.map(Self::as_str).join(", ") })
    }
}

/// A compensation that was approved.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Compensation {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: CompensationId,
    /// Its item.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// What allowed it.
    #[sqlx(try_from = "Uuid")]
    pub approval_id: ApprovalId,
    /// The attempt whose effect it makes good.
    #[sqlx(try_from = "Uuid")]
    pub attempt_id: AttemptId,
    /// The plan as it was approved.
    #[sqlx(try_from = "String")]
    pub plan: Stored<Plan>,
    /// How far it is.
    #[sqlx(try_from = "String")]
    pub stage: CompensationStage,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

impl Uow {
    /// Begins a compensation.
    pub async fn add_compensation(&mut self, c: &Compensation) -> Result<()> {
        execute!(
            self,
            INSERT_COMPENSATION,
            c.id.0,
            c.item_id.0,
            c.approval_id.0,
            c.attempt_id.0,
            json(&c.plan.0)?,
            c.started_at
        )
        .map(drop)
    }

    /// A compensation.
    pub async fn compensation(&mut self, id: CompensationId) -> Result<Option<Compensation>> {
        fetch_optional!(self, Compensation, COMPENSATION, id.0)
    }

    /// An item's last 100 compensations, newest first.
    pub async fn compensations(&mut self, item: ItemId) -> Result<Vec<Compensation>> {
        fetch_all!(self, Compensation, COMPENSATIONS, item.0)
    }

    /// How a compensation stands once nothing of it is being sent; a finding may change that later.
    pub async fn end_compensation(
        &mut self,
        id: CompensationId,
        stage: CompensationStage,
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(self, END_COMPENSATION, id.0, stage.as_str(), now).map(drop)
    }
}
