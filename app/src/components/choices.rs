use leptos::prelude::*;

use super::Prose;

/// One of several boxes to tick.
#[derive(Debug, Clone)]
pub(crate) struct Tick {
    /// The field's name.
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    pub(crate) ticked: bool,
}

/// Several boxes to tick, any number of them.
#[component]
pub(crate) fn Choices(
    legend: &'static str,
    ticks: Vec<Tick>,
    /// In several columns: for many.
    #[prop(optional)]
    wide: bool,
    #[prop(optional_no_strip)] problem: Option<String>,
) -> impl IntoView {
    let tick = |tick: Tick| {
        let hint = (!tick.hint.is_empty()).then(|| view! { <small>{tick.hint}</small> });
        view! {
            <label class="choice">
                <input type="checkbox" name=tick.name value="yes" checked=tick.ticked/>
                <span><bdi>{tick.label}</bdi>{hint}</span>
            </label>
        }
    };
    view! {
        <fieldset class=if wide { "choices choices--wide" } else { "choices" }>
            <legend>{legend}</legend>
            {ticks.into_iter().map(tick).collect_view()}
            {problem.map(|problem| view! { <p class="error"><Prose text=problem/></p> })}
        </fieldset>
    }
    .into_any()
}
