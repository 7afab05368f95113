use domain::permission::Permission;

use crate::{components::AdminPlace, paths, visit::Visit};

/// A place that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Queue,
    Alerts,
    Approvals,
    Quarantine,
    Audit,
    Corrections,
    Admin,
    Notices,
    Me,
}

impl Place {
    /// The places there are for this person.
    pub(crate) fn for_visitor(visit: &Visit) -> Vec<Self> {
        let open = |place: &Self| match place {
            Self::Queue | Self::Alerts | Self::Approvals | Self::Quarantine => visit.may(Permission::ItemsRead),
            Self::Audit | Self::Corrections => visit.may(Permission::AuditRead),
            Self::Admin => AdminPlace::first(visit).is_some(),
            Self::Notices | Self::Me => visit.person().is_some(),
        };
        [
            Self::Queue,
            Self::Alerts,
            Self::Approvals,
            Self::Quarantine,
            Self::Audit,
            Self::Corrections,
            Self::Admin,
            Self::Me,
        ]
        .into_iter()
        .filter(open)
        .collect()
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Queue => "Queue",
            Self::Alerts => "Alerts",
            Self::Approvals => "Approvals",
            Self::Quarantine => "Quarantine",
            Self::Audit => "Audit",
            Self::Corrections => "Corrections",
            Self::Admin => "Admin",
            Self::Notices => "Notices",
            Self::Me => "What I may do",
        }
    }

    pub(crate) fn path(self, visit: &Visit) -> &'static str {
        match self {
            Self::Admin => AdminPlace::first(visit).unwrap_or(paths::PEOPLE),
            Self::Notices => paths::NOTICES,
            Self::Queue => paths::QUEUE,
            Self::Alerts => paths::ALERTS,
            Self::Approvals => paths::APPROVALS,
            Self::Quarantine => paths::QUARANTINE,
            Self::Audit => paths::AUDIT,
            Self::Corrections => paths::CORRECTIONS,
            Self::Me => paths::ME,
        }
    }

    /// Its address and what it is called.
    pub(crate) fn leading(self, visit: &Visit) -> (&'static str, &'static str) {
        (self.path(visit), self.label())
    }

    /// The key after `g` that leads there.
    pub(crate) const fn letter(self) -> &'static str {
        match self {
            Self::Queue => "q",
            Self::Alerts => "l",
            Self::Approvals => "p",
            Self::Quarantine => "u",
            Self::Audit => "a",
            Self::Corrections => "c",
            Self::Admin => "d",
            Self::Notices => "n",
            Self::Me => "m",
        }
    }
}
