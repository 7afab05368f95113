//! `POST /theme`: light, dark, or as the system is.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};

use super::{Posted, local};
use crate::web::{AppState, THEME_COOKIE};

pub(super) async fn post(State(state): State<AppState>, posted: Posted) -> Response {
    let secure = if state.secure { "; Secure" } else { "" };
    let cookie = match posted.field("theme") {
        theme @ ("light" | "dark") => {
            format!("{THEME_COOKIE}={theme}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}")
        }
        _ => format!("{THEME_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{secure}"),
    };
    let mut response = Redirect::to(local(posted.field("next"))).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
