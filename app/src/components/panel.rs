use leptos::prelude::*;

use super::Body;

/// A part of a page. What reaches its edges (a table, a list, code) goes straight in.
#[component]
pub(crate) fn Panel(
    /// Names its heading.
    id: &'static str,
    #[prop(into)] title: String,
    #[prop(optional, into)] class: &'static str,
    /// Beside the heading.
    #[prop(optional, into)]
    note: Option<String>,
    /// At the end of the heading's line.
    #[prop(optional_no_strip)]
    end: Option<AnyView>,
    children: Body,
) -> impl IntoView {
    view! {
        <section class=format!("panel {class}").trim_end().to_owned() aria-labelledby=id>
            <header>
                <h2 id=id>{title}</h2>
                {note.map(|note| view! { <span class="note">{note}</span> })}
                {end}
            </header>
            {children.0}
        </section>
    }
    .into_any()
}

/// One fact of a `dl.facts`.
#[component]
pub(crate) fn Fact(
    name: &'static str,
    /// Takes more room than one of several beside one another.
    #[prop(optional)]
    wide: bool,
    children: Body,
) -> impl IntoView {
    view! { <div class=wide.then_some("fact--wide")><dt>{name}</dt><dd>{children.0}</dd></div> }.into_any()
}
