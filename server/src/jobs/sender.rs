//! Sends what waits in the outbox. Several processes may do it at once: the database decides who sends what.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{ids::ReplayId, workflow::Destination};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use service::{DueReplay, Service};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};

/// Requests under way at once, and how much they may hold: each takes one place, and one more for every MiB of its payload.
/// Each may hang for as long as its destination's timeout, so there are many.
const PLACES: u32 = 256;

pub(super) async fn run(service: Service, mut stopped: watch::Receiver<bool>) {
    // What other processes put into the outbox, and tries that were put off, are found by looking.
    let mut tick = super::every(Duration::from_millis(500));
    let (in_hand, room) = (InHand::default(), Arc::new(Semaphore::new(PLACES as usize)));
    let mut pace = Pace::default();
    let mut sending = JoinSet::new();
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = service.replay_asked_for() => {}
            Some(_) = sending.join_next() => continue,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        }
        for due in look(&service).await {
            let Some(held) = in_hand.take(due.id) else { continue };
            let (service, room, stopped) = (service.clone(), Arc::clone(&room), stopped.clone());
            let pace = pace.of(&due);
            sending.spawn(async move {
                if let Some(pace) = pace {
                    pace.until_ready().await;
                }
                let _places = room.acquire_many(places(due.size)).await;
                if !*stopped.borrow()
                    && let Err(error) = service.deliver(due.id).await
                {
                    tracing::error!(replay = %due.id, error = &error as &dyn std::error::Error, "a replay could not be delivered");
                }
                drop(held);
            });
        }
    }
    while sending.join_next().await.is_some() {}
}

/// Everything that is due: those that wait for their turn are no reason to overlook others.
async fn look(service: &Service) -> Vec<DueReplay> {
    let mut all: Vec<DueReplay> = Vec::new();
    loop {
        match service.replays_due(all.last()).await {
            Ok(due) if due.is_empty() => return all,
            Ok(due) => all.extend(due),
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the outbox could not be looked into");
                return all;
            }
        }
    }
}

fn places(size: i64) -> u32 {
    u32::try_from(size >> 20).unwrap_or(PLACES).saturating_add(1).min(PLACES)
}

/// Replays this process has taken up and not finished with.
#[derive(Clone, Default)]
struct InHand(Arc<Mutex<BTreeSet<ReplayId>>>);

impl InHand {
    /// Takes one up; given back when what this answers is dropped, however that comes about.
    fn take(&self, id: ReplayId) -> Option<Held> {
        self.all().insert(id).then(|| Held(self.clone(), id))
    }

    fn all(&self) -> std::sync::MutexGuard<'_, BTreeSet<ReplayId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Held(InHand, ReplayId);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.all().remove(&self.1);
    }
}

/// How fast this process may call each destination that asks for it.
#[derive(Default)]
struct Pace(BTreeMap<(String, NonZeroU32), Arc<DefaultDirectRateLimiter>>);

impl Pace {
    fn of(&mut self, due: &DueReplay) -> Option<Arc<DefaultDirectRateLimiter>> {
        // One that can't be read is told when it is to be sent.
        let to: Destination = serde_json::from_str(&due.destination).ok()?;
        let rate = NonZeroU32::new(to.rate_per_second?)?;
        let address = to.url.as_ref().map(ToString::to_string).unwrap_or_default();
        let limiter = || Arc::new(RateLimiter::direct(Quota::per_second(rate)));
        Some(Arc::clone(self.0.entry((address, rate)).or_insert_with(limiter)))
    }
}
