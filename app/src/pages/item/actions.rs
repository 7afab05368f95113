use domain::{moves::Move, refusal::Refusal};
use leptos::prelude::*;
use service::items::{actions::Offer, packet::Packet};

use super::{
    action_form,
    will::{self, Told},
};
use crate::{
    components::{Icon, Prose},
    paths,
    visit::FormState,
};

/// What can be done and what it will do; what is refused stays, and says why (R15).
pub(super) fn actions(packet: &Packet) -> impl IntoView + use<> {
    let (refused, open): (Vec<&Offer>, Vec<&Offer>) = packet.actions.iter().partition(|offer| offer.refusal.is_some());
    let open = open.into_iter().map(|offer| {
        let Told { label, will } = will::told(offer.action, packet);
        let (step, words) = (offer.action.step, words(icon(offer.action.step), label, will));
        let to = paths::item_action(packet.item.id, step.as_str());
        match step {
            // These need a page: the text, or what is sent where, beside its difference.
            Move::Correct | Move::Replay | Move::Compensate => {
                view! { <li><a class="action" href=to>{words}</a></li> }.into_any()
            }
            Move::AskAgain if packet.sendable.as_ref().is_none_or(|sendable| sendable.askable.is_empty()) => {
                shut(offer, &Refusal::KeyNoLongerHelps).into_any()
            }
            // Nothing is asked: the button says it all.
            _ if offer.action.fields.is_empty() => view! {
                <li>
                    <form class="action" method="post" action=to>
                        <input type="hidden" name="version" value=packet.item.version.to_string()/>
                        <button>{words}</button>
                    </form>
                </li>
            }
            .into_any(),
            _ => view! {
                <li>
                    <details class="action" name="action">
                        <summary>{words}</summary>
                        {action_form::form(offer.action, packet, &FormState::default())}
                    </details>
                </li>
            }
            .into_any(),
        }
    });
    let refused = refused.into_iter().filter_map(|offer| Some(shut(offer, offer.refusal.as_ref()?)));
    view! {
        <section class="panel" aria-labelledby="h-do">
            <header><h2 id="h-do">"What you can do"</h2></header>
            <ul class="actions">{open.collect_view()}{refused.collect_view()}</ul>
            {action_form::takers(packet)}
        </section>
    }
    .into_any()
}

/// A refused action, with its reason.
fn shut(offer: &Offer, refusal: &Refusal) -> impl IntoView + use<> {
    let rule = refusal.rule().map(|rule| format!(" ({rule})")).unwrap_or_default();
    let why = format!("{}{rule}", refusal.sentence());
    let label = offer.action.label.trim_end_matches('…');
    view! { <li><div class="action action--refused"><div>{words("ban", label.to_owned(), why)}</div></div></li> }
        .into_any()
}

fn words(icon: &'static str, label: String, small: String) -> impl IntoView {
    view! { <Icon name=icon/><span><b>{label}</b><small><Prose text=small/></small></span> }
}

const fn icon(step: Move) -> &'static str {
    match step {
        Move::Claim | Move::CancelRetry => "hand",
        Move::Release => "user-check",
        Move::HandOver | Move::Assign => "user-plus",
        Move::Comment => "message-square",
        Move::Snooze => "pause",
        Move::Wake => "sun",
        Move::Reconcile => "clipboard-check",
        Move::Correct => "file-pen",
        Move::Replay => "send",
        Move::Compensate => "rotate-ccw",
        Move::AskAgain => "repeat",
        Move::Lookup => "eye",
        Move::Resolve => "check",
        Move::Escalate => "siren",
        Move::Reopen => "undo-2",
    }
}
