use chrono::{DateTime, Utc};
use domain::channel::host;
use leptos::prelude::*;
use service::{ChannelRow, Service, channels::read::ChannelSeen};

use super::{
    AdminFrame,
    channels::{fields, postings, state},
};
use crate::{
    components::{AdminPlace, Empty, Fact, Icon, Moment, Panel, StepUp},
    pages::answer::{answered, param},
    paths,
    visit::{FormState, Visit},
};

/// One channel: how it goes, what was told through it, and what may be done with it. Its forms post to addresses below it.
#[component]
pub(in crate::pages) fn ChannelPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let name = param("name").unwrap_or_default();
    let now = service.now();
    let ask = async move { service.channel(&visit.request, &name).await };
    answered(ask, move |seen| {
        let (title, about) = (seen.row.name.clone(), format!("A workflow's file names it webhook:{}", seen.row.name));
        view! { <AdminFrame title at=AdminPlace::Channels about>{parts(&seen, &form, now)}</AdminFrame> }
    })
}

fn parts(seen: &ChannelSeen, form: &FormState, now: DateTime<Utc>) -> AnyView {
    let row = &seen.row;
    let told = match seen.postings.is_empty() {
        true => view! { <Empty icon="send" small=true><p>"Nothing was told through it yet. Send a test to see whether it works."</p></Empty> }.into_any(),
        false => postings(&seen.postings, "What was told lately, newest first"),
    };
    let test = view! {
        <form method="post" action=format!("{}/test", paths::channel(&row.name))>
            <button class="button button--small"><Icon name="send"/>"Send a test"</button>
        </form>
    };
    let change = form.of("change");
    view! {
        <Panel id="state" title="How it goes">
            <div class="panel-body">
                <dl class="facts">
                    <Fact name="State">{state(row, now)}</Fact>
                    <Fact name="Takes">{row.kind.label()}</Fact>
                    <Fact name="Where to"><bdi>{host(&row.url)}</bdi></Fact>
                    <Fact name="Made by"><bdi>{row.created_by_name.clone()}</bdi>", "<Moment at=row.created_at/></Fact>
                    <Fact name="Changed by"><bdi>{row.changed_by_name.clone()}</bdi>", "<Moment at=row.changed_at/></Fact>
                </dl>
            </div>
        </Panel>
        <Panel id="told" title="What was told lately" note="What does not arrive is tried again for a day." end=Some(test.into_any())>{told}</Panel>
        <Panel id="change" title="Change it">
            <div class="panel-body">
                <form class="form" method="post" action=format!("{}/change", paths::channel(&row.name))>
                    <input type="hidden" name="version" value=row.version/>
                    {fields(&change, Some(row))}
                    <StepUp id="change"/>
                    <div class="form-end"><button class="button">"Save the channel"</button></div>
                </form>
            </div>
        </Panel>
        <Panel id="switch" title="On and off"><ul class="actions"><li>{switch(row)}</li></ul></Panel>
    }
    .into_any()
}

/// Takes it out of use, or into it again.
fn switch(row: &ChannelRow) -> AnyView {
    let (verb, words, button, hint) = match row.disabled_at {
        None => (
            "disable",
            "Disable it…",
            "Disable the channel",
            "Nothing is sent through it any more, and what waits is given up.",
        ),
        Some(_) => ("enable", "Enable it again…", "Enable the channel", "What is told from now on is sent through it."),
    };
    view! {
        <details class="action">
            <summary><Icon name="ban"/><span><b>{words}</b><small>{hint}</small></span></summary>
            <form class="form" method="post" action=format!("{}/{verb}", paths::channel(&row.name))>
                <input type="hidden" name="version" value=row.version/>
                <StepUp id=verb/>
                <div class="form-end"><button class="button">{button}</button></div>
            </form>
        </details>
    }
    .into_any()
}
