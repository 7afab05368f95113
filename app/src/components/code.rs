use leptos::prelude::*;

use super::visible;

/// Text whose every character counts: one `<span>` a line and nothing between them. Numbers are drawn by the stylesheet.
#[component]
pub(crate) fn CodeLines(
    lines: Vec<AnyView>,
    /// What it is, read out when it takes the focus.
    label: &'static str,
    #[prop(optional, into)] id: Option<&'static str>,
    /// Without line numbers.
    #[prop(optional)]
    plain: bool,
) -> impl IntoView {
    let class = if plain { "code code--plain" } else { "code" };
    let lines = lines.into_iter().map(|line| view! { <span>{line}</span> }).collect_view();
    view! { <pre class=class id=id tabindex="0" role="group" aria-label=label>{lines}</pre> }.into_any()
}

/// A line of text, with what would not show made visible.
pub(crate) fn code_line(text: &str) -> AnyView {
    visible::shown(text)
}
