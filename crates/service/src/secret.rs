//! Secrets: random ones, and passwords.

use std::{num::NonZero, sync::LazyLock, thread::available_parallelism};

use argon2::{Argon2, Params, PasswordHasher as _, PasswordVerifier as _, password_hash::phc::PasswordHash};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::digest::Sha256;
use rand::Rng as _;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization as _;

use crate::{Error, Result};

/// The longest password that is hashed, in bytes: a longer one would only cost time.
pub const PASSWORD_LIMIT: usize = 1_024;
/// The shortest password that may be chosen, in characters.
pub const PASSWORD_LEAST: usize = 12;

/// A hash that no password has, so that an unknown address costs the same time as a wrong password.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$cmVjb3Vyc2Utbm9ib2R5$X0hGkYH5b5nVx0m4eY8y6s7vB2n1cQ9tZr3uW4kLpOs";

/// A random secret with a recognisable beginning, and the hash under which it is stored.
#[must_use]
pub fn random(prefix: &str) -> (String, [u8; 32]) {
    let mut bytes = [0u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    let secret = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes));
    let hash = hash(&secret);
    (secret, hash)
}

/// The hash under which a random secret is stored. Random secrets need no slow hash.
#[must_use]
pub fn hash(secret: &str) -> [u8; 32] {
    Sha256::of(secret.as_bytes()).0
}

/// A salt for one digest.
#[must_use]
pub(crate) fn salt() -> [u8; 16] {
    let mut bytes = [0u8; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

/// A password as it counts: letters that are written in several ways are one (NFC, as RFC 8265 has it).
fn normalised(password: &str) -> String {
    password.nfc().collect()
}

/// Whether a hash was made with other parameters than new ones are.
#[must_use]
pub(crate) fn is_outdated(hash: &str) -> bool {
    let made_with = PasswordHash::new(hash).ok().and_then(|hash| Params::try_from(&hash).ok());
    made_with.is_none_or(|params| {
        let now = Argon2::default();
        let now = now.params();
        (params.m_cost(), params.t_cost(), params.p_cost()) != (now.m_cost(), now.t_cost(), now.p_cost())
    })
}

/// Hashes a password with argon2id, off the async threads.
pub async fn hash_password(password: String) -> Result<String> {
    let password = normalised(&password);
    blocking(move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()).ok())
        .await?
        .ok_or(Error::Fault("a password could not be hashed"))
}

/// Whether `password` is the one behind `hash`; where there is none, the same work is done for nothing.
pub async fn verify_password(password: String, hash: Option<String>) -> Result<bool> {
    let password = normalised(&password);
    blocking(move || {
        let known = hash.is_some();
        let parsed = PasswordHash::new(hash.as_deref().unwrap_or(NOBODY));
        let fits = parsed.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        known && fits
    })
    .await
}

/// Each takes a core and 19 MiB: whoever asks for very many at once waits, and the rest of the process does not.
static AT_ONCE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZero::get)));

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let turn = AT_ONCE.acquire().await.map_err(|_| Error::Fault("nobody's turn to hash a password comes any more"))?;
    // The turn lasts as long as the work, also when nobody waits for it any more.
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Fault("hashing a password was interrupted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY_BEFORE: &str =
        "$argon2id$v=19$m=8192,t=1,p=1$cmVjb3Vyc2Utbm9ib2R5$X0hGkYH5b5nVx0m4eY8y6s7vB2n1cQ9tZr3uW4kLpOs";

    #[tokio::test]
    async fn only_the_right_password_fits_and_nobodys_hash_is_real_work() {
        let hash = hash_password("correct horse battery".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(verify_password("correct horse battery".into(), Some(hash.clone())).await.unwrap());
        assert!(!verify_password("correct horse batterz".into(), Some(hash)).await.unwrap());
        assert!(!verify_password("anything".into(), None).await.unwrap());
        let composed = hash_password("p\u{e5}skel\u{f8}rdag morgen".into()).await.unwrap();
        assert!(verify_password("pa\u{30a}skel\u{f8}rdag morgen".into(), Some(composed.clone())).await.unwrap());
        assert!(!is_outdated(&composed) && is_outdated(NOBODY_BEFORE) && is_outdated("nonsense"));
        assert!(PasswordHash::new(NOBODY).is_ok(), "the stand-in must be hashed like any other");
    }
}
