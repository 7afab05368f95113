//! Puts the parts together: opens the store and builds the use cases.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use service::{
    Service,
    clock::{Clock, SystemClock},
    outbound::SharedMailer,
};
use store::{Options, Store};

use crate::{outbound::Http, settings::Settings};

/// The use cases over the database of the settings, which must be up to date.
pub async fn open(settings: &Settings) -> Result<Service> {
    open_with(settings, Arc::new(SystemClock)).await
}

/// The same with a clock of the caller's choice, for tests.
pub async fn open_with(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Service> {
    let options = Options { url: settings.database_url.clone(), allow_unsafe: settings.allow_unsafe_database };
    let store = Store::open(&options).await?;
    let courier = Http::new(settings.secrets(), settings.allowed()?, Arc::clone(&clock))?;
    let [session_idle, session_lifetime] = settings.session_limits()?;
    let mailer = settings.smtp()?.map(|smtp| Arc::new(smtp) as SharedMailer);
    let settings = service::Settings {
        public_url: settings.public_url(),
        payload_limit: settings.payload_limit,
        fallback_team: settings.fallback_team.clone(),
        governance: settings.governance()?,
        session_idle,
        session_lifetime,
        mail: mailer.is_some(),
    };
    Ok(Service::new(store, clock, Arc::new(courier), settings).with_mailer(mailer))
}

/// Brings the database up to date and opens it: what every verb but `migrate` wants on an embedded database.
pub async fn migrate_and_open(settings: &Settings) -> Result<Service> {
    migrate(settings).await.context("The database is not ready.")?;
    open(settings).await
}

/// Brings the database up to date; answers how many steps that took.
pub async fn migrate(settings: &Settings) -> Result<usize> {
    Ok(store::migrate(&settings.database_url).await?)
}
