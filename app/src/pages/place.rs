use domain::permission::Permission;

use crate::{paths, visit::Visit};

/// A place that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Queue,
    Quarantine,
    Audit,
    Corrections,
    Me,
}

impl Place {
    /// The places there are for this person.
    pub(crate) fn for_visitor(visit: &Visit) -> Vec<Self> {
        let needs = |place: &Self| match place {
            Self::Queue | Self::Quarantine => visit.may(Permission::ItemsRead),
            Self::Audit | Self::Corrections => visit.may(Permission::AuditRead),
            Self::Me => visit.person().is_some(),
        };
        [Self::Queue, Self::Quarantine, Self::Audit, Self::Corrections, Self::Me].into_iter().filter(needs).collect()
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Queue => "Queue",
            Self::Quarantine => "Quarantine",
            Self::Audit => "Audit",
            Self::Corrections => "Corrections",
            Self::Me => "What I may do",
        }
    }

    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Queue => paths::QUEUE,
            Self::Quarantine => paths::QUARANTINE,
            Self::Audit => paths::AUDIT,
            Self::Corrections => paths::CORRECTIONS,
            Self::Me => paths::ME,
        }
    }

    /// The key after `g` that leads there.
    pub(crate) const fn letter(self) -> &'static str {
        match self {
            Self::Queue => "q",
            Self::Quarantine => "u",
            Self::Audit => "a",
            Self::Corrections => "c",
            Self::Me => "m",
        }
    }
}
