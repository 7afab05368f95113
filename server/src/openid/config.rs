//! What Recourse has to know of an identity provider beforehand.

use std::fmt;

use url::{Host, Url};

/// An identity provider, and what Recourse is called there.
#[derive(Clone, PartialEq, Eq)]
pub struct Config {
    /// The provider's name for itself, letter for letter; its discovery document is found below this address.
    pub issuer: String,
    /// What the provider calls Recourse.
    pub client_id: String,
    /// Proves to the provider that it is Recourse that asks; public clients have none.
    pub client_secret: Option<String>,
    /// Asked for besides `openid`.
    pub scopes: Vec<String>,
    /// The claim that lists a person's groups; a JSON pointer if it begins with `/`.
    pub groups_claim: String,
    /// The provider's name for people: "Sign in with …".
    pub label: String,
}

/// Never tells the secret.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// Whether this can name an issuer: an address that is safe, with no question or fragment after it.
pub(crate) fn is_issuer(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| is_safe(&url) && url.query().is_none() && url.fragment().is_none())
}

/// Whether tokens and secrets may travel there: https, or http on a loopback host.
pub(super) fn is_safe(url: &Url) -> bool {
    let plain = url.username().is_empty() && url.password().is_none();
    plain
        && match (url.scheme(), url.host()) {
            ("https", Some(_)) => true,
            ("http", Some(Host::Domain(name))) => name == "localhost",
            ("http", Some(Host::Ipv4(ip))) => ip.is_loopback(),
            ("http", Some(Host::Ipv6(ip))) => ip.is_loopback(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_reached_over_https_or_on_this_machine() {
        for good in ["https://id.example", "https://id.example/realms/ops/", "http://localhost:8090", "http://[::1]/a"]
        {
            assert!(is_issuer(good), "{good}");
        }
        for bad in [
            "http://id.example",
            "http://localhost:80@id.example",
            "http://127.0.0.1.example",
            "https://user@id.example",
            "https://id.example/?tenant=1",
            "https://id.example/#a",
            "ftp://localhost",
            "id.example",
            "",
        ] {
            assert!(!is_issuer(bad), "{bad}");
        }
    }
}
