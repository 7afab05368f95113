//! Wakes items whose snooze is over.

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(5));
    loop {
        tick.tick().await;
        match service.wake_due().await {
            Ok(0) => {}
            Ok(woken) => tracing::info!(woken, "woke items whose snooze is over"),
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "snoozed items could not be woken"),
        }
    }
}
