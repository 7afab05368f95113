use chrono::{DateTime, Utc};
use domain::ageing::Level;
use leptos::prelude::*;
use service::Due;

use super::{Icon, time::machine, words};
use crate::age;

/// What is due next and how late it is: "Claim in 40 min · at risk".
#[component]
pub(crate) fn DueTag(due: Due, now: DateTime<Utc>) -> impl IntoView {
    let (cause, at) = (due.cause?, due.at?);
    let level = due.level(now);
    let risk = match level {
        Some(Level::AtRisk) => " · at risk",
        _ => "",
    };
    let told = age::due_in_words(cause.label(), (at - now).num_seconds());
    Some(
        view! {
            <span class="badge badge--plain due" data-late=level.map(Level::as_str)>
                <Icon name=words::level_icon(level)/>
                <span><time datetime=machine(at) data-clock="due" data-what=cause.label()>{told}</time>{risk}</span>
            </span>
        }
        .into_any(),
    )
}
