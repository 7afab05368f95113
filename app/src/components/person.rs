use leptos::prelude::*;

use super::Icon;

/// A person.
#[component]
pub(crate) fn Person(#[prop(into)] name: String) -> impl IntoView {
    let initials: String = name.split_whitespace().filter_map(|part| part.chars().next()).take(2).collect();
    view! {
        <span class="person clip">
            <span class="avatar" aria-hidden="true"><i>{initials}</i></span>
            <span><bdi>{name}</bdi></span>
        </span>
    }
    .into_any()
}

/// A team, or something that is no person, with an icon instead of initials.
#[component]
pub(crate) fn Team(#[prop(into)] name: String, #[prop(default = "users")] icon: &'static str) -> impl IntoView {
    view! {
        <span class="person clip">
            <span class="avatar" aria-hidden="true"><Icon name=icon/></span>
            <span><bdi>{name}</bdi></span>
        </span>
    }
    .into_any()
}
