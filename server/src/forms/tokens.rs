//! Tokens: of automations, by admins; of one's own scripts, by oneself.

use app::{paths, visit::Made};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{ids::TokenId, permission::Permission, refusal::Refusal};
use service::{
    Error,
    tokens::{
        create::{CreateOwnToken, CreateToken},
        revoke::{RevokeOwnToken, RevokeToken},
    },
};

use super::{Posted, Then};
use crate::web::AppState;

/// The id that the form was made with: sent twice, it makes one token.
fn id_of(posted: &Posted) -> Result<TokenId, Error> {
    posted.field("id").parse().map_err(|_| Refusal::field("", "Open the form anew.").into())
}

pub(super) async fn create(State(state): State<AppState>, posted: Posted) -> Response {
    let read = || -> Result<CreateToken, Error> {
        let mut workflows = posted.ticked("workflow");
        let further = posted.field("further").split(',').map(str::trim).filter(|key| !key.is_empty());
        workflows.extend(further.map(str::to_owned));
        Ok(CreateToken {
            id: Some(id_of(&posted)?),
            name: posted.field("name").to_owned(),
            workflows: (posted.field("any") != "yes").then_some(workflows),
            days: posted.number("days")?,
        })
    };
    let action = read();
    posted.act(&state, paths::TOKENS, action, |secret| Then::Show(Made::Token(secret))).await
}

pub(super) async fn revoke(State(state): State<AppState>, Path(id): Path<TokenId>, posted: Posted) -> Response {
    let then = |()| Then::Go(paths::done(paths::TOKENS, "revoked"));
    posted.act(&state, paths::TOKENS, Ok(RevokeToken(id)), then).await
}

pub(super) async fn create_own(State(state): State<AppState>, posted: Posted) -> Response {
    let read = || -> Result<CreateOwnToken, Error> {
        let wrong = |_| Refusal::field("/scopes", "There is no such permission.");
        let ticked = posted.ticked("scope");
        let scopes: Vec<Permission> =
            ticked.iter().map(|word| word.parse().map_err(wrong)).collect::<Result<_, _>>()?;
        let (id, days) = (id_of(&posted)?, posted.number("days")?);
        Ok(CreateOwnToken { id, name: posted.field("name").to_owned(), scopes, days })
    };
    let action = read();
    posted.act(&state, paths::OWN_TOKENS, action, |secret| Then::Show(Made::Token(secret))).await
}

pub(super) async fn revoke_own(State(state): State<AppState>, Path(id): Path<TokenId>, posted: Posted) -> Response {
    let then = |()| Then::Go(paths::done(paths::OWN_TOKENS, "revoked"));
    posted.act(&state, paths::OWN_TOKENS, Ok(RevokeOwnToken(id)), then).await
}
