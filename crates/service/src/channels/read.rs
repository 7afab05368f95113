//! Channels as admins see them.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Scope},
    audit::AuditKind,
    channel,
    notice::NoticeKind,
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
    pub failing: Vec<PostingSeen>,
    /// The last e-mails that were not sent on purpose.
    pub withheld: Vec<PostingSeen>,
}

/// One channel.
#[derive(Debug, Clone)]
pub struct ChannelSeen {
    /// The channel.
    pub row: ChannelRow,
    /// What was last told through it, newest first.
    pub postings: Vec<PostingSeen>,
}

/// A posting as whoever manages the settings sees it: how it went, not what it says. That is for its receivers, of whose items
/// and accounts an admin may know nothing.
#[derive(Debug, Clone)]
pub struct PostingSeen {
    /// Its kind in words; what it says only where it is a test.
    pub what: String,
    /// Whom an e-mail goes to, where it is a test.
    pub address: Option<String>,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// Not before this.
    pub due_at: DateTime<Utc>,
    /// Tries that were begun.
    pub tries: i64,
    /// Why it did not arrive, the last time.
    pub last_error: Option<String>,
    /// When it arrived.
    pub sent_at: Option<DateTime<Utc>>,
    /// When it was given up.
    pub given_up_at: Option<DateTime<Utc>>,
    /// It was given up on purpose: its reader was not to get it.
    pub withheld: bool,
}

impl From<PostingRow> for PostingSeen {
    fn from(row: PostingRow) -> Self {
        let is_test = row.telling.kind == channel::TEST;
        let what = match row.telling.kind.parse::<NoticeKind>() {
            Ok(kind) => kind.label().to_owned(),
            Err(_) if is_test => row.telling.title.clone(),
            Err(_) => "A telling".to_owned(),
        };
        // A mail server's answer often repeats whom it refused.
        let last_error = match (&row.address, row.last_error) {
            (Some(address), Some(why)) if !is_test => Some(without(&why, address)),
            (_, why) => why,
        };
        Self {
            what,
            address: row.address.filter(|_| is_test),
            created_at: row.created_at,
            due_at: row.due_at,
            tries: row.tries,
            last_error,
            sent_at: row.sent_at,
            given_up_at: row.given_up_at,
            withheld: row.withheld,
        }
    }
}

/// The text without this address, however its letters are written.
fn without(text: &str, address: &str) -> String {
    let (small, wanted) = (text.to_ascii_lowercase(), address.to_ascii_lowercase());
    let (mut left, mut from) = (String::new(), 0);
    // Small ASCII letters take the same bytes, so what is found in one is in the other.
    for (at, found) in small.match_indices(wanted.as_str()).filter(|(_, found)| !found.is_empty()) {
        left.push_str(&text[from..at]);
        left.push('…');
        from = at + found.len();
    }
    left.push_str(&text[from..]);
    left
}

fn seen(rows: Vec<PostingRow>) -> Vec<PostingSeen> {
    rows.into_iter().map(PostingSeen::from).collect()
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
                failing: seen(uow.mails_that_fail().await?),
                withheld: seen(uow.mails_withheld().await?),
            })
        };
        self.reading(request, Entry::new(AuditKind::ChannelsRead), None, read).await
    }

    /// One channel.
    pub async fn channel(&self, request: &Request, name: &str) -> Result<ChannelSeen> {
        let read = async {
            access::may(&request.caller, Permission::SettingsManage, Scope::Installation)?;
            let name = channel::name(name).map_err(|_| Refusal::NotFound)?;
            let mut uow = self.store.read().await?;
            let row = uow.channel_by_name(name).await?.ok_or(Refusal::NotFound)?;
            Ok(ChannelSeen { postings: seen(uow.postings_of(row.id).await?), row })
        };
        self.reading(request, Entry::new(AuditKind::ChannelsRead), None, read).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_left_out_however_it_is_written() {
        let said = "550 <Amara@Example.test>: no ämara@example.test; amara@example.test";
        assert_eq!(without(said, "amara@example.test"), "550 <…>: no ämara@example.test; …");
        assert_eq!(without("nobody", ""), "nobody");
    }
}
