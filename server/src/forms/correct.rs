//! `POST /items/{id}/correct`: the difference is shown before it is saved. `POST /items/{id}/draft`: what was typed so far.

use std::collections::HashMap;

use app::pages::item::correct::{fragment, two_drafts, typed_in};
use axum::{
    extract::{Path, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use chrono::{DateTime, Utc};
use domain::{ids::ItemId, refusal::Refusal};
use serde_json::{Value, json};
use service::{
    Error,
    items::verbs::correct::ACTION,
    payloads::draft::{DropDraft, KeepDraft},
};

use super::Posted;
use crate::web::{AppState, failure, status};

const DRAFT_VERSION: HeaderName = HeaderName::from_static("x-draft-version");
const BUILD: HeaderName = HeaderName::from_static("x-recourse-build");
const DRAFT_STATE: HeaderName = HeaderName::from_static("x-draft-state");

pub(super) async fn post(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let path = app::paths::item_action(item, ACTION.step.as_str());
    let (service, request) = (&state.service, &posted.visit.request);
    match posted.field("stage") {
        "save" => {
            let seen = posted.field("version").parse().ok();
            match (ACTION.run)(service, request, item, Ok(input(posted.fields())), seen).await {
                Ok(_) => Redirect::to(&app::paths::item(item)).into_response(),
                Err(error) => posted.show(&state, &path, error).await,
            }
        }
        "drop" => {
            let parent = number(&posted, "parent");
            match service.run(request, DropDraft { item, parent }).await {
                Ok(()) => Redirect::to(&app::paths::correct(item, parent, false)).into_response(),
                Err(error) => posted.show(&state, &path, error).await,
            }
        }
        // The page shows what it would change. Whatever may be wrong with it, nothing that was typed is lost.
        _ => {
            if let Some(draft) = draft_of(item, &posted) {
                match service.run(request, draft).await {
                    Ok(_) => {}
                    // Another window has kept another one: theirs stays, and this one is on the page.
                    Err(Error::Refused(refusal @ Refusal::ChangedMeanwhile { .. })) => {
                        return posted.show(&state, &path, refusal.into()).await;
                    }
                    // Whatever it is, the page says it of the correction, too.
                    Err(Error::Refused(_)) => {}
                    Err(error) => return posted.show(&state, &path, error).await,
                }
            }
            posted.show_again(&state, &path).await
        }
    }
}

/// Keeps what was typed, and answers what it would change and need: for the editor, while somebody types.
pub(super) async fn draft(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let (service, request) = (&state.service, &posted.visit.request);
    let Some(draft) = draft_of(item, &posted) else {
        return refused(&Refusal::field("/text", "There is no text to keep."));
    };
    let (parent, typed) = (draft.parent, typed_in(posted.fields()).unwrap_or_default());
    let kept = match service.run(request, draft).await {
        Ok(kept) => kept,
        Err(Error::Refused(Refusal::ChangedMeanwhile { .. })) => {
            let desk = service.desk(&request.caller, item, parent).await;
            let other = desk.ok().and_then(|desk| desk.draft);
            let other = other.map(|draft| two_drafts(draft.version, &String::from_utf8_lossy(&draft.content)));
            return (StatusCode::CONFLICT, Html(other.unwrap_or_default())).into_response();
        }
        Err(error) => return told(&error),
    };
    let body = match service.preview_correction(request, item, parent, &typed).await {
        Ok(preview) => fragment(Ok(&preview)),
        Err(Error::Refused(refusal)) => fragment(Err(&refusal)),
        Err(error) => return told(&error),
    };
    let mut response = Html(body).into_response();
    let headers = response.headers_mut();
    headers.insert(DRAFT_VERSION, HeaderValue::from(kept.version));
    headers.insert(DRAFT_STATE, words(kept.at));
    if let Ok(build) = HeaderValue::from_str(&state.leptos.site_pkg_dir) {
        headers.insert(BUILD, build);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn words(at: DateTime<Utc>) -> HeaderValue {
    let words = format!("Draft kept {}", at.format("%H:%M:%S UTC"));
    HeaderValue::from_str(&words).unwrap_or(HeaderValue::from_static("Draft kept"))
}

fn told(error: &Error) -> Response {
    match error.refusal() {
        Some(refusal) => refused(refusal),
        None => (failure(error), "The draft could not be kept. Your text is still here.").into_response(),
    }
}

fn refused(refusal: &Refusal) -> Response {
    let code: StatusCode = status(refusal);
    (code, Html(fragment(Err(refusal)))).into_response()
}

/// The draft that a form holds; a file that was uploaded is none.
fn draft_of(item: ItemId, posted: &Posted) -> Option<KeepDraft> {
    let text = posted.fields().get("text").filter(|_| !posted.fields().contains_key("file"))?;
    Some(KeepDraft {
        item,
        parent: number(posted, "parent"),
        content: text.clone(),
        reason: posted.field("reason").to_owned(),
        item_version: number(posted, "version"),
        seen: number(posted, "draft_version"),
    })
}

fn number(posted: &Posted, name: &str) -> i64 {
    posted.field(name).parse().unwrap_or_default()
}

/// The correction as the use case reads it. A file that was uploaded is meant exactly; the page's text is what a browser
/// made of the parent (R2).
fn input(fields: &HashMap<String, String>) -> Value {
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let typed = typed_in(fields).unwrap_or_default();
    let mut input = json!({
        "parent": field("parent").parse::<i64>().unwrap_or_default(),
        "reason": field("reason").replace("\r\n", "\n"),
        "break_glass": fields.contains_key("break_glass"),
        "override_schema": fields.contains_key("override_schema"),
    });
    let content = [
        ("base64", typed.base64.map(Value::from)),
        ("browser_text", typed.browser_text.map(Value::from)),
        ("fields", typed.fields.map(|fields| json!(fields))),
    ];
    for (name, value) in content {
        if let Some(value) = value {
            input[name] = value;
        }
    }
    input
}
