//! `recourse check`.

use anyhow::{Result, bail};

use super::say;
use crate::{settings::Settings, wiring};

/// Tries settings and database without changing anything, and says what it found.
pub(super) async fn run(settings: &Settings) -> Result<()> {
    say(&format!("Settings are right: listening on {}, reached at {}.", settings.listen, settings.public_url()))?;
    let service = wiring::open(settings).await?;
    if !service.is_ready().await {
        bail!("The database was opened but does not answer.");
    }
    say("The database answers and is up to date.")
}
