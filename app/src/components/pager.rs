use leptos::prelude::*;

/// Paging by cursor: back to the beginning, or on.
#[component]
pub(crate) fn Pager(
    /// What this page holds.
    #[prop(into)]
    shown: String,
    /// Words and address of the beginning, when this is not it.
    #[prop(optional_no_strip)]
    first: Option<(&'static str, String)>,
    /// Words and address of the next page, if there is one.
    #[prop(optional_no_strip)]
    next: Option<(&'static str, String)>,
) -> impl IntoView {
    view! {
        <nav class="pager" aria-label="Pages">
            <span>{shown}</span>
            {first.map(|(words, to)| view! { <a class="button button--small" href=to rel="prev">"← "{words}</a> })}
            {next.map(|(words, to)| view! { <a class="button button--small" href=to rel="next">{words}" →"</a> })}
        </nav>
    }
    .into_any()
}
