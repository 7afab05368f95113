//! Puts rights into effect that a second admin confirmed and whose day has passed.

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(60));
    loop {
        tick.tick().await;
        if let Err(error) = service.end_due_grants().await {
            tracing::error!(error = &error as &dyn std::error::Error, "rights that wait could not be looked at");
        }
    }
}
