//! `GET /sign-in/openid` and its callback: signing in at the identity provider, or confirming there who one is.

use axum::{
    body::Body,
    extract::{Request, State},
    http::request::Parts,
    response::{IntoResponse as _, Redirect, Response},
};
use domain::refusal::Refusal;
use service::{Error, Service};
use tower_sessions::Session;

use super::{AppState, errors, page};
use crate::settings::Settings;

/// What the browser's session keeps while its person is at the provider.
#[cfg(feature = "openid")]
const UNDER_WAY: &str = "openid";

/// The identity provider and what its groups mean here, where there is one.
#[derive(Clone, Default)]
pub(crate) struct SignIn {
    #[cfg(feature = "openid")]
    provider: Option<std::sync::Arc<(crate::openid::Provider, crate::settings::OpenId)>>,
}

impl SignIn {
    #[cfg(feature = "openid")]
    pub(super) fn new(service: &Service, settings: &Settings) -> anyhow::Result<Self> {
        let Some(known) = settings.openid()? else { return Ok(Self::default()) };
        let back = format!("{}/sign-in/openid/callback", settings.public_url());
        let provider = crate::openid::Provider::new(known.config.clone(), back, service.clock())?;
        Ok(Self { provider: Some(std::sync::Arc::new((provider, known))) })
    }

    #[cfg(not(feature = "openid"))]
    pub(super) fn new(_: &Service, _: &Settings) -> anyhow::Result<Self> {
        Ok(Self::default())
    }
}

/// The sign-in page, with why the provider's word did not let them in.
async fn told(state: &AppState, mut parts: Parts, error: Error) -> Response {
    let refusal = match error.refusal() {
        Some(refusal) => refusal.clone(),
        None => {
            let words = "That did not work, and nothing was changed. Try again in a minute.";
            return (errors::failure(&error), words).into_response();
        }
    };
    if let Ok(uri) = app::paths::SIGN_IN.parse() {
        parts.uri = uri;
    }
    let form = app::visit::FormState { refusal: Some(refusal), ..Default::default() };
    page(state, Request::from_parts(parts, Body::empty()), form).await
}

/// Sends the browser to the provider.
pub(super) async fn begin(State(state): State<AppState>, session: Session, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    match away(&state, &session, &parts).await {
        Ok(url) => Redirect::to(&url).into_response(),
        Err(error) => told(&state, parts, error).await,
    }
}

/// Takes the browser back.
pub(super) async fn finish(State(state): State<AppState>, session: Session, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    match back(&state, &session, &parts).await {
        Ok(next) => Redirect::to(&next).into_response(),
        Err(error) => told(&state, parts, error).await,
    }
}

#[cfg(not(feature = "openid"))]
async fn away(_: &AppState, _: &Session, _: &Parts) -> Result<String, Error> {
    Err(Refusal::NotFound.into())
}

#[cfg(not(feature = "openid"))]
async fn back(_: &AppState, _: &Session, _: &Parts) -> Result<String, Error> {
    Err(Refusal::NotFound.into())
}

#[cfg(feature = "openid")]
pub(super) use with_provider::{away, back};

#[cfg(feature = "openid")]
mod with_provider {
    use std::collections::BTreeSet;

    use app::visit::Visit;
    use axum::{extract::Query, http::header};
    use serde::{Deserialize, Serialize};
    use service::sign_in::identity::Identity;

    use super::*;
    use crate::{
        forms::local,
        openid::{Callback, Pending},
        settings::OpenId,
        web::{Proved, begin_session, keep, take},
    };

    /// Where they are to come back to, and whether they only confirm who they are.
    #[derive(Debug, Serialize, Deserialize)]
    struct UnderWay {
        pending: Pending,
        next: String,
        again: bool,
    }

    #[derive(Debug, Default, Deserialize)]
    struct Asked {
        next: Option<String>,
        again: Option<String>,
    }

    const NO_SESSION: Error = Error::Fault("a session could not be kept");

    fn refused(error: &crate::openid::Error) -> Error {
        let causes = std::error::Error::source(error).map(ToString::to_string);
        tracing::warn!(%error, causes, "the identity provider's word was not taken");
        Refusal::IdentityRefused { why: error.sentence() }.into()
    }

    pub(in super::super) async fn away(state: &AppState, session: &Session, parts: &Parts) -> Result<String, Error> {
        let provider = state.openid.provider.as_ref().ok_or(Refusal::NotFound)?;
        let asked = Query::<Asked>::try_from_uri(&parts.uri).map(|Query(asked)| asked).unwrap_or_default();
        let again = asked.again.is_some();
        let begun = provider.0.begin(again).await.map_err(|error| refused(&error))?;
        let next = local(asked.next.as_deref().unwrap_or_default()).to_owned();
        let under_way = UnderWay { pending: begun.pending, next, again };
        keep(session, UNDER_WAY, &under_way).await.map_err(|_| NO_SESSION)?;
        Ok(begun.url)
    }

    pub(in super::super) async fn back(state: &AppState, session: &Session, parts: &Parts) -> Result<String, Error> {
        let provider = state.openid.provider.as_ref().ok_or(Refusal::NotFound)?;
        let callback = Query::<Callback>::try_from_uri(&parts.uri).map(|Query(callback)| callback).unwrap_or_default();
        // Taken out before it is looked at: one way out leads back once.
        let under_way = take::<UnderWay>(session, UNDER_WAY).await.map_err(|_| NO_SESSION)?;
        let Some(under_way) = under_way else {
            let why = "This browser was not on its way back from the identity provider. Sign in anew.".to_owned();
            return Err(Refusal::IdentityRefused { why }.into());
        };
        let said = provider.0.finish(under_way.pending, &callback).await.map_err(|error| refused(&error))?;
        let visit = parts.extensions.get::<Visit>().ok_or(NO_SESSION)?;
        if under_way.again {
            state.service.step_up_with_identity(&visit.request, &said.issuer, &said.subject).await?;
            return Ok(under_way.next);
        }
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let person = state.service.sign_in_with_identity(&visit.request, meant(said, &provider.1)).await?;
        begin_session(session, person.id, Proved::Elsewhere, &visit.request, agent).await.map_err(|_| NO_SESSION)?;
        Ok(under_way.next)
    }

    /// What the provider's claims stand for here.
    fn meant(said: crate::openid::Identity, known: &OpenId) -> Identity {
        let groups: BTreeSet<&str> = said.groups.iter().map(String::as_str).collect();
        let claimed = |group: &str| groups.contains(group);
        let roles = known.roles.iter().filter(|(group, _)| claimed(group)).map(|(_, role)| role.clone()).collect();
        let teams = known.teams.iter().filter(|(group, _)| claimed(group)).map(|(_, team)| team.clone()).collect();
        Identity {
            roles,
            teams,
            decided_roles: known.roles.iter().map(|(_, role)| role.clone()).collect(),
            decided_teams: known.teams.iter().map(|(_, team)| team.clone()).collect(),
            issuer: said.issuer,
            subject: said.subject,
            email: said.email,
            email_verified: said.email_verified,
            name: said.name,
        }
    }
}
