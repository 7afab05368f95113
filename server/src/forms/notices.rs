//! `POST /notices/read`: marks one notice as read, or all that came until the page was shown.

use axum::{extract::State, response::Response};
use chrono::DateTime;
use domain::refusal::Refusal;

use super::{Posted, Then, local};
use crate::web::AppState;

pub(super) async fn read(State(state): State<AppState>, posted: Posted) -> Response {
    let request = &posted.visit.request;
    let done =
        match (posted.field("id").parse(), posted.field("upto").parse().ok().and_then(DateTime::from_timestamp_micros))
        {
            (Ok(id), _) => state.service.read_notice(request, id).await,
            (_, Some(upto)) => state.service.read_notices(request, upto).await,
            _ => Err(Refusal::field("/id", "Say which notice.").into()),
        };
    let next = match posted.field("next") {
        "" => app::paths::NOTICES.to_owned(),
        next => local(next).to_owned(),
    };
    posted.answer(&state, app::paths::NOTICES, done.map(|()| Then::Go(next))).await
}
