use domain::sensitivity::Sensitivity;
use domain::{
    ids::AttemptId,
    item::{ActivityKind, State},
    refusal::Refusal,
    report::StepStatus,
};
use leptos::prelude::*;
use service::{Activity, DoubleEffect, items::packet::Packet};

use super::Seen;
use crate::{
    components::{Moment, Notice},
    paths,
};

/// What must be known before anything is done.
pub(super) fn notices(seen: &Seen) -> impl IntoView + use<> {
    let Seen { packet, payload, asked, viewer, .. } = seen;
    let item = &packet.item;
    let hidden = packet.content_hidden.then(|| {
        let clearance = viewer.as_ref().map_or("internal", |person| person.clearance.as_str());
        let levels = format!("The item is {}, your clearance is {clearance}.", item.sensitivity);
        let kept = match item.sensitivity {
            Sensitivity::Restricted => "Only what names it and how it stands is shown.",
            _ if payload.is_some() => {
                "Technical detail and evidence are not shown, nor what of the payload is sensitive."
            }
            _ if packet.revisions.is_empty() => "Technical detail and evidence are not shown.",
            _ => "Payload, technical detail and evidence are not shown.",
        };
        let sentence = format!("{levels} {kept} {}", Refusal::AboveClearance.sentence());
        view! { <Notice tone="info" title=Refusal::AboveClearance.title()><p>{sentence}</p></Notice> }
    });
    let changed = item.payload_changed.then(|| changed(packet));
    let missing = asked.missing.clone().map(|number| {
        view! { <Notice tone="info"><p>{format!("There is no revision {number}; the newest is shown.")}</p></Notice> }
    });
    let stale = item.valid_until.filter(|until| *until < packet.as_of && item.state != State::Closed).map(|at| {
        view! { <Notice tone="info" title="Out of date"><p>"The automation called this work valid until " <Moment at/> "."</p></Notice> }
    });
    view! {
        {packet.double_effects.iter().map(|double| twice(double, packet)).collect_view()}
        {packet.live.as_ref().filter(|live| !matches!(live.kind, ActivityKind::Replay | ActivityKind::Compensation)).map(live)}
        {changed}
        {hidden}
        {stale}
        {untaken(packet)}
        {(!packet.workflow_registered).then(unregistered)}
        {moved_on(packet)}
        {missing}
    }
}

/// It ended, and the automation has not said yet that it knows (R9).
fn untaken(packet: &Packet) -> Option<impl IntoView + use<>> {
    let waits = packet.item.state == State::Closed && packet.outcome_taken == Some(false);
    let left = packet.item.steps.iter().filter(|step| step.status == StepStatus::Pending).count();
    let then = if left > 0 { " Steps that were not started wait for it to resume." } else { "" };
    waits.then(|| {
        view! {
            <Notice tone="info" title="The automation has not taken note yet">
                <p>{format!("It reads how its work ended from the API, and acknowledges it.{then}")}</p>
            </Notice>
        }
    })
}

/// Two attempts may both have had an effect; both are named (R10).
fn twice(double: &DoubleEffect, packet: &Packet) -> impl IntoView + use<> {
    let attempt = |id: AttemptId| {
        let found = packet.attempts.iter().find(|attempt| attempt.id == id);
        found.map_or("an attempt".to_owned(), |attempt| {
            let record = attempt.record_id.as_ref().map(|id| format!(" (record {id})")).unwrap_or_default();
            format!("attempt {}{record}", attempt.number)
        })
    };
    let late = attempt(double.late_attempt_id);
    let sentence = match double.attempt_id {
        Some(id) => format!(
            "It was decided by {}. Then word came that {late} may have had an effect as well.",
            attempt(id.into())
        ),
        None => format!("It was decided without an effect. Then word came that {late} may have had one."),
    };
    view! {
        <Notice tone="doubt" title="This may have happened twice">
            <p>{sentence} " Known since " <Moment at=double.raised_at/> "."</p>
        </Notice>
    }
}

/// What is live on it, by whom, since when and until when (R5).
fn live(activity: &Activity) -> impl IntoView + use<> {
    let due = activity.due_at.map(|at| view! { ", due " <Moment at exact=true/> });
    view! {
        <Notice tone="info" title=activity.kind.label()>
            <p>
                <bdi>{activity.by_name.clone()}</bdi> ", since " <Moment at=activity.started_at exact=true/> {due}
                ". Without a word it counts as over at " <Moment at=activity.lease_until exact=true/> "."
            </p>
        </Notice>
    }
}

/// A later report brought other bytes.
fn changed(packet: &Packet) -> impl IntoView + use<> {
    let id = packet.item.id;
    let link = |number: i64| {
        let words = if number == 1 { "Revision 1, the original".to_owned() } else { format!("Revision {number}") };
        view! { <a class="button button--small" href=paths::revision(id, number, false)>{words}</a> }
    };
    let links = packet.revisions.iter().rev().take(4).map(|revision| link(revision.number)).collect_view();
    view! {
        <Notice tone="doubt" title="The automation sent other content later">
            <p>"A later report of the same work came with other bytes. Decide which revision counts before you act."</p>
            <div class="row">{links}</div>
        </Notice>
    }
}

fn unregistered() -> impl IntoView {
    view! {
        <Notice tone="info" title="This workflow is not registered">
            <p>"Its steps, destinations and side effects are unknown, so the fallback team answers for it and doubt counts as doubt."</p>
        </Notice>
    }
}

fn moved_on(packet: &Packet) -> Option<impl IntoView + use<>> {
    let (then, now) = (packet.item.workflow_version.as_ref()?, packet.workflow_version_now.as_ref()?);
    let sentence = format!("This was done by version {then} of the workflow; version {now} is in use now.");
    (then != now && packet.item.state != State::Closed)
        .then(|| view! { <Notice tone="info"><p>{sentence}</p></Notice> })
}
