use domain::refusal::Refusal;
use leptos::prelude::*;
use service::{
    Error, Service,
    items::{actions::ItemAction, packet::Packet},
};

use super::{action_form, head};
use crate::{
    components::{Frame, Icon, Impossible, RefusalNotice},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// An action's form by itself: where a refused one is shown again, with everything that was typed.
#[component]
pub(in crate::pages) fn ActionPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let (id, name) = (param("id"), param("action"));
    let ask = async move {
        let action = name.as_deref().and_then(ItemAction::named).ok_or(Error::Refused(Refusal::NotFound))?;
        Ok((action, service.packet(&visit.request, id_in(id.as_deref())?).await?))
    };
    answered(ask, move |(action, packet)| {
        let label = action.label.trim_end_matches('…');
        let (id, name) = (packet.item.id, head::name(&packet.item).to_owned());
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal fields=action.fields/> });
        view! {
            <Frame title=label at=Some(Place::Queue) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{label}</h1>
                    <p class="muted">{action.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {impossible(action, &packet, &state)}
                    <section class="panel" aria-label=label>
                        <div class="panel-body">{action_form::form(action, &packet, &state)}{action_form::takers(&packet)}</div>
                    </section>
                </div>
            </Frame>
        }
    })
}

/// Why it can't be done now, where the form itself was not just refused.
pub(super) fn impossible(action: &ItemAction, packet: &Packet, state: &FormState) -> Option<impl IntoView + use<>> {
    let refusal = packet.refusal_of(action.step).filter(|_| state.refusal.is_none())?.clone();
    Some(view! { <Impossible refusal/> })
}
