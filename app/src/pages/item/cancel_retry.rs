use domain::ids::ItemId;
use leptos::prelude::*;
use service::{
    Service,
    items::{actions::Offer, cancel_retry::ITEM_ACTION, packet::Packet},
};

use super::head;
use crate::{
    components::{Frame, Icon, Notice, RefusalNotice, TextArea},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// The action's name in addresses.
pub(super) const NAME: &str = ITEM_ACTION.name;

/// The form by itself: where a refused one is shown again.
#[component]
pub(in crate::pages) fn CancelRetryPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let id = param("id");
    let ask = async move { service.packet(&visit.request.caller, id_in(id.as_deref())?).await };
    answered(ask, move |packet| {
        let (id, name) = (packet.item.id, head::name(&packet.item).to_owned());
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        view! {
            <Frame title=ITEM_ACTION.label at=Some(Place::Queue) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{ITEM_ACTION.label}</h1>
                    <p class="muted">{ITEM_ACTION.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {impossible(&packet, &state)}
                    <section class="panel" aria-label=ITEM_ACTION.label>
                        <div class="panel-body">{form(id, &state)}</div>
                    </section>
                </div>
            </Frame>
        }
    })
}

/// Why it can't be done now, where the form itself was not just refused.
fn impossible(packet: &Packet, state: &FormState) -> Option<impl IntoView + use<>> {
    let this = |offer: &&Offer| offer.action.name == NAME;
    let refusal = packet.actions.iter().find(this)?.refusal.as_ref().filter(|_| state.refusal.is_none())?;
    Some(view! { <Notice tone="info" title=refusal.title()><p>{refusal.sentence()}</p></Notice> })
}

/// The form; posts to the action's own address.
pub(super) fn form(id: ItemId, state: &FormState) -> impl IntoView + use<> {
    view! {
        <form class="form" method="post" action=paths::item_action(id, NAME)>
            <TextArea
                id="cancel-retry-reason" name="reason" label="Reason" hint="The automation and the history are told."
                value=state.typed("reason") problem=state.problem("reason")
            />
            <div class="form-end"><button class="button button--primary">{ITEM_ACTION.label}</button></div>
        </form>
    }
}
