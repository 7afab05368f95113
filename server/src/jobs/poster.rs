//! Sends what is told through channels and by e-mail. Several processes may do it at once: the database decides who sends what.

use std::{collections::HashMap, time::Duration};

use domain::ids::PostingId;
use service::{DuePosting, Service};
use tokio::{
    sync::watch,
    task::{Id, JoinError, JoinSet},
    time::timeout,
};

use super::turns::Turns;

/// Postings under way at once: each may wait for its receiver.
const PLACES: usize = 32;

/// How often what has ended long ago is removed.
const SWEPT_EVERY: Duration = Duration::from_secs(3_600);

/// On stopping, how long what is under way may go on: as long as most receivers are waited for.
const PATIENCE: Duration = Duration::from_secs(25);

pub(super) async fn run(service: Service, mut stopped: watch::Receiver<bool>) {
    let (mut tick, mut sweep) = (super::every(Duration::from_secs(1)), super::every(SWEPT_EVERY));
    let mut posting = Posting::default();
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = sweep.tick() => {
                if let Err(error) = service.sweep_postings().await {
                    tracing::error!(error = &error as &dyn std::error::Error, "ended postings could not be removed");
                }
                continue;
            }
            // A place is free; where there was trouble, the next look is soon enough.
            Some(ended) = posting.tasks.join_next_with_id() => if !posting.ended(ended) { continue },
            () = said(&mut stopped) => break,
        }
        posting.begin(&service, due(&service).await);
    }
    if timeout(PATIENCE, posting.end()).await.is_err() {
        tracing::warn!(
            "stopping while something is still being told: it is given back, and told again by another process"
        );
        posting.enough.send_replace(true);
        posting.end().await;
    }
}

/// Waits until it is said; whoever could say it and is gone has said it.
async fn said(it: &mut watch::Receiver<bool>) {
    drop(it.wait_for(|it| *it).await);
}

async fn due(service: &Service) -> Vec<DuePosting> {
    service.postings_due().await.unwrap_or_else(|error| {
        tracing::error!(error = &error as &dyn std::error::Error, "postings could not be looked for");
        Vec::new()
    })
}

/// What is under way. Each task answers whether it went without trouble of ours.
#[derive(Default)]
struct Posting {
    tasks: JoinSet<bool>,
    ids: HashMap<Id, PostingId>,
    turns: Turns,
    /// Whether what is under way is given back.
    enough: watch::Sender<bool>,
}

impl Posting {
    fn begin(&mut self, service: &Service, due: Vec<DuePosting>) {
        for id in self.turns.take(due, PLACES.saturating_sub(self.turns.in_hand())) {
            let (service, mut enough) = (service.clone(), self.enough.subscribe());
            let task = self.tasks.spawn(async move {
                let posted = service.post_while(id, said(&mut enough)).await;
                if let Err(error) = &posted {
                    tracing::error!(posting = %id, error = error as &dyn std::error::Error, "a posting could not be sent");
                }
                posted.is_ok()
            });
            self.ids.insert(task.id(), id);
        }
    }

    async fn end(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }

    fn ended(&mut self, ended: Result<(Id, bool), JoinError>) -> bool {
        let (task, went_well) = ended.unwrap_or_else(|error| (error.id(), false));
        if let Some(id) = self.ids.remove(&task) {
            self.turns.ended(id);
        }
        went_well
    }
}
