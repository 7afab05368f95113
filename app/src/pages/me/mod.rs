//! What is a person's own: what they may do, how they sign in, their sessions and tokens.

mod choices;
mod rights;
mod security;
mod sessions;
mod substitutes;
mod tokens;
mod two_step;

pub(super) use choices::ChoicesPage;
pub(super) use rights::MePage;
pub(super) use security::SecurityPage;
pub(super) use sessions::where_from;
pub(super) use substitutes::SubstitutesPage;
pub(super) use tokens::OwnTokensPage;

use leptos::prelude::*;

use crate::paths;

/// The pages of one's own account.
fn tabs(at: &'static str) -> impl IntoView {
    let tab = move |(words, path): (&'static str, &'static str)| {
        view! { <li><a href=path aria-current=(path == at).then_some("page")>{words}</a></li> }
    };
    let tabs = [
        ("What I may do", paths::ME),
        ("Password and sessions", paths::SECURITY),
        ("How I am told", paths::NOTICE_CHOICES),
        ("My tokens", paths::OWN_TOKENS),
        ("While I am away", paths::SUBSTITUTES),
    ];
    view! { <nav class="tabs" aria-label="My account"><ul>{tabs.map(tab).into_iter().collect_view()}</ul></nav> }
        .into_any()
}
