//! Sends what waits in the outbox. Several processes may do it at once: the database decides who sends what.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{ids::ReplayId, workflow::Destination};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use service::Service;
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};

/// Requests under way at once. Each may hang for as long as its destination's timeout, so there are many.
const AT_ONCE: usize = 256;

/// Replays this process has taken up and not finished with.
type InHand = Arc<Mutex<BTreeSet<ReplayId>>>;

pub(super) async fn run(service: Service, mut stopped: watch::Receiver<bool>) {
    // What other processes put into the outbox, and tries that were put off, are found by looking.
    let mut tick = super::every(Duration::from_millis(500));
    let (in_hand, room) = (InHand::default(), Arc::new(Semaphore::new(AT_ONCE)));
    let mut pace = Pace::default();
    let mut sending = JoinSet::new();
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = service.replay_asked_for() => {}
            Some(_) = sending.join_next() => continue,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        }
        let due = match service.replays_due().await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the outbox could not be looked into");
                continue;
            }
        };
        for replay in due {
            if !lock(&in_hand).insert(replay.id) {
                continue;
            }
            let (service, in_hand, room) = (service.clone(), Arc::clone(&in_hand), Arc::clone(&room));
            let (pace, stopped) = (pace.of(&replay.destination), stopped.clone());
            sending.spawn(async move {
                if let Some(pace) = pace {
                    pace.until_ready().await;
                }
                let _permit = room.acquire().await;
                if !*stopped.borrow()
                    && let Err(error) = service.deliver(replay.id).await
                {
                    tracing::error!(replay = %replay.id, error = &error as &dyn std::error::Error, "a replay could not be delivered");
                }
                lock(&in_hand).remove(&replay.id);
            });
        }
    }
    while sending.join_next().await.is_some() {}
}

fn lock(in_hand: &InHand) -> std::sync::MutexGuard<'_, BTreeSet<ReplayId>> {
    in_hand.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How fast this process may call each destination that asks for it.
#[derive(Default)]
struct Pace(BTreeMap<(String, NonZeroU32), Arc<DefaultDirectRateLimiter>>);

impl Pace {
    fn of(&mut self, to: &Destination) -> Option<Arc<DefaultDirectRateLimiter>> {
        let rate = NonZeroU32::new(to.rate_per_second?)?;
        let address = to.url.as_ref().map(ToString::to_string).unwrap_or_default();
        let limiter = || Arc::new(RateLimiter::direct(Quota::per_second(rate)));
        Some(Arc::clone(self.0.entry((address, rate)).or_insert_with(limiter)))
    }
}
