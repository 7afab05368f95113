//! What a use case can end with, besides its answer.

use domain::{ids::QuarantineId, refusal::Refusal};

/// A use case did not do what was asked. Nothing was changed, except as said.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule said no.
    #[error("refused: {}", .0.code())]
    Refused(Refusal),
    /// A rule said no, and what came in was kept in quarantine (R17).
    #[error("refused and kept in quarantine: {}", .0.code())]
    Quarantined(Refusal, QuarantineId),
    /// The database.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A fault of ours.
    #[error("{0}")]
    Fault(&'static str),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Error {
    /// The refusal, if a rule said no.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) | Self::Quarantined(refusal, _) => Some(refusal),
            Self::Store(_) | Self::Fault(_) => None,
        }
    }

    /// Whether the database could not be reached: trying again may help.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Store(store::Error::Unavailable(_)))
    }
}
