use domain::{
    audit::{ActorKind, AuditOutcome},
    ids::ItemId,
};
use leptos::prelude::*;
use service::{AuditRow, audit_trail::Trail};

use crate::{
    components::{Cell, Head, LongText, Moment, Person, Table, Tag, Team},
    pages::trail::{actor, gone, phrase},
    paths,
};

/// The entries of a page.
pub(super) fn table(trail: &Trail) -> impl IntoView + use<> {
    let row = |row: &AuditRow| {
        let reason = row.text.clone().map(|text| view! { <LongText text class="reason foreign" shown=400/> });
        view! {
            <Cell label="When" class="cell-fit"><Moment at=row.at exact=true/></Cell>
            <Cell label="Who">{who(row)}</Cell>
            <Cell label="What" class="cell-main"><span class="what">{phrase(row)}</span>{reason}{details(row)}</Cell>
            <Cell label="Item" class="cell-item">{row.item_id.map(item)}</Cell>
            <Cell label="Workflow">{row.workflow_key.clone().map(workflow)}</Cell>
            <Cell label="Outcome" class="cell-fit">{outcome(row.outcome)}</Cell>
        }
        .into_any()
    };
    let heads =
        ["When", "Who", "What", "Item", "Workflow", "Outcome"].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table class="audit-table" caption="Audit entries, newest first" heads=heads.into() rows=trail.rows.iter().map(row).collect()/> }
}

fn who(row: &AuditRow) -> AnyView {
    let name = actor(row);
    let icon = who_as(row, name);
    // A namesake is somebody else, so the account is what leads on.
    let gone = gone(row.actor_deleted_at.is_some());
    match row.actor_id {
        Some(id) => view! { <a class="quiet-link" href=paths::audit_of(id)>{icon}</a>{gone} }.into_any(),
        None => icon,
    }
}

fn who_as(row: &AuditRow, name: String) -> AnyView {
    match row.actor_kind {
        ActorKind::Person => view! { <Person name/> }.into_any(),
        ActorKind::Automation => view! { <Team name icon="bot"/> }.into_any(),
        ActorKind::CommandLine | ActorKind::Job => view! { <Team name icon="command"/> }.into_any(),
        ActorKind::Anonymous => view! { <Team name icon="circle"/> }.into_any(),
    }
}

fn workflow(key: String) -> impl IntoView {
    view! { <span class="clip key"><bdi>{key}</bdi></span> }
}

fn item(id: uuid::Uuid) -> impl IntoView {
    // Ids made in one millisecond differ only at the end.
    let tail: String = id.simple().to_string().chars().skip(24).collect();
    view! { <a class="mono" href=paths::item(ItemId(id))>"…"{tail}</a> }
}

fn outcome(outcome: AuditOutcome) -> impl IntoView {
    let (icon, tone) = match outcome {
        AuditOutcome::Done => ("check", "good"),
        AuditOutcome::Refused => ("ban", "danger"),
    };
    view! { <Tag icon tone words=outcome.as_str()/> }
}

/// Ids, numbers and words that belong to the entry, folded away.
fn details(row: &AuditRow) -> Option<impl IntoView + use<>> {
    let pair = |(name, value): (&String, &_)| {
        (name.replace('_', " "), ToString::to_string(value).trim_matches('"').to_owned())
    };
    let request = row.request_id.clone().map(|id| ("request".to_owned(), id));
    let account = row.actor_id.map(|id| ("account".to_owned(), id.to_string()));
    let pairs = row.detail.iter().filter(|(_, value)| !value.is_null()).map(pair).chain(account).chain(request);
    let fact = |(name, value): (String, String)| view! { <div><dt>{name}</dt><dd class="mono">{value}</dd></div> };
    let facts: Vec<_> = pairs.map(fact).collect();
    (!facts.is_empty()).then(|| {
        view! { <details class="fold"><summary>"Detail"</summary><dl class="facts small">{facts}</dl></details> }
    })
}
