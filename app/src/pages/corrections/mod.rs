//! What people made of payloads, and whether it was sent.

mod asked;
mod controls;
mod one;
mod rows;
mod sent;
mod sides;

use leptos::prelude::*;
use service::{Service, corrections::Corrections};

use super::{Place, answer::answered};
use crate::{
    components::{Empty, Frame, Icon, Notice, Pager},
    paths,
    visit::Visit,
};
use asked::Asked;
pub(super) use one::CorrectionPage;

/// Every correction, newest first.
#[component]
pub(super) fn CorrectionsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let asked = Asked::from_query(visit.query());
    let (filter, caller) = (asked.filter.clone(), visit.request.caller.clone());
    let ask = async move { service.corrections(&visit.request, filter).await };
    answered(ask, move |found| {
        let ignored = (!asked.ignored.is_empty()).then(|| {
            let words =
                format!("This part of the address means nothing here and was left out: {}.", asked.ignored.join(", "));
            view! { <Notice tone="info"><p>{words}</p></Notice> }
        });
        view! {
            <Frame title="Corrections" at=Some(Place::Corrections)>
                <div class="page-head">
                    <div>
                        <h1>"Corrections"</h1>
                        <p>"What people made of payloads, and which attempts sent it. The original is kept beside each."</p>
                    </div>
                    <a class="button" href=paths::AUDIT><Icon name="shield-check"/>"Audit"</a>
                </div>
                {ignored}
                {controls::filters(&asked, &found)}
                <div class="filter-line">{controls::chips(&asked)}</div>
                {list(&asked, &found, &caller)}
            </Frame>
        }
    })
}

fn list(asked: &Asked, found: &Corrections, caller: &domain::access::Caller) -> AnyView {
    if found.rows.is_empty() {
        return view! {
            <section class="panel">
                <Empty icon="file-pen" title="No corrections">
                    <p>"When somebody corrects a payload, the correction appears here with what became of it."</p>
                </Empty>
            </section>
        }
        .into_any();
    }
    let first = asked.filter.before.map(|_| ("Newest", asked.url(None)));
    let place = |last: &service::Correction| (last.at, last.item_id, last.number);
    let next = found.rows.last().filter(|_| found.more).map(|last| ("Older", asked.url(Some(place(last)))));
    view! {
        <section class="panel" aria-label="Corrections">
            {rows::table(found, caller)}
            <Pager shown="Newest first" first next/>
        </section>
    }
    .into_any()
}
