//! Deciding what another person asked for, and who stands in for whom.

use std::time::Duration;

use app::paths;
use axum::{
    extract::{Path, State},
    response::Response,
};
use chrono::{DateTime, Utc};
use domain::{
    ids::{ApprovalId, SubstituteId},
    refusal::Refusal,
};
use service::{Error, approvals::decide::Decided, items::verbs::utc};

use super::{Posted, Then};
use crate::web::AppState;

/// How long a page waits for what was approved, so that it shows the new truth rather than a hope.
const PATIENCE: Duration = Duration::from_secs(3);

fn reason(posted: &Posted, field: &str) -> String {
    posted.field(field).replace("\r\n", "\n")
}

fn shown(id: ApprovalId) -> impl FnOnce(Decided) -> Then {
    move |_| Then::Go(paths::approval(id))
}

pub(super) async fn approve(State(state): State<AppState>, Path(id): Path<ApprovalId>, mut posted: Posted) -> Response {
    let (reason, seen) = (reason(&posted, "reason"), posted.field("version").parse().ok());
    let decided = match posted.confirm(&state).await {
        Ok(()) => state.service.approve(&posted.visit.request, id, &reason, seen).await,
        Err(error) => Err(error),
    };
    if let Ok(decided) = &decided {
        // Whatever comes of it, the page shows how things stand.
        let _ = tokio::time::timeout(PATIENCE, state.service.replay_settled(decided.item.id)).await;
    }
    posted.answer(&state, &paths::approval(id), decided.map(shown(id))).await
}

pub(super) async fn reject(State(state): State<AppState>, Path(id): Path<ApprovalId>, mut posted: Posted) -> Response {
    let (reason, seen) = (reason(&posted, "reason"), posted.field("version").parse().ok());
    let decided = match posted.confirm(&state).await {
        Ok(()) => state.service.reject(&posted.visit.request, id, &reason, seen).await,
        Err(error) => Err(error),
    };
    posted.answer(&state, &paths::approval(id), decided.map(shown(id))).await
}

pub(super) async fn withdraw(State(state): State<AppState>, Path(id): Path<ApprovalId>, posted: Posted) -> Response {
    let decided = state.service.withdraw(&posted.visit.request, id, &reason(&posted, "reason")).await;
    posted.answer(&state, &paths::approval(id), decided.map(shown(id))).await
}

pub(super) async fn hand_on(State(state): State<AppState>, Path(id): Path<ApprovalId>, posted: Posted) -> Response {
    let (to, note) = (posted.field("person").to_owned(), reason(&posted, "note"));
    let decided = state.service.hand_on_approval(&posted.visit.request, id, &to, &note).await;
    posted.answer(&state, &paths::approval(id), decided.map(shown(id))).await
}

pub(super) async fn name_substitute(State(state): State<AppState>, mut posted: Posted) -> Response {
    let wrong = || Error::Refused(Refusal::field("/until", "Give a date and a time."));
    let until = utc(posted.field("until").trim()).parse::<DateTime<Utc>>().map_err(|_| wrong());
    let email = posted.field("person").to_owned();
    let named = match posted.confirm(&state).await.and(until) {
        Ok(until) => state.service.name_substitute(&posted.visit.request, &email, until).await,
        Err(error) => Err(error),
    };
    posted.answer(&state, paths::SUBSTITUTES, named.map(|()| Then::Go(paths::SUBSTITUTES.to_owned()))).await
}

pub(super) async fn end_substitute(
    State(state): State<AppState>,
    Path(id): Path<SubstituteId>,
    posted: Posted,
) -> Response {
    let ended = state.service.end_substitute(&posted.visit.request, id).await;
    posted.answer(&state, paths::SUBSTITUTES, ended.map(|()| Then::Go(paths::SUBSTITUTES.to_owned()))).await
}
