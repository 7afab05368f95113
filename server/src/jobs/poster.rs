//! Sends what is told through channels and by e-mail. Several processes may do it at once: the database decides who sends what.

use std::{sync::Arc, time::Duration};

use service::Service;
use tokio::{sync::Semaphore, task::JoinSet};

/// Postings under way at once: each may wait for its receiver.
const PLACES: usize = 32;

/// How often what has ended long ago is removed.
const SWEPT_EVERY: Duration = Duration::from_secs(3_600);

pub(super) async fn run(service: Service) {
    let (mut tick, mut sweep) = (super::every(Duration::from_secs(1)), super::every(SWEPT_EVERY));
    let room = Arc::new(Semaphore::new(PLACES));
    let mut posting = JoinSet::new();
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = sweep.tick() => {
                if let Err(error) = service.sweep_postings().await {
                    tracing::error!(error = &error as &dyn std::error::Error, "ended postings could not be removed");
                }
                continue;
            }
            Some(_) = posting.join_next() => continue,
        }
        let due = match service.postings_due().await {
            Ok(due) => due,
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "postings could not be looked for");
                continue;
            }
        };
        for id in due {
            // The rest is due at the next look, too.
            let Ok(place) = Arc::clone(&room).try_acquire_owned() else { break };
            let service = service.clone();
            posting.spawn(async move {
                if let Err(error) = service.post(id).await {
                    tracing::error!(posting = %id, error = &error as &dyn std::error::Error, "a posting could not be sent");
                }
                drop(place);
            });
        }
    }
}
