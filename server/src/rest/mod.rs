//! The HTTP API for automations and scripts, `/api/v1`: bearer tokens, JSON, problems as RFC 9457.

mod actions;
mod approvals;
mod attempts;
mod batch;
mod bearer;
mod body;
mod items;
mod outcomes;
mod patch;
mod payload;
mod place;
mod problem;
mod report;
mod shown;
mod version;

use axum::{Router, extract::DefaultBodyLimit};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use utoipa_swagger_ui::SwaggerUi;

use crate::web::AppState;

/// The API's own description.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Recourse",
        description = "Automations report failed and uncertain work here. Every refusal is `application/problem+json` with a \
                       stable `code`; a refused report answers with the `quarantine_id` under which it was kept.",
        license(name = "MIT OR Apache-2.0")
    ),
    modifiers(&BearerToken),
    security(("token" = []))
)]
struct Description;

struct BearerToken;

impl Modify for BearerToken {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        openapi.components.get_or_insert_default().add_security_scheme("token", scheme);
    }
}

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Description::openapi()).nest(
        "/api/v1",
        OpenApiRouter::new()
            .routes(routes!(report::post, items::list))
            .routes(routes!(batch::post))
            .routes(routes!(items::get, patch::patch))
            .routes(routes!(attempts::post))
            .routes(routes!(payload::get))
            .routes(routes!(outcomes::list))
            .routes(routes!(outcomes::acknowledge))
            .routes(routes!(approvals::list))
            .routes(routes!(approvals::approve))
            .routes(routes!(approvals::reject))
            .routes(routes!(approvals::withdraw)),
    )
}

pub(crate) use body::LARGE;
pub(crate) use problem::{cross_site, no_such_place};

/// The routes, their description at `/api/openapi.json`, and a viewer at `/api/docs`.
pub(crate) fn routes() -> Router<AppState> {
    let (routes, mut description) = api().split_for_parts();
    actions::describe(&mut description);
    routes
        .route("/api/v1/items/{id}/{action}", axum::routing::post(actions::post))
        .method_not_allowed_fallback(problem::no_such_method)
        // Bodies are read with limits of their own, which answer with a problem.
        .layer(DefaultBodyLimit::disable())
        .merge(SwaggerUi::new("/api/docs").url("/api/openapi.json", description))
}

/// The description, for the golden file.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut description = api().into_openapi();
    actions::describe(&mut description);
    description
}
