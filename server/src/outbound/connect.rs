//! Connecting: the name is resolved, the address checked, and that very address connected to.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use service::outbound::NotSent;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use super::guard::Allowed;

/// A stream to the other system, plain or encrypted.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// The longest that finding and connecting may take.
const AT_MOST: Duration = Duration::from_secs(10);

/// The client's side of TLS.
pub(super) fn tls() -> anyhow::Result<TlsConnector> {
    Ok(TlsConnector::from(Arc::new(trust()?)))
}

/// Whom to trust: the machine's roots; where it has none, the web's.
pub(crate) fn trust() -> anyhow::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .context("TLS can't be set up.")?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}

/// Which addresses may be connected to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach<'a> {
    /// Private ones, where they are asked for.
    pub(super) allowed: &'a Allowed,
    /// Whether they are.
    pub(super) private: bool,
    /// Whether http is for private ones only.
    pub(super) plain_is_private: bool,
}

impl Reach<'_> {
    /// Why this one may not be, of a host.
    fn refusal(&self, host: &Host<String>, ip: IpAddr, plain: bool) -> Option<NotSent> {
        if !self.allowed.permits(ip, self.private) {
            return Some(NotSent(format!(
                "{host} is at {ip}, which is not a public address. Private ones need to be allowed where the address is given (allow_private) and an entry in RECOURSE_ALLOW_PRIVATE."
            )));
        }
        let is_read = plain && self.plain_is_private && domain::network::is_public(ip);
        is_read.then(|| {
            NotSent(format!(
                "{host} is at {ip}, which is a public address: what is sent there over http can be read on the way. Give an https address."
            ))
        })
    }
}

/// Connects to the address's host.
pub(super) async fn connect(
    url: &Url,
    reach: Reach<'_>,
    tls: &TlsConnector,
    patience: Duration,
) -> Result<Box<dyn Stream>, NotSent> {
    let patience = patience.min(AT_MOST);
    let host = url.host().ok_or_else(|| NotSent("The address names no host.".into()))?.to_owned();
    let in_time = timeout(patience, async {
        let plain = url.scheme() != "https";
        let tcp = tcp(&host, url.port_or_known_default().unwrap_or(443), reach, plain).await?;
        if !plain { encrypted(&host, tcp, tls).await } else { Ok(Box::new(tcp) as Box<dyn Stream>) }
    });
    in_time
        .await
        .unwrap_or_else(|_| Err(NotSent(format!("{host} could not be reached within {} s.", patience.as_secs()))))
}

async fn tcp(host: &Host<String>, port: u16, reach: Reach<'_>, plain: bool) -> Result<TcpStream, NotSent> {
    let addresses: Vec<SocketAddr> = match host {
        Host::Ipv4(ip) => vec![(IpAddr::V4(*ip), port).into()],
        Host::Ipv6(ip) => vec![(IpAddr::V6(*ip), port).into()],
        Host::Domain(name) => lookup_host((name.as_str(), port))
            .await
            .map_err(|_| NotSent(format!("The name {name} can't be resolved.")))?
            .collect(),
    };
    // One address inside is enough to refuse: a name that leads both ways is not to be trusted with either.
    if let Some(refused) = addresses.iter().find_map(|address| reach.refusal(host, address.ip(), plain)) {
        return Err(refused);
    }
    let mut refused = NotSent(format!("The name {host} has no address."));
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                // A request is one write or a few: nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => refused = NotSent(format!("{address} can't be connected to: {}.", error.kind())),
        }
    }
    Err(refused)
}

async fn encrypted(host: &Host<String>, stream: TcpStream, tls: &TlsConnector) -> Result<Box<dyn Stream>, NotSent> {
    let name = match host {
        Host::Domain(name) => {
            ServerName::try_from(name.clone()).map_err(|_| NotSent(format!("{name} is no name for TLS.")))?
        }
        Host::Ipv4(ip) => ServerName::from(IpAddr::V4(*ip)),
        Host::Ipv6(ip) => ServerName::from(IpAddr::V6(*ip)),
    };
    match tls.connect(name, stream).await {
        Ok(stream) => Ok(Box::new(stream)),
        Err(error) => Err(NotSent(format!("{host} can't be trusted or does not speak TLS: {error}."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_http_only_private_addresses_are_called_where_that_is_asked_for() {
        let allowed = Allowed(vec!["127.0.0.0/8".parse().unwrap()]);
        let host = Host::Domain("hooks.example".to_owned());
        let refused = |ip: &str, plain_is_private, plain| {
            let reach = Reach { allowed: &allowed, private: true, plain_is_private };
            reach.refusal(&host, ip.parse().unwrap(), plain).map(|NotSent(why)| why)
        };
        for public in ["1.1.1.1", "::ffff:1.1.1.1", "2606:4700::1111"] {
            assert!(refused(public, true, true).is_some_and(|why| why.contains("over http")), "{public}");
            assert_eq!(refused(public, true, false), None, "{public} over https");
            assert_eq!(refused(public, false, true), None, "{public} where nothing is asked for");
        }
        assert_eq!(refused("127.0.0.1", true, true), None);
        assert!(refused("10.0.0.1", true, true).is_some_and(|why| why.contains("RECOURSE_ALLOW_PRIVATE")));
    }
}
