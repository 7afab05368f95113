//! Ends approvals that are too old, or whose item has changed (R12).

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(2));
    loop {
        tick.tick().await;
        match service.settle_approvals().await {
            Ok(0) => {}
            Ok(ended) => tracing::info!(ended, "ended approvals that could not wait any more"),
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "approvals could not be settled"),
        }
    }
}
