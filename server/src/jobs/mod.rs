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
#[derive(Debug)]
pub struct Jobs {
    loops: JoinSet<()>,
    sender: JoinHandle<()>,
    poster: JoinHandle<()>,
    stop_sending: watch::Sender<bool>,
}

/// Starts every loop.
#[must_use]
pub fn start(service: &Service) -> Jobs {
    let mut loops = JoinSet::new();
    loops.spawn(ageing_watch::run(service.clone()));
    loops.spawn(approval_keeper::run(service.clone()));
    loops.spawn(lease_keeper::run(service.clone()));
    loops.spawn(snooze_keeper::run(service.clone()));
    loops.spawn(session_sweeper::run(service.clone()));
    loops.spawn(right_keeper::run(service.clone()));
    let (stop_sending, stopped) = watch::channel(false);
    let poster = tokio::spawn(poster::run(service.clone(), stopped.clone()));
    Jobs { loops, sender: tokio::spawn(sender::run(service.clone(), stopped)), poster, stop_sending }
}

impl Jobs {
    /// Begins nothing new, and waits for what is being sent to have its answer written down: half a minute at most. A replay
    /// that takes longer becomes uncertain when its lease has run out; what is told and takes longer is given back.
    pub async fn stop(mut self) {
        self.stop_sending.send_replace(true);
        let patience = Duration::from_secs(30);
        let sent = async { tokio::join!(&mut self.sender, &mut self.poster) };
        if tokio::time::timeout(patience, sent).await.is_err() {
            tracing::warn!("stopping while something is still being sent: its outcome will be uncertain");
        }
        self.loops.shutdown().await;
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.sender.abort();
        self.poster.abort();
    }
}

/// Ticks at a steady pace, never in bursts to catch up.
fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    interval
}
