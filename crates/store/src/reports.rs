//! Reports by their name, with the first answer.

use chrono::{DateTime, Utc};
use domain::{
    digest::Sha256,
    ids::{ItemId, TokenId, WorkflowId},
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    payloads::DigestColumn,
    sql::{execute, fetch_optional, statements},
};

statements! {
    REPORT = "SELECT digest, item_id, answer FROM report WHERE workflow_id = $1 AND report_id = $2";
    INSERT_REPORT = "INSERT INTO report (workflow_id, report_id, digest, item_id, token_id, answer, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
}

/// A report that was taken.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ReportRow {
    /// Digest of its content.
    #[sqlx(try_from = "DigestColumn")]
    pub digest: Sha256,
    /// The item it became, or added to.
    #[sqlx(try_from = "Uuid")]
    pub item_id: ItemId,
    /// The first answer, as JSON.
    pub answer: String,
}

impl Uow {
    /// The report with this name.
    pub async fn report(&mut self, workflow: WorkflowId, report_id: &str) -> Result<Option<ReportRow>> {
        fetch_optional!(self, ReportRow, REPORT, workflow.0, report_id)
    }

    /// Keeps a report's name. [`crate::Error::Duplicate`] if it is taken: the whole unit of work is to be given up then.
    pub async fn add_report(
        &mut self,
        workflow: WorkflowId,
        report_id: &str,
        row: &ReportRow,
        token: TokenId,
        now: DateTime<Utc>,
    ) -> Result<()> {
        execute!(
            self,
            INSERT_REPORT,
            workflow.0,
            report_id,
            &row.digest.0[..],
            row.item_id.0,
            token.0,
            &row.answer,
            now
        )
        .map(drop)
    }
}
