//! Removes sessions that have ended by themselves.

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(600));
    loop {
        tick.tick().await;
        if let Err(error) = service.sweep_sessions().await {
            tracing::error!(error = &error as &dyn std::error::Error, "ended sessions could not be removed");
        }
    }
}
