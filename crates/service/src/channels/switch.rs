//! Disabling channels and enabling them again.

use domain::{audit::AuditKind, ids::ChannelId, permission::Permission, refusal::Refusal};

use super::save::{named, tell};
use crate::{
    Result,
    action::{Act, Action, Gate},
};

/// Sends nothing through a channel any more. What waits for it is given up.
#[derive(Debug)]
pub struct DisableChannel {
    /// Its name.
    pub name: String,
}

impl Action for DisableChannel {
    const NAME: &'static str = "disable_channel";
    const GATE: Gate = Gate::Permission(Permission::SettingsManage);
    const AUDIT: AuditKind = AuditKind::ChannelDisabled;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = named(act, &self.name).await?;
        tell(act, &row);
        let why = format!("{} disabled it.", act.caller.name());
        if !act.uow.disable_channel(row.id, &why, act.now).await? {
            act.nothing_changed();
        }
        Ok(())
    }
}

/// Sends through it again.
#[derive(Debug)]
pub struct EnableChannel {
    /// Its name.
    pub name: String,
}

impl Action for EnableChannel {
    const NAME: &'static str = "enable_channel";
    const GATE: Gate = Gate::Permission(Permission::SettingsManage);
    const AUDIT: AuditKind = AuditKind::ChannelEnabled;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = named(act, &self.name).await?;
        tell(act, &row);
        if !act.uow.enable_channel(row.id).await? {
            act.nothing_changed();
        }
        Ok(())
    }
}

/// Disables a channel whose receiver says that it wants no more.
#[derive(Debug)]
pub(super) struct Retire {
    pub(super) channel: ChannelId,
    pub(super) why: String,
}

impl Action for Retire {
    const NAME: &'static str = "retire_channel";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ChannelDisabled;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = act.uow.channel_by_id(self.channel).await?.ok_or(Refusal::NotFound)?;
        tell(act, &row);
        if !act.uow.disable_channel(row.id, &self.why, act.now).await? {
            act.nothing_changed();
        }
        Ok(())
    }
}
