//! Disabling a person: their sessions end at once (R16).

use domain::{
    audit::AuditKind,
    permission::{Permission, Role},
    refusal::Refusal,
};

use crate::{
    Result,
    action::{Act, Action, Gate},
};

/// Disables the account with this address.
#[derive(Debug)]
pub struct DisablePerson {
    /// The address, whatever its case.
    pub email: String,
}

impl Action for DisablePerson {
    const NAME: &'static str = "disable_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonDisabled;
    /// How many sessions ended.
    type Output = u64;

    async fn perform(self, act: &mut Act<'_>) -> Result<u64> {
        let row = act
            .uow
            .person_by_email(self.email.trim())
            .await?
            .ok_or_else(|| Refusal::field("/email", "Nobody has this address."))?;
        act.entry().detail("person", row.id.to_string());
        let admin = act.uow.roles_of(row.id).await?.contains(&Role::Admin);
        if admin && row.disabled_at.is_none() && act.uow.enabled_with_role(Role::Admin).await? <= 1 {
            return Err(Refusal::field("/email", "This is the last admin. Make another person admin first.").into());
        }
        if !act.uow.disable_person(row.id, act.now).await? {
            act.nothing_changed();
        }
        Ok(act.uow.delete_sessions_of(row.id).await?)
    }
}
