//! Classes of failure that automations report.

use crate::word::words;

words! {
    /// Why the step failed or needs a person.
    FailureClass {
        Timeout = "timeout", Network = "network", RateLimited = "rate_limited", Unavailable = "unavailable",
        Auth = "auth", Permission = "permission", Validation = "validation", BusinessRule = "business_rule",
        NotFound = "not_found", Conflict = "conflict", InvalidOutput = "invalid_output",
        LowConfidence = "low_confidence", Policy = "policy", Stale = "stale", VersionChanged = "version_changed",
        Stalled = "stalled",
        /// Only Recourse makes these: nobody reports one.
        #[serde(skip_deserializing)]
        FollowUp = "follow_up",
        Unknown = "unknown",
    }
}

impl FailureClass {
    /// The class in plain words, for the top of the recovery packet.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Timeout => "No answer in time",
            Self::Network => "Connection broke",
            Self::RateLimited => "Rate limited",
            Self::Unavailable => "System unavailable",
            Self::Auth => "Sign-in refused",
            Self::Permission => "Not permitted",
            Self::Validation => "Rejected as invalid",
            Self::BusinessRule => "Business rule",
            Self::NotFound => "Not found",
            Self::Conflict => "Conflict",
            Self::InvalidOutput => "Invalid output",
            Self::LowConfidence => "Low confidence",
            Self::Policy => "Policy",
            Self::Stale => "Out of date",
            Self::VersionChanged => "Version changed",
            Self::Stalled => "Stalled",
            Self::FollowUp => "Follow-up",
            Self::Unknown => "Unknown cause",
        }
    }
}
