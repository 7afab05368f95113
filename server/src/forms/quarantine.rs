//! `POST /quarantine/{id}/accept` and `/close`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Redirect, Response},
};
use domain::ids::QuarantineId;
use service::quarantine::{
    accept::{Acceptance, Mapping},
    close::CloseQuarantined,
};

use super::Posted;
use crate::web::AppState;

pub(super) async fn accept(State(state): State<AppState>, Path(id): Path<QuarantineId>, posted: Posted) -> Response {
    let field = |name| posted.field(name).to_owned();
    let acceptance = match posted.field("mode") {
        "unchanged" => Acceptance::Unchanged,
        "map" => Acceptance::Mapped(Mapping {
            workflow: field("workflow"),
            step: field("step"),
            dedupe_key: field("dedupe_key"),
            lane: field("lane"),
            effect: field("effect"),
            message: field("message"),
        }),
        _ => Acceptance::Corrected(field("text")),
    };
    match state.service.accept_quarantined(&posted.visit.request, id, acceptance, posted.field("note")).await {
        Ok(item) => Redirect::to(&app::paths::item(item)).into_response(),
        Err(error) => posted.show(&state, &app::paths::quarantined(id), error).await,
    }
}

pub(super) async fn close(State(state): State<AppState>, Path(id): Path<QuarantineId>, posted: Posted) -> Response {
    let action = CloseQuarantined { id, note: posted.field("note").to_owned() };
    match state.service.run(&posted.visit.request, action).await {
        Ok(()) => Redirect::to(&app::paths::quarantined(id)).into_response(),
        Err(error) => posted.show(&state, &app::paths::quarantined(id), error).await,
    }
}
