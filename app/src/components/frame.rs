use leptos::prelude::*;
use leptos_meta::Title;

use super::{AppBar, Body, Brand, KeysDialog, keys::KEYS};
use crate::{
    islands::{Keys, LocalTimes},
    pages::Place,
    visit::Visit,
};

/// What stands around every page of a signed-in person.
#[component]
pub(crate) fn Frame(
    #[prop(into)] title: String,
    #[prop(optional_no_strip)] at: Option<Place>,
    /// Further classes of the page.
    #[prop(optional, into)]
    class: &'static str,
    children: Body,
) -> impl IntoView {
    let visit = expect_context::<Visit>();
    let now = use_context::<service::Service>().map(|service| service.now().timestamp_millis()).unwrap_or_default();
    let places = Place::for_visitor(&visit).into_iter().map(|place| (place.letter(), place.label())).collect();
    view! {
        <Title text=title/>
        <AppBar visit at/>
        <main class=format!("page {class}").trim_end().to_owned() id="main" tabindex="-1">{children.0}</main>
        <footer class="page-foot"><LocalTimes as_of=now/></footer>
        <KeysDialog places/>
        <Keys keys=KEYS.to_owned()/>
    }
    .into_any()
}

/// A page for those who are not signed in yet: one panel in the middle.
#[component]
pub(crate) fn Door(#[prop(into)] title: String, children: Body) -> impl IntoView {
    view! {
        <Title text=title/>
        <main class="door" id="main"><Brand/>{children.0}</main>
    }
    .into_any()
}
