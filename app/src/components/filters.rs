use leptos::prelude::*;

use super::Icon;

/// A choice of a filter bar. A value that is not among the options (of an old address, say) stays chosen.
#[component]
pub(crate) fn Pick(
    label: &'static str,
    name: &'static str,
    /// What no choice is called.
    any: &'static str,
    /// Values and their words.
    options: Vec<(String, String)>,
    #[prop(optional_no_strip)] chosen: Option<String>,
) -> impl IntoView {
    let chosen = chosen.unwrap_or_default();
    let missing = !chosen.is_empty() && !options.iter().any(|(value, _)| *value == chosen);
    let kept = missing.then(|| (chosen.clone(), chosen.clone()));
    let option = |(value, words): (String, String)| {
        let selected = value == chosen;
        view! { <option value=value selected=selected>{words}</option> }
    };
    view! {
        <label class="pick">
            <span>{label}</span>
            <select name=name>
                <option value="">{any}</option>
                {kept.into_iter().chain(options).map(option).collect_view()}
            </select>
        </label>
    }
    .into_any()
}

/// A filter in use, and the address without it.
#[component]
pub(crate) fn Chip(#[prop(into)] words: String, to: String) -> impl IntoView {
    let label = format!("Remove filter {words}");
    view! {
        <li>
            <a class="chip" href=to aria-label=label>
                <bdi>{words}</bdi>
                <Icon name="x"/>
            </a>
        </li>
    }
    .into_any()
}
