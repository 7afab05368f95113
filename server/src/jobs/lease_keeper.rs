//! Ends leases that have run out (R5): within a second or two of their end.

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(1));
    loop {
        tick.tick().await;
        match service.lapse_leases().await {
            Ok(0) => {}
            Ok(ended) => tracing::info!(ended, "ended leases that had run out"),
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "leases could not be ended"),
        }
    }
}
