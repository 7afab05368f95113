use domain::{moves::Move, refusal::Refusal};
use leptos::prelude::*;
use service::{
    Error, Service,
    items::{packet::Packet, sending::Plan, verbs::replay::ACTION},
    payloads::difference::{Difference, Extent},
};

use super::{correct::revision_in, effect, head, marks::marks, replay_form, replay_plan};
use crate::{
    components::{Frame, Icon, Impossible, Lines, Moment, Notice, Panel, RefusalNotice, changes},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// What the page shows: what would be sent, how that differs from the original, or why nothing can be sent.
pub(super) struct Seen {
    pub(super) packet: Packet,
    pub(super) plan: Result<Plan, Refusal>,
    /// A revision that was asked for and is not there.
    missing: Option<i64>,
    difference: Option<Difference>,
}

impl Seen {
    /// Why it can't be sent now, if it can't.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let offer = self.packet.actions.iter().find(|offer| offer.action.step == Move::Replay)?;
        let plan = || match &self.plan {
            Ok(plan) => plan.unsuited.clone(),
            Err(refusal) => Some(refusal.clone()),
        };
        offer.refusal.clone().or_else(plan)
    }
}

/// Deciding on a replay: what goes where, how it differs, what has to be accepted, and one button that says it.
#[component]
pub(in crate::pages) fn ReplayPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let asked = state.typed("revision").parse().ok().or_else(|| revision_in(visit.query()));
    let id = param("id");
    let ask = async move { read(&service, &visit, id.as_deref(), asked).await };
    answered(ask, move |seen| {
        let seen = &seen;
        let (id, name) = (seen.packet.item.id, head::name(&seen.packet.item).to_owned());
        let title = match &seen.plan {
            Ok(plan) => format!("Replay revision {}", plan.revision.number),
            Err(_) => "Replay".to_owned(),
        };
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let plan = seen.plan.as_ref().ok();
        view! {
            <Frame title=title.clone() at=Some(Place::Queue) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{title}</h1>
                    <p class="muted">{ACTION.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {impossible(seen, &state)}
                    {effect::effect(&seen.packet)}
                    {missing(seen)}
                    {choice(seen)}
                    {plan.map(|plan| replay_plan::panel(&seen.packet, plan))}
                    {difference(seen)}
                    {plan.map(|plan| replay_form::panel(seen, plan, &state))}
                </div>
            </Frame>
        }
    })
}

async fn read(service: &Service, visit: &Visit, id: Option<&str>, asked: Option<i64>) -> Result<Seen, Error> {
    let (id, caller) = (id_in(id)?, &visit.request.caller);
    let packet = service.packet(&visit.request, id).await?;
    let there = |number: &i64| packet.revisions.iter().any(|revision| revision.number == *number);
    let (number, missing) = (asked.filter(there), asked.filter(|number| !there(number)));
    let plan = match service.plan_replay(caller, id, number).await {
        Ok(plan) => Ok(plan),
        Err(Error::Refused(refusal)) => Err(refusal),
        Err(other) => return Err(other),
    };
    let difference = match &plan {
        Ok(plan) => service.difference(caller, id, 1, plan.revision.number, Extent::Around).await?,
        Err(_) => None,
    };
    Ok(Seen { packet, plan, missing, difference })
}

/// Why it can't be done now, where that was not said by the form just refused.
fn impossible(seen: &Seen, state: &FormState) -> Option<impl IntoView + use<>> {
    let refusal = seen.refusal().filter(|refusal| state.refusal.as_ref() != Some(refusal))?;
    Some(view! { <Impossible refusal=refusal.clone()/> })
}

fn missing(seen: &Seen) -> Option<impl IntoView + use<>> {
    let words = format!("There is no revision {}; the newest is shown.", seen.missing?);
    Some(view! { <Notice tone="info"><p>{words}</p></Notice> })
}

/// Which revision: each is a page of its own.
fn choice(seen: &Seen) -> Option<impl IntoView + use<>> {
    let (id, all) = (seen.packet.item.id, &seen.packet.revisions);
    let current = seen.plan.as_ref().ok().map(|plan| plan.revision.number);
    let one = |revision: &service::Revision| {
        let what = if revision.number == 1 { "original, by " } else { "by " };
        let current = (Some(revision.number) == current).then_some("page");
        view! {
            <li>
                <a href=paths::replay(id, Some(revision.number)) aria-current=current>
                    <b>{format!("Revision {}", revision.number)}</b>
                    <small>{what}<bdi>{revision.author_name.clone()}</bdi></small>
                    {marks(revision).map(|marks| view! { <small>{marks}</small> })}
                    <small><Moment at=revision.at/></small>
                </a>
            </li>
        }
    };
    (all.len() > 1).then(|| {
        view! { <nav class="picks" aria-label="Which revision"><ul>{all.iter().rev().map(one).collect_view()}</ul></nav> }
    })
}

fn difference(seen: &Seen) -> Option<AnyView> {
    let number = seen.plan.as_ref().ok()?.revision.number;
    let said = |words: &'static str| view! { <div class="panel-body"><p>{words}</p></div> }.into_any();
    let body = match &seen.difference {
        _ if number == 1 => said("This is the original, byte for byte as it was received."),
        Some(difference) => changes(difference, Lines::Unified),
        None if seen.packet.content_hidden => said("The content is above your clearance."),
        None => said("The bytes of one of the two were erased."),
    };
    let title =
        if number == 1 { "The content".to_owned() } else { format!("From revision 1, the original, to {number}") };
    Some(view! { <Panel id="h-difference" title>{body}</Panel> }.into_any())
}
