//! What the pages' forms post to: one file per verb, a few lines each.
//!
//! Success is a redirect to the page that shows the new truth. A refusal renders the same page with its status, the reason
//! in place and everything typed still there.

mod alerts;
mod approvals;
mod channels;
mod correct;
mod item;
mod link;
mod me;
mod notices;
mod people;
mod quarantine;
mod reveal;
mod rights;
mod setup;
mod sign_in;
mod sign_out;
mod teams;
mod theme;
mod tokens;

use std::collections::HashMap;

use app::visit::{FormState, Made, Visit};
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, FromRequest, Multipart, Request},
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
    routing::{MethodRouter, get, post},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{access::Caller, refusal::Refusal};
use http_body_util::BodyExt as _;
use service::{Error, action::Action};
use tokio::sync::OwnedSemaphorePermit;

use crate::rest::LARGE;
use crate::web::{AppState, page, retry_after, status, visit::is_public};

pub(crate) fn routes(payload_limit: usize) -> Router<AppState> {
    Router::new()
        .route("/sign-in", post(sign_in::post))
        .route("/sign-in/code", post(sign_in::code))
        .route("/sign-in/help", post(link::ask))
        .route("/link/{secret}", post(link::post))
        .route("/sign-out", post(sign_out::post))
        .route("/theme", post(theme::post))
        .route("/setup/{secret}", post(setup::post))
        .route("/items/{id}/correct", post(correct::post))
        .route("/items/{id}/draft", post(correct::draft))
        .route("/items/{id}/reveal", post(reveal::post))
        .route("/items/{id}/replay", post(item::replay))
        .route("/items/{id}/compensations", post(item::compensate))
        .route("/items/{id}/{action}", post(item::post))
        .route("/alerts/{id}/acknowledge", shown(post(alerts::acknowledge)))
        .route("/approvals/{id}/approve", shown(post(approvals::approve)))
        .route("/approvals/{id}/reject", shown(post(approvals::reject)))
        .route("/approvals/{id}/withdraw", shown(post(approvals::withdraw)))
        .route("/approvals/{id}/hand_on", shown(post(approvals::hand_on)))
        .route("/me/substitutes", post(approvals::name_substitute))
        .route("/me/substitutes/{id}/end", post(approvals::end_substitute))
        .route("/quarantine/{id}/accept", post(quarantine::accept))
        .route("/quarantine/{id}/close", post(quarantine::close))
        .route("/notices/read", post(notices::read))
        .route("/me/security/password", shown(post(me::password)))
        .route("/me/security/begin-two-step", shown(post(me::begin_two_step)))
        .route("/me/security/confirm-two-step", shown(post(me::confirm_two_step)))
        .route("/me/security/remove-two-step", shown(post(me::remove_two_step)))
        .route("/me/security/recovery-codes", shown(post(me::recovery_codes)))
        .route("/me/security/end-session", shown(post(me::end_session)))
        .route("/me/security/end-others", shown(post(me::end_others)))
        .route("/me/notices", post(me::choose_notices))
        .route("/me/tokens", post(tokens::create_own))
        .route("/me/tokens/{id}/revoke", post(tokens::revoke_own))
        .route("/admin/people/invite", post(people::invite))
        .route("/admin/people/{id}/name", shown(post(people::name)))
        .route("/admin/people/{id}/roles", shown(post(people::roles)))
        .route("/admin/people/{id}/teams", shown(post(people::teams)))
        .route("/admin/people/{id}/clearance", shown(post(people::clearance)))
        .route("/admin/people/{id}/link", shown(post(people::link)))
        .route("/admin/people/{id}/sessions", shown(post(people::sessions)))
        .route("/admin/people/{id}/two-step", shown(post(people::two_step)))
        .route("/admin/people/{id}/disable", shown(post(people::disable)))
        .route("/admin/people/{id}/enable", shown(post(people::enable)))
        .route("/admin/people/{id}/delete", shown(post(people::delete)))
        .route("/admin/roles/new", post(rights::add_role))
        .route("/admin/roles/{key}", post(rights::save_role))
        .route("/admin/roles/{key}/remove", post(rights::remove_role))
        .route("/admin/rights/{id}/confirm", shown(post(rights::confirm)))
        .route("/admin/rights/{id}/refuse", shown(post(rights::refuse)))
        .route("/admin/teams", post(teams::create))
        .route("/admin/teams/{key}", post(teams::rename))
        .route("/admin/tokens", post(tokens::create))
        .route("/admin/tokens/{id}/revoke", post(tokens::revoke))
        .route("/admin/channels", post(channels::create))
        .route("/admin/channels/{name}/change", shown(post(channels::change)))
        .route("/admin/channels/{name}/disable", shown(post(channels::disable)))
        .route("/admin/channels/{name}/enable", shown(post(channels::enable)))
        .route("/admin/channels/{name}/test", shown(post(channels::test)))
        .route("/admin/mail/test", post(channels::test_mail))
        .route("/sign-out", get(|| async { Redirect::to("/queue") }))
        .layer(DefaultBodyLimit::max(payload_limit * 4))
}

/// A form whose page is shown under its address, too: a refused one is shown there, and may be loaded again.
fn shown(form: MethodRouter<AppState>) -> MethodRouter<AppState> {
    form.get(crate::web::render)
}

/// A form as it was posted, by whom, and where.
pub(crate) struct Posted {
    pub(crate) visit: Visit,
    fields: HashMap<String, String>,
    uri: Uri,
    headers: axum::http::HeaderMap,
    /// One of the few for large documents, where it is one.
    _permit: Option<OwnedSemaphorePermit>,
}

impl FromRequest<AppState> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let Some(visit) = parts.extensions.get::<Visit>().cloned() else {
            return Err(StatusCode::INTERNAL_SERVER_ERROR.into_response());
        };
        let (uri, headers) = (parts.uri.clone(), parts.headers.clone());
        let multipart =
            headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"));
        let read = Request::from_parts(parts, body);
        let fields = if multipart { parted(read, state).await? } else { encoded(read.into_body(), state).await? };
        let large = fields.values().map(String::len).sum::<usize>() > LARGE;
        let permit = match large.then(|| state.large.clone().try_acquire_owned()).transpose() {
            Ok(permit) => permit,
            Err(_) => return Err((status(&Refusal::Busy), busy()).into_response()),
        };
        let posted = Self { visit, fields, uri, headers, _permit: permit };
        if matches!(posted.visit.request.caller, Caller::Anonymous) && !is_public(posted.uri.path()) {
            // The session ended while something was typed: it is shown to be kept, beside the way to sign in.
            return Err(posted.show(state, "/sign-in", Refusal::NotSignedIn.into()).await);
        }
        Ok(posted)
    }
}

/// What is read and thrown away of a form that is too large, so that the answer reaches the sender instead of a reset.
const DRAIN: usize = 256 << 20;

fn busy() -> String {
    format!("{} Go back: what you typed is still there.", Refusal::Busy.sentence())
}

/// The fields of an encoded form; of a repeated one the last counts.
async fn encoded(mut body: Body, state: &AppState) -> Result<HashMap<String, String>, Response> {
    let limit = limit(state);
    let (mut bytes, mut seen) = (Vec::new(), 0usize);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Err(cut_short()) };
        let Ok(data) = frame.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen <= limit {
            bytes.extend_from_slice(&data);
        } else if seen > limit.saturating_add(DRAIN) {
            break;
        }
    }
    if seen > limit {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, format!("A form may have at most {limit} bytes.")).into_response());
    }
    Ok(form_urlencoded::parse(&bytes).into_owned().collect())
}

/// The fields of a form in parts. The content of a file that was chosen is kept as base64; a file that was not is no field.
async fn parted(request: Request, state: &AppState) -> Result<HashMap<String, String>, Response> {
    let mut form = Multipart::from_request(request, state).await.map_err(IntoResponse::into_response)?;
    let mut fields = HashMap::new();
    while let Some(field) = form.next_field().await.map_err(IntoResponse::into_response)? {
        let (name, is_file) = (field.name().unwrap_or_default().to_owned(), field.file_name().is_some());
        let chosen = field.file_name().is_some_and(|file| !file.is_empty());
        let bytes = field.bytes().await.map_err(IntoResponse::into_response)?;
        match (is_file, chosen) {
            (true, true) => drop(fields.insert(name, STANDARD.encode(&bytes))),
            (true, false) => {}
            (false, _) => drop(fields.insert(name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
    Ok(fields)
}

/// Form encoding makes JSON about three times larger.
fn limit(state: &AppState) -> usize {
    state.service.settings().payload_limit * 4
}

fn cut_short() -> Response {
    (StatusCode::BAD_REQUEST, "The form did not arrive whole. Go back: what you typed is still there.").into_response()
}

impl Posted {
    /// A field's text; empty if it was not sent.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// What the page is shown with in place of what was sent.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.fields.insert(name.to_owned(), value);
    }

    /// A field that the page is shown without.
    pub(crate) fn unset(&mut self, name: &str) {
        self.fields.remove(name);
    }

    /// The names of the boxes of a group that were ticked.
    pub(crate) fn ticked(&self, group: &str) -> Vec<String> {
        let names = self.fields.keys().filter_map(|name| name.strip_prefix(group)?.strip_prefix(':'));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    }

    /// A field that holds a number; empty is none.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, Refusal> {
        match self.field(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| Refusal::field(format!("/{name}"), "Give a whole number.")),
        }
    }

    /// What the browser says of itself.
    pub(crate) fn agent(&self) -> Option<&str> {
        self.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok())
    }

    /// Does an action that may need a confirmation of who asks, which then stands in the same form. A refusal shows the page
    /// at `path`, with everything typed.
    pub(crate) async fn act<A: Action>(
        mut self,
        state: &AppState,
        path: &str,
        action: Result<A, Error>,
        then: impl FnOnce(A::Output) -> Then,
    ) -> Response {
        let done = match self.confirm(state).await.and(action) {
            Ok(action) => state.service.run(&self.visit.request, action).await,
            Err(error) => Err(error),
        };
        self.answer(state, path, done.map(then)).await
    }

    /// Goes on after something was done, or shows the page at `path` with why it was not.
    pub(crate) async fn answer(self, state: &AppState, path: &str, done: Result<Then, Error>) -> Response {
        match done {
            Ok(Then::Go(to)) => Redirect::to(&to).into_response(),
            Ok(Then::Show(made)) => self.render(state, path, None, Some(made)).await,
            Err(error) => self.show(state, path, error).await,
        }
    }

    /// Confirms who asks, where the form asked for it.
    pub(crate) async fn confirm(&mut self, state: &AppState) -> Result<(), Error> {
        let Some(typed) = self.fields.remove("confirm").filter(|typed| !typed.is_empty()) else { return Ok(()) };
        let since = state.service.step_up(&self.visit.request, typed).await?;
        if let Some(session) = &mut self.visit.request.session {
            session.stepped_up_at = since;
        }
        self.visit.confirm = None;
        Ok(())
    }

    /// Everything that was sent.
    pub(crate) fn fields(&self) -> &HashMap<String, String> {
        &self.fields
    }

    /// The page at `path` with the refusal and everything typed, or the failure.
    pub(crate) async fn show(self, state: &AppState, path: &str, error: Error) -> Response {
        let refusal = match error.refusal() {
            Some(refusal) => refusal.clone(),
            None => {
                let status = crate::web::failure(&error);
                return (status, "That did not work, and nothing was changed. Go back: what you typed is still there.")
                    .into_response();
            }
        };
        let (code, wait) = (status(&refusal), retry_after(&refusal));
        let mut response = self.render(state, path, Some(refusal), None).await;
        *response.status_mut() = code;
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
        response
    }

    /// The page at `path` with everything typed, for the next stage of a form.
    pub(crate) async fn show_again(self, state: &AppState, path: &str) -> Response {
        self.render(state, path, None, None).await
    }

    async fn render(self, state: &AppState, path: &str, refusal: Option<Refusal>, made: Option<Made>) -> Response {
        let mut request = Request::builder().method("GET").uri(path).body(Body::empty()).unwrap_or_default();
        *request.headers_mut() = self.headers;
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::TRANSFER_ENCODING] {
            request.headers_mut().remove(name);
        }
        let mut typed: HashMap<_, _> =
            self.fields.into_iter().filter(|(name, _)| !SECRETS.contains(&name.as_str())).collect();
        // Of several forms on a page, which one it was.
        typed.insert(FormState::NAME.to_owned(), self.uri.path().rsplit('/').next().unwrap_or_default().to_owned());
        let mut visit = Visit { path: path.to_owned(), ..self.visit };
        visit.request.refused = refusal.is_some();
        // What counted a moment ago may not any more: then the form asks again.
        if refusal == Some(Refusal::StepUpNeeded) && visit.confirm.is_none() {
            visit.confirm = state.service.confirms_with(&visit.request).await.ok();
        }
        request.extensions_mut().insert(visit);
        page(state, request, FormState { refusal, typed, made }).await
    }
}

/// What follows on something that was done.
pub(crate) enum Then {
    /// The page that shows the new truth.
    Go(String),
    /// The page of the form, with what was made and is shown this once.
    Show(Made),
}

/// Fields that are never shown again.
const SECRETS: &[&str] = &["password", "present", "confirm"];

/// Where to go next, if it is a place of ours.
pub(crate) fn local(next: &str) -> &str {
    let ours =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.contains(char::is_control);
    if ours { next } else { "/queue" }
}
