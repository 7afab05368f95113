//! The recovery packet: everything an operator needs about one item, on one page.

mod action;
mod action_form;
mod actions;
mod answer;
mod asked;
mod attempts;
mod clocks;
mod compensate;
mod compensations;
pub mod correct;
mod effect;
mod escalations;
mod failure;
mod follow_ups;
mod found;
mod head;
mod history;
mod live;
pub(super) mod marks;
mod notices;
mod payload;
mod records;
mod replay;
mod replay_form;
mod replay_plan;
mod reveal;
mod steps;
mod story;
mod will;

use domain::{access::Person, ids::ItemId, refusal::Refusal};
use leptos::prelude::*;
use service::{
    Error, Service,
    items::{packet::Packet, payload::Payload},
    payloads::difference::{Difference, Extent},
};

use super::{
    Place,
    answer::{answered, id_in, param},
};
use crate::{components::Frame, visit::Visit};
pub(super) use action::ActionPage;
use asked::Asked;
pub(super) use compensate::CompensatePage;
pub(super) use correct::CorrectPage;
pub(super) use replay::ReplayPage;
pub(super) use reveal::RevealPage;

/// The packet and the payload that is looked at.
struct Seen {
    packet: Packet,
    payload: Option<Payload>,
    /// How it differs from the revision it is to be compared with.
    difference: Option<Difference>,
    asked: Asked,
    viewer: Option<Person>,
}

/// One item.
#[component]
pub(super) fn ItemPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let id = param("id");
    answered(async move { read(&service, &visit, id_in(id.as_deref())?).await }, |seen| {
        let (seen, packet) = (&seen, &seen.packet);
        let title = head::name(&packet.item).to_owned();
        view! {
            <Frame title at=Some(Place::Queue)>
                {head::head(packet).into_any()}
                <div class="packet">
                    <div class="stack">{effect::effect(packet).into_any()}{compensations::waiting(packet)}{live::live(packet)}</div>
                    <aside class="packet-side" aria-label="Work on it">{actions::actions(packet).into_any()}</aside>
                    <div class="stack">
                        {notices::notices(seen).into_any()}
                        {follow_ups::follow_ups(packet)}
                        {failure::failure(packet).into_any()}
                        {escalations::escalations(packet)}
                        {found::found(packet)}
                        {steps::steps(&packet.item.steps).into_any()}
                        {compensations::compensations(packet)}
                        {has_attempts(packet).then(|| attempts::attempts(packet).into_any())}
                        {payload::payload(seen).into_any()}
                        {records::records(packet).into_any()}
                        {history::history(packet).into_any()}
                    </div>
                </div>
            </Frame>
        }
    })
}

/// A follow-up has none, unless somebody did its work by hand.
fn has_attempts(packet: &Packet) -> bool {
    packet.item.follow_up_of.is_none() || !packet.attempts.is_empty()
}

async fn read(service: &Service, visit: &Visit, id: ItemId) -> Result<Seen, Error> {
    let caller = &visit.request.caller;
    let packet = service.packet(&visit.request, id).await?;
    let asked = Asked::from_query(visit.query(), &packet);
    let payload = match service.payload_to_show(caller, id, asked.revision).await {
        // Kept by the automation: there is no revision to show.
        Err(Error::Refused(Refusal::NotFound | Refusal::NoPayload)) => None,
        other => other?,
    };
    let shown = payload.as_ref().map(|payload| payload.revision);
    let difference = match asked.compare.zip(shown) {
        Some((with, shown)) => service.difference(caller, id, with, shown, Extent::Whole).await?,
        None => None,
    };
    Ok(Seen { packet, payload, difference, asked, viewer: visit.person().cloned() })
}
