//! Disabling an account, enabling it again, and deleting it. Sessions and tokens end at once (R16); history stays.

use domain::{audit::AuditKind, ids::PersonId, permission::Permission, refusal::Refusal, role::sum};
use store::PersonRow;

use super::who;
use crate::{
    Result, Service,
    action::{Act, Action, Gate},
    rights::give,
};

/// Which account is meant.
#[derive(Debug, Clone)]
pub enum Account {
    /// By its id.
    Id(PersonId),
    /// By its address, whatever its case.
    Email(String),
}

impl Account {
    async fn find(&self, act: &mut Act<'_>) -> Result<PersonRow> {
        match self {
            Self::Id(id) => who::standing(&mut act.uow, *id).await,
            Self::Email(email) => {
                let row = act.uow.person_by_email(email.trim()).await?;
                row.ok_or_else(|| Refusal::field("/email", "Nobody has this address.").into())
            }
        }
    }
}

impl Service {
    /// The account with this address, for the command line.
    pub async fn account_of(&self, email: &str) -> Result<PersonId> {
        let row = self.store.read().await?.person_by_email(email.trim()).await?;
        row.map(|row| row.id).ok_or_else(|| Refusal::field("/email", "Nobody has this address.").into())
    }
}

/// Disables an account.
#[derive(Debug)]
pub struct DisablePerson(pub Account);

impl Action for DisablePerson {
    const NAME: &'static str = "disable_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonDisabled;
    const STEP_UP: bool = true;
    /// How many sessions ended.
    type Output = u64;

    async fn perform(self, act: &mut Act<'_>) -> Result<u64> {
        act.uow.lock_access().await?;
        let row = self.0.find(act).await?;
        act.entry().detail("person", row.id.to_string());
        let ended = end_access(act, &row).await?;
        if row.disabled_at.is_some() {
            act.nothing_changed();
        }
        Ok(ended)
    }
}

/// Disables the account, ends its sessions and withdraws its links. Nobody answers any more for the items it owns.
async fn end_access(act: &mut Act<'_>, row: &PersonRow) -> Result<u64> {
    let managed = sum(&act.uow.roles_of(row.id).await?).contains(&Permission::PeopleManage);
    act.uow.disable_person(row.id, act.now).await?;
    if row.disabled_at.is_none() {
        if managed {
            give::keep_an_admin(act).await?;
        }
        act.uow.look_at_items_of(row.id, act.now).await?;
    }
    act.uow.withdraw_invites_of(row.id, act.now).await?;
    let ended = act.uow.delete_sessions_of(row.id).await?;
    act.entry().detail("sessions_ended", ended);
    Ok(ended)
}

/// Enables an account again, with the roles and the items it had.
#[derive(Debug)]
pub struct EnablePerson(pub PersonId);

impl Action for EnablePerson {
    const NAME: &'static str = "enable_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonEnabled;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = who::standing(&mut act.uow, self.0).await?;
        act.entry().detail("person", row.id.to_string());
        if act.uow.enable_person(row.id).await? {
            act.uow.look_at_items_of(row.id, act.now).await?;
        } else {
            act.nothing_changed();
        }
        Ok(())
    }
}

/// Deletes an account: nothing is left of it but its id. What they did keeps their name as of then, and says that the
/// account is gone; whoever comes by the same name is somebody else.
#[derive(Debug)]
pub struct DeletePerson(pub PersonId);

impl Action for DeletePerson {
    const NAME: &'static str = "delete_person";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::PersonDeleted;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        act.uow.lock_access().await?;
        let row = who::standing(&mut act.uow, self.0).await?;
        act.entry().detail("person", row.id.to_string());
        end_access(act, &row).await?;
        for role in act.uow.roles_of(row.id).await? {
            act.uow.take_role(row.id, &role.key).await?;
        }
        for team in act.uow.teams_of(row.id).await? {
            act.uow.leave_team(row.id, team.id).await?;
        }
        act.uow.remove_two_step(row.id).await?;
        act.uow.remove_identities_of(row.id).await?;
        act.uow.forget_addresses_of(row.id).await?;
        act.uow.forget_postings_of(row.id).await?;
        act.uow.forget_choices_of(row.id).await?;
        act.uow.revoke_tokens_of(row.id, act.now).await?;
        act.uow.delete_person(row.id, act.now).await?;
        act.entry().text(format!("{} <{}>", row.name, row.email));
        Ok(())
    }
}
