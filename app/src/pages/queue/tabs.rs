use domain::{effect::Effect, item::Lane};
use leptos::prelude::*;
use service::{Count, ItemFilter, Mine, View, items::list::Queue};

use super::figure;
use crate::{
    components::{Icon, words},
    paths,
};

/// What a view is called.
pub(super) const fn name(view: View) -> &'static str {
    match view {
        View::Lane(lane) => lane.label(),
        View::Uncertain => "Uncertain",
        View::Open => "All open",
        View::Closed => "Closed",
    }
}

/// The views, each with its count. A filter stays when the view changes.
pub(super) fn tabs(filter: &ItemFilter, queue: &Queue) -> impl IntoView + use<> {
    let tabs = queue.tabs;
    let views = [
        (View::Lane(Lane::DeadLetter), Some(tabs.dead_letter)),
        (View::Lane(Lane::NeedsReview), Some(tabs.needs_review)),
        (View::Uncertain, Some(tabs.uncertain)),
        (View::Open, Some(tabs.open)),
        (View::Closed, None),
    ];
    let tab = |(view, count): (View, Option<Count>)| {
        let current = (view == filter.view && filter.mine.is_none()).then_some("page");
        let doubt = Effect::Uncertain;
        let icon = || view! { <span data-effect=doubt.as_str()><Icon name=words::effect_icon(doubt)/></span> };
        view! {
            <li>
                <a href=paths::queue(&ItemFilter { view, mine: None, ..filter.clone() }, None) aria-current=current>
                    {(view == View::Uncertain).then(icon)}
                    {name(view)}
                    {count.map(|count| view! { <span class="count">{figure(count)}</span> })}
                </a>
            </li>
        }
    };
    let own = ItemFilter { view: View::Open, mine: Some(Mine::nobody()), ..filter.clone() };
    let current = filter.mine.is_some().then_some("page");
    let own = view! { <li><a href=paths::queue(&own, None) aria-current=current>"My work"</a></li> };
    let shift = view! { <li><a href=paths::SHIFT>"Shift"</a></li> };
    let waiting = (tabs.quarantine > 0).then(|| quarantine(tabs.quarantine));
    view! { <nav class="tabs" aria-label="Views"><ul>{views.map(tab).into_iter().collect_view()}{own}{shift}{waiting}</ul></nav> }
}

/// Reports that could not be understood wait as well, though they are no items.
fn quarantine(waiting: i64) -> impl IntoView {
    let count = Count { number: waiting.min(10_000), more: waiting > 10_000 };
    view! {
        <li class="tabs-end"><a href=paths::QUARANTINE>"In quarantine " <span class="count">{figure(count)}</span></a></li>
    }
}
