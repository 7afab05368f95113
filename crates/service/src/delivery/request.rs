//! The request that a replay makes.

use domain::{
    digest::Sha256,
    ids::{ApprovalId, PayloadId, ReplayId},
    workflow::{Destination, HeaderValue, fill::Values},
};
use store::{Item, Replay, Stage, Uow};

use crate::{
    Error, Result, Service,
    approvals::{
        draw::{self, Intent},
        given,
        outside::Places,
    },
    outbound::{Outgoing, Signature},
};

/// What there is to send.
pub(super) enum Prepared {
    Ready(Box<(Outgoing, Places)>),
    /// It can't be sent at all; why.
    Impossible(String),
    /// Not now, or not any more.
    NotDue,
}

/// The address that is called for a payload, or what is missing for it.
pub(crate) fn address(to: &Destination, key: &str, record_id: Option<&str>, payload: &[u8]) -> Result<String, String> {
    let template = to.url.as_ref().ok_or("The destination has no address.")?;
    template.fill(Values { key: Some(key), record_id, payload: Some(payload), params: None })
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
        let address = match &replay.address {
            Some(approved) => Ok(approved.clone()),
            None => address(to, &replay.key, item.record_id.as_deref(), &bytes),
        };
        let url = match address {
            Ok(url) => url,
            Err(why) => return Ok(Prepared::Impossible(why)),
        };
        let places = match places(&mut uow, &item, &replay).await {
            Ok(places) => places,
            Err(Error::Refused(refusal)) => return Ok(Prepared::Impossible(refusal.sentence())),
            Err(error) => return Err(error),
        };
        let (media_type, bytes) = match replay.body_id {
            None => (revision.media_type.clone(), bytes),
            Some(body) => match uow.payload(PayloadId(body)).await?.and_then(|stored| stored.bytes) {
                Some(body) => ("application/json".to_owned(), body),
                None => {
                    return Ok(Prepared::Impossible("What was approved was erased: there is nothing to send.".into()));
                }
            },
        };
        let mut added = vec![
            ("Content-Type".to_owned(), media_type),
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
        let outgoing = Outgoing {
            method: to.method(),
            url,
            configured: headers_of(&to.headers),
            added,
            signature,
            body: bytes,
            timeout: to.timeout().to_std().unwrap_or_default(),
            allow_private: to.allow_private,
            plain_is_private: false,
        };
        Ok(Prepared::Ready(Box::new((outgoing, places))))
    }
}

/// Where other systems have to be looked at before it is sent.
async fn places(uow: &mut Uow, item: &Item, replay: &Replay) -> Result<Places> {
    if given::goes_on(uow, item, replay).await? {
        return Ok(Places::default());
    }
    let intent = match replay.approval_id {
        Some(approval) => uow.approval(ApprovalId(approval)).await?.map(|approval| Intent::of(&approval.bound)),
        None => None,
    };
    // Of what is asked again the source says nothing: it has left before.
    match intent {
        None if replay.asks_again || replay.tries > 0 => Ok(Places::default()),
        intent => draw::places(uow, item, &intent.unwrap_or(Intent::Replay { revision: replay.revision })).await,
    }
}

/// `webhook-id`: the same for every attempt with one key of one item.
fn message_id(item: &Item, key: &str) -> String {
    let digest = Sha256::of_parts(&[item.id.0.as_bytes(), key.as_bytes()]).hex();
    format!("msg_{}", &digest[..32])
}
