//! What a provider may do wrong.

use serde_json::{Value, json};

use super::stub::CLIENT;

/// What the provider does wrong, until it is told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misdeed {
    WrongNonce,
    NoNonce,
    WrongAudience,
    /// Made for two, and not said for which of them.
    TwoAudiences,
    /// Made for two, and for the other one.
    OtherParty,
    WrongIssuer,
    Expired,
    NotYetValid,
    FromTheFuture,
    Unsigned,
    /// The public key taken for a secret.
    PublicKeyAsSecret,
    ClientSecretAsKey,
    UnknownKey,
    /// The right key's name, the signature of something else.
    ForeignSignature,
    NoSubject,
    NoToken,
    /// `auth_time` is missing although it was asked for.
    NoAuthTime,
    /// Whoever was to sign in anew did not have to.
    Remembers,
    Declines,
    /// Declines with somebody's own text for a code.
    DeclinesWithText,
    TokenBreaks,
    TokenHangs,
    TokenNotJson,
    TokenRedirects,
    TokenWithoutEnd,
    OddAccessToken,
    UserinfoOfAnother,
    UserinfoBreaks,
    UserinfoRefuses,
    DiscoveryOfAnother,
    DiscoveryBreaks,
    DiscoveryNotJson,
    /// Tokens would travel in the clear.
    PlainEndpoint,
    NoTokenEndpoint,
}

/// Makes these claims wrong, as they would be at this second.
pub(super) fn spoil(claims: &mut Value, misdeed: Misdeed, now: i64) {
    let (name, value) = match misdeed {
        Misdeed::WrongNonce => ("nonce", json!("another")),
        Misdeed::NoNonce => ("nonce", Value::Null),
        Misdeed::WrongAudience => ("aud", json!("another")),
        Misdeed::TwoAudiences => ("aud", json!([CLIENT, "another"])),
        Misdeed::OtherParty => {
            claims["azp"] = json!("another");
            ("aud", json!([CLIENT, "another"]))
        }
        Misdeed::WrongIssuer => ("iss", json!("https://id.example")),
        Misdeed::Expired => ("exp", json!(now)),
        Misdeed::NotYetValid => ("nbf", json!(now + 120)),
        Misdeed::FromTheFuture => ("iat", json!(now + 120)),
        Misdeed::NoSubject => ("sub", json!("")),
        _ => return,
    };
    claims[name] = value;
}
