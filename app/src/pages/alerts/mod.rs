//! What has become late, told once for one cause, and who knows of it.

mod one;

use domain::ageing::Level;
use leptos::prelude::*;
use service::{Alert, Service, alerts::Alerts};
use url::form_urlencoded;

use super::{Place, answer::answered};
use crate::{
    components::{
        Age, Cell, Empty, Frame, Head, LongText, Moment, Pager, Person, Table, Tag, Team,
        words::{counted, level_icon},
    },
    paths,
    visit::Visit,
};
pub(super) use one::AlertPage;

/// The list, by tab.
#[component]
pub(super) fn AlertsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let (mut done, mut from) = (false, None);
    for (name, value) in form_urlencoded::parse(visit.query().as_bytes()) {
        match (name.as_ref(), value.as_ref()) {
            ("tab", "acknowledged") => done = true,
            ("from", value) => from = paths::read_place(value),
            _ => {}
        }
    }
    let ask = async move { service.alerts(&visit.request, !done, from).await };
    answered(ask, move |found| {
        let waiting = found.waiting;
        let link = |this: bool, words: &'static str| {
            let current = (this == done).then_some("page");
            let count = (!this && waiting > 0).then(|| view! { " "<span class="count">{waiting.min(99)}</span> });
            view! { <li><a href=paths::alerts(this, None) aria-current=current>{words}{count}</a></li> }
        };
        view! {
            <Frame title="Alerts" at=Some(Place::Alerts) class="queue">
                <div class="page-head">
                    <div>
                        <h1>"Alerts"</h1>
                        <p>"What was not claimed, closed, answered or decided in time. One alert for one cause, however many items are in it; it stands until somebody acknowledges it."</p>
                    </div>
                </div>
                <nav class="tabs" aria-label="Which alerts"><ul>{link(false, "To acknowledge")}{link(true, "Acknowledged")}</ul></nav>
                {rows(&found, done, from.is_some())}
            </Frame>
        }
    })
}

/// "3 items have not been claimed".
fn sentence(alert: &Alert) -> String {
    let (one, many) = match alert.cause {
        domain::ageing::Cause::Quarantine => ("report", "reports"),
        _ => ("item", "items"),
    };
    format!("{} {}", counted(alert.subjects, one, many), alert.cause.missing(alert.subjects == 1))
}

/// How much of it is still so.
fn open(alert: &Alert) -> String {
    match alert.open {
        // Settled, or overdue by now.
        0 if alert.level == Level::AtRisk => "None is at risk any more".to_owned(),
        0 => "All settled since".to_owned(),
        1_001.. => "More than 1,000 are still so".to_owned(),
        open if open == alert.subjects => "Still so".to_owned(),
        open => format!("{open} of {} still so", alert.subjects),
    }
}

/// How late, in icon and word.
fn level(level: Level) -> impl IntoView {
    let tone = if level == Level::AtRisk { "neutral" } else { "danger" };
    view! { <Tag icon=level_icon(Some(level)) tone words=level.label()/> }
}

fn rows(found: &Alerts, done: bool, further: bool) -> AnyView {
    if found.rows.is_empty() {
        let (title, sentence) = match done {
            false => (
                "Nothing is late",
                "When work of your teams is not claimed or closed in time, or waits for an answer too long, it is told here once.",
            ),
            true => (
                "Nothing was acknowledged yet",
                "Alerts that somebody has acknowledged appear here, with who and when.",
            ),
        };
        return view! { <section class="panel"><Empty icon="siren" title><p>{sentence}</p></Empty></section> }
            .into_any();
    }
    let now = found.as_of;
    let row = |alert: &Alert| {
        let team = alert.told_team_name.clone().unwrap_or_else(|| alert.team_name.clone());
        let known = match (&alert.acknowledged_by_name, alert.acknowledged_at) {
            (Some(name), Some(at)) => {
                let note = alert.note.clone().map(|text| view! { <LongText text class="foreign" shown=120/> });
                view! { <Person name=name.clone()/>" "<span class="sub"><Moment at/></span>{note} }.into_any()
            }
            _ => view! { <Team name=team/> }.into_any(),
        };
        view! {
            <Cell class="cell-due">{level(alert.level)}</Cell>
            <Cell class="cell-main">
                <a class="open clip" href=paths::alert(alert.id, None)>{sentence(alert)}</a>
                <span class="message clip">{open(alert)}</span>
            </Cell>
            <Cell class="cell-where" label="Workflow">
                <span class="clip"><bdi>{alert.workflow_key.clone()}</bdi></span>" "<span class="sub clip"><bdi>{alert.step.clone()}</bdi></span>
            </Cell>
            <Cell class="cell-owner">{known}</Cell>
            <Cell class="cell-age cell-fit cell-end"><Age at=alert.raised_at now/></Cell>
        }
        .into_any()
    };
    let heads = vec![
        view! { <Head>"How late"</Head> }.into_any(),
        view! { <Head>"What"</Head> }.into_any(),
        view! { <Head>"Workflow"</Head> }.into_any(),
        view! { <Head>{if done { "Acknowledged by" } else { "Team" }}</Head> }.into_any(),
        view! { <Head class="cell-end">"Raised"</Head> }.into_any(),
    ];
    let first = further.then(|| ("First", paths::alerts(done, None)));
    let next = found.next.map(|place| ("More", paths::alerts(done, Some(place))));
    view! {
        <section class="panel" aria-label="Alerts">
            <Table class="queue-table" caption="Alerts" heads rows=found.rows.iter().map(row).collect()/>
            <Pager shown=if done { "Newest first" } else { "What is latest first, then the newest" } first next/>
        </section>
    }
    .into_any()
}
