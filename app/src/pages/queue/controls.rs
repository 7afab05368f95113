use domain::{ageing::Level, failure::FailureClass};
use leptos::prelude::*;
use service::{ItemFilter, items::list::Queue};

use super::filter::is_narrowed;
use crate::{
    components::{Chip, Icon, Pick},
    paths::{self, DEFAULT_VIEW, view_word},
};

/// What the queue can be narrowed to.
const LATE: [Level; 2] = [Level::AtRisk, Level::Overdue];

/// Searching and narrowing: a form that asks for a page.
pub(super) fn filters(filter: &ItemFilter, queue: &Queue) -> impl IntoView + use<> {
    let view = (filter.view != DEFAULT_VIEW).then(|| hidden("view", view_word(filter.view)));
    let sort = paths::sort_word(filter.sort).map(|word| hidden("sort", word));
    let mine = filter.mine.as_ref().map(|_| hidden("mine", "yes"));
    let same = |keys: &[String]| keys.iter().map(|key| (key.clone(), key.clone())).collect::<Vec<_>>();
    let classes = FailureClass::ALL.iter().map(|class| (class.as_str().to_owned(), class.label().to_owned())).collect();
    let class = filter.class.map(|class| class.as_str().to_owned());
    let late = LATE.map(|level| (level.as_str().to_owned(), level.label().to_owned())).to_vec();
    let due = filter.due.map(|level| level.as_str().to_owned());
    view! {
        <form class="filters" method="get" action=paths::QUEUE role="search">
            {view}
            {sort}
            {mine}
            <div class="search">
                <Icon name="search"/>
                <input
                    type="search" name="q" value=filter.text.clone() maxlength="200" placeholder="Reference, key or text…"
                    aria-label="Search reference, key, or text of the message"
                />
                <kbd aria-hidden="true">"/"</kbd>
            </div>
            <Pick label="Workflow" name="workflow" any="any" options=same(&queue.workflows) chosen=filter.workflow.clone()/>
            <Pick label="Step" name="step" any="any" options=same(&queue.steps) chosen=filter.step.clone()/>
            <Pick label="Class" name="class" any="any" options=classes chosen=class/>
            <Pick label="Due" name="due" any="any" options=late chosen=due/>
            <button class="button">"Apply"</button>
        </form>
    }
}

fn hidden(name: &'static str, value: &'static str) -> impl IntoView {
    view! { <input type="hidden" name=name value=value/> }
}

/// The same rows without what narrows them.
pub(super) fn unfiltered(filter: &ItemFilter) -> ItemFilter {
    ItemFilter { view: filter.view, sort: filter.sort, mine: filter.mine.clone(), ..ItemFilter::open() }
}

/// The filters in use, each with a link that takes it away.
pub(super) fn chips(filter: &ItemFilter) -> Option<impl IntoView + use<>> {
    let chip = |words: String, without: ItemFilter| view! { <Chip words to=paths::queue(&without, None)/> };
    let workflow = filter
        .workflow
        .as_ref()
        .map(|key| chip(format!("Workflow: {key}"), ItemFilter { workflow: None, ..filter.clone() }));
    let step =
        filter.step.as_ref().map(|key| chip(format!("Step: {key}"), ItemFilter { step: None, ..filter.clone() }));
    let class = filter
        .class
        .map(|class| chip(format!("Class: {}", class.label()), ItemFilter { class: None, ..filter.clone() }));
    let text =
        filter.text.as_ref().map(|text| chip(format!("Search: {text}"), ItemFilter { text: None, ..filter.clone() }));
    let due = filter.due.map(|level| chip(level.label().to_owned(), ItemFilter { due: None, ..filter.clone() }));
    let none = unfiltered(filter);
    is_narrowed(filter).then(|| {
        view! {
            <ul class="chips" aria-label="Filters in use">
                {text}{workflow}{step}{class}{due}
                <li><a class="small" href=paths::queue(&none, None)>"Clear all"</a></li>
            </ul>
        }
    })
}
