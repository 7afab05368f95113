//! The closed catalogue of permissions, and the roles that are always there. Code checks permissions, never role names.

use crate::word::words;

words! {
    /// One thing a person may do.
    Permission {
        ItemsRead = "items.read", ItemsWork = "items.work", ItemsComment = "items.comment", ItemsAssign = "items.assign",
        ItemsCorrect = "items.correct", ItemsReplay = "items.replay", ItemsReconcile = "items.reconcile",
        ItemsResolve = "items.resolve", ItemsEscalate = "items.escalate", ItemsReopen = "items.reopen",
        CompensationsRequest = "compensations.request", ApprovalsDecide = "approvals.decide",
        QuarantineWork = "quarantine.work", BulkRun = "bulk.run", WorkflowsPause = "workflows.pause",
        PayloadsReveal = "payloads.reveal", PayloadsBreakGlass = "payloads.break_glass",
        PayloadsOverrideSchema = "payloads.override_schema",
        AuditRead = "audit.read", AuditExport = "audit.export",
        /// Not bound by team membership.
        TeamsAll = "teams.all",
        PeopleManage = "people.manage", TokensManage = "tokens.manage", WorkflowsManage = "workflows.manage",
        SettingsManage = "settings.manage",
    }
}

words! {
    /// A named sum of permissions. A person may hold several.
    Role { Operator = "operator", Supervisor = "supervisor", Auditor = "auditor", Admin = "admin" }
}

impl Permission {
    /// What it allows, as the end of the sentence "You may …".
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::ItemsRead => "see the items of your teams",
            Self::ItemsWork => "claim, hand over and snooze items, and cancel a planned retry",
            Self::ItemsComment => "comment on items",
            Self::ItemsAssign => "assign items to people and teams",
            Self::ItemsCorrect => "correct payloads",
            Self::ItemsReplay => "replay items",
            Self::ItemsReconcile => "record findings about uncertain outcomes",
            Self::ItemsResolve => "resolve items",
            Self::ItemsEscalate => "escalate items",
            Self::ItemsReopen => "reopen closed items",
            Self::CompensationsRequest => "ask for compensations",
            Self::ApprovalsDecide => "approve or reject what others asked for",
            Self::QuarantineWork => "work reports in quarantine",
            Self::BulkRun => "run actions on many items at once",
            Self::WorkflowsPause => "pause and resume workflows",
            Self::PayloadsReveal => "reveal masked values",
            Self::PayloadsBreakGlass => "correct fields that are not open for editing",
            Self::PayloadsOverrideSchema => "save a correction that fails its schema",
            Self::AuditRead => "read the audit trail",
            Self::AuditExport => "export the audit trail",
            Self::TeamsAll => "see every team",
            Self::PeopleManage => "manage people, teams and roles",
            Self::TokensManage => "manage API tokens",
            Self::WorkflowsManage => "register workflows",
            Self::SettingsManage => "see how this installation is set up, and manage its channels",
        }
    }
}

/// What a personal token carries only if it was made for it: deciding, revealing, exporting, administering.
pub const RESERVED: &[Permission] = &[
    Permission::ApprovalsDecide,
    Permission::PayloadsReveal,
    Permission::AuditExport,
    Permission::PeopleManage,
    Permission::TokensManage,
    Permission::WorkflowsManage,
    Permission::SettingsManage,
];

/// What gives a person a say over what others did or may see: nobody hands it to themselves (R11).
pub const CONSEQUENTIAL: &[Permission] = &[Permission::ApprovalsDecide, Permission::PayloadsReveal];

impl Role {
    /// The permissions this role adds up to.
    #[must_use]
    pub const fn permissions(self) -> &'static [Permission] {
        use Permission as P;
        match self {
            Self::Operator => &[
                P::ItemsRead,
                P::ItemsWork,
                P::ItemsComment,
                P::ItemsCorrect,
                P::ItemsReplay,
                P::ItemsReconcile,
                P::ItemsResolve,
                P::ItemsEscalate,
                P::ItemsReopen,
                P::CompensationsRequest,
                P::QuarantineWork,
            ],
            Self::Supervisor => &[
                P::ItemsRead,
                P::ItemsWork,
                P::ItemsComment,
                P::ItemsAssign,
                P::ItemsEscalate,
                P::ItemsReopen,
                P::ApprovalsDecide,
                P::QuarantineWork,
                P::BulkRun,
                P::WorkflowsPause,
            ],
            Self::Auditor => &[P::ItemsRead, P::AuditRead, P::AuditExport, P::TeamsAll],
            Self::Admin => &[P::PeopleManage, P::TokensManage, P::WorkflowsManage, P::SettingsManage, P::AuditRead],
        }
    }

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Operator => "Operator",
            Self::Supervisor => "Supervisor",
            Self::Auditor => "Auditor",
            Self::Admin => "Admin",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_approves_or_reads_items_merely_by_being_admin_and_auditors_change_nothing() {
        for never in
            [Permission::ApprovalsDecide, Permission::ItemsRead, Permission::ItemsReplay, Permission::PayloadsReveal]
        {
            assert!(!Role::Admin.permissions().contains(&never), "{never}");
        }
        let reads = [Permission::ItemsRead, Permission::AuditRead, Permission::AuditExport, Permission::TeamsAll];
        assert_eq!(Role::Auditor.permissions(), reads);
    }

    #[test]
    fn the_role_grid_is_as_agreed() {
        let mut grid = format!("{:<26}", "permission");
        for role in Role::ALL {
            grid.push_str(&format!("{role:<12}"));
        }
        for permission in Permission::ALL {
            grid.push_str(&format!("\n{:<26}", permission.as_str()));
            for role in Role::ALL {
                grid.push_str(&format!("{:<12}", if role.permissions().contains(permission) { "yes" } else { "-" }));
            }
        }
        insta::assert_snapshot!("role_grid", grid.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
    }
}
