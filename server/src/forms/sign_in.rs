//! `POST /sign-in`, and `POST /sign-in/code` for the second step.

use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use domain::refusal::Refusal;
use service::{
    Error,
    sign_in::{SignInStage, SignedIn},
};
use tower_sessions::Session;

use super::{Posted, local};
use crate::web::{AppState, Proved, begin_session, wait, waiting};

pub(super) async fn post(State(state): State<AppState>, session: Session, posted: Posted) -> Response {
    let (email, password) = (posted.field("email").to_owned(), posted.field("password").to_owned());
    match state.service.sign_in(&posted.visit.request, &email, password).await {
        Ok(SignInStage::Done(who)) => begin(&state, &session, who, posted).await,
        Ok(SignInStage::CodeWanted(of)) => match wait(&session, &of).await {
            Ok(()) => Redirect::to(&app::paths::sign_in_code(posted.field("next"))).into_response(),
            Err(_) => posted.show(&state, "/sign-in", NO_SESSION).await,
        },
        Err(error) => posted.show(&state, "/sign-in", error).await,
    }
}

pub(super) async fn code(State(state): State<AppState>, session: Session, posted: Posted) -> Response {
    let page = app::paths::SIGN_IN_CODE;
    let of = match waiting(&session).await {
        Ok(Some(of)) => of,
        // Nobody's password fitted, or too long ago.
        Ok(None) => return posted.show(&state, page, Refusal::BadCode.into()).await,
        Err(_) => return posted.show(&state, page, NO_SESSION).await,
    };
    let typed = posted.field("code").to_owned();
    match state.service.sign_in_with_code(&posted.visit.request, &of, &typed).await {
        Ok(who) => begin(&state, &session, who, posted).await,
        Err(error) => posted.show(&state, page, error).await,
    }
}

const NO_SESSION: Error = Error::Fault("a session could not be begun");

/// Signs them in and goes where they wanted to go.
async fn begin(state: &AppState, session: &Session, who: SignedIn, posted: Posted) -> Response {
    match begin_session(session, who.person, Proved::Password(who.mark), &posted.visit.request, posted.agent()).await {
        Ok(()) => Redirect::to(local(posted.field("next"))).into_response(),
        Err(_) => posted.show(state, "/sign-in", NO_SESSION).await,
    }
}
