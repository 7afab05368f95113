//! Channels as admins see them.

use domain::{
    access::{self, Scope},
    audit::AuditKind,
    permission::Permission,
    refusal::Refusal,
};
use store::{ChannelRow, PostingRow};

use crate::{Request, Result, Service, action::Entry};

/// Every channel, and how e-mail goes.
#[derive(Debug, Clone)]
pub struct Channels {
    /// By name.
    pub channels: Vec<ChannelRow>,
    /// Whether e-mail is set up.
    pub mail: bool,
    /// E-mails that wait to be sent.
    pub waiting: i64,
    /// The last e-mails that did not arrive.
    pub failing: Vec<PostingRow>,
}

/// One channel.
#[derive(Debug, Clone)]
pub struct ChannelSeen {
    /// The channel.
    pub row: ChannelRow,
    /// What was last told through it, newest first.
    pub postings: Vec<PostingRow>,
}

impl Service {
    /// Every channel.
    pub async fn channels(&self, request: &Request) -> Result<Channels> {
        let read = async {
            access::may(&request.caller, Permission::SettingsManage, Scope::Installation)?;
            let mut uow = self.store.read().await?;
            Ok(Channels {
                channels: uow.channels().await?,
                mail: self.settings.mail,
                waiting: uow.mails_waiting().await?,
                failing: uow.mails_that_fail().await?,
            })
        };
        self.reading(request, Entry::new(AuditKind::ChannelsRead), None, read).await
    }

    /// One channel.
    pub async fn channel(&self, request: &Request, name: &str) -> Result<ChannelSeen> {
        let read = async {
            access::may(&request.caller, Permission::SettingsManage, Scope::Installation)?;
            let name = domain::channel::name(name).map_err(|_| Refusal::NotFound)?;
            let mut uow = self.store.read().await?;
            let row = uow.channel_by_name(name).await?.ok_or(Refusal::NotFound)?;
            Ok(ChannelSeen { postings: uow.postings_of(row.id).await?, row })
        };
        self.reading(request, Entry::new(AuditKind::ChannelsRead), None, read).await
    }
}
