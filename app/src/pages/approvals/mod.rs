//! What waits for another person's decision, and what was decided.

mod audited;
mod decide;
mod one;
pub(super) mod sent;

use domain::approval::ApprovalKind;
use leptos::prelude::*;
use service::{
    Service,
    approvals::read::{Approvals, Listed, Tab},
};
use url::form_urlencoded;

use super::{Place, answer::answered};
use crate::{
    components::{Age, Cell, Empty, Frame, Head, LongText, Moment, Pager, Person, Table, Tag},
    paths,
    visit::Visit,
};
pub(super) use audited::AuditedApprovalsPage;
pub(super) use one::ApprovalPage;

fn word(tab: Tab) -> Option<&'static str> {
    match tab {
        Tab::ForMe | Tab::Audit => None,
        Tab::Mine => Some("mine"),
        Tab::Ended => Some("decided"),
    }
}

/// The list, by tab.
#[component]
pub(super) fn ApprovalsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let (mut tab, mut from) = (Tab::ForMe, None);
    for (name, value) in form_urlencoded::parse(visit.query().as_bytes()) {
        match (name.as_ref(), value.as_ref()) {
            ("tab", "mine") => tab = Tab::Mine,
            ("tab", "decided") => tab = Tab::Ended,
            ("from", value) => from = paths::read_place(value),
            _ => {}
        }
    }
    let to_decide = visit.to_decide;
    let ask = async move {
        let from = from.map(|(at, id)| (at, domain::ids::ApprovalId(id)));
        service.approvals(&visit.request, tab, from).await
    };
    answered(ask, move |found| {
        let tabs = [(Tab::ForMe, "Waiting for me"), (Tab::Mine, "Mine, waiting"), (Tab::Ended, "Decided")];
        let link = |(this, words): (Tab, &'static str)| {
            let current = (this == tab).then_some("page");
            let count = (this == Tab::ForMe && to_decide > 0)
                .then(|| view! { " "<span class="count">{to_decide.min(99)}</span> });
            view! { <li><a href=paths::approvals(word(this), None) aria-current=current>{words}{count}</a></li> }
        };
        view! {
            <Frame title="Approvals" at=Some(Place::Approvals) class="queue">
                <div class="page-head">
                    <div>
                        <h1>"Approvals"</h1>
                        <p>"What one person asks for and another decides: on exactly one content, once. Whoever had a hand in it can't decide it."</p>
                    </div>
                </div>
                <nav class="tabs" aria-label="Which approvals"><ul>{tabs.map(link).into_iter().collect_view()}</ul></nav>
                {rows(&found, tab, from.is_some())}
            </Frame>
        }
    })
}

/// What is asked for, in a few words.
fn what(row: &Listed) -> String {
    match row.approval.kind {
        ApprovalKind::Replay => format!("Send revision {}", row.approval.bound.revision),
        ApprovalKind::Compensation => {
            format!("Compensation {}", row.approval.bound.plan.clone().unwrap_or_default().replace(['_', '-'], " "))
        }
    }
}

fn rows(found: &Approvals, tab: Tab, further: bool) -> AnyView {
    if found.rows.is_empty() {
        let (title, sentence) = match tab {
            Tab::ForMe => (
                "Nothing waits for you",
                "When somebody of your teams asks for a compensation, or for a replay that takes a second person, it appears here.",
            ),
            Tab::Mine => (
                "You wait for nobody",
                "What you ask for on an item's page appears here until somebody has decided it.",
            ),
            Tab::Ended | Tab::Audit => {
                ("Nothing was decided yet", "What was approved, rejected, withdrawn or has expired appears here.")
            }
        };
        return view! { <section class="panel"><Empty icon="stamp" title><p>{sentence}</p></Empty></section> }
            .into_any();
    }
    let now = found.as_of;
    let row = |row: &Listed| {
        let approval = &row.approval;
        let standing = match approval.ended_at {
            None => view! { "until "<Moment at=approval.expires_at exact=true/> }.into_any(),
            Some(_) => view! { <Tag icon="stamp" tone="neutral" words=approval.state.label()/> }.into_any(),
        };
        let since = approval.ended_at.unwrap_or(approval.requested_at);
        view! {
            <Cell class="cell-main">
                <a class="open clip" href=paths::approval(approval.id)><bdi>{row.name.clone()}</bdi></a>
                <span class="message clip">{what(row)}</span>
            </Cell>
            <Cell class="cell-where">
                <span class="clip"><bdi>{row.workflow.clone()}</bdi></span>" "<span class="sub clip"><bdi>{row.step.clone()}</bdi></span>
            </Cell>
            <Cell class="cell-owner"><Person name=approval.requested_by_name.clone()/></Cell>
            <Cell label="Why"><LongText text=approval.reason.clone() class="foreign" shown=120/></Cell>
            <Cell>{standing}</Cell>
            <Cell class="cell-age cell-fit cell-end"><Age at=since now/></Cell>
        }
        .into_any()
    };
    let fifth = if tab == Tab::Ended { "State" } else { "Expires" };
    let heads = vec![
        view! { <Head>"Item"</Head> }.into_any(),
        view! { <Head>"Workflow"</Head> }.into_any(),
        view! { <Head>"Asked by"</Head> }.into_any(),
        view! { <Head>"Why"</Head> }.into_any(),
        view! { <Head>{fifth}</Head> }.into_any(),
        view! { <Head class="cell-end">"Age"</Head> }.into_any(),
    ];
    let first = further.then(|| ("First", paths::approvals(word(tab), None)));
    let next = found.next.map(|(at, id)| ("More", paths::approvals(word(tab), Some((at, id.0)))));
    let shown = if tab == Tab::Ended { "Newest first" } else { "Oldest first" };
    view! {
        <section class="panel" aria-label="Approvals">
            <Table class="queue-table" caption="Approvals" heads rows=found.rows.iter().map(row).collect()/>
            <Pager shown first next/>
        </section>
    }
    .into_any()
}
