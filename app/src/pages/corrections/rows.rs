use domain::access::Caller;
use leptos::prelude::*;
use service::{Correction, corrections::Corrections};

use super::sent;
use crate::{
    components::{Cell, Head, LongText, Moment, Person, Table},
    pages::trail::gone,
    paths,
};

/// The corrections of a page.
pub(super) fn table(found: &Corrections, caller: &Caller) -> impl IntoView + use<> {
    let heads = ["When", "Who", "Correction", "Why", "Item", "What became of it"]
        .map(|words| view! { <Head>{words}</Head> }.into_any());
    let row = |row: &Correction| {
        view! {
            <Cell label="When" class="cell-fit"><Moment at=row.at exact=true/></Cell>
            <Cell label="Who"><Person name=row.author_name.clone()/>{gone(row.author_deleted_at.is_some())}</Cell>
            <Cell label="Correction" class="cell-fit">{which(row)}</Cell>
            <Cell label="Why" class="cell-main">{why(row, caller.sees(row.sensitivity))}</Cell>
            <Cell label="Item" class="cell-item">{item(row)}</Cell>
            <Cell label="Became">{sent::outcomes(&row.sent)}</Cell>
        }
        .into_any()
    };
    view! {
        <Table
            class="audit-table corrections" caption="Corrections, newest first" heads=heads.into()
            rows=found.rows.iter().map(row).collect()
        />
    }
}

fn which(row: &Correction) -> impl IntoView + use<> {
    let from = row
        .parent
        .map(|parent| if parent == 1 { "from the original".to_owned() } else { format!("from revision {parent}") });
    view! {
        <a href=paths::correction(row.item_id, row.number)>{format!("Revision {}", row.number)}</a>
        <span class="sub">{from}</span>
    }
}

fn why(row: &Correction, cleared: bool) -> AnyView {
    match row.reason.clone() {
        Some(text) => view! { <LongText text class="foreign" shown=300/> }.into_any(),
        None if cleared => ().into_any(),
        None => view! { <i class="masked">"above your clearance"</i> }.into_any(),
    }
}

fn item(row: &Correction) -> impl IntoView + use<> {
    let name = row.business_ref.clone().unwrap_or_else(|| row.dedupe_key.clone());
    view! {
        <a class="clip" href=paths::item(row.item_id)><bdi>{name}</bdi></a>
        <span class="sub clip"><bdi>{row.workflow_key.clone()}</bdi>" › "<bdi>{row.step.clone()}</bdi></span>
    }
}
