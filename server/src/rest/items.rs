//! `GET /api/v1/items` and `GET /api/v1/items/{id}`.

use axum::{
    Json,
    extract::{Query, State},
    http::header,
    response::IntoResponse,
};
use chrono::{DateTime, Utc};
use domain::{ids::ItemId, refusal::Refusal, report::KEY_LIMIT};
use serde::{Deserialize, Serialize};
use service::{Cursor, ItemFilter, View};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{bearer::Bearer, place::Place, problem::Problem, shown::ShownItem, version};
use crate::web::AppState;

/// Which items to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// Only of this workflow.
    workflow: Option<String>,
    /// Only of this step.
    step: Option<String>,
    /// Only with exactly this key.
    dedupe_key: Option<String>,
    /// `open` (default) or `closed`; with a `dedupe_key` both are searched unless this is given.
    state: Option<String>,
    /// Where the page begins: `next` of the page before.
    after: Option<String>,
}

/// A page of items.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Items {
    items: Vec<ListedItem>,
    /// Where the next page begins; null on the last.
    next: Option<String>,
}

/// An item in a list.
#[derive(Debug, Serialize, ToSchema)]
struct ListedItem {
    id: Uuid,
    lane: &'static str,
    workflow: String,
    step: String,
    dedupe_key: String,
    business_ref: Option<String>,
    state: &'static str,
    resolution: Option<&'static str>,
    effect: &'static str,
    received_at: DateTime<Utc>,
}

/// List items, oldest first.
#[utoipa::path(
    get, path = "/items", tag = "Read", operation_id = "list_items", params(Wanted),
    responses(
        (status = OK, description = "A page of items", body = Items),
        (status = BAD_REQUEST, description = "A filter can't be read", body = Problem, content_type = "application/problem+json"),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Items>, Problem> {
    let Query(wanted) = wanted.map_err(|error| Refusal::Malformed { message: error.body_text() })?;
    let views = match (wanted.state.as_deref(), &wanted.dedupe_key) {
        (None, Some(_)) => vec![View::Open, View::Closed],
        (None | Some("open"), _) => vec![View::Open],
        (Some("closed"), _) => vec![View::Closed],
        (Some(_), _) => return Err(Refusal::field("/state", "must be open or closed").into()),
    };
    for (pointer, key) in
        [("/workflow", &wanted.workflow), ("/step", &wanted.step), ("/dedupe_key", &wanted.dedupe_key)]
    {
        if let Some(wrong) = key.as_ref().and_then(|key| domain::text::key(key, KEY_LIMIT).err()) {
            return Err(Refusal::field(pointer, wrong.to_string()).into());
        }
    }
    let after = wanted.after.as_deref().map(read_cursor).transpose()?;
    let mut pages = Vec::new();
    for view in views {
        let filter = ItemFilter {
            view,
            workflow: wanted.workflow.clone(),
            step: wanted.step.clone(),
            dedupe_key: wanted.dedupe_key.clone(),
            ..ItemFilter::open()
        };
        pages.push(state.service.find_items(&request, filter, after).await?);
    }
    // One cursor serves both views: nothing is told from beyond where the first of them stops.
    let place = |at: &Cursor| (at.at, at.id);
    let next = pages.iter().filter_map(|page| page.next).min_by_key(place);
    let told = |item: &service::ListedItem| next.is_none_or(|next| (item.received_at, item.id.0) <= place(&next));
    let items = pages.into_iter().flat_map(|page| page.items).filter(told).map(|item| ListedItem {
        id: item.id.0,
        lane: item.lane.as_str(),
        workflow: item.workflow_key,
        step: item.step,
        dedupe_key: item.dedupe_key,
        business_ref: item.business_ref,
        state: item.state.as_str(),
        resolution: item.resolution.map(|resolution| resolution.as_str()),
        effect: item.effect.as_str(),
        received_at: item.received_at,
    });
    let items = items.collect();
    Ok(Json(Items { items, next: next.map(|cursor| app::paths::place(cursor.at, cursor.id)) }))
}

fn read_cursor(text: &str) -> Result<Cursor, Refusal> {
    let (received_at, id) =
        app::paths::read_place(text).ok_or_else(|| Refusal::field("/after", "is not the `next` of a page"))?;
    Ok(Cursor { at: received_at, id })
}

/// Read an item.
#[utoipa::path(
    get, path = "/items/{id}", tag = "Read", operation_id = "get_item",
    params(("id" = Uuid, Path, description = "The item")),
    responses(
        (status = OK, description = "The item; its version is the ETag", body = ShownItem),
        (status = UNAUTHORIZED, description = "No valid token", body = Problem, content_type = "application/problem+json"),
        (status = NOT_FOUND, description = "No such item for this token", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place(id): Place<ItemId>,
) -> Result<impl IntoResponse, Problem> {
    let packet = state.service.packet(&request, id).await?;
    Ok(([(header::ETAG, version::tag(packet.item.version))], Json(ShownItem::from(packet))))
}
