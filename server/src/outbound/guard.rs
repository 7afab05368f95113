//! Which addresses may be called. Asked for the address that is really connected to, after names were resolved: a name can
//! promise one thing and lead to another.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::LazyLock,
};

use ipnet::IpNet;

/// Networks that are not the public internet but may be called by steps that ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed(pub Vec<IpNet>);

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
pub(super) fn is_public(ip: IpAddr) -> bool {
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

impl Allowed {
    /// Whether this address may be called by a step that asks, or does not ask, for private ones.
    pub(crate) fn permits(&self, ip: IpAddr, private: bool) -> bool {
        // An IPv4 address in IPv6 clothes is what it is.
        let ip = ip.to_canonical();
        is_public(ip) || (private && self.0.iter().any(|net| net.contains(&ip)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn c40_addresses_inside_are_refused_in_every_clothing() {
        let none = Allowed::default();
        for inside in [
            "127.0.0.1",
            "0.0.0.0",
            "10.0.0.5",
            "100.64.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.168.1.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.5",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "fc00::1",
            "fe80::1",
            "ff02::1",
            "2002:7f00:1::",
            "2001:0:7f00:1::",
            "2001:db8::1",
        ] {
            assert!(!none.permits(ip(inside), false), "{inside}");
            assert!(!none.permits(ip(inside), true), "{inside}: a step that asks is not enough");
        }
        for outside in ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(none.permits(ip(outside), false), "{outside}");
        }
    }

    #[test]
    fn c40_a_private_address_needs_the_step_and_the_settings() {
        let some = Allowed(vec!["127.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        assert!(some.permits(ip("127.0.0.1"), true));
        assert!(some.permits(ip("::ffff:127.0.0.1"), true));
        assert!(some.permits(ip("fd00::1"), true));
        assert!(!some.permits(ip("127.0.0.1"), false));
        assert!(!some.permits(ip("10.0.0.1"), true));
    }
}
