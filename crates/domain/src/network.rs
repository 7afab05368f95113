//! Which addresses are of the public internet.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::LazyLock,
};

use ipnet::IpNet;

/// What is not the public internet: this host, private and shared networks, link-local, documentation, multicast, reserved.
static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        // Inside 2000::/3, which is all that is public of IPv6: tunnels that carry other addresses, and documentation.
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    ]
    .iter()
    .filter_map(|net| net.parse().ok())
    .collect()
});

/// Whether an address is one of the public internet. An IPv4 address in IPv6 clothes is what it is.
#[must_use]
pub fn is_public(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    let global = match ip {
        IpAddr::V4(_) => true,
        IpAddr::V6(v6) => is_global_unicast(v6),
    };
    global && !NOT_PUBLIC.iter().any(|net| net.contains(&ip))
}

/// 2000::/3.
const fn is_global_unicast(ip: Ipv6Addr) -> bool {
    ip.segments()[0] & 0xe000 == 0x2000
}
