//! Background loops: one file each. A loop that fails says so and goes on.

mod ageing_watch;
mod approval_keeper;
mod lease_keeper;
mod poster;
mod right_keeper;
mod sender;
mod session_sweeper;
mod snooze_keeper;
mod turns;

use std::time::Duration;

use service::Service;
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
};

/// The loops that run. Dropped, they end where they are.
pub(crate) struct Jobs {
    loops: JoinSet<()>,
    sender: JoinHandle<()>,
    stop_sending: watch::Sender<bool>,
}

/// Starts every loop.
#[must_use]
pub(crate) fn start(service: &Service) -> Jobs {
    let mut loops = JoinSet::new();
    loops.spawn(ageing_watch::run(service.clone()));
    loops.spawn(approval_keeper::run(service.clone()));
    loops.spawn(lease_keeper::run(service.clone()));
    loops.spawn(poster::run(service.clone()));
    loops.spawn(snooze_keeper::run(service.clone()));
    loops.spawn(session_sweeper::run(service.clone()));
    loops.spawn(right_keeper::run(service.clone()));
    let (stop_sending, stopped) = watch::channel(false);
    Jobs { loops, sender: tokio::spawn(sender::run(service.clone(), stopped)), stop_sending }
}

impl Jobs {
    /// Begins nothing new, and waits for what is being sent to have its answer written down: half a minute at most. What
    /// takes longer becomes uncertain when its lease has run out.
    pub(crate) async fn stop(mut self) {
        self.stop_sending.send_replace(true);
        let patience = Duration::from_secs(30);
        if tokio::time::timeout(patience, &mut self.sender).await.is_err() {
            tracing::warn!("stopping while something is still being sent: its outcome will be uncertain");
        }
        self.loops.shutdown().await;
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.sender.abort();
    }
}

/// Ticks at a steady pace, never in bursts to catch up.
fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    interval
}
