//! The one place where refusals and errors become status codes, and errors are logged.

use axum::{
    body::Body,
    extract::Request,
    http::{Response, StatusCode, header},
    middleware::Next,
};
use domain::refusal::Refusal;
use service::Error;
use tower_http::csrf::{ProtectionError, ResponseForProtectionError};

/// The status of a refusal.
pub(crate) fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::NotSignedIn | Refusal::BadToken | Refusal::BadCredentials | Refusal::BadCode => {
            StatusCode::UNAUTHORIZED
        }
        Refusal::TooManyTries { .. } => StatusCode::TOO_MANY_REQUESTS,
        Refusal::StepUpNeeded
        | Refusal::IdentityRefused { .. }
        | Refusal::GrantToSelf(_)
        | Refusal::ClearanceOfSelf
        | Refusal::SecondAdminNeeded
        | Refusal::WrongTokenKind
        | Refusal::ForeignWorkflow { .. }
        | Refusal::MissingPermission(_)
        | Refusal::Excluded(_)
        | Refusal::NotAsker
        | Refusal::AboveClearance => StatusCode::FORBIDDEN,
        Refusal::NotFound | Refusal::NoPayload => StatusCode::NOT_FOUND,
        Refusal::BadInvite => StatusCode::GONE,
        Refusal::Malformed { .. } => StatusCode::BAD_REQUEST,
        Refusal::Invalid(_)
        | Refusal::NotEditable(_)
        | Refusal::SchemaFails(_)
        | Refusal::WhichAttempt { .. }
        | Refusal::NothingChanged => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::VersionRequired => StatusCode::PRECONDITION_REQUIRED,
        Refusal::TooLarge { .. } | Refusal::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::LastAdmin
        | Refusal::ChangedMeanwhile { .. }
        | Refusal::MadeAlready
        | Refusal::RoleHeld { .. }
        | Refusal::ReportIdTaken { .. }
        | Refusal::InProgress { .. }
        | Refusal::RetryCancelled { .. }
        | Refusal::NoPlannedRetry
        | Refusal::KeyUsed
        | Refusal::Closed
        | Refusal::NotClosed
        | Refusal::NotOpen { .. }
        | Refusal::NotSnoozed
        | Refusal::Claimed { .. }
        | Refusal::NotClaimed
        | Refusal::NothingToReconcile { .. }
        | Refusal::PossibleDoubleEffect
        | Refusal::EffectForbidsReplay { .. }
        | Refusal::NoDestination { .. }
        | Refusal::KeysNotRecognised
        | Refusal::KeyNoLongerHelps
        | Refusal::NoLookup
        | Refusal::FollowUp
        | Refusal::NeedsApproval
        | Refusal::NotWaiting { .. }
        | Refusal::DecidedBefore
        | Refusal::ApprovalStale(_)
        | Refusal::ConditionFails { .. }
        | Refusal::SourceUnreadable { .. }
        | Refusal::NothingToCompensate { .. }
        | Refusal::NoCompensation
        | Refusal::NeedsDecision(_)
        | Refusal::QuarantineDecided { .. }
        | Refusal::Conflict { .. }
        | Refusal::AttemptSettled { .. }
        | Refusal::Taken { .. } => StatusCode::CONFLICT,
    }
}

/// The seconds until it may be tried again, where that is what was refused.
pub(crate) fn retry_after(refusal: &Refusal) -> Option<i64> {
    match refusal {
        Refusal::TooManyTries { wait } => Some(*wait),
        _ => None,
    }
}

/// The status of an error that is no refusal. It is logged here, once, with its causes; nobody outside sees them.
pub(crate) fn failure(error: &Error) -> StatusCode {
    tracing::error!(error = error as &dyn std::error::Error, "a request failed");
    if error.is_unavailable() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// A fault of ours, told plainly.
pub(crate) fn fault(what: &'static str) -> (StatusCode, &'static str) {
    tracing::error!(what, "a fault");
    (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side. It has been logged.")
}

/// A handler panicked: the process goes on.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send + 'static>) -> Response<Body> {
    let (status, text) = fault("a handler panicked");
    plain(status, text)
}

/// A change that another site asked for.
#[derive(Clone)]
pub(crate) struct CrossSite;

impl ResponseForProtectionError<Body> for CrossSite {
    fn response_for_protection_error(&mut self, _: ProtectionError) -> Response<Body> {
        refused_cross_site()
    }
}

fn refused_cross_site() -> Response<Body> {
    let mut response = plain(
        StatusCode::FORBIDDEN,
        "This change was asked for by another site and was refused. Use Recourse's own pages.",
    );
    response.extensions_mut().insert(CrossSite);
    response
}

/// Refuses a change of which the browser says that another site asked for it, whatever origin is named beside that: an origin
/// that is trusted is not to make up for it.
pub(super) async fn refuse_cross_site(request: Request, next: Next) -> Response<Body> {
    let said = request.headers().get("sec-fetch-site");
    let ours = said.is_none_or(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    if ours || request.method().is_safe() { next.run(request).await } else { refused_cross_site() }
}

/// Tells what another site asked of the API as the API tells things.
pub(super) async fn tell_cross_site(request: Request, next: Next) -> Response<Body> {
    let of_the_api = request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    if of_the_api && response.extensions().get::<CrossSite>().is_some() {
        return crate::rest::cross_site();
    }
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
