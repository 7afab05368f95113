use domain::{document, ids::ItemId};
use leptos::prelude::*;
use service::{Quarantined, Service, quarantine::read::QuarantineCase};

use super::{door, forms, short_reason, standing};
use crate::{
    components::{
        Content, Empty, Fact, Frame, Icon, LongText, Moment, Notice, Prose, RefusalNotice, Tag,
        words::{counted, size},
    },
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// One report: as it arrived on the left, as it could be accepted on the right.
#[component]
pub(in crate::pages) fn CasePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let id = param("id");
    let ask = async move { service.quarantine_case(&visit.request, id_in(id.as_deref())?).await };
    answered(ask, move |case| {
        let (case, report, state) = (&case, &case.report, &state);
        view! {
            <Frame title=short_reason(report) at=Some(Place::Quarantine)>
                {head(case)}
                <div class="stack">
                    {state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                    {reason(report)}
                    {decided(report)}
                    <div class="workbench">
                        {as_it_arrived(case)}
                        {forms::forms(case, state)}
                    </div>
                </div>
            </Frame>
        }
    })
}

fn head(case: &QuarantineCase) -> impl IntoView + use<> {
    let report = &case.report;
    let (icon, tone, words) = standing(report);
    let workflow = report.workflow_key.clone().map(|key| view! { <Fact name="Workflow"><bdi>{key}</bdi></Fact> });
    let target = report
        .target_item
        .map(|id| view! { <Fact name="About"><a href=paths::item(ItemId(id))>"this item"</a></Fact> });
    let again = report.last_at.map(|at| {
        let times = counted(report.repeats, "time", "times");
        view! { <Fact name="The same again">{times}", last " <Moment at exact=true/></Fact> }
    });
    view! {
        <header class="item-head">
            <a class="crumb" href=paths::quarantine(true, None)><Icon name="chevron-left"/>"Quarantine"</a>
            <h1><Prose text=short_reason(report)/></h1>
            <div class="badges"><Tag icon tone words/><span class="muted">{door(report)}</span></div>
            <dl class="facts facts--across">
                {workflow}
                {target}
                <Fact name="Token"><bdi>{report.token_name.clone()}</bdi></Fact>
                <Fact name="Team"><bdi>{report.team_name.clone()}</bdi></Fact>
                <Fact name="Received"><Moment at=report.received_at exact=true/></Fact>
                {again}
                <Fact name="Content"><bdi>{report.content_type.clone()}</bdi>", " {size(case.size)}</Fact>
            </dl>
        </header>
    }
}

/// Why it is here, field by field where fields are wrong.
fn reason(report: &Quarantined) -> impl IntoView + use<> {
    let problem = |problem: &domain::refusal::FieldProblem| {
        let field = (!problem.pointer.is_empty()).then(|| view! { <code>{problem.pointer.clone()}</code>" " });
        view! { <li>{field}<Prose text=problem.message.clone()/></li> }
    };
    // A single one is told by the reason already.
    let problems =
        (report.problems.len() > 1).then(|| view! { <ul>{report.problems.iter().map(problem).collect_view()}</ul> });
    view! {
        <Notice tone="danger" title="Why it was refused">
            <p><Prose text=report.reason.clone()/></p>
            {problems}
        </Notice>
    }
}

/// What was made of it, by whom, and why.
fn decided(report: &Quarantined) -> Option<impl IntoView + use<>> {
    let (by, at) = (report.decided_by.clone()?, report.decided_at?);
    let what = if report.item_id.is_some() { "accepted it" } else { "closed it" };
    let item = report.item_id.map(|id| {
        view! { <div class="row"><a class="button button--small" href=paths::item(ItemId(id))>"To the item"</a></div> }
    });
    Some(view! {
        <Notice tone="good" title=format!("{by} {what}")>
            <p><Moment at/></p>
            {report.note.clone().map(|text| view! { <LongText text/> })}
            {item}
        </Notice>
    })
}

fn as_it_arrived(case: &QuarantineCase) -> impl IntoView + use<> {
    let corrected = case.corrected.as_deref().map(|bytes| {
        view! {
            <section class="panel" aria-labelledby="h-corrected">
                <header><h2 id="h-corrected">"As it was accepted"</h2></header>
                {raw(bytes, "The report as it was accepted")}
            </section>
        }
    });
    let arrived = match &case.bytes {
        Some(bytes) => raw(bytes, "The report as it arrived").into_any(),
        None => {
            let level = case.report.sensitivity;
            let sentence = format!(
                "What arrived counts as {level}, and that is above your clearance. You can accept it unchanged or close it; to read or \
                 correct it, ask a colleague who is cleared."
            );
            view! { <Empty icon="lock-keyhole" small=true><p>{sentence}</p></Empty> }.into_any()
        }
    };
    view! {
        <div class="stack">
            <section class="panel" aria-labelledby="h-raw">
                <header><h2 id="h-raw">"As it arrived"</h2></header>
                {arrived}
            </section>
            {corrected}
        </div>
    }
}

fn raw(bytes: &[u8], label: &'static str) -> impl IntoView + use<> {
    view! { <Content bytes=bytes.to_vec() kind=document::kind("", bytes) raw=true label/> }
}
