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

/// Connects to the address's host.
pub(super) async fn connect(
    url: &Url,
    private: bool,
    allowed: &Allowed,
    tls: &TlsConnector,
    patience: Duration,
) -> Result<Box<dyn Stream>, NotSent> {
    let patience = patience.min(AT_MOST);
    let host = url.host().ok_or_else(|| NotSent("The address names no host.".into()))?.to_owned();
    let in_time = timeout(patience, async {
        let tcp = tcp(&host, url.port_or_known_default().unwrap_or(443), private, allowed).await?;
        if url.scheme() == "https" { encrypted(&host, tcp, tls).await } else { Ok(Box::new(tcp) as Box<dyn Stream>) }
    });
    in_time
        .await
        .unwrap_or_else(|_| Err(NotSent(format!("{host} could not be reached within {} s.", patience.as_secs()))))
}

async fn tcp(host: &Host<String>, port: u16, private: bool, allowed: &Allowed) -> Result<TcpStream, NotSent> {
    let addresses: Vec<SocketAddr> = match host {
        Host::Ipv4(ip) => vec![(IpAddr::V4(*ip), port).into()],
        Host::Ipv6(ip) => vec![(IpAddr::V6(*ip), port).into()],
        Host::Domain(name) => lookup_host((name.as_str(), port))
            .await
            .map_err(|_| NotSent(format!("The name {name} can't be resolved.")))?
            .collect(),
    };
    // One address inside is enough to refuse: a name that leads both ways is not to be trusted with either.
    if let Some(address) = addresses.iter().find(|address| !allowed.permits(address.ip(), private)) {
        return Err(NotSent(format!(
            "{host} is at {}, which is not a public address. Private ones need to be allowed where the address is given (allow_private) and an entry in RECOURSE_ALLOW_PRIVATE.",
            address.ip()
        )));
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
