//! Roles that admins put together, and rights that wait for a second admin.

use std::collections::BTreeSet;

use app::paths;
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{ids::GrantId, permission::Permission, refusal::Refusal, role::RoleKey};
use service::{
    Error,
    rights::{
        grants::{ConfirmGrant, RefuseGrant},
        roles::{RemoveRole, SaveRole, SavedRole},
    },
};

use super::{Posted, Then};
use crate::web::AppState;

fn role(posted: &Posted, key: String, version: Option<i64>) -> Result<SaveRole, Error> {
    let wrong = |_| Refusal::field("/permissions", "There is no such permission.");
    let ticked = posted.ticked("permission");
    let permissions: BTreeSet<Permission> =
        ticked.iter().map(|word| word.parse().map_err(wrong)).collect::<Result<_, _>>()?;
    Ok(SaveRole { key, name: posted.field("name").to_owned(), permissions, version })
}

fn saved(saved: SavedRole) -> Then {
    let what = if saved.waiting.is_empty() { "role" } else { "waiting" };
    Then::Go(paths::done(&paths::role(saved.key.as_str()), what))
}

pub(super) async fn add_role(State(state): State<AppState>, posted: Posted) -> Response {
    let action = role(&posted, posted.field("key").to_owned(), None);
    posted.act(&state, paths::NEW_ROLE, action, saved).await
}

pub(super) async fn save_role(State(state): State<AppState>, Path(key): Path<String>, posted: Posted) -> Response {
    let version = posted.number("version").map_err(Error::from);
    // A form without a version changes a role that nobody looked at.
    let action = version.and_then(|version| role(&posted, key.clone(), Some(version.unwrap_or_default())));
    posted.act(&state, &paths::role(&key), action, saved).await
}

pub(super) async fn remove_role(State(state): State<AppState>, Path(key): Path<String>, posted: Posted) -> Response {
    let action = key.parse::<RoleKey>().map(|key| RemoveRole { key }).map_err(|_| Refusal::NotFound.into());
    let then = |()| Then::Go(paths::done(paths::ROLES, "role-removed"));
    posted.act(&state, &paths::role(&key), action, then).await
}

pub(super) async fn confirm(State(state): State<AppState>, Path(id): Path<GrantId>, posted: Posted) -> Response {
    let then = |()| Then::Go(paths::done(paths::RIGHTS, "confirmed"));
    posted.act(&state, paths::RIGHTS, Ok(ConfirmGrant { id }), then).await
}

pub(super) async fn refuse(State(state): State<AppState>, Path(id): Path<GrantId>, posted: Posted) -> Response {
    let then = |()| Then::Go(paths::done(paths::RIGHTS, "refused"));
    posted.act(&state, paths::RIGHTS, Ok(RefuseGrant { id }), then).await
}
