//! `POST /items/{id}/correct`: the difference is shown before it is saved.

use std::collections::HashMap;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use domain::ids::ItemId;
use service::items::verbs::correct::ACTION;

use super::Posted;
use crate::web::AppState;

pub(super) async fn post(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let path = app::paths::item_action(item, ACTION.step.as_str());
    if posted.field("stage") != "save" {
        return posted.show_again(&state, &path).await;
    }
    let seen = posted.field("version").parse().ok();
    match (ACTION.run)(&state.service, &posted.visit.request, item, Ok(input(posted.fields())), seen).await {
        Ok(_) => Redirect::to(&app::paths::item(item)).into_response(),
        Err(error) => posted.show(&state, &path, error).await,
    }
}

/// The correction as the use case reads it. A file that was uploaded is meant exactly; the page's text is what a browser
/// made of the parent (R2).
fn input(fields: &HashMap<String, String>) -> serde_json::Value {
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let (name, content) = match fields.get("file") {
        Some(file) => ("base64", file.clone()),
        None => ("browser_text", field("text")),
    };
    serde_json::json!({
        "parent": field("parent").parse::<i64>().unwrap_or_default(),
        "reason": field("reason").replace("\r\n", "\n"),
        name: content,
    })
}
