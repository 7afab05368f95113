//! The audit trail: who did what, and what was refused.

mod asked;
mod controls;
mod rows;

use leptos::prelude::*;
use service::{Service, audit_trail::Trail};

use super::{Place, answer::answered};
use crate::{
    components::{Empty, Frame, Icon, Notice, Pager},
    paths,
    visit::Visit,
};
use asked::Asked;

/// The audit trail.
#[component]
pub(super) fn AuditPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let asked = Asked::from_query(visit.query());
    let filter = asked.filter.clone();
    let ask = async move { service.audit_trail(&visit.request, filter).await };
    answered(ask, move |trail| {
        let ignored = (!asked.ignored.is_empty()).then(|| {
            let words =
                format!("This part of the address means nothing here and was left out: {}.", asked.ignored.join(", "));
            view! { <Notice tone="info"><p>{words}</p></Notice> }
        });
        view! {
            <Frame title="Audit" at=Some(Place::Audit)>
                <div class="page-head">
                    <div><h1>"Audit"</h1><p>"Who did what, and what was refused. Entries are only ever added."</p></div>
                    <a class="button" href=paths::CORRECTIONS><Icon name="file-pen"/>"Corrections"</a>
                </div>
                {ignored}
                {controls::filters(&asked, &trail)}
                <div class="filter-line">{controls::chips(&asked)}</div>
                {entries(&asked, &trail)}
            </Frame>
        }
    })
}

fn entries(asked: &Asked, trail: &Trail) -> AnyView {
    if trail.rows.is_empty() {
        return view! {
            <section class="panel">
                <Empty icon="search" title="No entries"><p>"Nothing was recorded that these filters show."</p></Empty>
            </section>
        }
        .into_any();
    }
    let first = asked.further.then(|| ("Newest", asked.url(None)));
    let next = trail.rows.last().filter(|_| trail.more).map(|last| ("Older", asked.url(Some((last.at, last.id.0)))));
    view! {
        <section class="panel" aria-label="Entries">
            {rows::table(trail)}
            <Pager shown="Newest first" first next/>
        </section>
    }
    .into_any()
}

impl Asked {
    /// The address of these entries, before a place in them.
    fn url(&self, before: Option<(chrono::DateTime<chrono::Utc>, uuid::Uuid)>) -> String {
        paths::audit(&self.filter, self.from.as_deref(), self.to.as_deref(), before)
    }
}
