//! Delivering replays: from the outbox to the destination, and what comes of it.
//!
//! One try goes: connect → commit "sending" (R6) → first byte → answer → settle (R8). A process may end anywhere in between:
//! before the commit the replay still waits in the outbox; after it the attempt counts as uncertain until its lease has run
//! out, and is never silently sent again.

mod begin;
mod ending;
mod request;
mod settle;

use std::time::{Duration, Instant};

use domain::{
    access::Caller,
    ids::{ItemId, ReplayId},
    item::ActivityKind,
    refusal::Refusal,
    replay::FIRST_BYTE_WITHIN,
};
use store::DueReplay;

use crate::{
    Error, Request, Result, Service,
    outbound::{NotSent, Sent},
};

pub(crate) use ending::{QUEUE_LASTS, lapse, waiting_attempt};
pub(crate) use request::{address, headers_of};

/// How often an answer that the database would not take is offered again.
const OFFERED_AGAIN: Duration = Duration::from_millis(500);

/// How often somebody who waits for a replay looks whether it has settled.
const LOOKED_AGAIN: Duration = Duration::from_millis(100);

fn sender() -> Request {
    Request::of(Caller::Job("sender"))
}

impl Service {
    /// Replays that are due to be sent, the first due first: at most 200 after the one named.
    pub async fn replays_due(&self, after: Option<&DueReplay>) -> Result<Vec<DueReplay>> {
        Ok(self.store.read().await?.replays_due(self.now(), after).await?)
    }

    /// Waits until this process has put something new into the outbox.
    pub async fn replay_asked_for(&self) {
        self.outbox.notified().await;
    }

    /// Waits until nothing is being sent for an item any more, whoever sends it.
    pub async fn replay_settled(&self, item: ItemId) -> Result<()> {
        loop {
            let live = self.store.read().await?.live_activity(item).await?;
            if live.is_none_or(|live| !matches!(live.kind, ActivityKind::Replay | ActivityKind::Compensation)) {
                return Ok(());
            }
            // Another process may be the one that sends: only the database knows.
            tokio::time::sleep(LOOKED_AGAIN).await;
        }
    }

    /// Makes the next try of a replay, if it is due. Several processes may do it at once: one of them sends.
    pub async fn deliver(&self, id: ReplayId) -> Result<()> {
        let (outgoing, places) = match self.outgoing(id).await? {
            request::Prepared::Ready(ready) => *ready,
            request::Prepared::Impossible(why) => return self.stop(id, &why, true).await,
            request::Prepared::NotDue => return Ok(()),
        };
        // The source record is read again, and what a compensation rests on (R12, R18).
        let outside = match self.look_outside(places).await {
            Ok(outside) => outside,
            Err(Error::Refused(refusal)) => {
                let changed = matches!(refusal, Refusal::ConditionFails { seen: true, .. });
                return self.stop(id, &refusal.sentence(), changed).await;
            }
            Err(error) => return Err(error),
        };
        let line = match self.courier.connect(outgoing).await {
            Ok(line) => line,
            Err(NotSent(why)) => return self.stop(id, &why, false).await,
        };
        // Counted from before the commit: it can only end earlier than the rule says.
        let first_byte_by = Instant::now() + FIRST_BYTE_WITHIN.to_std().unwrap_or_default();
        let Some(begun) = self.run(&sender(), begin::Begin { replay: id, outside }).await? else { return Ok(()) };
        let sent = line.send(first_byte_by).await;
        self.write_down(settle::Settle { replay: id, begun, sent }).await
    }

    /// Nothing was sent, and why: something has changed, or the destination could not be reached.
    async fn stop(&self, id: ReplayId, why: &str, changed: bool) -> Result<()> {
        self.run(&sender(), begin::Stop { replay: id, why: why.to_owned(), changed }).await.map(drop)
    }

    /// An answer is written down, however long the database is away; the lease says how long that is news.
    async fn write_down(&self, mut settle: settle::Settle) -> Result<()> {
        loop {
            match self.run(&sender(), settle.clone()).await {
                Err(error) if error.is_unavailable() => {
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "an answer could not be written down yet"
                    );
                    tokio::time::sleep(OFFERED_AGAIN).await;
                }
                // An answer that the database does not take is no reason to forget that something was sent.
                Err(Error::Store(error)) if matches!(settle.sent, Sent::Answered(_)) => {
                    tracing::error!(error = &error as &dyn std::error::Error, "an answer could not be kept");
                    settle.sent = Sent::NoAnswer("An answer came that could not be kept.".into());
                }
                other => return other,
            }
        }
    }
}
