use leptos::prelude::*;
use service::{Service, rights::grants::Waiting};

use super::AdminFrame;
use crate::{
    components::{AdminPlace, Cell, Empty, Head, Moment, Panel, Prose, StepUp, Table, Tag},
    pages::answer::answered,
    paths,
    visit::Visit,
};

/// Rights that wait for a second admin, and how others ended. Its forms post to addresses below it.
#[component]
pub(in crate::pages) fn RightsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let strict = service.settings().governance == domain::governance::Governance::Strict;
    let ask = async move { service.grants(&visit.request).await };
    answered(ask, move |(open, ended)| {
        let about = match strict {
            true => "What decides over others' work takes a second admin, and a day.",
            false => "This installation gives rights at once (governance: standard); those who decide are told.",
        };
        let ended = (!ended.is_empty()).then(|| {
            let heads = ["Right", "Asked for by", "Confirmed by", "Ended"].map(|words| view! { <Head>{words}</Head> }.into_any());
            view! {
                <Panel id="ended" title="Ended">
                    <Table caption="Rights that ended waiting" heads=heads.into() rows=ended.iter().map(ended_row).collect()/>
                </Panel>
            }
        });
        view! {
            <AdminFrame title="Waiting rights" at=AdminPlace::Rights about>
                <Panel id="waiting" title="Waiting">{waiting(&open)}</Panel>
                {ended}
            </AdminFrame>
        }
    })
}

fn waiting(open: &[Waiting]) -> AnyView {
    if open.is_empty() {
        return view! { <Empty icon="circle-check-big" small=true><p>"No right waits for a second admin."</p></Empty> }
            .into_any();
    }
    let row = |seen: &Waiting| {
        let row = &seen.row;
        let confirmed = match &row.confirmed_by_name {
            Some(by) => view! { <Tag icon="check" tone="good" words=format!("by {by}")/> }.into_any(),
            None => view! { <Tag icon="hourglass" words="not yet"/> }.into_any(),
        };
        view! {
            {what(seen)}
            <Cell label="Asked for by"><bdi>{row.asked_by_name.clone()}</bdi><span class="sub"><Moment at=row.asked_at/></span></Cell>
            <Cell label="Confirmed">{confirmed}</Cell>
            <Cell label="Not before"><Moment at=row.due_at/></Cell>
            <Cell class="cell-end">{decide(seen)}</Cell>
        }
        .into_any()
    };
    let heads =
        ["Right", "Asked for by", "Confirmed", "Not before", ""].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption="Rights that wait" heads=heads.into() rows=open.iter().map(row).collect()/> }.into_any()
}

fn what(seen: &Waiting) -> AnyView {
    let (to, right) = match (&seen.person, &seen.row.permission) {
        (Some(person), _) => (person.clone(), format!("the role {}", seen.role)),
        (None, permission) => (format!("The role {}", seen.role), permission.clone().unwrap_or_default()),
    };
    view! { <Cell class="cell-main"><bdi>{to}</bdi><span class="sub"><bdi>{right}</bdi></span></Cell> }.into_any()
}

/// Confirming is the second admin's; turning down is anybody's who manages people.
fn decide(seen: &Waiting) -> AnyView {
    let id = seen.row.id;
    let to = |verb: &str| format!("{}/{id}/{verb}", paths::RIGHTS);
    let confirm = match (&seen.row.confirmed_at, &seen.refusal) {
        (Some(_), _) => None,
        (None, Some(refusal)) => Some(view! { <p class="small muted"><Prose text=refusal.sentence()/></p> }.into_any()),
        (None, None) => Some(
            view! {
                <form class="form" method="post" action=to("confirm")>
                    <StepUp id=format!("c-{}", id.0.simple())/>
                    <button class="button button--small">"Confirm as the second admin"</button>
                </form>
            }
            .into_any(),
        ),
    };
    view! {
        <div class="stack stack--tight">
            {confirm}
            <form class="form" method="post" action=to("refuse")>
                <StepUp id=format!("r-{}", id.0.simple())/>
                <button class="button button--small button--danger">"Turn it down"</button>
            </form>
        </div>
    }
    .into_any()
}

fn ended_row(seen: &Waiting) -> AnyView {
    let row = &seen.row;
    let (icon, tone, words) = match row.ended_how.as_deref() {
        Some("given") => ("check", "good", "took effect"),
        Some("refused") => ("ban", "danger", "turned down"),
        _ => ("clock", "neutral", "lapsed"),
    };
    let confirmed = row.confirmed_by_name.clone().unwrap_or_else(|| "nobody".to_owned());
    view! {
        {what(seen)}
        <Cell label="Asked for by"><bdi>{row.asked_by_name.clone()}</bdi></Cell>
        <Cell label="Confirmed by"><bdi>{confirmed}</bdi></Cell>
        <Cell label="Ended"><Tag icon tone words/><span class="sub">{row.ended_at.map(|at| view! { <Moment at/> })}</span></Cell>
    }
    .into_any()
}
