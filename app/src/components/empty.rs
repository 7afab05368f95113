use leptos::prelude::*;

use super::{Body, Icon};

/// Nothing here: what would appear, and how.
#[component]
pub(crate) fn Empty(
    icon: &'static str,
    #[prop(optional, into)] title: Option<String>,
    #[prop(optional)] small: bool,
    children: Body,
) -> impl IntoView {
    view! {
        <div class=if small { "empty empty--small" } else { "empty" }>
            <Icon name=icon/>
            {title.map(|title| view! { <h2>{title}</h2> })}
            {children.0}
        </div>
    }
    .into_any()
}
