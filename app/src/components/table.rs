use leptos::prelude::*;

use super::Body;

/// A table that turns into cards where its box is narrow. The roles stand in the markup, for the cards would lose them.
#[component]
pub(crate) fn Table(
    #[prop(optional, into)] class: &'static str,
    caption: &'static str,
    /// The cells of its head.
    heads: Vec<AnyView>,
    /// Its rows, each with the cells of one.
    rows: Vec<AnyView>,
) -> impl IntoView {
    let rows = rows.into_iter().map(|cells| view! { <tr role="row">{cells}</tr> }).collect_view();
    view! {
        <div class="table-box">
            <table class=format!("data {class}").trim_end().to_owned() role="table">
                <caption class="visually-hidden">{caption}</caption>
                <thead role="rowgroup"><tr role="row">{heads}</tr></thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A cell of a table's head.
#[component]
pub(crate) fn Head(
    #[prop(optional, into)] class: Option<&'static str>,
    #[prop(optional, into)] sort: Option<&'static str>,
    children: Body,
) -> impl IntoView {
    view! { <th role="columnheader" scope="col" class=class aria-sort=sort>{children.0}</th> }.into_any()
}

/// A cell. On a card it says its label.
#[component]
pub(crate) fn Cell(
    #[prop(optional, into)] class: Option<&'static str>,
    #[prop(optional, into)] label: Option<&'static str>,
    children: Body,
) -> impl IntoView {
    view! { <td role="cell" class=class data-label=label>{children.0}</td> }.into_any()
}
