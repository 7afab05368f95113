use domain::refusal::Refusal;
use leptos::prelude::*;
use service::{CorrectionFilter, Service, corrections::Corrected};

use super::{sent, sides};
use crate::{
    components::{Frame, Icon, Notice, Prose},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::Visit,
};

/// One correction beside the original, and what became of it. Nothing can be done here.
#[component]
pub(in crate::pages) fn CorrectionPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let (id, revision) = (param("id"), param("revision"));
    let ask = async move {
        let (id, revision) = (id_in(id.as_deref())?, id_in(revision.as_deref())?);
        service.correction(&visit.request, id, revision).await
    };
    answered(ask, |seen| {
        let seen = &seen;
        let item = &seen.item;
        let name = item.business_ref.clone().unwrap_or_else(|| item.dedupe_key.clone());
        let title = format!("Revision {} of {name}", seen.correction.number);
        let others = paths::corrections(&CorrectionFilter { item: Some(item.id), ..CorrectionFilter::default() }, None);
        let readable = !matches!(seen.hidden, Some(Refusal::MissingPermission(_)));
        let hidden = seen.hidden.as_ref().map(|refusal| {
            view! {
                <Notice tone="info" title=refusal.title()>
                    <p>"Payloads, digests and reasons are not shown. "<Prose text=refusal.sentence()/></p>
                </Notice>
            }
        });
        view! {
            <Frame title=title at=Some(Place::Corrections)>
                <header class="item-head">
                    <a class="crumb" href=paths::CORRECTIONS><Icon name="chevron-left"/>"Corrections"</a>
                    <h1>"Revision "{seen.correction.number}<span class="subject">" of " <bdi>{name}</bdi></span></h1>
                    <p class="muted"><bdi>{item.workflow_key.clone()}</bdi>" › "<bdi>{item.step.clone()}</bdi></p>
                    <div class="row">
                        {readable.then(|| view! { <a class="button button--small" href=paths::item(item.id)>"The item"</a> })}
                        <a class="button button--small" href=others>"All corrections of it"</a>
                    </div>
                </header>
                <div class="stack">
                    {hidden}
                    {made(seen)}
                    {sent::panel(&seen.attempts, &seen.replays, seen.hidden.is_some() || seen.masked)}
                    {sides::panels(seen)}
                </div>
            </Frame>
        }
    })
}

/// The two that stand beside one another, by who, when and why.
fn made(seen: &Corrected) -> impl IntoView + use<> {
    let hidden = seen.hidden.is_some() || seen.masked;
    let parent = seen.parent.as_ref().map(|parent| sides::facts("Made from", "h-facts-parent", parent, hidden));
    view! {
        <div class="two-panels">
            {sides::facts("The original", "h-facts-original", &seen.original, hidden)}
            {parent}
            {sides::facts("The correction", "h-facts-correction", &seen.correction, hidden)}
        </div>
    }
}
