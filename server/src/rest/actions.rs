//! `POST /api/v1/items/{id}/{action}`: every action on an item, for people's scripts.

use std::collections::BTreeMap;

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    ids::{ApprovalId, AttemptId, ItemId},
    refusal::Refusal,
    replay::Accept,
};
use serde::Serialize;
use serde_json::{Map, Value, json, value::RawValue};
use service::items::actions::{Answers, CATALOGUE, Done, Field, FieldKind, ItemAction, may_read};
use utoipa::openapi::{
    HttpMethod, OpenApi, RefOr, Required,
    content::ContentBuilder,
    path::{OperationBuilder, ParameterBuilder, ParameterIn, PathItem},
    request_body::RequestBodyBuilder,
    response::ResponseBuilder,
};

use super::{bearer::Bearer, body, place::Place, problem::Problem, shown::ShownItem, version};
use crate::web::AppState;

/// What was taken on: it is done by and by, and the attempt tells how it went.
#[derive(Debug, Serialize)]
struct TakenOn {
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<AttemptId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<ApprovalId>,
    state: &'static str,
}

/// Does the action that the address names.
pub(super) async fn post(
    State(state): State<AppState>,
    Bearer(request): Bearer,
    Place((id, name)): Place<(ItemId, String)>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let action = ItemAction::named(&name).ok_or(Refusal::NotFound)?;
    let read = body::read(&state, body, body::Kind::WithPayload).await?;
    let input = input(action, &read.bytes);
    // A version that can't be read was named all the same: it is refused as what it is, in its turn.
    let (input, expected) = match version::expected(&headers) {
        Ok(expected) => (input, expected),
        Err(refusal) => (Err(refusal), Some(0)),
    };
    let Done { item, attempt, approval, .. } = (action.run)(&state.service, &request, id, input, expected).await?;
    if action.answers != Answers::Item {
        let taken = TakenOn { attempt, approval, state: item.state.as_str() };
        return Ok((StatusCode::ACCEPTED, [(header::ETAG, version::tag(item.version))], Json(taken)).into_response());
    }
    if !may_read(&request.caller, &item) {
        // They gave it away, or never could see more than the action.
        return Ok(([(header::ETAG, version::tag(item.version))], StatusCode::NO_CONTENT).into_response());
    }
    let packet = state.service.packet(&request, item.id).await?;
    Ok(([(header::ETAG, version::tag(packet.item.version))], Json(ShownItem::from(packet))).into_response())
}

/// What was sent. A field that holds JSON is handed on as the text it was sent as, since reading it would change its numbers.
fn input(action: &ItemAction, bytes: &[u8]) -> Result<Value, Refusal> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    let wrong =
        |error: serde_json::Error| Refusal::Malformed { message: format!("The body is not valid JSON: {error}.") };
    let kept = |name: &str| {
        action
            .fields
            .iter()
            .any(|field| field.name == name && matches!(field.kind, FieldKind::Json | FieldKind::Object))
    };
    match serde_json::from_slice::<BTreeMap<String, &RawValue>>(bytes) {
        Ok(members) if members.keys().any(|name| kept(name)) => {
            let member = |(name, raw): (String, &RawValue)| {
                let text = raw.get();
                let value = if kept(&name) {
                    Value::String(text.to_owned())
                } else {
                    serde_json::from_str(text).map_err(wrong)?
                };
                Ok((name, value))
            };
            members.into_iter().map(member).collect::<Result<Map<_, _>, _>>().map(Value::Object)
        }
        _ => serde_json::from_slice(bytes).map_err(wrong),
    }
}

/// Describes every action, from what it states about itself.
pub(super) fn describe(openapi: &mut OpenApi) {
    for action in CATALOGUE {
        let path = format!("/api/v1/items/{{id}}/{}", action.step);
        let mut operation = OperationBuilder::new()
            .tag("Act")
            .operation_id(Some(action.step.as_str()))
            .summary(Some(action.label.trim_end_matches('…')))
            .description(Some(format!("{} Needs the permission `{}`.", action.explanation, action.permission)))
            .parameter(parameter("id", ParameterIn::Path, true, "The item"))
            .parameter(parameter(
                "If-Match",
                ParameterIn::Header,
                action.needs_version,
                "The version of the item that was looked at",
            ))
            .request_body(Some(
                RequestBodyBuilder::new()
                    .content("application/json", ContentBuilder::new().schema(schema(schema_of(action.fields))).build())
                    .build(),
            ));
        let shown = ContentBuilder::new().schema(Some(utoipa::openapi::Ref::from_schema_name("ShownItem"))).build();
        operation = match action.answers {
            Answers::Item => {
                let now = ResponseBuilder::new().description("The item as it stands now");
                operation.response("200", now.content("application/json", shown).build())
            }
            Answers::Attempt | Answers::Approval => {
                let taken = ContentBuilder::new().schema(schema(taken_on())).build();
                let description = match action.answers {
                    Answers::Approval => "It waits for another person's decision",
                    _ => {
                        "Taken on: it is sent by and by, and the attempt tells how it went, or it waits for an approval"
                    }
                };
                let response = ResponseBuilder::new().description(description);
                operation.response("202", response.content("application/json", taken).build())
            }
        };
        let gone =
            ResponseBuilder::new().description("Done; the item is not there for this token any more, or never was");
        operation = operation.response("204", gone.build());
        for (status, description) in [
            ("400", "Not readable"),
            ("401", "No valid token"),
            ("403", "Not permitted"),
            ("404", "No such item for this token"),
            ("409", "Not possible now, or somebody was quicker"),
            ("422", "Fields are wrong"),
            ("428", "If-Match is required"),
        ] {
            let problem = ContentBuilder::new().schema(Some(utoipa::openapi::Ref::from_schema_name("Problem"))).build();
            operation = operation.response(
                status,
                ResponseBuilder::new().description(description).content("application/problem+json", problem).build(),
            );
        }
        openapi.paths.paths.insert(path, PathItem::new(HttpMethod::Post, operation));
    }
}

fn parameter(name: &str, place: ParameterIn, required: bool, description: &str) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(if required { Required::True } else { Required::False })
        .description(Some(description))
        .schema(schema(json!({ "type": "string" })))
}

fn taken_on() -> Value {
    json!({
        "type": "object", "required": ["state"],
        "properties": {
            "attempt": { "type": "string", "format": "uuid" }, "approval": { "type": "string", "format": "uuid" },
            "state": { "type": "string" },
        },
    })
}

fn schema(value: Value) -> Option<RefOr<utoipa::openapi::Schema>> {
    serde_json::from_value(value).ok()
}

fn schema_of(fields: &[Field]) -> Value {
    let property = |field: &Field| {
        let mut property = match field.kind {
            FieldKind::Choice(choices) => {
                json!({ "type": "string", "enum": choices.iter().map(|(value, _)| value).collect::<Vec<_>>() })
            }
            FieldKind::Number => json!({ "type": "integer" }),
            FieldKind::Accepts => {
                let words: Vec<&str> = Accept::ALL.iter().map(|accept| accept.as_str()).collect();
                json!({ "type": "array", "items": { "type": "string", "enum": words } })
            }
            FieldKind::Time => json!({ "type": "string", "format": "date-time" }),
            FieldKind::Attempt | FieldKind::Item => json!({ "type": "string", "format": "uuid" }),
            FieldKind::Flag => json!({ "type": "boolean" }),
            FieldKind::Object => json!({ "type": "object", "additionalProperties": { "type": ["string", "number"] } }),
            FieldKind::Json => json!({ "type": "array", "items": { "type": "object" } }),
            FieldKind::Line | FieldKind::Text | FieldKind::Person | FieldKind::Team | FieldKind::Code => {
                json!({ "type": "string" })
            }
        };
        property["description"] = Value::String(format!("{}. {}", field.label, field.hint).trim().to_owned());
        (field.name.to_owned(), property)
    };
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    json!({
        "type": "object", "additionalProperties": false, "required": required,
        "properties": fields.iter().map(property).collect::<Map<_, _>>(),
    })
}
