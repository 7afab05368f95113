//! Channels: ways out by which others are told. What is told is written down as a posting in the transaction of what it tells
//! of, and sent after it: several processes may do that, and each is sent by one of them.
//!
//! Notices are told in the app always; whether they come by e-mail, too, is for each person to choose ([`choices`]).

pub mod choices;
pub mod post;
pub mod read;
pub mod save;
pub mod switch;
pub mod try_out;

use chrono::{DateTime, Utc};
use domain::{
    channel::{self, Telling},
    ids::{ItemId, PersonId},
    notice::{ByEmail, Topic},
    quiet::Quiet,
};
use store::{PostingRow, QuietRow, Uow};

use crate::{Result, action::Act, new_id};

/// Who is told.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// Whoever reads the channel of this name.
    Channel(&'a str),
    /// A person by e-mail, if they chose that for this topic.
    Person(PersonId, Topic),
    /// A person by e-mail as well, where they leave it to the workflow: its file asks for it.
    Asked(PersonId, Topic),
}

/// Tells somebody, in the transaction of what it tells of; answers whether anything will be sent. A channel that is not there,
/// or is disabled, is a warning in the log: what matters is told in the app beside it.
pub async fn send_to(act: &mut Act<'_>, target: Target<'_>, telling: &Telling) -> Result<bool> {
    send_about(act, target, None, telling).await
}

/// The same about an item: a person gets it only while they may see that.
pub(crate) async fn send_about(
    act: &mut Act<'_>,
    target: Target<'_>,
    item: Option<ItemId>,
    telling: &Telling,
) -> Result<bool> {
    let (person, topic, asked) = match target {
        Target::Channel(name) => return through(act, name, telling).await,
        Target::Person(person, topic) => (person, topic, false),
        Target::Asked(person, topic) => (person, topic, true),
    };
    let Some((to, due)) = by_email(act, person, topic, asked).await? else { return Ok(false) };
    let posting = PostingRow::mail(to, new_id(act.now), telling.clone(), act.now, due).about(item);
    act.uow.add_posting(&posting).await?;
    Ok(true)
}

async fn through(act: &mut Act<'_>, name: &str, telling: &Telling) -> Result<bool> {
    let row = match channel::name(name) {
        Ok(name) => act.uow.channel_by_name(name).await?.filter(|row| row.disabled_at.is_none()),
        Err(_) => None,
    };
    let Some(row) = row else {
        tracing::warn!(channel = name, kind = %telling.kind, "nothing is sent: the channel is not there, or is disabled");
        return Ok(false);
    };
    let posting = PostingRow::through(row.id, new_id(act.now), telling.clone(), act.now);
    act.uow.add_posting(&posting).await?;
    Ok(true)
}

/// To whom an e-mail of this topic goes, and when; `None` where it does not.
async fn by_email(
    act: &mut Act<'_>,
    person: PersonId,
    topic: Topic,
    asked: bool,
) -> Result<Option<((PersonId, String), DateTime<Utc>)>> {
    if !act.settings.mail || !ByEmail::from_kept(topic, act.uow.choice(person, topic).await?).sends(asked) {
        return Ok(None);
    }
    let row = act.uow.person_by_id(person).await?;
    let reachable = row.filter(|row| row.disabled_at.is_none() && row.deleted_at.is_none() && row.email.contains('@'));
    let Some(row) = reachable else { return Ok(None) };
    let due = quiet_until(&mut act.uow, person, topic, act.now).await?.unwrap_or(act.now);
    Ok(Some(((person, row.email), due)))
}

/// Until when quiet hours hold back now what belongs to this topic.
async fn quiet_until(
    uow: &mut Uow,
    person: PersonId,
    topic: Topic,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    if !topic.waits() {
        return Ok(None);
    }
    Ok(uow.quiet_hours(person).await?.as_ref().and_then(quiet_of).and_then(|quiet| quiet.until(now)))
}

/// Quiet hours as they are kept; a zone that is not known any more is none.
fn quiet_of(row: &QuietRow) -> Option<Quiet> {
    Quiet::read(&row.begins, &row.ends, &row.zone).ok()
}
