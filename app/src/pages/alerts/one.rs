use domain::{
    ageing::{Cause, Level},
    item::State,
    refusal::Refusal,
};
use leptos::prelude::*;
use service::{
    Service,
    alerts::{About, AlertSeen, LateItem, Subject},
};

use super::{level, open, sentence};
use crate::{
    components::{
        Age, Cell, DueTag, EffectBadge, Fact, Frame, Head, Icon, LongText, Moment, Notice, Pager, Panel, Person,
        RefusalNotice, Table, Tag, Team, TextArea, words,
    },
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// One alert: what is late, what can be done with each, and that somebody knows.
#[component]
pub(in crate::pages) fn AlertPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let id = param("id");
    let asked = |wanted: &str| {
        let mut parts = url::form_urlencoded::parse(visit.query().as_bytes());
        parts.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    let settled = asked("settled").is_some();
    let from = asked("from").and_then(|place| paths::read_place(&place)).map(|(at, id)| (settled, at, id));
    let ask = async move { service.alert(&visit.request, id_in(id.as_deref())?, from).await };
    answered(ask, move |seen| {
        let title = sentence(&seen.alert);
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        view! {
            <Frame title=title.clone() at=Some(Place::Alerts) class="queue">
                <header class="item-head">
                    <a class="crumb" href=paths::ALERTS><Icon name="chevron-left"/>"Alerts"</a>
                    <h1>{title}</h1>
                    <div class="badges">{level(seen.alert.level)}<span class="muted">{open(&seen.alert)}</span></div>
                    {facts(&seen)}
                </header>
                <div class="stack">
                    {refused}
                    {acknowledge(&seen, &state)}
                    {unsaid(&seen, &state)}
                    {subjects(&seen, from.is_some())}
                </div>
            </Frame>
        }
    })
}

fn facts(seen: &AlertSeen) -> impl IntoView + use<> {
    let alert = &seen.alert;
    let step = alert.step.clone().map(|step| view! { " › "<bdi>{step}</bdi> });
    let told = alert.told_team_name.clone().map(|name| view! { <Fact name="Also told"><Team name/></Fact> });
    let last = (alert.last_at != alert.raised_at)
        .then(|| view! { <Fact name="Last joined"><Moment at=alert.last_at/></Fact> });
    view! {
        <dl class="facts facts--across">
            <Fact name="Workflow"><bdi>{alert.workflow_key.clone()}</bdi>{step}</Fact>
            <Fact name="Team"><Team name=alert.team_name.clone()/></Fact>
            {told}
            <Fact name="Raised"><Moment at=alert.raised_at/><span class="remark"><Age at=alert.raised_at now=seen.as_of/>" ago"</span></Fact>
            {last}
        </dl>
    }
}

/// Who knows of it, or the form that says so.
fn acknowledge(seen: &AlertSeen, state: &FormState) -> Option<AnyView> {
    let alert = &seen.alert;
    if let (Some(name), Some(at)) = (alert.acknowledged_by_name.clone(), alert.acknowledged_at) {
        let note = alert.note.clone().map(|text| view! { <LongText text class="foreign" shown=600/> });
        return Some(
            view! {
                <Notice tone="info" title="Somebody knows of it">
                    <p><Person name/>" acknowledged it "<Moment at/>". What joins within an hour after that belongs to it."</p>{note}
                </Notice>
            }
            .into_any(),
        );
    }
    seen.may_acknowledge.then(|| {
        let note = state.typed.get("note").cloned().unwrap_or_default();
        view! {
            <Panel id="h-acknowledge" title="Acknowledge">
                <div class="panel-body">
                    <form class="form" method="post" action=format!("{}/acknowledge", paths::alert(alert.id, None))>
                        <p>"Shows the others that you know of it. The items stay as they are: claim what you work on."</p>
                        <TextArea id="alert-note" name="note" label="Note" hint="What is being done about it." optional=true value=note problem=state.problem("note")/>
                        <div class="form-end"><button class="button button--primary">"Acknowledge"</button></div>
                    </form>
                </div>
            </Panel>
        }
        .into_any()
    })
}

/// What somebody wrote while another was quicker: it is not kept, and theirs to take along.
fn unsaid(seen: &AlertSeen, state: &FormState) -> Option<AnyView> {
    let is_late = matches!(state.refusal, Some(Refusal::ChangedMeanwhile { .. }));
    let note = state.typed.get("note").filter(|note| !note.trim().is_empty() && is_late)?.clone();
    let by = seen.alert.acknowledged_by_name.clone().unwrap_or_default();
    Some(
        view! {
            <Panel id="h-unsaid" title="Your note was not kept">
                <div class="panel-body form">
                    <p><bdi>{by}</bdi>" acknowledged the alert before you. Take your note along: a comment on an item keeps it."</p>
                    <TextArea id="alert-note" name="note" label="Note" optional=true value=note/>
                </div>
            </Panel>
        }
        .into_any(),
    )
}

fn subjects(seen: &AlertSeen, further: bool) -> AnyView {
    let over = match seen.alert.level {
        Level::AtRisk => "not at risk any more",
        Level::Overdue | Level::Escalated => "settled",
    };
    let row = |subject: &Subject| {
        let over = subject.settled_at.map(|_| view! { <Tag icon="check" words=over/> });
        match &subject.about {
            About::Item(item) => late_item(item, over.into_any(), seen),
            About::Report(id) => view! {
                <Cell class="cell-main"><a class="open clip" href=paths::quarantined(*id)>"A report in quarantine"</a></Cell>
                <Cell>{over}</Cell><Cell>""</Cell><Cell>""</Cell>
                <Cell><Age at=subject.reached_at now=seen.as_of/></Cell>
            }
            .into_any(),
            About::Hidden => view! {
                <Cell class="cell-main"><span class="muted">"Something that was given to another team"</span></Cell>
                <Cell>{over}</Cell><Cell>""</Cell><Cell>""</Cell><Cell>""</Cell>
            }
            .into_any(),
        }
    };
    let heads = ["What", "How late", "Effect, and what is done", "Owner", "Next"]
        .map(|words| view! { <Head>{words}</Head> }.into_any());
    let alert = seen.alert.id;
    let first = further.then(|| ("First", paths::alert(alert, None)));
    let next = seen.next.map(|place| ("More", paths::alert(alert, Some(place))));
    let caption = if seen.alert.cause == Cause::Quarantine { "Reports" } else { "Items" };
    view! {
        <section class="panel" aria-label=caption>
            <Table class="queue-table" caption heads=heads.into() rows=seen.subjects.iter().map(row).collect()/>
            <Pager shown="What is still late first" first next/>
        </section>
    }
    .into_any()
}

fn late_item(item: &LateItem, over: AnyView, seen: &AlertSeen) -> AnyView {
    let completed = match item.completed.as_slice() {
        [] => view! { <span class="sub">"No step is confirmed"</span> }.into_any(),
        steps => view! { <span class="sub foreign">"Done: "{steps.join(", ")}</span> }.into_any(),
    };
    let owner = match &item.owner_name {
        Some(name) => view! { <Person name=name.clone()/> }.into_any(),
        None => view! { <Team name=item.team_name.clone()/> }.into_any(),
    };
    // Deciding and recording come first; the rest is on the item's page.
    let allowed = item.actions.iter().filter(|offer| offer.refusal.is_none()).take(4);
    let action = |offer: &service::items::actions::Offer| {
        let (to, words) =
            (paths::item_action(item.id, offer.action.step.as_str()), offer.action.label.trim_end_matches('…'));
        view! { <a href=to>{words}</a> }
    };
    let state = (!matches!(item.state, State::Open))
        .then(|| view! { <Tag icon=words::state_icon(item.state) tone="info" words=item.state.label()/> });
    view! {
        <Cell class="cell-main">
            <a class="clip" href=paths::item(item.id)><bdi>{item.name.clone()}</bdi></a>
            <span class="message clip"><bdi>{item.step.clone()}</bdi></span>
        </Cell>
        <Cell><span class="why"><DueTag due=item.due.clone() now=seen.as_of/>{state}{over}</span></Cell>
        <Cell class="cell-effect"><span class="why"><EffectBadge effect=item.effect/>{completed}</span></Cell>
        <Cell class="cell-owner">{owner}</Cell>
        <Cell class="cell-next"><span class="row small">{allowed.map(action).collect_view()}</span></Cell>
    }
    .into_any()
}
