//! `POST /items/{id}/cancel-retry`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use domain::ids::ItemId;
use service::items::cancel_retry::{CancelRetry, ITEM_ACTION};

use super::Posted;
use crate::web::AppState;

pub(super) async fn post(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let action = CancelRetry { item, reason: posted.field("reason").to_owned() };
    match state.service.run(&posted.visit.request, action).await {
        Ok(()) => Redirect::to(&app::paths::item(item)).into_response(),
        Err(error) => posted.show(&state, &app::paths::item_action(item, ITEM_ACTION.name), error).await,
    }
}
