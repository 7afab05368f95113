//! `recourse check`.

use anyhow::{Result, bail};

use super::say;
use crate::{settings::Settings, wiring};

/// Tries settings, database and destinations without changing or sending anything, and says what it found.
pub(super) async fn run(settings: &Settings) -> Result<()> {
    say(&format!("Settings are right: listening on {}, reached at {}.", settings.listen, settings.public_url()))?;
    let service = wiring::open(settings).await?;
    if !service.is_ready().await {
        bail!("The database was opened but does not answer.");
    }
    say("The database answers and is up to date.")?;
    match settings.smtp()? {
        Some(smtp) => say(&format!("E-mails go through {}.", smtp.place()))?,
        None => say("E-mail is not set up: people are told in the app only.")?,
    }
    let mut wrong = 0;
    for tried in service.try_destinations().await? {
        match tried.outcome {
            Ok(()) => say(&format!("{} can be reached.", tried.place))?,
            Err(why) => {
                wrong += 1;
                say(&format!("{}: {why}", tried.place))?;
            }
        }
    }
    if wrong > 0 {
        bail!("{wrong} of the workflows' addresses can't be called as things are.");
    }
    Ok(())
}
