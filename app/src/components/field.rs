use leptos::prelude::*;

use super::{Icon, Prose, TypedLocally, escaped};

/// What is wrong with a field, tied to it by its id and `-error`.
#[component]
pub(crate) fn Problem(id: String, #[prop(optional_no_strip)] problem: Option<String>) -> impl IntoView {
    problem.map(|problem| {
        view! { <p class="error" id=format!("{id}-error")><Icon name="circle-alert"/><span><Prose text=problem/></span></p> }
    })
}

/// The ids of what describes a field: its hint, its problem.
pub(crate) fn described_by(id: &str, hint: bool, problem: bool) -> Option<String> {
    let ids = [(hint, "hint"), (problem, "error")].into_iter().filter(|(there, _)| *there);
    let ids: Vec<String> = ids.map(|(_, what)| format!("{id}-{what}")).collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

/// A line to type in, with its label, hint and problem.
#[component]
pub(crate) fn Field(
    #[prop(into)] id: String,
    name: &'static str,
    label: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional, into)] autocomplete: Option<&'static str>,
    #[prop(optional, into)] hint: Option<&'static str>,
    #[prop(optional_no_strip)] problem: Option<String>,
    /// It may stay empty.
    #[prop(optional)]
    optional: bool,
) -> impl IntoView {
    let described = described_by(&id, hint.is_some(), problem.is_some());
    let may_be_empty = optional.then(|| view! { <span class="muted">" (optional)"</span> });
    view! {
        <div class="field">
            <label for=id.clone()>{label}{may_be_empty}</label>
            {hint.map(|hint| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> })}
            <input
                id=id.clone() name=name type=kind value=value autocomplete=autocomplete required=!optional
                aria-invalid=problem.is_some().then_some("true") aria-describedby=described
            />
            {(kind == "datetime-local").then(|| view! { <TypedLocally of=id.clone()/> })}
            <Problem id problem/>
        </div>
    }
    .into_any()
}

/// Lines to type in.
#[component]
pub(crate) fn TextArea(
    #[prop(into)] id: String,
    name: &'static str,
    label: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional, into)] class: Option<&'static str>,
    #[prop(optional, into)] hint: Option<&'static str>,
    /// May stay empty.
    #[prop(optional)]
    optional: bool,
    #[prop(optional_no_strip)] problem: Option<String>,
) -> impl IntoView {
    let described = described_by(&id, hint.is_some(), problem.is_some());
    view! {
        <div class="field">
            <label for=id.clone()>{label}{optional.then(|| view! { <span class="muted">" (optional)"</span> })}</label>
            {hint.map(|hint| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> })}
            // A browser drops the first line end, so one more is written: a value that begins with one keeps it.
            <textarea
                id=id.clone() name=name class=class spellcheck=class.map(|_| "false") required=!optional
                aria-invalid=problem.is_some().then_some("true") aria-describedby=described
            >
                {format!("\n{}", escaped(&value))}
            </textarea>
            <Problem id=id problem/>
        </div>
    }
    .into_any()
}

/// A choice's value and words.
pub(crate) type Choice = (&'static str, &'static str);

/// One of a few.
#[component]
pub(crate) fn Select(
    #[prop(into)] id: String,
    name: &'static str,
    label: &'static str,
    options: Vec<Choice>,
    #[prop(into)] chosen: String,
    #[prop(optional, into)] hint: Option<&'static str>,
) -> impl IntoView {
    let option = |(value, words): Choice| view! { <option value=value selected=value == chosen>{words}</option> };
    let described = described_by(&id, hint.is_some(), false);
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|hint| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> })}
            <select id=id.clone() name=name aria-describedby=described>{options.into_iter().map(option).collect_view()}</select>
        </div>
    }
    .into_any()
}
