//! `POST /items/{id}/reveal`: shows what is hidden of a payload, this once.

use app::visit::Made;
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::ids::ItemId;
use service::payloads::reveal::Reveal;

use super::{Posted, Then};
use crate::web::AppState;

pub(super) async fn post(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let revision = posted.field("revision").parse().unwrap_or_default();
    let reveal = Reveal { item, revision, reason: posted.field("reason").replace("\r\n", "\n") };
    let page = app::paths::reveal(item, revision);
    posted.act(&state, &page, Ok(reveal), |payload| Then::Show(Made::Payload(Box::new(payload)))).await
}
