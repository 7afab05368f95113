//! `POST /items/{id}/correct`: the difference is shown before it is saved. `POST /items/{id}/draft`: what was typed so far.

use std::collections::HashMap;

use app::pages::item::correct::{AS_IT_IS, fragment, two_drafts, typed_in};
use axum::{
    extract::{Path, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{ids::ItemId, refusal::Refusal};
use serde_json::{Value, json};
use service::{
    Error,
    items::verbs::correct::ACTION,
    payloads::{
        draft::{DropDraft, KeepDraft, Kept, Typing},
        typed::Typed,
    },
};

use super::Posted;
use crate::web::{AppState, failure, status};

const DRAFT_VERSION: HeaderName = HeaderName::from_static("x-draft-version");
const BUILD: HeaderName = HeaderName::from_static("x-recourse-build");
const DRAFT_STATE: HeaderName = HeaderName::from_static("x-draft-state");

pub(super) async fn post(State(state): State<AppState>, Path(item): Path<ItemId>, mut posted: Posted) -> Response {
    let path = app::paths::item_action(item, ACTION.step.as_str());
    let (service, request) = (&state.service, &posted.visit.request);
    match posted.field("stage") {
        "save" => {
            let seen = posted.field("version").parse().ok();
            match (ACTION.run)(service, request, item, Ok(input(posted.fields())), seen).await {
                Ok(_) => Redirect::to(&app::paths::item(item)).into_response(),
                Err(error) => {
                    // The draft as it is now, whatever it was when the page was made.
                    posted.unset(AS_IT_IS);
                    posted.show(&state, &path, error).await
                }
            }
        }
        "drop" => {
            let parent = number(&posted, "parent");
            let seen = number(&posted, "draft_version");
            match service.run(request, DropDraft { item, parent, seen }).await {
                Ok(()) => Redirect::to(&app::paths::correct(item, parent, false)).into_response(),
                Err(error) => posted.show(&state, &path, error).await,
            }
        }
        // The page shows what it would change. Whatever may be wrong with it, nothing that was typed is lost.
        stage => {
            let is_file = posted.fields().contains_key("file");
            let Some(draft) = draft_of(item, &posted) else { return posted.show_again(&state, &path).await };
            let parent = draft.parent;
            match service.run(request, draft).await {
                // It is on the server now, and too much to be sent to and fro in the page.
                Ok(_) if is_file || stage == "as_text" => {
                    Redirect::to(&app::paths::correct(item, parent, false)).into_response()
                }
                Ok(kept) => {
                    posted.set("draft_version", kept.version.to_string());
                    posted.show_again(&state, &path).await
                }
                // Another window has kept another one: theirs stays, and this one is on the page.
                Err(Error::Refused(refusal @ Refusal::ChangedMeanwhile { .. })) => {
                    posted.show(&state, &path, refusal.into()).await
                }
                // Whatever it is, the page says it of the correction, too.
                Err(Error::Refused(_)) if !is_file => posted.show_again(&state, &path).await,
                Err(error) => posted.show(&state, &path, error).await,
            }
        }
    }
}

/// Keeps what was typed, and answers what it would change and need: for the editor, while somebody types.
pub(super) async fn draft(State(state): State<AppState>, Path(item): Path<ItemId>, posted: Posted) -> Response {
    let (service, request) = (&state.service, &posted.visit.request);
    let Some(draft) = draft_of(item, &posted) else {
        return refused(&Refusal::field("/text", "There is nothing to keep."));
    };
    let (parent, mut typed) = (draft.parent, typed_in(posted.fields()).unwrap_or_default());
    let kept = match service.run(request, draft).await {
        Ok(kept) => kept,
        Err(Error::Refused(Refusal::ChangedMeanwhile { .. })) => {
            let by_field = typed.fields.is_some();
            let other = match service.desk(&request.caller, item, parent, by_field).await {
                Ok(desk) => two_drafts(item, &desk, by_field),
                Err(error) => return told(&error),
            };
            return (StatusCode::CONFLICT, Html(other)).into_response();
        }
        Err(error) => return told(&error),
    };
    typed.draft = typed.fields.is_some().then_some(kept.version);
    let body = match service.preview_correction(request, item, parent, typed).await {
        Ok(preview) => fragment(Ok(&preview)),
        Err(Error::Refused(refusal)) => fragment(Err(&refusal)),
        Err(error) => return told(&error),
    };
    let mut response = Html(body).into_response();
    let headers = response.headers_mut();
    headers.insert(DRAFT_VERSION, HeaderValue::from(kept.version));
    headers.insert(DRAFT_STATE, words(&kept));
    if let Ok(build) = HeaderValue::from_str(&state.leptos.site_pkg_dir) {
        headers.insert(BUILD, build);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn words(kept: &Kept) -> HeaderValue {
    let but = match kept.problems.len() {
        0 => String::new(),
        1 => ", but for one value".to_owned(),
        more => format!(", but for {more} values"),
    };
    let words = format!("Draft kept {}{but}", kept.at.format("%H:%M:%S UTC"));
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

/// The draft that a form holds; none where there is nothing to correct in it.
fn draft_of(item: ItemId, posted: &Posted) -> Option<KeepDraft> {
    let Typed { browser_text, base64, fields, .. } = typed_in(posted.fields()).unwrap_or_default();
    let typed = match (base64, fields, browser_text) {
        _ if posted.field("stage") == "as_text" => Typing::AsText,
        (Some(base64), ..) => Typing::File(STANDARD.decode(base64).ok()?),
        (_, Some(fields), _) => Typing::Fields(fields),
        (.., text) => Typing::Text(text?),
    };
    Some(KeepDraft {
        item,
        parent: number(posted, "parent"),
        typed,
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
        "completing": fields.contains_key("completing"),
    });
    let content = [
        ("base64", typed.base64.map(Value::from)),
        ("browser_text", typed.browser_text.map(Value::from)),
        ("fields", typed.fields.map(|fields| json!(fields))),
        ("draft", typed.draft.map(Value::from)),
    ];
    for (name, value) in content {
        if let Some(value) = value {
            input[name] = value;
        }
    }
    input
}
