//! How sensitive an item is, and how much of that a person may see.

use crate::word::words;

words! {
    /// Both an item's sensitivity and a person's clearance. Ordered: `Internal` < `Confidential` < `Restricted`.
    Sensitivity { Internal = "internal", Confidential = "confidential", Restricted = "restricted" }
}

/// A person's clearance uses the same scale as an item's sensitivity.
pub type Clearance = Sensitivity;

impl Sensitivity {
    /// Whether somebody with clearance `self` sees everything of an item of `sensitivity`.
    #[must_use]
    pub fn covers(self, sensitivity: Sensitivity) -> bool {
        self >= sensitivity
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Internal => "Internal",
            Self::Confidential => "Confidential",
            Self::Restricted => "Restricted",
        }
    }
}
