use domain::item::State;
use leptos::prelude::*;
use service::items::{actions::Offer, packet::Packet};

use super::cancel_retry;
use crate::components::Icon;

/// What can be done and what it will do; what is refused stays, and says why (R15).
pub(super) fn actions(packet: &Packet) -> impl IntoView + use<> {
    let offer = |offer: &Offer| match &offer.refusal {
        None => {
            let form = form_of(offer.action.name, packet);
            view! {
                <li>
                    <details class="action" name="action">
                        <summary>{words(icon(offer.action.name), offer.action.label, offer.action.explanation.to_owned())}</summary>
                        {form}
                    </details>
                </li>
            }
            .into_any()
        }
        Some(refusal) => {
            let rule = refusal.rule().map(|rule| format!(" ({rule})")).unwrap_or_default();
            let why = format!("{}: {}{rule}", refusal.title(), refusal.sentence());
            view! { <li><div class="action action--refused"><div>{words("ban", offer.action.label, why)}</div></div></li> }
                .into_any()
        }
    };
    let none = packet.actions.iter().all(|offer| offer.refusal.is_some()).then(|| nothing(packet.item.state));
    view! {
        <section class="panel" aria-labelledby="h-do">
            <header><h2 id="h-do">"What you can do"</h2></header>
            {none.map(|sentence| view! { <div class="panel-body"><p class="muted">{sentence}</p></div> })}
            <ul class="actions">{packet.actions.iter().map(offer).collect_view()}</ul>
        </section>
    }
}

fn words(icon: &'static str, label: &'static str, small: String) -> impl IntoView {
    view! { <Icon name=icon/><span><b>{label}</b><small>{small}</small></span> }
}

/// Each action has an icon and a form, named here; one without a form could not be offered.
fn icon(action: &str) -> &'static str {
    match action {
        cancel_retry::NAME => "hand",
        _ => "circle",
    }
}

fn form_of(action: &str, packet: &Packet) -> Option<AnyView> {
    match action {
        cancel_retry::NAME => Some(cancel_retry::form(packet.item.id, &Default::default()).into_any()),
        _ => None,
    }
}

fn nothing(state: State) -> &'static str {
    match state {
        State::Closed => "Nothing: the item is closed. It opens again by itself if the automation reports a new failure of this work.",
        _ => "Nothing from here at this moment. Look in the other system; word from the automation changes this page.",
    }
}
