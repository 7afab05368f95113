//! How a job ends.

use super::Document;
use crate::{
    client::{Recourse, Reported, Result},
    report::{Payload, Report},
};

/// What became of a job.
#[derive(Debug, Clone)]
pub enum Ending {
    /// The other system's record.
    Done {
        record_id: String,
    },
    Unfinished(Box<Unfinished>),
}

/// Work for Recourse.
#[derive(Debug, Clone)]
pub struct Unfinished {
    pub report: Report,
    pub document: Document,
}

impl Ending {
    pub(super) fn unfinished(report: Report, document: &Document) -> Self {
        Self::Unfinished(Box::new(Unfinished { report, document: document.clone() }))
    }

    /// The unfinished work, if that is what it is.
    #[must_use]
    pub fn into_unfinished(self) -> Option<Unfinished> {
        match self {
            Self::Done { .. } => None,
            Self::Unfinished(unfinished) => Some(*unfinished),
        }
    }
}

impl Unfinished {
    /// The payload, carried so that every byte survives.
    #[must_use]
    pub fn payload(&self) -> Payload {
        Payload::exact(&self.document.media_type, &self.document.bytes)
    }

    /// Hands the work over; documents that are not JSON travel as the request's body.
    ///
    /// # Errors
    /// As [`Recourse::report`].
    pub async fn hand_over(&self, recourse: &Recourse) -> Result<Reported> {
        if self.document.media_type.starts_with("application/json") {
            recourse.report(&self.report, &self.payload()).await
        } else {
            recourse.report_with_body(&self.report, &self.document.media_type, self.document.bytes.clone()).await
        }
    }
}
