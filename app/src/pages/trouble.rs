//! A page that could not be shown: what happened, what it means, where to go.

use domain::{permission::Permission, refusal::Refusal};
use http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use service::Error;

use super::Place;
use crate::{
    components::{Door, Frame, Moment, Prose},
    paths,
    visit::Visit,
};

/// Tells the trouble a page ran into, and sets the response's status.
#[component]
pub(super) fn Trouble(error: Error) -> impl IntoView {
    let (status, title, sentences) = told(&error);
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
    let body = view! { <Told status title=title.clone() sentences/> };
    match use_context::<Visit>().filter(|visit| visit.person().is_some()) {
        Some(_) => view! { <Frame title>{body}</Frame> }.into_any(),
        None => view! { <Door title>{body}</Door> }.into_any(),
    }
}

/// An address that leads nowhere.
#[component]
pub(super) fn NothingHere() -> impl IntoView {
    view! { <Trouble error=Error::Refused(Refusal::NotFound)/> }
}

/// Status, title and sentences.
fn told(error: &Error) -> (StatusCode, String, Vec<String>) {
    match error {
        Error::Refused(refusal) | Error::Quarantined(refusal, _) => {
            (status(refusal), refusal.title().to_owned(), vec![refusal.sentence()])
        }
        Error::Store(_) if error.is_unavailable() => (
            StatusCode::SERVICE_UNAVAILABLE,
            "The database is unavailable".to_owned(),
            vec![
                "Recourse can't read or change anything until it is back. Nothing is lost: automations are told to send \
                 their reports again."
                    .to_owned(),
            ],
        ),
        Error::Store(_) | Error::Fault(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something broke on our side".to_owned(),
            vec![
                "This page changed nothing and sent nothing to another system. If it happens again, give the request's \
                 id to whoever runs Recourse."
                    .to_owned(),
            ],
        ),
    }
}

fn status(refusal: &Refusal) -> StatusCode {
    match refusal.code() {
        "not_signed_in" | "bad_token" | "bad_credentials" | "bad_code" => StatusCode::UNAUTHORIZED,
        "forbidden" | "step_up_needed" | "identity_refused" => StatusCode::FORBIDDEN,
        "too_many_tries" => StatusCode::TOO_MANY_REQUESTS,
        "not_found" | "no_payload" => StatusCode::NOT_FOUND,
        "bad_invite" => StatusCode::GONE,
        "malformed" => StatusCode::BAD_REQUEST,
        "invalid" => StatusCode::UNPROCESSABLE_ENTITY,
        "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "busy" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::CONFLICT,
    }
}

#[component]
fn Told(status: StatusCode, title: String, sentences: Vec<String>) -> impl IntoView {
    let visit = use_context::<Visit>();
    let id = visit.as_ref().and_then(|visit| visit.request.id.clone());
    let now = use_context::<service::Service>().map(|service| service.now());
    let again = status.is_server_error().then(|| visit.as_ref().map(|visit| visit.path.clone())).flatten();
    let queue = visit.as_ref().is_some_and(|visit| visit.may(Permission::ItemsRead));
    let signed_in = visit.as_ref().filter(|visit| visit.person().is_some());
    let home = signed_in.map(|visit| if queue { Place::Queue } else { Place::Me }.leading(visit));
    view! {
        <section class="trouble">
            <p class="code-word">{status.as_u16()}</p>
            <h1>{title}</h1>
            {sentences.into_iter().map(|sentence| view! { <p><Prose text=sentence/></p> }).collect_view()}
            <div class="row">
                {again.map(|path| view! { <a class="button button--primary" href=path>"Try again"</a> })}
                {home.map(|(path, label)| view! { <a class="button" href=path>{format!("To “{label}”")}</a> })}
                {home.is_none().then(|| view! { <a class="button" href=paths::SIGN_IN>"Sign in"</a> })}
            </div>
            <p class="request">
                {id.map(|id| view! { "Request " <span class="mono">{id}</span> " · " })}
                {now.map(|at| view! { <Moment at exact=true/> })}
            </p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_never_shows_what_the_database_said() {
        let (status, title, sentences) = told(&Error::Fault("column x of table y"));
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!title.contains("column") && sentences.iter().all(|sentence| !sentence.contains("column")));
    }

    #[test]
    fn refusals_keep_their_own_words() {
        let missing = Refusal::MissingPermission(Permission::AuditRead);
        let (status, title, sentences) = told(&Error::Refused(missing.clone()));
        assert_eq!((status, title.as_str()), (StatusCode::FORBIDDEN, missing.title()));
        assert_eq!(sentences, [missing.sentence()]);
        assert_eq!(told(&Error::Refused(Refusal::NotFound)).0, StatusCode::NOT_FOUND);
    }
}
