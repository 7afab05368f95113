//! The nightly export of an old system. Nobody has registered it; it says little and knows less.

use chrono::{DateTime, Utc};

use super::{Document, Ending};
use crate::report::{Failure, FailureClass, Report};

/// The integration. It writes files and cannot say whether anybody took them.
#[derive(Debug, Clone, Copy, Default)]
pub struct LegacyExport;

/// One file.
#[derive(Debug, Clone)]
pub struct Export {
    pub file: String,
    pub document: Document,
    /// What the old system's log says.
    pub log: String,
    pub ended_at: DateTime<Utc>,
}

impl LegacyExport {
    #[must_use]
    pub fn work(&self, export: &Export) -> Ending {
        let report = Report {
            workflow: "legacy-export".to_owned(),
            dedupe_key: format!("export:{}", export.file),
            business_ref: Some(export.file.clone()),
            step: "upload".to_owned(),
            failure: Failure {
                class: FailureClass::Unknown,
                message: "Return code 12".to_owned(),
                detail: Some(export.log.clone()),
            },
            occurred_at: Some(export.ended_at),
            ..Report::default()
        };
        Ending::unfinished(report, &export.document)
    }
}
