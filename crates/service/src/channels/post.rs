//! Sending postings: taken with a lease, sent once, and what came of it written down. Whoever dies in between leaves a lease;
//! when it has run out, another takes it on under the same id, by which a receiver knows it again.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Caller,
    channel::{self, ChannelKind},
    ids::{ChannelId, ItemId, PersonId, PostingId},
    notice::{ByEmail, NoticeKind},
    replay::FIRST_BYTE_WITHIN,
    text,
    workflow::{Method, SecretName},
};
use store::{ChannelRow, DuePosting, PersonRow, PostingRow, Uow};

use super::{
    quiet_until,
    switch::{DISABLED, Retire, TellGivingUp},
};
use crate::{
    Error, Request, Result, Service, items,
    outbound::{Letter, NotSent, NotTaken, Outgoing, Sent, Signature},
    people::who,
};

/// How long a posting is its taker's: longer than connecting, sending and answering may take.
const LEASE: TimeDelta = TimeDelta::minutes(5);

/// Tellings that are on their way to one receiver at a time, from each process. The mail server is one.
pub const AT_ONCE: usize = 4;

/// How long a receiver's answer is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Postings that have ended are kept this long.
const KEPT: TimeDelta = TimeDelta::days(30);

/// What came of sending.
enum Came {
    /// It arrived.
    Arrived,
    /// It did not; it may be tried again, not before such a wait.
    Failed(String, Option<TimeDelta>),
    /// It was not tried: the person's quiet hours hold it back until then.
    Quiet(DateTime<Utc>),
    /// It was tried often enough.
    WornOut(String),
    /// The receiver wants no more of it, ever: that of the channel at this version.
    Gone(String, i64),
    /// There is nothing to be tried.
    Hopeless(String),
    /// The person is not to get it.
    Withheld(&'static str),
}

/// When a posting taken now is somebody else's again.
pub(super) fn lease(now: DateTime<Utc>) -> DateTime<Utc> {
    now + LEASE
}

impl Service {
    /// Postings that are due and nobody's: of each receiver as many as are sent at a time, the first of each before the second
    /// of any.
    pub async fn postings_due(&self) -> Result<Vec<DuePosting>> {
        let each = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
        Ok(self.store.read().await?.postings_due(self.now(), each).await?)
    }

    /// Takes a posting, and leaves it so: what a process that dies in between has done. One that was taken too often is given
    /// up in place of it.
    pub async fn take_posting(&self, id: PostingId) -> Result<Option<PostingRow>> {
        let now = self.now();
        let mut uow = self.store.begin().await?;
        let taken = uow.take_posting(id, now, lease(now)).await?;
        uow.commit().await?;
        let Some(row) = taken else { return Ok(None) };
        match channel::worn_out(&row.telling.kind, row.tries) {
            Some(why) => self.keep_posting(&row, Came::WornOut(why)).await.map(|()| None),
            None => Ok(Some(row)),
        }
    }

    /// Sends a posting, if it is due. Several processes may do it at once: one of them sends.
    pub async fn post(&self, id: PostingId) -> Result<()> {
        self.post_while(id, std::future::pending()).await
    }

    /// The same, as long as `patience` lasts: a posting that has not arrived then is given back, for others to send.
    pub async fn post_while(&self, id: PostingId, patience: impl Future<Output = ()> + Send) -> Result<()> {
        let Some(row) = self.take_posting(id).await? else { return Ok(()) };
        tokio::select! {
            came = self.try_posting(&row) => self.keep_posting(&row, came?).await,
            () = patience => {
                let mut uow = self.store.begin().await?;
                uow.give_posting_back(row.id, row.fence).await?;
                Ok(uow.commit().await?)
            }
        }
    }

    /// Removes postings that ended long ago; answers how many.
    pub async fn sweep_postings(&self) -> Result<u64> {
        let mut uow = self.store.begin().await?;
        let swept = uow.sweep_postings(self.now() - KEPT).await?;
        uow.commit().await?;
        Ok(swept)
    }

    /// Sends a posting that is the caller's, and writes down what came of it.
    pub(super) async fn send_posting(&self, row: &PostingRow) -> Result<()> {
        let came = self.try_posting(row).await?;
        self.keep_posting(row, came).await
    }

    async fn try_posting(&self, row: &PostingRow) -> Result<Came> {
        match (row.channel_id, row.person_id, &row.address) {
            (Some(channel), ..) => self.send_through(row, ChannelId(channel)).await,
            (None, Some(person), Some(address)) => self.send_mail(row, PersonId(person), address).await,
            _ => Ok(Came::Hopeless("It goes to nobody.".into())),
        }
    }

    async fn send_through(&self, row: &PostingRow, id: ChannelId) -> Result<Came> {
        let channel = self.store.read().await?.channel_by_id(id).await?;
        let Some(channel) = channel else { return Ok(Came::Hopeless("The channel is not there any more.".into())) };
        if channel.disabled_at.is_some() && row.telling.kind != channel::TEST {
            return Ok(Came::Hopeless(DISABLED.into()));
        }
        let outgoing = match self.outgoing_posting(row, &channel) {
            Ok(outgoing) => outgoing,
            Err(why) => return Ok(Came::Failed(why, None)),
        };
        let line = match self.courier.connect(outgoing).await {
            Ok(line) => line,
            Err(NotSent(why)) => return Ok(Came::Failed(why, None)),
        };
        let first_byte_by = Instant::now() + FIRST_BYTE_WITHIN.to_std().unwrap_or_default();
        Ok(read(line.send(first_byte_by).await, &channel))
    }

    /// The request to a channel's receiver. Its id and body are the same for every try.
    fn outgoing_posting(&self, row: &PostingRow, channel: &ChannelRow) -> Result<Outgoing, String> {
        let (id, timestamp) = (row.id.to_string(), self.now().timestamp());
        let mut added = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = match channel.kind {
            ChannelKind::Webhook => channel::webhook(&row.telling, row.created_at),
            ChannelKind::Slack => channel::slack(&row.telling),
            ChannelKind::Teams => channel::teams(&row.telling),
        };
        if channel.kind == ChannelKind::Webhook {
            added.push(("webhook-id".to_owned(), id.clone()));
            added.push(("webhook-timestamp".to_owned(), timestamp.to_string()));
        }
        let secret = channel.secret.as_deref().map(str::parse::<SecretName>).transpose()?;
        Ok(Outgoing {
            method: Method::Post,
            url: channel.url.clone(),
            configured: Vec::new(),
            added,
            signature: secret.map(|secret| Signature { secret, id, timestamp }),
            body: body.to_string().into_bytes(),
            timeout: PATIENCE,
            allow_private: channel.allow_private,
            plain_is_private: true,
        })
    }

    async fn send_mail(&self, row: &PostingRow, person: PersonId, address: &str) -> Result<Came> {
        let mut uow = self.store.read().await?;
        let account = uow.person_by_id(person).await?;
        let Some(account) = account.filter(|row| row.disabled_at.is_none() && row.deleted_at.is_none()) else {
            return Ok(Came::Withheld("The account is closed."));
        };
        // A test is about nothing that could be chosen.
        if let Ok(kind) = row.telling.kind.parse::<NoticeKind>() {
            let topic = kind.topic();
            if ByEmail::from_kept(topic, uow.choice(person, topic).await?) == ByEmail::Never {
                return Ok(Came::Withheld("They chose to be told of this in the app only."));
            }
            if let Some(until) = quiet_until(&mut uow, person, topic, self.now()).await? {
                return Ok(Came::Quiet(until));
            }
        }
        let name = account.name.clone();
        if let Some(item) = row.item_id
            && !sees(&mut uow, account, ItemId(item)).await?
        {
            return Ok(Came::Withheld("They may not see the item any more."));
        }
        // Nothing is held while the mail server is spoken with.
        drop(uow);
        let Some(mailer) = &self.mailer else {
            return Ok(Came::Failed("E-mail is not set up any more.".into(), None));
        };
        let choices = format!("{}/me/notices", self.settings.public_url);
        let letter = Letter {
            id: row.id.to_string(),
            name,
            address: address.to_owned(),
            subject: channel::subject(&row.telling),
            text: channel::text(&row.telling, &choices),
            html: channel::html(&row.telling, &choices),
            at: row.created_at,
        };
        Ok(match mailer.mail(letter).await {
            Ok(()) => Came::Arrived,
            Err(NotTaken { why, for_good: true }) => Came::Hopeless(why),
            Err(NotTaken { why, for_good: false }) => Came::Failed(why, None),
        })
    }

    /// Writes down what came of it. Who was too slow writes nothing: it is another's by now.
    async fn keep_posting(&self, row: &PostingRow, came: Came) -> Result<()> {
        let (now, channel) = (self.now(), row.channel_id.map(ChannelId));
        let mut uow = self.store.begin().await?;
        let (why, gone, next) = match came {
            Came::Arrived => {
                if uow.posting_sent(row.id, row.fence, now).await?
                    && let Some(channel) = channel
                {
                    uow.channel_worked(channel, now).await?;
                }
                return Ok(uow.commit().await?);
            }
            Came::Failed(why, wait) => {
                let once = row.telling.kind == channel::TEST;
                let next = channel::next_try(row.tries, row.first_try_at.unwrap_or(now), now, wait);
                (why, None, next.filter(|_| !once))
            }
            Came::Quiet(until) => {
                uow.put_posting_off(row.id, row.fence, until).await?;
                return Ok(uow.commit().await?);
            }
            Came::Withheld(why) => {
                uow.withhold_posting(row.id, row.fence, why, now).await?;
                return Ok(uow.commit().await?);
            }
            Came::WornOut(why) => (why, None, None),
            Came::Gone(why, version) => (why, Some(version), None),
            Came::Hopeless(why) => {
                uow.posting_failed((row.id, row.fence), &why, row.due_at, Some(now)).await?;
                return Ok(uow.commit().await?);
            }
        };
        let given_up = next.is_none().then_some(now);
        let ours = uow.posting_failed((row.id, row.fence), &why, next.unwrap_or(row.due_at), given_up).await?;
        if let Some(channel) = channel.filter(|_| ours) {
            uow.channel_failed(channel, &why, now).await?;
        }
        uow.commit().await?;
        let Some(channel) = channel.filter(|_| ours) else { return Ok(()) };
        let job = Request::of(Caller::Job("poster"));
        if let Some(version) = gone {
            self.run(&job, Retire { channel, version, why }).await
        } else if given_up.is_some() && row.telling.kind != channel::TEST {
            self.run(&job, TellGivingUp(channel)).await
        } else {
            Ok(())
        }
    }
}

/// Whether somebody may see an item, as their account stands now.
async fn sees(uow: &mut Uow, account: PersonRow, item: ItemId) -> Result<bool> {
    let caller = Caller::Person(who::person(uow, account).await?);
    match items::readable(uow, &caller, item).await {
        Ok(_) => Ok(true),
        Err(Error::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// What an answer from a channel's receiver means for a posting.
fn read(sent: Sent, row: &ChannelRow) -> Came {
    let reply = match sent {
        Sent::Nothing(NotSent(why)) | Sent::NoAnswer(why) => return Came::Failed(why, None),
        Sent::Answered(reply) => reply,
    };
    let status = reply.status;
    match status {
        200..=299 => Came::Arrived,
        300..=399 => Came::Failed(
            format!("It answered with a redirect ({status}), which is not followed. Give the address it leads to."),
            None,
        ),
        410 => Came::Gone("It answered 410: it wants to be told nothing any more.".into(), row.version),
        _ => {
            let said = String::from_utf8_lossy(&reply.body);
            let said = channel::scrubbed(&text::line(said.trim()), &row.url);
            let said = if said.is_empty() { said } else { format!(": {}", text::head(&said, 200)) };
            Came::Failed(format!("It answered {status}{said}"), reply.retry_after)
        }
    }
}
