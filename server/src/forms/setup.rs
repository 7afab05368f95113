//! `POST /setup/{link}`: the first admin.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use service::Error;
use tower_sessions::Session;

use super::Posted;
use crate::web::{AppState, Proved, begin_session};

pub(super) async fn post(
    State(state): State<AppState>,
    session: Session,
    Path(link): Path<String>,
    posted: Posted,
) -> Response {
    let (email, name, password) = (posted.field("email"), posted.field("name"), posted.field("password").to_owned());
    let made = state.service.become_first_admin(&posted.visit.request, link.clone(), email, name, password).await;
    match made {
        Ok(person) => {
            match begin_session(&session, person, Proved::Link, &posted.visit.request, posted.agent()).await {
                Ok(()) => Redirect::to("/me").into_response(),
                Err(_) => posted.show(&state, "/sign-in", Error::Fault("a session could not be begun")).await,
            }
        }
        Err(error) => posted.show(&state, &app::paths::setup(&link), error).await,
    }
}
