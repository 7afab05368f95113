//! `POST /sign-in`.

use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use service::Error;
use tower_sessions::Session;

use super::{Posted, local};
use crate::web::{AppState, begin_session};

pub(super) async fn post(State(state): State<AppState>, session: Session, posted: Posted) -> Response {
    let (email, password) = (posted.field("email").to_owned(), posted.field("password").to_owned());
    match state.service.sign_in(&posted.visit.request, &email, password).await {
        Ok(person) => match begin_session(&session, person.id, state.service.now()).await {
            Ok(()) => Redirect::to(local(posted.field("next"))).into_response(),
            Err(_) => posted.show(&state, "/sign-in", Error::Fault("a session could not be begun")).await,
        },
        Err(error) => posted.show(&state, "/sign-in", error).await,
    }
}
