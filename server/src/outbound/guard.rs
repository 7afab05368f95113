//! Which addresses may be called. Asked for the address that is really connected to, after names were resolved: a name can
//! promise one thing and lead to another.

use std::net::IpAddr;

use domain::network::is_public;
use ipnet::IpNet;

/// Networks that are not the public internet but may be called by steps that ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed(pub Vec<IpNet>);

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
