//! The way out to other systems: one connection for one request, and nothing that could repeat it.
//!
//! No redirects, no proxies, no hidden retries, no idle connections. Connecting and sending are two steps, so that "sending"
//! is committed in between (R6); the first byte of a request is counted where it leaves (see [`departure`]).

mod connect;
mod departure;
mod exchange;
mod guard;
mod head;
mod mail;
mod secrets;
mod signature;

use std::sync::Arc;

use async_trait::async_trait;
use service::{
    clock::Clock,
    outbound::{Courier, Line, NotSent, Outgoing},
};

#[cfg(feature = "openid")]
pub(crate) use connect::trust;
pub use guard::Allowed;
pub use mail::Smtp;
pub use secrets::Secrets;

/// Sends over HTTP.
pub(crate) struct Http {
    pub(crate) secrets: Secrets,
    pub(crate) allowed: Allowed,
    pub(crate) clock: Arc<dyn Clock>,
    tls: tokio_rustls::TlsConnector,
}

impl Http {
    /// With the roots of trust that the machine has, and the web's where it has none.
    pub(crate) fn new(secrets: Secrets, allowed: Allowed, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        Ok(Self { secrets, allowed, clock, tls: connect::tls()? })
    }
}

#[async_trait]
impl Courier for Http {
    async fn connect(&self, request: Outgoing) -> Result<Box<dyn Line>, NotSent> {
        let url = url::Url::parse(&request.url).map_err(|_| NotSent("The address can't be called.".into()))?;
        let head = head::head(&request, &url, &self.secrets)?;
        let (private, plain_is_private) = (request.allow_private, request.plain_is_private);
        let reach = connect::Reach { allowed: &self.allowed, private, plain_is_private };
        let stream = connect::connect(&url, reach, &self.tls, request.timeout).await?;
        Ok(Box::new(exchange::Ready {
            stream,
            head,
            body: request.body,
            timeout: request.timeout,
            clock: Arc::clone(&self.clock),
        }))
    }
}
