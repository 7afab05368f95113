use chrono::{DateTime, Utc};
use domain::item::{Impact, State};
use leptos::prelude::*;
use service::{ItemFilter, ListedItem, Sort, View, items::list::Queue};

use crate::{
    components::{Age, Cell, DueTag, EffectBadge, Head, Person, Table, Tag, Team, words},
    paths,
};

/// The rows of a page.
pub(super) fn table(filter: &ItemFilter, queue: &Queue) -> impl IntoView + use<> {
    let now = queue.as_of;
    let view = filter.view;
    let rows = queue.rows.iter().map(|row| {
        view! {
            <Cell class="cell-due">{standing(row, view, now)}</Cell>
            <Cell class="cell-main">{name(row)}</Cell>
            <Cell class="cell-effect"><EffectBadge effect=row.effect/></Cell>
            <Cell class="cell-where" label="Workflow">
                <span class="clip">{row.workflow_key.clone()}</span>
                " "
                <span class="sub clip">{row.step.clone()}</span>
            </Cell>
            <Cell class="cell-owner" label="Owner">{owner(row)}</Cell>
            <Cell class="cell-age cell-fit cell-end"><Age at=row.received_at now/></Cell>
        }
        .into_any()
    });
    view! { <Table class="queue-table" caption="Items" heads=heads(filter) rows=rows.collect()/> }
}

fn heads(filter: &ItemFilter) -> Vec<AnyView> {
    let (sort, word, other) = match filter.sort {
        Sort::Oldest => (Some("descending"), "Age ↓", Sort::Newest),
        Sort::Newest => (Some("ascending"), "Age ↑", Sort::Oldest),
        Sort::Due => (None, "Age", Sort::Oldest),
    };
    let turned = paths::queue(&ItemFilter { sort: other, ..filter.clone() }, None);
    let by_due = paths::queue(&ItemFilter { sort: Sort::Due, ..filter.clone() }, None);
    let due = match filter.sort {
        // What is closed has nothing due.
        _ if filter.view == View::Closed => view! { <Head>"Why"</Head> }.into_any(),
        Sort::Due => view! { <Head sort="ascending"><a href=by_due>"Due ↑"</a>", why"</Head> }.into_any(),
        Sort::Oldest | Sort::Newest => view! { <Head><a href=by_due>"Due"</a>", why"</Head> }.into_any(),
    };
    vec![
        due,
        view! { <Head>"Item"</Head> }.into_any(),
        view! { <Head>"Effect"</Head> }.into_any(),
        view! { <Head>"Workflow"</Head> }.into_any(),
        view! { <Head>"Owner"</Head> }.into_any(),
        match sort {
            Some(sort) => view! { <Head class="cell-end" sort><a href=turned>{word}</a></Head> }.into_any(),
            None => view! { <Head class="cell-end"><a href=turned>{word}</a></Head> }.into_any(),
        },
    ]
}

/// Why it is here, how it stands where that is not just "open", and whether it matters much.
fn standing(row: &ListedItem, view: View, now: DateTime<Utc>) -> impl IntoView + use<> {
    let due = view! { <DueTag due=row.due.clone() now/> };
    let ended = row.resolution.map(|resolution| view! { <Tag icon="circle-check-big" words=resolution.label()/> });
    let moving = (row.state != State::Open && row.state != State::Closed)
        .then(|| view! { <Tag icon=words::state_icon(row.state) tone="info" words=row.state.label()/> });
    let mixed = matches!(view, View::Open | View::Uncertain | View::Closed)
        .then(|| view! { <Tag icon=words::lane_icon(row.lane) words=row.lane.label()/> });
    let high = (row.impact == Impact::High && row.state != State::Closed)
        .then(|| view! { <Tag icon=words::impact_icon(row.impact) words=row.impact.label()/> });
    view! {
        <span class="why">
            {due}
            <span>{row.failure_class.label()}</span>
            <span class="badges">{ended}{moving}{high}{mixed}</span>
        </span>
    }
}

fn name(row: &ListedItem) -> impl IntoView + use<> {
    let shown = row.business_ref.as_ref().unwrap_or(&row.dedupe_key).clone();
    view! {
        <a class="open clip" href=paths::item(row.id)><bdi>{shown}</bdi></a>
        <span class="message clip">{row.message_head.clone()}</span>
    }
}

/// Who answers for it: a person, else the team.
fn owner(row: &ListedItem) -> AnyView {
    match &row.owner_name {
        Some(name) => view! { <Person name=name.clone()/> }.into_any(),
        None => view! { <Team name=row.team_name.clone()/> }.into_any(),
    }
}
