//! Standard Webhooks signatures, <https://www.standardwebhooks.com>.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Signs `id.timestamp.body` with a secret, `whsec_` and base64 as the standard writes it, or any text.
pub(super) fn sign(secret: &str, id: &str, timestamp: i64, body: &[u8]) -> String {
    let key = secret.strip_prefix("whsec_").and_then(|encoded| STANDARD.decode(encoded).ok());
    let key = key.unwrap_or_else(|| secret.as_bytes().to_vec());
    // A key of any length fits.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return String::new() };
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::sign;

    #[test]
    fn the_example_of_the_standard_is_signed_as_it_says() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let signed = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
