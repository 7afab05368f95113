//! Where a request comes from: the peer itself or, if that is a proxy that is believed, what it says of who asked it.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;

use super::AppState;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Proxies whose word about where a request comes from is believed.
#[derive(Debug, Clone, Default)]
pub struct Proxies(pub(crate) Vec<IpNet>);

/// Where a request comes from. What many of one network share counts as one.
#[derive(Debug, Clone)]
pub(crate) struct ClientAddress(pub(crate) String);

impl Proxies {
    fn believes(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|net| net.contains(&ip))
    }

    /// Each proxy adds the one that asked it at the end, so the last that is no proxy of ours is the farthest that is sure:
    /// whatever stands before it may have been sent by anybody.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut sure = peer;
        let lines: Vec<&str> = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok()).collect();
        for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
            if !self.believes(sure) {
                break;
            }
            let Ok(ip) = hop.trim().parse::<IpAddr>() else { break };
            sure = ip.to_canonical();
        }
        sure
    }
}

/// Puts a [`ClientAddress`] on the request.
pub(super) async fn attach(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>().copied() {
        let client = state.proxies.client(peer.ip().to_canonical(), request.headers());
        request.extensions_mut().insert(ClientAddress(counted_as(client)));
    }
    next.run(request).await
}

/// A subscriber of IPv6 has a whole network of addresses.
fn counted_as(ip: IpAddr) -> String {
    match ip {
        IpAddr::V6(v6) => IpNet::new(IpAddr::V6(v6), 64).map_or_else(|_| v6.to_string(), |net| net.trunc().to_string()),
        IpAddr::V4(v4) => v4.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn seen(proxies: &str, peer: &str, lines: &[&str]) -> String {
        let proxies = Proxies(proxies.split_whitespace().map(|net| net.parse().unwrap()).collect());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        counted_as(proxies.client(peer.parse().unwrap(), &headers))
    }

    #[test]
    fn c33_c99_only_a_proxy_of_ours_is_believed_and_only_about_who_asked_it() {
        assert_eq!(seen("", "192.0.2.1", &["198.51.100.9"]), "192.0.2.1", "nobody is believed");
        assert_eq!(seen("10.0.0.0/8", "192.0.2.1", &["198.51.100.9"]), "192.0.2.1", "not a proxy of ours");
        assert_eq!(seen("10.0.0.0/8", "10.1.1.1", &["198.51.100.9"]), "198.51.100.9");
        assert_eq!(seen("10.0.0.0/8", "10.1.1.1", &["1.2.3.4, 198.51.100.9"]), "198.51.100.9", "the client's own line");
        assert_eq!(
            seen("10.0.0.0/8", "10.1.1.1", &["1.2.3.4", "198.51.100.9, 10.2.2.2"]),
            "198.51.100.9",
            "two proxies"
        );
        assert_eq!(seen("10.0.0.0/8", "10.1.1.1", &["198.51.100.9, nonsense"]), "10.1.1.1");
        assert_eq!(seen("10.0.0.0/8", "10.1.1.1", &[]), "10.1.1.1");
        assert_eq!(seen("", "2001:db8:1:2:3:4:5:6", &[]), "2001:db8:1:2::/64");
    }
}
