//! The provider's keys, and tokens signed with them for real.

use std::sync::OnceLock;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hmac::{Hmac, KeyInit as _, Mac as _};
use p256::ecdsa;
use rsa::{
    pkcs1v15,
    pkcs8::{EncodePublicKey as _, LineEnding},
    signature::{SignatureEncoding as _, Signer as _},
    traits::PublicKeyParts as _,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// A key pair and its name.
pub(super) struct Key {
    id: String,
    pair: Pair,
}

enum Pair {
    Rsa(Box<pkcs1v15::SigningKey<rsa::sha2::Sha256>>),
    P256(ecdsa::SigningKey),
}

/// Made once: it takes its time.
fn rsa_pair() -> rsa::RsaPrivateKey {
    static PAIR: OnceLock<rsa::RsaPrivateKey> = OnceLock::new();
    PAIR.get_or_init(|| rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).unwrap()).clone()
}

impl Key {
    pub(super) fn rsa() -> Self {
        Self { id: Uuid::new_v4().to_string(), pair: Pair::Rsa(Box::new(pkcs1v15::SigningKey::new(rsa_pair()))) }
    }

    pub(super) fn p256() -> Self {
        let random = [Uuid::new_v4().into_bytes(), Uuid::new_v4().into_bytes()].concat();
        Self { id: Uuid::new_v4().to_string(), pair: Pair::P256(ecdsa::SigningKey::from_slice(&random).unwrap()) }
    }

    /// As the key set shows it.
    pub(super) fn public(&self) -> Value {
        match &self.pair {
            Pair::Rsa(_) => {
                let (n, e) = (rsa_pair().n().to_bytes_be(), rsa_pair().e().to_bytes_be());
                json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.id, "n": BASE64.encode(n), "e": BASE64.encode(e) })
            }
            Pair::P256(pair) => {
                let point = pair.verifying_key().to_sec1_point(false);
                let (x, y) = (BASE64.encode(point.x().unwrap()), BASE64.encode(point.y().unwrap()));
                json!({ "kty": "EC", "use": "sig", "crv": "P-256", "kid": self.id, "x": x, "y": y })
            }
        }
    }

    /// These claims as a token.
    pub(super) fn signed(&self, claims: &Value) -> String {
        self.signed_as(&self.id, claims)
    }

    /// The same, naming another key than the one it is signed with.
    pub(super) fn signed_as(&self, id: &str, claims: &Value) -> String {
        let algorithm = match &self.pair {
            Pair::Rsa(_) => "RS256",
            Pair::P256(_) => "ES256",
        };
        token(&json!({ "typ": "JWT", "alg": algorithm, "kid": id }), claims, &|text| match &self.pair {
            Pair::Rsa(pair) => pair.sign(text).to_vec(),
            Pair::P256(pair) => {
                let signature: ecdsa::Signature = ecdsa::signature::Signer::sign(pair, text);
                signature.to_bytes().to_vec()
            }
        })
    }

    /// A token whose "secret" is the public key, which everybody knows.
    pub(super) fn signed_with_its_public_half(&self, claims: &Value) -> String {
        let public = rsa_pair().to_public_key().to_public_key_pem(LineEnding::LF).unwrap();
        self.signed_with_secret(claims, &public)
    }

    /// A token signed with a secret that both sides know.
    pub(super) fn signed_with_secret(&self, claims: &Value, secret: &str) -> String {
        token(&json!({ "alg": "HS256", "kid": self.id }), claims, &|text| {
            let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
            mac.update(text);
            mac.finalize().into_bytes().to_vec()
        })
    }
}

/// A token that nobody signed.
pub(super) fn unsigned(claims: &Value) -> String {
    token(&json!({ "alg": "none" }), claims, &|_| Vec::new())
}

fn token(header: &Value, claims: &Value, sign: &dyn Fn(&[u8]) -> Vec<u8>) -> String {
    let text = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
    let signature = BASE64.encode(sign(text.as_bytes()));
    format!("{text}.{signature}")
}
