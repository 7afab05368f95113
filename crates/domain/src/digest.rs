//! SHA-256 digests of exact bytes.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::Digest as _;

/// A SHA-256 digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest of several parts, each preceded by its length, so that no two different lists collide.
    #[must_use]
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hash = sha2::Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// Lower-case hexadecimal, 64 characters.
    #[must_use]
    pub fn hex(&self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            use std::fmt::Write as _;
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// The value of a `Repr-Digest` header (RFC 9530).
    #[must_use]
    pub fn repr_digest(&self) -> String {
        format!("sha-256=:{}:", STANDARD.encode(self.0))
    }

    /// From the 32 bytes a database holds.
    #[must_use]
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}
