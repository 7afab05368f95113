//! Looks at clocks that have run down: what is late is told, once.

use std::time::Duration;

use service::Service;

pub(super) async fn run(service: Service) {
    let mut tick = super::every(Duration::from_secs(5));
    loop {
        tick.tick().await;
        match service.watch_ageing().await {
            Ok(0) => {}
            Ok(looked) => tracing::debug!(looked, "looked at clocks that had run down"),
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "clocks could not be looked at"),
        }
    }
}
