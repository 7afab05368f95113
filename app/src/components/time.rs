use chrono::{DateTime, SecondsFormat, Utc};
use leptos::prelude::*;

use crate::age;

/// A point in time, in UTC until the browser knows better: "26 Nov 2026, 10:00 UTC".
#[component]
pub(crate) fn Moment(
    at: DateTime<Utc>,
    /// To the second, where the order of things matters.
    #[prop(optional)]
    exact: bool,
) -> impl IntoView {
    let (clock, shown) = if exact { ("second", "%-d %b %Y, %H:%M:%S ") } else { ("minute", "%-d %b %Y, %H:%M ") };
    view! {
        <time datetime=machine(at) data-clock=clock>{at.format(shown).to_string()}<small>"UTC"</small></time>
    }
    .into_any()
}

/// What is typed in UTC into the field with this id, in the reader's own zone; empty until the browser tells.
#[component]
pub(crate) fn TypedLocally(of: String) -> impl IntoView {
    view! { <output class="hint" for=of data-typed=""></output> }.into_any()
}

/// How long ago it was.
#[component]
pub(crate) fn Age(at: DateTime<Utc>, now: DateTime<Utc>) -> impl IntoView {
    view! { <time datetime=machine(at) data-clock="age">{age::in_words((now - at).num_seconds())}</time> }.into_any()
}

pub(super) fn machine(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}
