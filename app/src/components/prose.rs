use leptos::prelude::*;

/// A sentence of ours, in which names stand between backticks.
#[component]
pub(crate) fn Prose(#[prop(into)] text: String) -> impl IntoView {
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => part.to_owned().into_any(),
        _ => view! { <code>{part.to_owned()}</code> }.into_any(),
    };
    // An odd number of backticks means they are no marks.
    let marked = text.matches('`').count().is_multiple_of(2);
    let parts = if marked { text.split('`').collect() } else { vec![text.as_str()] };
    parts.into_iter().enumerate().map(part).collect_view().into_any()
}
