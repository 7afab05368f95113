//! `POST /items/{id}/{action}`: every action on an item. What it asks for and what it does is its own file in `service`.

use std::time::Duration;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use domain::{ids::ItemId, refusal::Refusal};
use service::items::{
    actions::{Done, ItemAction, may_read},
    verbs::{compensate, from_form, replay},
};

use super::Posted;
use crate::web::AppState;

pub(super) async fn post(
    State(state): State<AppState>,
    Path((item, name)): Path<(ItemId, String)>,
    posted: Posted,
) -> Response {
    act(&state, item, &name, posted).await
}

/// The same of an action whose form has a page of its own, so that its address is one of its own, too.
pub(super) async fn replay(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    act(&state, item, replay::ACTION.step.as_str(), posted).await
}

/// What would be sent is shown before it is asked for.
pub(super) async fn compensate(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    if posted.field("stage") == "preview" {
        return posted.show_again(&state, &app::paths::item_action(item, compensate::ACTION.step.as_str())).await;
    }
    act(&state, item, compensate::ACTION.step.as_str(), posted).await
}

async fn act(state: &AppState, item: ItemId, name: &str, posted: Posted) -> Response {
    let Some(action) = ItemAction::named(name) else {
        return posted.show(state, &app::paths::item(item), Refusal::NotFound.into()).await;
    };
    // The version that the form was made from: somebody who acted meanwhile makes this a conflict.
    let seen = posted.field("version").parse().ok();
    let input = from_form(action, posted.fields());
    match (action.run)(&state.service, &posted.visit.request, item, Ok(input), seen).await {
        Ok(done) if may_read(&posted.visit.request.caller, &done.item) => {
            settled(state, &done).await;
            let to = done.approval.map_or_else(|| app::paths::item(item), app::paths::approval);
            Redirect::to(&to).into_response()
        }
        // They gave it away to a team that is not theirs.
        Ok(_) => Redirect::to("/queue").into_response(),
        Err(error) => posted.show(state, &app::paths::item_action(item, name), error).await,
    }
}

/// How long a page waits for what was asked for, so that it shows the new truth rather than a hope.
const PATIENCE: Duration = Duration::from_secs(3);

/// Waits until a replay has settled, if not for long.
async fn settled(state: &AppState, done: &Done) {
    if done.attempt.is_some() {
        // Whatever comes of it, the page shows how things stand.
        let _ = tokio::time::timeout(PATIENCE, state.service.replay_settled(done.item.id)).await;
    }
}
