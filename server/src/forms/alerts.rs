//! `POST /alerts/{id}/acknowledge`: somebody knows of it.

use app::paths;
use axum::{
    extract::{Path, State},
    response::Response,
};
use service::alerts::AcknowledgeAlert;
use uuid::Uuid;

use super::{Posted, Then};
use crate::web::AppState;

pub(super) async fn acknowledge(State(state): State<AppState>, Path(id): Path<Uuid>, posted: Posted) -> Response {
    let note = Some(posted.field("note").replace("\r\n", "\n"));
    let done = state.service.run(&posted.visit.request, AcknowledgeAlert { id, note }).await;
    let to = paths::alert(id, None);
    // Of two who acknowledge it, the page names the first; what the second wrote stands on it still.
    posted.answer(&state, &to, done.map(|_| Then::Go(to.clone()))).await
}
