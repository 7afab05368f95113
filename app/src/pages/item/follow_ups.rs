use leptos::prelude::*;
use service::{ListedItem, items::packet::Packet};

use crate::{
    components::{Panel, Tag, words},
    paths,
};

/// The accepted item that this one follows up, and what follows this one up.
pub(super) fn follow_ups(packet: &Packet) -> Option<impl IntoView + use<>> {
    let of = packet.follow_up_of.as_ref().map(|other| {
        let name = other.business_ref.clone().unwrap_or_else(|| other.dedupe_key.clone());
        row("Follow-up of ", name, other)
    });
    // Their reference is this item's, too: the key tells them apart.
    let further: Vec<AnyView> =
        packet.follow_ups.iter().map(|other| row("Follow-up: ", other.dedupe_key.clone(), other)).collect();
    (of.is_some() || !further.is_empty()).then(|| {
        view! {
            <Panel id="h-follow-ups" title="Follow-up">
                <ul class="records">{of}{further}</ul>
            </Panel>
        }
    })
}

fn row(lead: &'static str, name: String, other: &ListedItem) -> AnyView {
    let state = other.state;
    view! {
        <li>
            <span>{lead}<a href=paths::item(other.id)><bdi>{name}</bdi></a></span>
            <Tag icon=words::state_icon(state) words=state.label()/>
        </li>
    }
    .into_any()
}
