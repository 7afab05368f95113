use leptos::prelude::*;
use service::{Service, quarantine::read::Ward};
use url::form_urlencoded;

use super::{again, door, short_reason, standing};
use crate::{
    components::{Age, Cell, Empty, Frame, Head, Pager, Table, Tag, words::counted},
    pages::{Place, answer::answered},
    paths,
    visit::Visit,
};

/// Reports in quarantine: what waits, or what was dealt with.
#[component]
pub(in crate::pages) fn WardPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let (mut open, mut before) = (true, None);
    for (name, value) in form_urlencoded::parse(visit.query().as_bytes()) {
        match name.as_ref() {
            "view" => open = value != "done",
            "before" => before = paths::read_place(&value),
            _ => {}
        }
    }
    let now = service.now();
    let ask = async move { service.quarantine(&visit.request, open, before).await };
    answered(ask, move |ward| {
        let ward = &ward;
        let waiting = counted(ward.waiting.min(10_000), "report waits", "reports wait");
        let tab = move |of_open: bool, words: &'static str| {
            let current = (of_open == open).then_some("page");
            let count = of_open.then(|| view! { <span class="count">{ward.waiting}</span> });
            view! { <li><a href=paths::quarantine(of_open, None) aria-current=current>{words}" "{count}</a></li> }
        };
        view! {
            <Frame title="Quarantine" at=Some(Place::Quarantine) class="queue">
                <div class="page-head">
                    <div>
                        <h1>"Quarantine"</h1>
                        <p>"Reports that could not be understood. Nothing here is lost: read it, correct or map it, or close it with a reason."</p>
                    </div>
                </div>
                <nav class="tabs" aria-label="State"><ul>{tab(true, "Open")}{tab(false, "Dealt with")}</ul></nav>
                <div class="filter-line"><p class="tally">{waiting}</p></div>
                {rows(ward, open, before.is_some(), now)}
            </Frame>
        }
    })
}

fn rows(ward: &Ward, open: bool, further: bool, now: chrono::DateTime<chrono::Utc>) -> AnyView {
    if ward.rows.is_empty() {
        let (title, sentence) = match open {
            true => (
                "Nothing waits in quarantine",
                "A report that is refused, because a field is wrong or its workflow is not the token's, would appear here with its reason.",
            ),
            false => ("Nothing was dealt with yet", "Reports that were accepted or closed would appear here."),
        };
        return view! { <section class="panel"><Empty icon="circle-check-big" title><p>{sentence}</p></Empty></section> }.into_any();
    }
    let row = |report: &service::Quarantined| {
        let (icon, tone, words) = standing(report);
        view! {
            <Cell class="cell-main">
                <a class="open clip" href=paths::quarantined(report.id)>{short_reason(report)}</a>
                <span class="message clip">{door(report)}{again(report)}</span>
            </Cell>
            <Cell class="cell-where">
                <span class="clip"><bdi>{report.workflow_key.clone().unwrap_or_else(|| "no workflow could be read".to_owned())}</bdi></span>
                " "
                <span class="sub clip">"token " <bdi>{report.token_name.clone()}</bdi></span>
            </Cell>
            <Cell class="cell-owner"><span class="clip"><bdi>{report.team_name.clone()}</bdi></span></Cell>
            <Cell><Tag icon tone words/></Cell>
            <Cell class="cell-age cell-fit cell-end"><Age at=report.received_at now/></Cell>
        }
        .into_any()
    };
    let heads = vec![
        view! { <Head>"Report"</Head> }.into_any(),
        view! { <Head>"From"</Head> }.into_any(),
        view! { <Head>"Team"</Head> }.into_any(),
        view! { <Head>"State"</Head> }.into_any(),
        view! { <Head class="cell-end">"Age"</Head> }.into_any(),
    ];
    let first = further.then(|| ("Newest", paths::quarantine(open, None)));
    let next = ward.next.map(|next| ("Older", paths::quarantine(open, Some(next))));
    view! {
        <section class="panel" aria-label="Reports">
            <Table class="queue-table quarantine-table" caption="Reports in quarantine" heads rows=ward.rows.iter().map(row).collect()/>
            <Pager shown="Newest first" first next/>
        </section>
    }
    .into_any()
}
