use domain::item::State;
use leptos::prelude::*;
use service::{AlertOfItem, Item, ItemFilter, View, items::packet::Packet};

use super::clocks;
use crate::{
    age,
    components::{Age, DueTag, Fact, Icon, Moment, Person, Tag, Team, visible, words},
    islands::Copy,
    paths,
};

/// What people call the item.
pub(super) fn name(item: &Item) -> &str {
    item.business_ref.as_deref().unwrap_or(&item.dedupe_key)
}

/// What it is, how it stands, and the facts one looks for first.
pub(super) fn head(packet: &Packet) -> impl IntoView + use<> {
    let item = &packet.item;
    let (view, place) = match item.state {
        State::Closed => (View::Closed, "Closed"),
        _ => (View::Lane(item.lane), item.lane.label()),
    };
    let back = paths::queue(&ItemFilter { view, ..ItemFilter::open() }, None);
    view! {
        <header class="item-head">
            <a class="crumb" href=back><Icon name="chevron-left"/>{place}</a>
            <h1><bdi>{name(item).to_owned()}</bdi>" "<span class="subject">"· " <bdi>{packet.step_name.clone()}</bdi></span></h1>
            {badges(packet)}
            {facts(packet)}
        </header>
    }
}

fn badges(packet: &Packet) -> impl IntoView + use<> {
    let item = &packet.item;
    let alert = |alert: &AlertOfItem| {
        let known = alert.acknowledged_by_name.is_none().then_some(", not acknowledged");
        view! { <a class="small" href=paths::alert(alert.id, None)>{format!("Alert: {} {}", alert.cause.label().to_lowercase(), alert.level.label().to_lowercase())}{known}</a> }
    };
    let tone = if matches!(item.state, State::Open | State::Closed) { "neutral" } else { "info" };
    view! {
        <div class="badges">
            <Tag icon=words::lane_icon(item.lane) words=item.lane.label()/>
            <Tag icon=words::state_icon(item.state) tone words=item.state.label()/>
            <DueTag due=item.due.clone() now=packet.as_of/>
            {item.resolution.map(|resolution| view! { <Tag icon="check" words=resolution.label()/> })}
            <Tag icon=words::impact_icon(item.impact) words=item.impact.label()/>
            <Tag icon=words::sensitivity_icon(item.sensitivity) words=item.sensitivity.label()/>
            {packet.alerts.iter().map(alert).collect_view()}
        </div>
    }
}

fn facts(packet: &Packet) -> impl IntoView + use<> {
    let item = &packet.item;
    let owner = match &packet.owner_name {
        Some(name) => view! { <Person name=name.clone()/> }.into_any(),
        None => view! { <Team name=packet.team_name.clone()/> }.into_any(),
    };
    let version = item.workflow_version.clone().map(|then| {
        let now = packet.workflow_version_now.clone().filter(|now| *now != then);
        view! { <Fact name="Version">{then}{now.map(|now| view! { <span class="muted">", now " {now}</span> })}</Fact> }
    });
    let correlation =
        item.correlation_id.clone().map(|id| view! { <Fact name="Run"><span class="mono">{id}</span></Fact> });
    let claim = packet.claim.clone().map(|claim| {
        let left = age::in_words((claim.until - packet.as_of).num_seconds());
        view! { <Fact name="Claimed by"><Person name=claim.name/>" until " <Moment at=claim.until/><span class="remark">{left}" left"</span></Fact> }
    });
    let snoozed = item.snoozed_until.map(|at| view! { <Fact name="Snoozed until"><Moment at/></Fact> });
    let respond = item.respond_by.map(|at| view! { <Fact name="Respond by"><Moment at/></Fact> });
    let closed = item.closed_at.map(|at| view! { <Fact name="Closed"><Moment at/></Fact> });
    view! {
        <dl class="facts facts--across">
            <Fact name="Workflow › step"><bdi>{packet.workflow_name.clone()}</bdi>" › "<bdi>{item.step.clone()}</bdi></Fact>
            {version}
            <Fact name="Owner">{owner}</Fact>
            {claim}
            {snoozed}
            {respond}
            <Fact name="Received">
                <Moment at=item.received_at/>
                <span class="remark"><Age at=item.received_at now=packet.as_of/>" ago"</span>
            </Fact>
            {item.occurred_at.map(|at| happened(at, packet))}
            {closed}
            {correlation}
            <Fact name="Key" wide=true>
                <bdi class="mono">{visible::shown(&item.dedupe_key)}</bdi>
                " "
                <Copy text=item.dedupe_key.clone() what="the key".to_owned()/>
            </Fact>
        </dl>
    }
}

/// When it happened by the automation's clock, marked where that clock disagrees.
fn happened(at: chrono::DateTime<chrono::Utc>, packet: &Packet) -> impl IntoView + use<> {
    let doubt = clocks::disagreement(at, packet.item.received_at);
    view! {
        <Fact name="Happened">
            <Moment at exact=true/>
            {doubt.map(|doubt| view! { <span class="remark"><Icon name="clock-alert"/>{doubt}</span> })}
        </Fact>
    }
}
