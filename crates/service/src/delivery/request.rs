//! The request that a replay makes.

use domain::{
    digest::Sha256,
    ids::ReplayId,
    workflow::{Destination, HeaderValue, fill::Values},
};
use store::{Item, Replay, Stage};

use crate::{
    Error, Result, Service,
    outbound::{Outgoing, Signature},
};

/// What there is to send.
pub(super) enum Prepared {
    Ready(Box<Outgoing>),
    /// It can't be sent at all; why.
    Impossible(String),
    /// Not now, or not any more.
    NotDue,
}

/// The address that is called for a payload, or what is missing for it.
pub(crate) fn address(to: &Destination, key: &str, record_id: Option<&str>, payload: &[u8]) -> Result<String, String> {
    let template = to.url.as_ref().ok_or("The destination has no address.")?;
    template.fill(Values { key: Some(key), record_id, payload: Some(payload) })
}

/// A destination's headers, in their order.
pub(crate) fn headers_of<'h>(
    headers: impl IntoIterator<Item = (&'h String, &'h HeaderValue)>,
) -> Vec<(String, HeaderValue)> {
    headers.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

impl Service {
    /// Prepares the next try of a replay. Changes nothing.
    pub(super) async fn outgoing(&self, id: ReplayId) -> Result<Prepared> {
        let mut uow = self.store.read().await?;
        let now = self.now();
        let due = |replay: &Replay| replay.stage == Stage::Queued && replay.due_at <= now;
        let Some(replay) = uow.replay(id).await?.filter(due) else { return Ok(Prepared::NotDue) };
        let item = uow.item(replay.item_id).await?.ok_or(Error::Fault("a replay's item is not there"))?;
        let revisions = uow.revisions(item.id).await?;
        let revision = revisions.iter().find(|revision| revision.number == replay.revision);
        let revision = revision.ok_or(Error::Fault("a replay's revision is not there"))?;
        let Some(bytes) = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes) else {
            return Ok(Prepared::Impossible("The payload was erased: there is nothing to send.".into()));
        };
        let to = &replay.destination;
        let url = match address(to, &replay.key, item.record_id.as_deref(), &bytes) {
            Ok(url) => url,
            Err(why) => return Ok(Prepared::Impossible(why)),
        };
        let mut added = vec![
            ("Content-Type".to_owned(), revision.media_type.clone()),
            (to.key_header().to_owned(), replay.key.clone()),
            ("Recourse-Item".to_owned(), item.id.to_string()),
            ("Recourse-Attempt".to_owned(), replay.attempt_id.to_string()),
            ("Recourse-Revision".to_owned(), replay.revision.to_string()),
        ];
        // Of the record that these bytes were made from: the destination may compare it itself.
        added.extend(revision.source_version.clone().map(|version| ("Recourse-Source-Version".to_owned(), version)));
        let signature = to.sign_secret.clone().map(|secret| Signature {
            secret,
            id: message_id(&item, &replay.key),
            timestamp: now.timestamp(),
        });
        Ok(Prepared::Ready(Box::new(Outgoing {
            method: to.method(),
            url,
            configured: headers_of(&to.headers),
            added,
            signature,
            body: bytes,
            timeout: to.timeout().to_std().unwrap_or_default(),
            allow_private: to.allow_private,
        })))
    }
}

/// `webhook-id`: the same for every attempt with one key of one item.
fn message_id(item: &Item, key: &str) -> String {
    let digest = Sha256::of_parts(&[item.id.0.as_bytes(), key.as_bytes()]).hex();
    format!("msg_{}", &digest[..32])
}
