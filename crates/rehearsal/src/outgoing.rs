//! How this crate makes its HTTP clients.

use std::time::Duration;

/// A client without redirects, proxies or pooled idle connections, so that one call is one request on one connection.
///
/// # Errors
/// When the TLS roots of the machine cannot be read.
pub(crate) fn http_client(timeout: Duration) -> reqwest::Result<reqwest::Client> {
    // A second install is refused and harmless: the process already has a provider.
    let _already_installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .timeout(timeout)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .build()
}
