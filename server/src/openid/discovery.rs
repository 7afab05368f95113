//! What the provider says about itself: its discovery document and the keys it signs with.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use openidconnect::{DiscoveryError, IssuerUrl, core::CoreProviderMetadata};
use service::clock::Clock;
use tokio::{sync::Mutex, time::timeout};

use super::{
    config::is_safe,
    error::{Cause, Error},
    wire::{PATIENCE, Wire},
};

/// So long what was fetched is believed: a key that the provider withdrew counts no longer than this.
const GOOD_FOR: TimeDelta = TimeDelta::hours(1);
/// Unknown keys make it be fetched anew, but not more often than this: anybody can name a key.
const ANEW_AFTER: TimeDelta = TimeDelta::minutes(1);

/// Fetches what the provider says when it is first needed, and keeps it.
pub(super) struct Discovery {
    pub(super) wire: Wire,
    issuer: IssuerUrl,
    clock: Arc<dyn Clock>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    known: Option<Arc<Known>>,
    /// When it was last fetched because of an unknown key.
    anew: Option<DateTime<Utc>>,
}

/// What the provider said.
pub(super) struct Known {
    pub(super) metadata: CoreProviderMetadata,
    at: DateTime<Utc>,
}

impl Discovery {
    pub(super) fn new(issuer: IssuerUrl, wire: Wire, clock: Arc<dyn Clock>) -> Self {
        Self { wire, issuer, clock, kept: Mutex::default() }
    }

    /// What the provider says about itself.
    pub(super) async fn known(&self) -> Result<Arc<Known>, Error> {
        let mut kept = self.kept().await?;
        let now = self.clock.now();
        match &kept.known {
            Some(known) if now - known.at < GOOD_FOR => Ok(Arc::clone(known)),
            _ => self.fetch(&mut kept).await,
        }
    }

    /// What it says now that a key is missing in `old`; nothing if that was asked a moment ago.
    pub(super) async fn anew(&self, old: &Arc<Known>) -> Result<Option<Arc<Known>>, Error> {
        let mut kept = self.kept().await?;
        // Somebody else met the new key first.
        if let Some(known) = kept.known.as_ref().filter(|known| !Arc::ptr_eq(known, old)) {
            return Ok(Some(Arc::clone(known)));
        }
        let now = self.clock.now();
        if kept.anew.is_some_and(|anew| now - anew < ANEW_AFTER) {
            return Ok(None);
        }
        kept.anew = Some(now);
        self.fetch(&mut kept).await.map(Some)
    }

    /// One fetches, the others wait for it, but not for ever: each of them has somebody waiting.
    async fn kept(&self) -> Result<tokio::sync::MutexGuard<'_, Kept>, Error> {
        timeout(PATIENCE, self.kept.lock()).await.map_err(|late| Error::Unreachable(late.into()))
    }

    async fn fetch(&self, kept: &mut Kept) -> Result<Arc<Known>, Error> {
        let at = self.clock.now();
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.wire).await.map_err(failed)?;
        check(&metadata)?;
        let known = Arc::new(Known { metadata, at });
        kept.known = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// Codes, tokens and keys travel only where nobody listens.
fn check(metadata: &CoreProviderMetadata) -> Result<(), Error> {
    let bad = |what: &'static str| Error::BadDiscovery(what.into());
    let token = metadata.token_endpoint().ok_or_else(|| bad("it names no token endpoint"))?;
    let mut places = vec![metadata.authorization_endpoint().url(), token.url(), metadata.jwks_uri().url()];
    places.extend(metadata.userinfo_endpoint().map(|userinfo| userinfo.url()));
    if places.into_iter().all(is_safe) { Ok(()) } else { Err(bad("it names an endpoint that is not https")) }
}

fn failed(error: DiscoveryError<reqwest::Error>) -> Error {
    match error {
        DiscoveryError::Request(error) => Error::Unreachable(error.into()),
        other => Error::BadDiscovery(Cause::from(other)),
    }
}
