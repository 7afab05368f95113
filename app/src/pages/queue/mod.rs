//! The queue: what waits for people, narrowed and ordered by the address.

mod controls;
mod empty;
pub mod filter;
mod rows;
mod tabs;

use leptos::prelude::*;
use service::{Count, Cursor, ItemFilter, Service, Sort, View, items::list::Queue};

use super::{Place, answer::answered};
use crate::{
    components::{
        Age, Frame, Notice, Pager,
        words::{counted, thousands},
    },
    islands::Arrivals,
    paths,
    visit::Visit,
};
use filter::Asked;

/// The queue.
#[component]
pub(super) fn QueuePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let asked = filter::from_query(visit.query());
    let (narrowed, after) = (asked.filter.clone(), asked.after);
    let public_url = service.settings().public_url.clone();
    let ask = async move { service.queue(&visit.request, narrowed, after).await };
    answered(ask, move |queue| {
        let name = if asked.filter.mine.is_some() { "My work" } else { tabs::name(asked.filter.view) };
        view! {
            <Frame title=name at=Some(Place::Queue) class="queue">
                <h1 class="visually-hidden">{format!("Queue: {}", name.to_lowercase())}</h1>
                {tabs::tabs(&asked.filter, &queue)}
                {ignored(&asked.ignored)}
                {controls::filters(&asked.filter, &queue)}
                {line(&asked, &queue)}
                {body(&asked, queue, &public_url)}
            </Frame>
        }
    })
}

fn ignored(parts: &[String]) -> Option<impl IntoView + use<>> {
    let words = format!("This part of the address means nothing here and was left out: {}.", parts.join(", "));
    (!parts.is_empty()).then(|| view! { <Notice tone="info"><p>{words}</p></Notice> })
}

/// Filters in use, how many rows they leave, and what came since.
fn line(asked: &Asked, queue: &Queue) -> impl IntoView + use<> {
    let show = paths::queue(&ItemFilter { sort: Sort::Newest, ..asked.filter.clone() }, None);
    let query =
        paths::queue(&asked.filter, None).split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default();
    let now = queue.as_of;
    // What is closed does not arrive.
    let live = asked.filter.view != View::Closed;
    let oldest = queue.oldest.filter(|_| live).map(|at| view! { " · oldest " <Age at now/> });
    view! {
        <div class="filter-line">
            {controls::chips(&asked.filter)}
            <p class="tally">{number(queue.count)}{oldest}</p>
            <p role="status">{live.then(|| view! { <Arrivals query since=now.timestamp_micros() show/> })}</p>
        </div>
    }
}

fn body(asked: &Asked, queue: Queue, public_url: &str) -> AnyView {
    let further = queue.next.filter(|_| queue.look_further).map(|next| further(&asked.filter, next));
    if queue.rows.is_empty() {
        let first = asked.after.map(|_| paths::queue(&asked.filter, None));
        return view! { <section class="panel">{empty::empty(asked, &queue, public_url, first)}{further}</section> }
            .into_any();
    }
    let (back, on) = match asked.filter.sort {
        Sort::Oldest => ("Oldest", "Newer"),
        Sort::Newest => ("Newest", "Older"),
        Sort::Due => ("Due first", "Due later"),
    };
    let first = asked.after.map(|_| (back, paths::queue(&asked.filter, None)));
    let next = queue.next.filter(|_| !queue.look_further).map(|next| (on, paths::queue(&asked.filter, Some(next))));
    let shown =
        format!("{}, {}", counted(queue.rows.len().try_into().unwrap_or(0), "row", "rows"), order(asked.filter.sort));
    view! {
        <section class="panel" aria-label="Items">
            {rows::table(&asked.filter, &queue)}
            {further}
            <Pager shown first next/>
        </section>
    }
    .into_any()
}

/// Only so many rows were examined.
fn further(filter: &ItemFilter, next: Cursor) -> impl IntoView + use<> {
    let to = paths::queue(filter, Some(next));
    view! {
        <div class="panel-body">
            <Notice tone="info">
                <p>"Only a part of the queue was searched. There may be more further on."</p>
                <div class="row"><a class="button button--small" href=to rel="next">"Look further"</a></div>
            </Notice>
        </div>
    }
}

/// "10,000+" where counting stopped.
fn figure(count: Count) -> String {
    format!("{}{}", thousands(count.number), if count.more { "+" } else { "" })
}

fn number(count: Count) -> String {
    format!("{} {}", figure(count), if count.number == 1 && !count.more { "item" } else { "items" })
}

fn order(sort: Sort) -> &'static str {
    match sort {
        Sort::Oldest => "the longest waiting first",
        Sort::Newest => "the newest first",
        Sort::Due => "what is due next first",
    }
}
