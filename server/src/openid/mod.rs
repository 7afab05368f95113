//! Signing in at an identity provider: the protocol half of OpenID Connect. Who may then do what is decided elsewhere.
//!
//! [`Provider::begin`] says where the browser goes and what its session keeps meanwhile; [`Provider::finish`] takes what the
//! browser came back with and answers who it is, or why nobody can tell. Nothing here knows people, roles or sessions.

mod config;

#[cfg(feature = "openid")]
mod claims;
#[cfg(feature = "openid")]
mod discovery;
#[cfg(feature = "openid")]
mod error;
#[cfg(feature = "openid")]
mod library;
#[cfg(feature = "openid")]
mod provider;
#[cfg(feature = "openid")]
mod token;
#[cfg(feature = "openid")]
mod visit;
#[cfg(feature = "openid")]
mod wire;

pub use config::Config;
pub(crate) use config::is_issuer;
#[cfg(feature = "openid")]
pub use {
    error::{Error, Reason},
    provider::Provider,
    visit::{Begun, Callback, Identity, Pending},
};
