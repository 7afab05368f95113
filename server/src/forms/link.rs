//! `POST /link/{secret}`: joining, or a new password. `POST /sign-in/help`: asking for such a link.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use service::{Error, Purpose};
use tower_sessions::Session;

use super::{Posted, Then};
use crate::web::{AppState, Proved, begin_session};

pub(super) async fn post(
    State(state): State<AppState>,
    session: Session,
    Path(secret): Path<String>,
    posted: Posted,
) -> Response {
    let (name, password) = (posted.field("name").to_owned(), posted.field("password").to_owned());
    match state.service.use_link(&posted.visit.request, &secret, &name, password).await {
        Ok((person, Purpose::Join)) => {
            match begin_session(&session, person, Proved::Link, &posted.visit.request, posted.agent()).await {
                Ok(()) => Redirect::to(app::paths::ME).into_response(),
                Err(_) => posted.show(&state, "/sign-in", Error::Fault("a session could not be begun")).await,
            }
        }
        // A second step stays, so they sign in as always.
        Ok((_, Purpose::Reset | Purpose::FirstAdmin)) => {
            Redirect::to(&app::paths::done(app::paths::SIGN_IN, "password")).into_response()
        }
        Err(error) => posted.show(&state, &app::paths::link(&secret), error).await,
    }
}

pub(super) async fn ask(State(state): State<AppState>, posted: Posted) -> Response {
    let page = app::paths::SIGN_IN_HELP;
    let asked = state.service.ask_for_link(&posted.visit.request, posted.field("email")).await;
    posted.answer(&state, page, asked.map(|()| Then::Go(app::paths::done(page, "asked")))).await
}
