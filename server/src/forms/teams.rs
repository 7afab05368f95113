//! Teams: adding one, and another name for it.

use app::paths;
use axum::{
    extract::{Path, State},
    response::Response,
};
use service::teams::{CreateTeam, RenameTeam};

use super::{Posted, Then};
use crate::web::AppState;

pub(super) async fn create(State(state): State<AppState>, posted: Posted) -> Response {
    let action = CreateTeam { key: posted.field("key").to_owned(), name: posted.field("name").to_owned() };
    let then = |key: String| Then::Go(paths::done(&paths::team(&key), "team"));
    posted.act(&state, paths::TEAMS, Ok(action), then).await
}

pub(super) async fn rename(State(state): State<AppState>, Path(key): Path<String>, posted: Posted) -> Response {
    let action = RenameTeam { key: key.clone(), name: posted.field("name").to_owned() };
    let page = paths::team(&key);
    posted.act(&state, &page, Ok(action), |()| Then::Go(paths::done(&page, "team"))).await
}
