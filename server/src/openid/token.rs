//! Whether a token holds. The library checks signature, issuer, audience, end and nonce; what it leaves to others is here.

use chrono::{DateTime, TimeDelta, Utc};
use openidconnect::{
    ClaimsVerificationError as Wrong, ClientId, IdToken, IdTokenVerifier, Nonce,
    SignatureVerificationError as Unsigned,
    core::{
        CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm as Algorithm, CoreProviderMetadata,
    },
};

use super::{
    claims::{Claims, Others},
    error::{Error, Reason},
    visit::Pending,
};

pub(super) type Token = IdToken<Others, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, Algorithm>;

/// Signatures by a key pair only: no secret that both sides know, and never none.
const ACCEPTED: [Algorithm; 2] = [Algorithm::RsaSsaPkcs1V15Sha256, Algorithm::EcdsaP256Sha256];
/// So far the provider's clock may be ahead.
const AHEAD: TimeDelta = TimeDelta::minutes(1);
/// Whoever was to sign in anew did so at most this long before they were sent.
const FRESH: TimeDelta = TimeDelta::minutes(2);

/// The token's claims, if it holds now, for this client and this sign-in.
pub(super) fn verified<'t>(
    token: &'t Token,
    metadata: &CoreProviderMetadata,
    client: &ClientId,
    pending: &Pending,
    now: DateTime<Utc>,
) -> Result<&'t Claims, Error> {
    let (issuer, keys) = (metadata.issuer().clone(), metadata.jwks().clone());
    // A verifier that never learns the client's secret can't take it for a key.
    let verifier = IdTokenVerifier::new_public_client(client.clone(), issuer, keys)
        .set_allowed_algs(ACCEPTED)
        .set_other_audience_verifier_fn(|_| true)
        .set_time_fn(move || now);
    let claims = token.claims(&verifier, &Nonce::new(pending.nonce.clone())).map_err(refused)?;
    party(claims, client)?;
    begun(claims, now)?;
    if pending.again {
        fresh(claims, pending.at, now)?;
    }
    match claims.subject().as_str() {
        "" => Err(Error::MissingClaim("sub")),
        _ => Ok(claims),
    }
}

/// A token for several names the one it was made for, and that is this client.
fn party(claims: &Claims, client: &ClientId) -> Result<(), Error> {
    match claims.authorized_party() {
        Some(party) if party == client => Ok(()),
        None if claims.audiences().len() == 1 => Ok(()),
        _ => Err(Error::BadToken(Reason::Audience, None)),
    }
}

fn begun(claims: &Claims, now: DateTime<Utc>) -> Result<(), Error> {
    let latest = now + AHEAD;
    let early = claims.additional_claims().not_before().is_some_and(|second| second > latest.timestamp() as f64);
    if early || claims.issue_time() > latest { Err(Error::BadToken(Reason::NotYetValid, None)) } else { Ok(()) }
}

/// The person proved who they are for this very sign-in, not some time before.
fn fresh(claims: &Claims, at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), Error> {
    let proved = claims.auth_time().ok_or(Error::MissingClaim("auth_time"))?;
    if (at - FRESH..=now + AHEAD).contains(&proved) { Ok(()) } else { Err(Error::BadToken(Reason::Stale, None)) }
}

/// What the library found, in our words.
pub(super) fn refused(wrong: Wrong) -> Error {
    let reason = match &wrong {
        Wrong::Expired(_) => Reason::Expired,
        Wrong::InvalidAudience(_) => Reason::Audience,
        Wrong::InvalidIssuer(_) => Reason::Issuer,
        Wrong::InvalidNonce(_) => Reason::Nonce,
        Wrong::InvalidSubject(_) => Reason::Subject,
        Wrong::SignatureVerification(Unsigned::NoMatchingKey | Unsigned::AmbiguousKeyId(_)) => Reason::Key,
        Wrong::SignatureVerification(
            Unsigned::NoSignature | Unsigned::DisallowedAlg(_) | Unsigned::UnsupportedAlg(_),
        ) => Reason::Algorithm,
        Wrong::SignatureVerification(_) => Reason::Signature,
        _ => Reason::Malformed,
    };
    Error::bad(reason, wrong)
}
