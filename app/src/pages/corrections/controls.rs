use leptos::prelude::*;
use service::{CorrectionFilter, corrections::Corrections};

use super::asked::Asked;
use crate::{
    components::{Chip, Icon, Pick},
    paths,
};

/// Narrowing the list: a form that asks for a page.
pub(super) fn filters(asked: &Asked, found: &Corrections) -> impl IntoView + use<> {
    let filter = &asked.filter;
    let workflows = found.workflows.iter().map(|key| (key.clone(), key.clone())).collect();
    view! {
        <form class="filters" method="get" action=paths::CORRECTIONS role="search">
            <div class="search">
                <Icon name="search"/>
                <input
                    type="search" name="person" value=filter.person.clone() placeholder="Person, exactly as named…"
                    aria-label="Person, exactly as named"
                />
                <kbd aria-hidden="true">"/"</kbd>
            </div>
            <Pick label="Workflow" name="workflow" any="any" options=workflows chosen=filter.workflow.clone()/>
            <label class="pick"><span>"Item id"</span><input name="item" value=filter.item.map(|id| id.to_string())/></label>
            <button class="button">"Apply"</button>
        </form>
    }
}

/// The filters in use, each with a link that takes it away.
pub(super) fn chips(asked: &Asked) -> Option<impl IntoView + use<>> {
    let filter = CorrectionFilter { before: None, ..asked.filter.clone() };
    let chip = |words: String, without: CorrectionFilter| {
        view! { <Chip words to=paths::corrections(&without, None)/> }.into_any()
    };
    let person = filter.person.as_ref();
    let workflow = filter.workflow.as_ref();
    let chips = [
        person.map(|name| chip(format!("By: {name}"), CorrectionFilter { person: None, ..filter.clone() })),
        workflow.map(|key| chip(format!("Workflow: {key}"), CorrectionFilter { workflow: None, ..filter.clone() })),
        filter.item.map(|id| chip(format!("Item: {id}"), CorrectionFilter { item: None, ..filter.clone() })),
    ];
    let chips: Vec<AnyView> = chips.into_iter().flatten().collect();
    (!chips.is_empty()).then(|| {
        view! {
            <ul class="chips" aria-label="Filters in use">{chips}<li><a class="small" href=paths::CORRECTIONS>"Clear all"</a></li></ul>
        }
    })
}
