//! What people do with their own account: password, second step, sessions, and how they are told.

use std::collections::BTreeMap;

use app::{paths, visit::Made};
use axum::{extract::State, response::Response};
use domain::{
    notice::{ByEmail, Topic},
    refusal::Refusal,
};
use service::{
    Error,
    channels::choices::ChooseNotices,
    sign_in::{
        sessions::{EndOwnSessions, Which},
        two_step::{BeginTwoStep, MakeRecoveryCodes, RemoveTwoStep},
    },
};

use super::{Posted, Then};
use crate::web::AppState;

const PAGE: &str = paths::SECURITY;

fn done(what: &str) -> Then {
    Then::Go(paths::done(PAGE, what))
}

pub(super) async fn password(State(state): State<AppState>, posted: Posted) -> Response {
    let (present, chosen) = (posted.field("present").to_owned(), posted.field("password").to_owned());
    let changed = state.service.change_password(&posted.visit.request, present, chosen).await;
    posted.answer(&state, PAGE, changed.map(|()| done("password"))).await
}

pub(super) async fn begin_two_step(State(state): State<AppState>, posted: Posted) -> Response {
    posted.act(&state, PAGE, Ok(BeginTwoStep), |()| Then::Go(format!("{PAGE}#two-step"))).await
}

pub(super) async fn confirm_two_step(State(state): State<AppState>, mut posted: Posted) -> Response {
    let code = posted.field("code").to_owned();
    let codes = match posted.confirm(&state).await {
        Ok(()) => state.service.confirm_two_step(&posted.visit.request, code).await,
        Err(error) => Err(error),
    };
    posted.answer(&state, PAGE, codes.map(|codes| Then::Show(Made::Codes(codes)))).await
}

pub(super) async fn remove_two_step(State(state): State<AppState>, posted: Posted) -> Response {
    posted.act(&state, PAGE, Ok(RemoveTwoStep), |()| done("two-step-off")).await
}

pub(super) async fn recovery_codes(State(state): State<AppState>, posted: Posted) -> Response {
    posted.act(&state, PAGE, Ok(MakeRecoveryCodes), |codes| Then::Show(Made::Codes(codes))).await
}

pub(super) async fn end_session(State(state): State<AppState>, posted: Posted) -> Response {
    let id = posted.field("id").parse().map_err(|_| Refusal::NotFound.into());
    posted.act(&state, PAGE, id.map(|id| EndOwnSessions(Which::One(id))), |_| done("session")).await
}

pub(super) async fn end_others(State(state): State<AppState>, posted: Posted) -> Response {
    posted.act(&state, PAGE, Ok(EndOwnSessions(Which::Others)), |_| done("sessions")).await
}

pub(super) async fn choose_notices(State(state): State<AppState>, posted: Posted) -> Response {
    let read = || -> Result<ChooseNotices, Error> {
        let wrong = || Refusal::field("/topic", "There is no such topic.");
        let mut by_email: BTreeMap<Topic, ByEmail> = Topic::ALL.iter().map(|topic| (*topic, ByEmail::Never)).collect();
        for word in posted.ticked("topic") {
            let topic = word.parse::<Topic>().ok().filter(|topic| !topic.is_asked_for()).ok_or_else(wrong)?;
            by_email.insert(topic, ByEmail::Always);
        }
        let alerts = match posted.field("alerts") {
            "" => Topic::Alerts.by_default(),
            word => word.parse().map_err(|_| wrong())?,
        };
        by_email.insert(Topic::Alerts, alerts);
        let quiet = ["quiet_from", "quiet_to", "quiet_zone"].map(|name| posted.field(name).to_owned());
        Ok(ChooseNotices { by_email, quiet })
    };
    let action = read();
    let then = |()| Then::Go(paths::done(paths::NOTICE_CHOICES, "choices"));
    posted.act(&state, paths::NOTICE_CHOICES, action, then).await
}
