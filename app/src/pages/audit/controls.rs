use domain::audit::{AuditKind, AuditOutcome};
use leptos::prelude::*;
use service::{AuditFilter, audit_trail::Trail};

use super::asked::Asked;
use crate::{
    components::{Chip, Icon, Pick},
    paths,
};

/// Narrowing the trail: a form that asks for a page.
pub(super) fn filters(asked: &Asked, trail: &Trail) -> impl IntoView + use<> {
    let filter = &asked.filter;
    let kinds = AuditKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), kind.phrase().to_owned())).collect();
    let outcomes = AuditOutcome::ALL.iter().map(|outcome| (outcome.as_str().to_owned(), outcome.as_str().to_owned()));
    let workflows = trail.workflows.iter().map(|key| (key.clone(), key.clone())).collect();
    view! {
        <form class="filters" method="get" action=paths::AUDIT role="search">
            <div class="search">
                <Icon name="search"/>
                <input
                    type="search" name="person" value=filter.actor.clone() placeholder="Person or token, exactly as named…"
                    aria-label="Person or token, exactly as named"
                />
                <kbd aria-hidden="true">"/"</kbd>
            </div>
            {filter.actor_id.map(|id| view! { <input type="hidden" name="account" value=id.to_string()/> })}
            <label class="pick"><span>"Item id"</span><input name="item" value=filter.item.map(|id| id.to_string())/></label>
            <Pick label="Action" name="action" any="any" options=kinds chosen=filter.action.map(|kind| kind.as_str().to_owned())/>
            <Pick label="Workflow" name="workflow" any="any" options=workflows chosen=filter.workflow.clone()/>
            <Pick
                label="Outcome" name="outcome" any="any" options=outcomes.collect()
                chosen=filter.outcome.map(|outcome| outcome.as_str().to_owned())
            />
            {day("From (UTC)", "from", asked.from.as_deref())}
            {day("To (UTC)", "to", asked.to.as_deref())}
            <button class="button">"Apply"</button>
        </form>
    }
}

/// A day; a moment of an address is kept as it was given.
fn day(label: &'static str, name: &'static str, value: Option<&str>) -> impl IntoView + use<> {
    let kind = if value.is_some_and(|value| value.len() > "2026-11-01".len()) { "text" } else { "date" };
    view! { <label class="pick"><span>{label}</span><input type=kind name=name value=value.map(str::to_owned)/></label> }
}

/// The filters in use, each with a link that takes it away.
pub(super) fn chips(asked: &Asked) -> Option<impl IntoView + use<>> {
    let filter = AuditFilter { before: None, ..asked.filter.clone() };
    let (from, to) = (asked.from.as_deref(), asked.to.as_deref());
    let chip = |words: String, without: AuditFilter| {
        view! { <Chip words to=paths::audit(&without, from, to, None)/> }.into_any()
    };
    let chips = [
        filter.actor.as_ref().map(|name| chip(format!("By: {name}"), AuditFilter { actor: None, ..filter.clone() })),
        filter.actor_id.map(|id| chip(format!("Account: {id}"), AuditFilter { actor_id: None, ..filter.clone() })),
        filter.item.map(|id| chip(format!("Item: {id}"), AuditFilter { item: None, ..filter.clone() })),
        filter
            .action
            .map(|kind| chip(format!("Action: {}", kind.phrase()), AuditFilter { action: None, ..filter.clone() })),
        filter
            .workflow
            .as_ref()
            .map(|key| chip(format!("Workflow: {key}"), AuditFilter { workflow: None, ..filter.clone() })),
        filter
            .outcome
            .map(|outcome| chip(format!("Outcome: {outcome}"), AuditFilter { outcome: None, ..filter.clone() })),
        from.map(|day| {
            view! { <Chip words=format!("From: {day}") to=paths::audit(&filter, None, to, None)/> }.into_any()
        }),
        to.map(|day| {
            view! { <Chip words=format!("To: {day}") to=paths::audit(&filter, from, None, None)/> }.into_any()
        }),
    ];
    let chips: Vec<AnyView> = chips.into_iter().flatten().collect();
    (!chips.is_empty()).then(|| {
        view! {
            <ul class="chips" aria-label="Filters in use">{chips}<li><a class="small" href=paths::AUDIT>"Clear all"</a></li></ul>
        }
    })
}
