//! Background loops: one file each. A loop that fails says so and goes on.

mod lease_keeper;
mod session_sweeper;
mod snooze_keeper;

use std::time::Duration;

use service::Service;
use tokio::task::JoinSet;

/// Starts every loop; dropping what it answers stops them.
pub(crate) fn start(service: &Service) -> JoinSet<()> {
    let mut jobs = JoinSet::new();
    jobs.spawn(lease_keeper::run(service.clone()));
    jobs.spawn(snooze_keeper::run(service.clone()));
    jobs.spawn(session_sweeper::run(service.clone()));
    jobs
}

/// Ticks at a steady pace, never in bursts to catch up.
fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    interval
}
