//! The library as it is used here: its types with our claims, its client, its errors in our words.

use openidconnect::{
    AuthType, Client, ClientId, ClientSecret, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    IdTokenFields, RedirectUrl, RequestTokenError, StandardErrorResponse, StandardTokenResponse, UserInfoError,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod as Method, CoreErrorResponseType, CoreGenderClaim,
        CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata,
        CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
    },
};

use super::{
    claims::Others,
    config::Config,
    error::{Error, Reason},
    token::refused,
};

/// The library's client, with claims of ours.
pub(super) type Library = Client<
    Others,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Answer,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// The token endpoint's answer.
type Answer = StandardTokenResponse<
    IdTokenFields<
        Others,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

/// The client that the provider knows us as.
pub(super) fn client(config: &Config, redirect: &RedirectUrl, metadata: &CoreProviderMetadata) -> Library {
    let id = ClientId::new(config.client_id.clone());
    let secret = config.client_secret.clone().map(ClientSecret::new);
    Library::from_provider_metadata(metadata.clone(), id, secret)
        .set_redirect_uri(redirect.clone())
        .set_auth_type(auth_type(metadata))
}

/// How the secret is shown: in a header, which every provider has to know, unless it says that it wants it in the body.
fn auth_type(metadata: &CoreProviderMetadata) -> AuthType {
    match metadata.token_endpoint_auth_methods_supported() {
        Some(known) if !known.contains(&Method::ClientSecretBasic) && known.contains(&Method::ClientSecretPost) => {
            AuthType::RequestBody
        }
        _ => AuthType::BasicAuth,
    }
}

type NotExchanged = RequestTokenError<reqwest::Error, StandardErrorResponse<CoreErrorResponseType>>;

/// Why a code brought no token.
pub(super) fn not_exchanged(error: NotExchanged) -> Error {
    match error {
        RequestTokenError::Request(error) => Error::Unreachable(error.into()),
        RequestTokenError::ServerResponse(answer) => Error::denied(answer.error().as_ref()),
        // Not the whole error: it holds the answer and with it perhaps a token.
        RequestTokenError::Parse(error, _) => Error::bad(Reason::Malformed, error),
        RequestTokenError::Other(what) => Error::bad(Reason::Malformed, what),
    }
}

/// Why the userinfo endpoint told nothing.
pub(super) fn not_told(error: UserInfoError<reqwest::Error>) -> Error {
    match error {
        UserInfoError::Request(error) => Error::Unreachable(error.into()),
        // Of a signed answer the library may find more wrong than that it is of another subject.
        UserInfoError::ClaimsVerification(wrong) => refused(wrong),
        UserInfoError::Response(status, _, what) => Error::Unreachable(format!("userinfo: {what} ({status})").into()),
        UserInfoError::Parse(error) => Error::bad(Reason::Malformed, error),
        other => Error::bad(Reason::Malformed, other),
    }
}
