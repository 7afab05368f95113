//! Channels: making one, changing it, taking it out of use, trying it out.

use app::paths;
use axum::{
    extract::{Path, State},
    response::Response,
};
use service::{
    PostingRow,
    channels::{
        save::{AddChannel, ChangeChannel, Wanted},
        switch::{DisableChannel, EnableChannel},
    },
};

use super::{Posted, Then};
use crate::web::AppState;

fn wanted(posted: &Posted) -> Wanted {
    Wanted {
        kind: posted.field("kind").to_owned(),
        url: posted.field("url").to_owned(),
        secret: posted.field("secret").to_owned(),
        allow_private: posted.field("allow_private") == "yes",
    }
}

pub(super) async fn create(State(state): State<AppState>, posted: Posted) -> Response {
    let action = AddChannel { name: posted.field("name").to_owned(), wanted: wanted(&posted) };
    let then = |name: String| Then::Go(paths::done(&paths::channel(&name), "channel"));
    posted.act(&state, paths::CHANNELS, Ok(action), then).await
}

pub(super) async fn change(State(state): State<AppState>, Path(name): Path<String>, posted: Posted) -> Response {
    let page = paths::channel(&name);
    let version = posted.field("version").parse().ok();
    let action = ChangeChannel { name, version, wanted: wanted(&posted) };
    posted.act(&state, &page, Ok(action), |()| Then::Go(paths::done(&page, "channel"))).await
}

pub(super) async fn disable(State(state): State<AppState>, Path(name): Path<String>, posted: Posted) -> Response {
    let page = paths::channel(&name);
    let version = posted.field("version").parse().ok();
    let then = |()| Then::Go(paths::done(&page, "channel-disabled"));
    posted.act(&state, &page, Ok(DisableChannel { name, version }), then).await
}

pub(super) async fn enable(State(state): State<AppState>, Path(name): Path<String>, posted: Posted) -> Response {
    let page = paths::channel(&name);
    let version = posted.field("version").parse().ok();
    let then = |()| Then::Go(paths::done(&page, "channel-enabled"));
    posted.act(&state, &page, Ok(EnableChannel { name, version }), then).await
}

pub(super) async fn test(State(state): State<AppState>, Path(name): Path<String>, posted: Posted) -> Response {
    let page = paths::channel(&name);
    let came = state.service.test_channel(&posted.visit.request, &name).await;
    posted.answer(&state, &page, came.map(|row| tested(&page, &row))).await
}

pub(super) async fn test_mail(State(state): State<AppState>, posted: Posted) -> Response {
    let came = state.service.test_mail(&posted.visit.request).await;
    posted.answer(&state, paths::CHANNELS, came.map(|row| tested(paths::CHANNELS, &row))).await
}

/// The page says what came of a test.
fn tested(page: &str, row: &PostingRow) -> Then {
    Then::Go(paths::done(page, if row.sent_at.is_some() { "test-arrived" } else { "test-failed" }))
}
