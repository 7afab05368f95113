use domain::{permission::Permission, refusal::Refusal};
use leptos::prelude::*;
use service::{Service, items::packet::Packet};

use super::{correct::revision_in, head};
use crate::{
    components::{Content, Field, Frame, Icon, Impossible, Notice, Panel, RefusalNotice, StepUp},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Made, Visit},
};

/// Revealing what is hidden of a revision: why, who, and then the content, this once.
#[component]
pub(in crate::pages) fn RevealPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let asked = state.typed("revision").parse().ok().or_else(|| revision_in(visit.query())).unwrap_or(1);
    let id = param("id");
    let may = visit.may(Permission::PayloadsReveal);
    let ask = async move { service.packet(&visit.request, id_in(id.as_deref())?).await };
    answered(ask, move |packet: Packet| {
        let (id, name) = (packet.item.id, head::name(&packet.item).to_owned());
        let title = format!("Reveal revision {asked}");
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let body = match &state.made {
            Some(Made::Payload(payload)) => {
                let (bytes, kind) = (payload.bytes.clone(), payload.kind);
                view! {
                    <Notice tone="warn" title="Shown this once">
                        <p>"It is in the audit trail that you saw it. Nothing of it is kept in this page's address."</p>
                    </Notice>
                    <Panel id="h-revealed" title=format!("Revision {}", payload.revision)>
                        <Content bytes kind raw=false label="Payload" whole=None/>
                    </Panel>
                }
                .into_any()
            }
            _ if may => form(id, asked, &state),
            _ => {
                let refusal = Refusal::MissingPermission(Permission::PayloadsReveal);
                view! { <Impossible refusal/> }.into_any()
            }
        };
        view! {
            <Frame title=title.clone() at=Some(Place::Queue) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{title}</h1>
                    <p class="muted">"Shows the values that are hidden from you. That you did, and why, is written into the audit trail."</p>
                </header>
                <div class="stack">{refused}{body}</div>
            </Frame>
        }
    })
}

fn form(id: domain::ids::ItemId, revision: i64, state: &FormState) -> AnyView {
    view! {
        <Panel id="h-why" title="Why">
            <div class="panel-body">
                <form class="form" method="post" action=paths::item_action(id, "reveal")>
                    <input type="hidden" name="revision" value=revision.to_string()/>
                    <Field
                        id="reveal-reason" name="reason" label="Reason" hint="Why you have to see it."
                        value=state.typed("reason") problem=state.problem("reason")
                    />
                    <StepUp id="reveal"/>
                    <div class="form-end"><button class="button button--primary">"Reveal it"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
