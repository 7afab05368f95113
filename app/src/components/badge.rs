use domain::{attempt::Outcome, effect::Effect};
use leptos::prelude::*;

use super::{Icon, words};

/// A state or property: icon and words, without a frame.
#[component]
pub(crate) fn Tag(
    icon: &'static str,
    #[prop(into)] words: String,
    /// A tone of `tones.css`; neutral without one.
    #[prop(optional)]
    tone: Option<&'static str>,
) -> impl IntoView {
    view! { <span class="badge badge--plain" data-tone=tone><Icon name=icon/>{words}</span> }.into_any()
}

/// What is known about a side effect.
#[component]
pub(crate) fn EffectBadge(effect: Effect) -> impl IntoView {
    view! { <span class="badge" data-effect=effect.as_str()><Icon name=words::effect_icon(effect)/>{effect.words()}</span> }.into_any()
}

/// How an attempt ended.
#[component]
pub(crate) fn OutcomeBadge(outcome: Outcome) -> impl IntoView {
    view! {
        <span class="badge badge--plain" data-outcome=outcome.as_str()>
            <Icon name=words::outcome_icon(outcome)/>
            {outcome.label()}
        </span>
    }
    .into_any()
}
