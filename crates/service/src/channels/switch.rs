//! Disabling channels and enabling them again.

use domain::{audit::AuditKind, ids::ChannelId, notice::NoticeKind, permission::Permission, refusal::Refusal};
use store::ChannelRow;

use super::save::{named, tell};
use crate::{
    Result,
    action::{Act, Action, Gate},
};

/// Why what waits for a channel that is out of use is given up.
pub(super) const DISABLED: &str = "The channel is disabled.";

/// Sends nothing through a channel any more. What waits for it is given up.
#[derive(Debug)]
pub struct DisableChannel {
    /// Its name.
    pub name: String,
    /// The version that was looked at.
    pub version: Option<i64>,
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
        let version = seen(&row, self.version)?;
        let why = format!("{} disabled it.", act.caller.name());
        if row.disabled_at.is_some() {
            act.nothing_changed();
            return Ok(());
        }
        match disable(act, row.id, version, &why).await? {
            true => Ok(()),
            false => Err(CHANGED.into()),
        }
    }
}

const CHANGED: Refusal = Refusal::ChangedMeanwhile { what: "The channel" };

/// The version that was looked at, if it is the channel's still.
fn seen(row: &ChannelRow, version: Option<i64>) -> Result<i64, Refusal> {
    version.filter(|version| *version == row.version).ok_or(CHANGED)
}

/// Takes it out of use and gives up what waits for it, which its page tells; `false` where it was out of use already, or is
/// not at this version any more.
async fn disable(act: &mut Act<'_>, channel: ChannelId, version: i64, why: &str) -> Result<bool> {
    if !act.uow.disable_channel(channel, version, why, act.now).await? {
        return Ok(false);
    }
    let given_up = act.uow.give_up_postings_of(channel, DISABLED, act.now).await?;
    act.entry().detail("given_up", given_up);
    let more = match given_up {
        0 => return Ok(true),
        1 => "One telling that waited was given up.".to_owned(),
        more => format!("{more} tellings that waited were given up."),
    };
    act.uow.explain_disabled(channel, &format!("{why} {more}")).await?;
    Ok(true)
}

/// Sends through it again.
#[derive(Debug)]
pub struct EnableChannel {
    /// Its name.
    pub name: String,
    /// The version that was looked at.
    pub version: Option<i64>,
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
        let version = seen(&row, self.version)?;
        if row.disabled_at.is_none() {
            act.nothing_changed();
            return Ok(());
        }
        match act.uow.enable_channel(row.id, version).await? {
            true => Ok(()),
            false => Err(CHANGED.into()),
        }
    }
}

/// Disables a channel whose receiver says that it wants no more; not where it was changed since, for that was another receiver.
#[derive(Debug)]
pub(super) struct Retire {
    pub(super) channel: ChannelId,
    /// The version that was sent to.
    pub(super) version: i64,
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
        match disable(act, row.id, self.version, &self.why).await? {
            true => tell_admins(act, NoticeKind::ChannelDisabled, &row.name).await,
            false => {
                act.nothing_changed();
                Ok(())
            }
        }
    }
}

/// Tells that a channel begins to give up what does not arrive: once, until something arrives again.
#[derive(Debug)]
pub(super) struct TellGivingUp(pub(super) ChannelId);

impl Action for TellGivingUp {
    const NAME: &'static str = "tell_giving_up";
    const GATE: Gate = Gate::Machine;
    const AUDIT: AuditKind = AuditKind::ChannelGaveUp;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        if !act.uow.channel_gives_up(self.0, act.now).await? {
            act.nothing_changed();
            return Ok(());
        }
        let row = act.uow.channel_by_id(self.0).await?.ok_or(Refusal::NotFound)?;
        tell(act, &row);
        tell_admins(act, NoticeKind::ChannelGivesUp, &row.name).await
    }
}

/// Tells everybody who can do something about a channel.
async fn tell_admins(act: &mut Act<'_>, kind: NoticeKind, channel: &str) -> Result<()> {
    for person in act.uow.who_may(Permission::SettingsManage).await? {
        act.tell(person, kind, channel, None).await?;
    }
    Ok(())
}
