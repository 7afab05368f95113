//! The two steps of a sign-in: to the provider, and back.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use axum::http::HeaderValue;
use chrono::TimeDelta;
use openidconnect::{
    AccessToken, AuthorizationCode, ClientId, CsrfToken, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, Scope, SubjectIdentifier, TokenResponse as _,
    core::{CoreAuthPrompt, CoreAuthenticationFlow},
};
use service::clock::Clock;
use subtle::ConstantTimeEq as _;

use super::{
    claims::{Claims, Told},
    config::{Config, is_issuer},
    discovery::{Discovery, Known},
    error::{Error, Reason},
    library::{self, Library, not_exchanged, not_told},
    token::{Token, verified},
    visit::{Begun, Callback, Identity, Pending},
    wire::Wire,
};

/// So long somebody may take at the provider.
const GOOD_FOR: TimeDelta = TimeDelta::minutes(10);

/// An identity provider where people sign in.
pub struct Provider {
    config: Config,
    redirect: RedirectUrl,
    discovery: Discovery,
    clock: Arc<dyn Clock>,
}

impl Provider {
    /// With `redirect_url` as the address of ours that the provider sends browsers back to. Asks the provider nothing yet.
    pub fn new(config: Config, redirect_url: String, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        anyhow::ensure!(
            is_issuer(&config.issuer),
            "The issuer must be an https address, or http with a loopback host."
        );
        let issuer = IssuerUrl::new(config.issuer.clone()).context("The issuer is not an address.")?;
        let redirect = RedirectUrl::new(redirect_url).context("The address to come back to is not one.")?;
        let discovery = Discovery::new(issuer, Wire::new()?, Arc::clone(&clock));
        Ok(Self { config, redirect, discovery, clock })
    }

    /// What people call it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.config.label
    }

    /// Begins a sign-in. With `again` the person has to prove anew who they are, even if the provider knows them still.
    pub async fn begin(&self, again: bool) -> Result<Begun, Error> {
        let known = self.discovery.known().await?;
        let client = library::client(&self.config, &self.redirect, &known.metadata);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        // The library adds `openid` itself.
        let scopes = self.config.scopes.iter().filter(|scope| *scope != "openid").cloned().map(Scope::new);
        let mut request = client.authorize_url(flow, CsrfToken::new_random, Nonce::new_random).add_scopes(scopes);
        if again {
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        }
        let (url, state, nonce) = request.set_pkce_challenge(challenge).url();
        let pending = Pending {
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
            again,
            at: self.clock.now(),
        };
        Ok(Begun { url: url.into(), pending })
    }

    /// Ends a sign-in with what the browser brought back: who it is. Afterwards `pending` is worth nothing any more, whatever
    /// came out.
    pub async fn finish(&self, pending: Pending, query: &Callback) -> Result<Identity, Error> {
        let code = self.code(&pending, query)?;
        let known = self.discovery.known().await?;
        let client = library::client(&self.config, &self.redirect, &known.metadata);
        let answer = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| Error::BadDiscovery(error.into()))?
            .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.clone()))
            .request_async(&self.discovery.wire)
            .await
            .map_err(not_exchanged)?;
        let token = answer.id_token().ok_or(Error::MissingClaim("id_token"))?;
        let claims = self.verified(token, &known, &pending).await?;
        let mut told = Told::by_token(claims, &self.config.groups_claim);
        if told.is_partial() && client.user_info_url().is_some() {
            told = told.or(self.userinfo(&client, answer.access_token(), claims.subject()).await?);
        }
        Ok(self.identity(claims, told))
    }

    /// The code, if the browser comes from the sign-in that it was sent to, in time, and with one.
    fn code(&self, pending: &Pending, query: &Callback) -> Result<String, Error> {
        let state = query.state.as_deref().unwrap_or_default();
        if pending.state.is_empty() || !bool::from(state.as_bytes().ct_eq(pending.state.as_bytes())) {
            return Err(Error::WrongState);
        }
        if self.clock.now() - pending.at > GOOD_FOR {
            return Err(Error::TooLate);
        }
        match (&query.error, &query.code) {
            (Some(error), _) => Err(Error::denied(error)),
            (None, Some(code)) => Ok(code.clone()),
            (None, None) => Err(Error::MissingClaim("code")),
        }
    }

    /// The token's claims, if it holds. A key that is not known makes the provider's keys be fetched anew.
    async fn verified<'t>(&self, token: &'t Token, known: &Arc<Known>, pending: &Pending) -> Result<&'t Claims, Error> {
        let client = ClientId::new(self.config.client_id.clone());
        let verify = |known: &Known| verified(token, &known.metadata, &client, pending, self.clock.now());
        match verify(known) {
            // A wrong signature too: providers may change a key and keep its name, or give none.
            Err(refused @ Error::BadToken(Reason::Key | Reason::Signature, _)) => {
                match self.discovery.anew(known).await? {
                    Some(newer) => verify(&newer),
                    None => Err(refused),
                }
            }
            outcome => outcome,
        }
    }

    /// What the userinfo endpoint tells of this very subject. That it fails is an error: a person without their groups
    /// would lose what they may do.
    async fn userinfo(
        &self,
        client: &Library,
        access: &AccessToken,
        subject: &SubjectIdentifier,
    ) -> Result<Told, Error> {
        // The library panics if it can't be written into a header.
        if HeaderValue::from_str(access.secret()).is_err() {
            return Err(Error::BadToken(Reason::Malformed, None));
        }
        let request = client
            .user_info(access.clone(), Some(subject.clone()))
            .map_err(|error| Error::BadDiscovery(error.into()))?;
        let info = request.request_async(&self.discovery.wire).await.map_err(not_told)?;
        Ok(Told::by_userinfo(&info, &self.config.groups_claim))
    }

    fn identity(&self, claims: &Claims, told: Told) -> Identity {
        let (email, email_verified) = told.email.map_or((None, false), |(email, verified)| (Some(email), verified));
        Identity {
            issuer: self.config.issuer.clone(),
            subject: claims.subject().to_string(),
            email,
            email_verified,
            name: told.name,
            groups: told.groups.unwrap_or_default(),
            auth_time: claims.auth_time(),
        }
    }
}
