use leptos::prelude::*;

use super::words::thousands;

/// Text from another system, however long: its beginning, and the rest behind "show all".
#[component]
pub(crate) fn LongText(
    text: String,
    #[prop(default = "said foreign")] class: &'static str,
    /// Characters that are shown at once.
    #[prop(default = 2_000)]
    shown: usize,
    /// Characters that unfolding shows; beyond that a page would be slow.
    #[prop(default = 1_100_000)]
    most: usize,
) -> impl IntoView {
    let Some((cut, _)) = text.char_indices().nth(shown) else {
        return view! { <p class=class>{text}</p> }.into_any();
    };
    let length = text.chars().count();
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let number = |count: usize| thousands(i64::try_from(count).unwrap_or(i64::MAX));
    let (summary, left_out) = match length.saturating_sub(most) {
        0 => (format!("Show all {} characters", number(length)), None),
        rest => {
            let words = format!("{} more characters are left out here; the HTTP API has them.", number(rest));
            let summary = format!("Show {} of {} characters", number(most), number(length));
            (summary, Some(view! { <p class="faint small">{words}</p> }))
        }
    };
    view! {
        <p class=format!("{class} beginning")>{format!("{}…", &text[..cut])}</p>
        <details class="fold fold--all">
            <summary>{summary}</summary>
            <p class=class dir="auto">{text[..end].to_owned()}</p>
            {left_out}
        </details>
    }
    .into_any()
}
