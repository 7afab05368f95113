//! `POST /sign-out`.

use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use service::{Error, sign_in::SignOut};
use tower_sessions::Session;

use super::Posted;
use crate::web::AppState;

pub(super) async fn post(State(state): State<AppState>, session: Session, posted: Posted) -> Response {
    if session.flush().await.is_err() {
        return posted.show(&state, "/me", Error::Fault("a session could not be ended")).await;
    }
    match state.service.run(&posted.visit.request, SignOut).await {
        Ok(()) => Redirect::to(app::paths::SIGN_IN).into_response(),
        Err(error) => posted.show(&state, "/sign-in", error).await,
    }
}
