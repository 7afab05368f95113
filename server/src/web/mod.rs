//! Everything between the socket and the doors: sessions, who visits, cross-site refusal, headers, assets.

mod assets;
mod client;
mod errors;
mod headers;
mod health;
mod openid;
mod payload;
mod request_id;
mod sessions;
mod theme;
pub(crate) mod visit;

use std::sync::Arc;

use app::pages::{App, shell};
use axum::{
    Router,
    body::Body,
    extract::{FromRef, Request, State},
    http::{HeaderValue, header},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::{any, get},
};
use leptos::prelude::LeptosOptions;
use leptos_axum::{LeptosRoutes as _, generate_route_list};
use service::Service;
use tokio::sync::Semaphore;
use tower::ServiceBuilder;
use tower_http::{catch_panic::CatchPanicLayer, csrf::CsrfLayer};

pub(crate) use client::ClientAddress;
pub(crate) use client::Proxies;
pub(crate) use request_id::RequestId;
pub(crate) use sessions::{Proved, keep, sign_in as begin_session, take, wait, waiting};
pub(crate) use theme::COOKIE as THEME_COOKIE;

use crate::{forms, rest, settings::Settings};

/// Documents above 1 MiB that are worked on at once.
const LARGE_AT_ONCE: usize = 4;

/// What handlers share.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) service: Service,
    pub(crate) leptos: LeptosOptions,
    /// One permit for each large document.
    pub(crate) large: Arc<Semaphore>,
    /// Cookies are sent over https only.
    pub(crate) secure: bool,
    /// Whose word about where a request comes from is believed.
    pub(crate) proxies: Arc<Proxies>,
    /// The identity provider, where there is one.
    pub(crate) openid: openid::SignIn,
    /// How this installation is set up, as its page shows it.
    pub(crate) setup: Arc<app::visit::Setup>,
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}
impl FromRef<AppState> for Service {
    fn from_ref(state: &AppState) -> Self {
        state.service.clone()
    }
}

/// The whole application over its use cases, to be served with the addresses of those who connect.
pub fn router(service: Service, settings: &Settings) -> anyhow::Result<Router> {
    let secure = settings.is_secure();
    let leptos =
        LeptosOptions::builder().output_name("recourse").site_root("site").site_pkg_dir(assets::folder()).build();
    let state = AppState {
        service: service.clone(),
        leptos,
        large: Arc::new(Semaphore::new(LARGE_AT_ONCE)),
        secure,
        proxies: Arc::new(settings.proxies()?),
        openid: openid::SignIn::new(&service, settings)?,
        setup: Arc::new(settings.shown()),
    };
    let cross_site = CsrfLayer::new().add_trusted_origin(settings.origin()?)?;

    let mut pages = Router::new()
        .route("/", get(|| async { Redirect::to("/queue") }))
        .leptos_routes_with_handler(generate_route_list(App), get(render))
        .route("/items/{id}/revisions/{number}/payload", get(payload::download))
        .route("/sign-in/openid", get(openid::begin))
        .route("/sign-in/openid/callback", get(openid::finish))
        .merge(forms::routes(state.service.settings().payload_limit));
    for (path, method) in leptos::server_fn::axum::server_fn_paths() {
        let _ = method;
        pages = pages.route(path, any(call));
    }
    let pages = pages
        .fallback(render)
        .layer(middleware::from_fn_with_state(state.clone(), visit::attach))
        .layer(sessions::layer(service, secure));

    let everything = Router::new()
        .merge(pages)
        .merge(rest::routes())
        .route("/health", get(health::health))
        .route(&format!("/{}/{{*file}}", assets::folder()), get(assets::serve))
        .route("/favicon.ico", get(assets::favicon))
        .with_state(state.clone())
        .layer(
            ServiceBuilder::new()
                .layer(middleware::from_fn(request_id::attach))
                .layer(middleware::from_fn_with_state(state.clone(), headers::attach))
                .layer(CatchPanicLayer::custom(errors::panicked))
                .layer(middleware::from_fn_with_state(state, client::attach))
                .layer(middleware::from_fn(errors::tell_cross_site))
                .layer(middleware::from_fn(errors::refuse_cross_site))
                .layer(cross_site.with_rejection_response(errors::CrossSite)),
        );
    Ok(everything)
}

/// Renders a page for whoever visits. An address of the API that is not there is told as the API tells things.
pub(crate) async fn render(State(state): State<AppState>, request: Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return rest::no_such_place(&request);
    }
    page(&state, request, app::visit::FormState::default()).await
}

/// Renders the page at the request's address, with what a form has to say.
pub(crate) async fn page(state: &AppState, request: Request<Body>, form: app::visit::FormState) -> Response {
    let Some(visit) = request.extensions().get::<app::visit::Visit>().cloned() else {
        return errors::fault("a page was asked for without a visit").into_response();
    };
    let service = state.service.clone();
    let setup = Arc::clone(&state.setup);
    let status = form.refusal.as_ref().map(errors::status);
    let context = move || {
        use leptos::prelude::{expect_context, provide_context};
        provide_context(service.clone());
        provide_context(Arc::clone(&setup));
        provide_context(visit.clone());
        provide_context(form.clone());
        if let Some(status) = status {
            expect_context::<leptos_axum::ResponseOptions>().set_status(status);
        }
    };
    let options = state.leptos.clone();
    let mut response =
        leptos_axum::render_app_async_with_context(context, move || shell(options.clone()))(request).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Answers an island's call for data.
async fn call(State(state): State<AppState>, request: Request) -> Response {
    let Some(visit) = request.extensions().get::<app::visit::Visit>().cloned() else {
        return errors::fault("a call came without a visit").into_response();
    };
    let service = state.service.clone();
    let context = move || {
        leptos::prelude::provide_context(service.clone());
        leptos::prelude::provide_context(visit.clone());
    };
    leptos_axum::handle_server_fns_with_context(context, request).await.into_response()
}
pub(crate) use errors::{failure, retry_after, status};
