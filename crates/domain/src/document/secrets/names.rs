//! Names under which secrets stand: of members, headers, query parameters and settings alike.

/// Names that say it all, in lower case without `-` and `_`.
const WHOLE: [&str; 41] = [
    "authorization",
    "proxyauthorization",
    "cookie",
    "setcookie",
    "pwd",
    "passcode",
    "token",
    "xauthtoken",
    "idtoken",
    "apitoken",
    "xapitoken",
    "bearertoken",
    "sessiontoken",
    "securitytoken",
    "xamzsecuritytoken",
    "csrftoken",
    "xcsrftoken",
    "usertoken",
    "devicetoken",
    "bottoken",
    "secrettoken",
    "tokensecret",
    "sessionid",
    "jsessionid",
    "phpsessid",
    "signature",
    "xsignature",
    "xhubsignature",
    "xhubsignature256",
    "webhooksignature",
    "stripesignature",
    "xamzsignature",
    "accesskey",
    "accountkey",
    "sharedaccesskey",
    "signingkey",
    "encryptionkey",
    "cardnumber",
    "cvv",
    "cvc",
    "otp",
];

/// Ends of names that say it, whatever stands before: `db_password`, `STRIPE_API_KEY`.
const ENDS: [&str; 11] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "secretkey",
    "secretaccesskey",
    "apikey",
    "privatekey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
];

/// Longer than any such name.
pub(super) const LONGEST: usize = 64;

/// Whether what stands under this name is a secret.
pub(super) fn names_secret(name: &[u8]) -> bool {
    if name.len() > LONGEST {
        return false;
    }
    let mut plain = [0; LONGEST];
    let mut length = 0;
    for byte in name.iter().filter(|byte| !matches!(byte, b'-' | b'_' | b' ')) {
        plain[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let plain = &plain[..length];
    WHOLE.iter().any(|whole| whole.as_bytes() == plain) || ENDS.iter().any(|end| plain.ends_with(end.as_bytes()))
}

/// Whether it is the name of a password, which may be any word.
pub(super) fn names_password(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with(b"pwd") || lower.windows(5).any(|part| part == b"passw" || part == b"passp")
}
