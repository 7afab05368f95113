//! Who visits: the person behind the session, read anew at every request (R16).

use app::visit::Visit;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Redirect, Response},
};
use domain::access::Caller;
use service::Service;
use tower_sessions::Session;

use super::{
    AppState, RequestId,
    client::ClientAddress,
    errors,
    sessions::{self, Kept},
    theme,
};

/// What can be seen without signing in.
pub(crate) fn is_public(path: &str) -> bool {
    matches!(path, "/sign-in" | "/sign-in/code" | "/sign-in/help" | "/theme")
        || ["/setup/", "/link/", "/api/", "/sign-in/openid"].iter().any(|public| path.starts_with(public))
}

/// Puts a [`Visit`] on the request. Who is not signed in is sent to sign in, and comes back afterwards; a form that was
/// posted is left to its handler, which keeps what was typed.
pub(super) async fn attach(
    State(state): State<AppState>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let unavailable = |status: StatusCode| {
        (status, "The database is unavailable at the moment. Try again in a minute.").into_response()
    };
    let (caller, kept) = match caller(&state.service, &session, request.uri().path()).await {
        Ok(caller) => caller,
        Err(status) => return unavailable(status),
    };
    let anonymous = matches!(caller, Caller::Anonymous);
    if anonymous && !is_public(request.uri().path()) && matches!(*request.method(), Method::GET | Method::HEAD) {
        return Redirect::to(&app::paths::sign_in(&path)).into_response();
    }
    let id = request.extensions().get::<RequestId>().map(|id| id.0.clone());
    let address = request.extensions().get::<ClientAddress>().map(|address| address.0.clone());
    let seen = kept.map(|kept| service::Session { id: kept.id, stepped_up_at: kept.stepped_up_at });
    let asked = service::Request { id, address, session: seen, ..service::Request::of(caller) };
    let visitor = match state.service.visitor(&asked).await {
        Ok(visitor) => visitor,
        Err(error) => return unavailable(errors::failure(&error)),
    };
    let visit = Visit {
        request: asked,
        unread: visitor.as_ref().map_or(0, |visitor| visitor.unread),
        to_decide: visitor.as_ref().map_or(0, |visitor| visitor.to_decide),
        alerts: visitor.as_ref().map_or(0, |visitor| visitor.alerts),
        confirm: visitor.and_then(|visitor| visitor.confirm),
        theme: theme::chosen(request.headers()),
        path,
    };
    request.extensions_mut().insert(visit);
    next.run(request).await
}

async fn caller(service: &Service, session: &Session, path: &str) -> Result<(Caller, Option<Kept>), StatusCode> {
    let unavailable = |_| StatusCode::SERVICE_UNAVAILABLE;
    let Some(person) = sessions::person(session).await.map_err(unavailable)? else {
        return Ok((Caller::Anonymous, None));
    };
    let kept = sessions::kept(session).await.map_err(unavailable)?;
    let caller = service.caller_of(person).await.map_err(|error| errors::failure(&error))?;
    // An island that asks by itself is nobody looking at a page.
    if let (Caller::Person(_), Some(kept), false) = (&caller, &kept, path.starts_with("/calls/")) {
        let prolonged = service.prolong_session(kept.id, kept.started_at, kept.seen_at).await;
        prolonged.map_err(|error| errors::failure(&error))?;
    }
    Ok((caller, kept))
}

/// A cookie's value.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}
