use domain::attempt::{AttemptBy, Outcome};
use leptos::prelude::*;
use service::{Attempt, items::packet::Packet};

use super::{answer, clocks, live};
use crate::components::{Cell, Fact, Head, Icon, LongText, Moment, OutcomeBadge, Panel, Table, Tag, words::counted};

/// Attempts that are shown at once.
const SHOWN: usize = 50;

/// Every attempt with its own answer, the newest first; what is older than the first fifty is folded away.
pub(super) fn attempts(packet: &Packet) -> impl IntoView + use<> {
    let (newest, older) = packet.attempts.split_at(SHOWN.min(packet.attempts.len()));
    let note =
        format!("{}, newest first", counted(packet.attempts.len().try_into().unwrap_or(0), "attempt", "attempts"));
    let older = (!older.is_empty()).then(|| {
        let words = format!("Show {} older", counted(older.len().try_into().unwrap_or(0), "attempt", "attempts"));
        view! { <footer><details class="fold"><summary>{words}</summary>{table(packet, older, "Older attempts", true)}</details></footer> }
    });
    view! {
        <Panel id="h-attempts" title="Attempts" note class="attempts">
            {table(packet, newest, "Attempts, newest first", false)}
            {older}
        </Panel>
    }
}

/// A brief table leaves the details out: with hundreds of rows they would be most of the page.
fn table(packet: &Packet, attempts: &[Attempt], caption: &'static str, brief: bool) -> impl IntoView + use<> {
    let heads = vec![
        view! { <Head>"#"</Head> }.into_any(),
        view! { <Head>"When"</Head> }.into_any(),
        view! { <Head>"Sent"</Head> }.into_any(),
        view! { <Head>"Outcome"</Head> }.into_any(),
        view! { <Head>"Answer"</Head> }.into_any(),
    ];
    let row = |attempt: &Attempt| {
        view! {
            <Cell label="Attempt" class="number cell-fit">{format!("#{}", attempt.number)}</Cell>
            <Cell label="When">{when(attempt)}</Cell>
            <Cell label="Sent" class="sent">{sent(packet, attempt)}</Cell>
            <Cell label="Outcome"><OutcomeBadge outcome=attempt.outcome/><span class="sub">{attempt.effect.words()}</span></Cell>
            <Cell label="Answer" class="answer">{said(attempt)}{(!brief).then(|| more(packet, attempt))}</Cell>
        }
        .into_any()
    };
    view! { <Table caption heads rows=attempts.iter().map(row).collect()/> }
}

fn when(attempt: &Attempt) -> impl IntoView + use<> {
    let at = attempt.started_at.unwrap_or(attempt.received_at);
    let by = match attempt.made_by {
        AttemptBy::Automation => format!("by {}", attempt.by_name),
        AttemptBy::Replay if attempt.compensation_id.is_some() => format!("compensation by {}", attempt.by_name),
        AttemptBy::Replay => format!("replay by {}", attempt.by_name),
        AttemptBy::Person => format!("by hand: {}", attempt.by_name),
    };
    let doubt = attempt.started_at.and_then(|at| clocks::disagreement(at, attempt.received_at));
    // An attempt is told when it is over, often much later: only what can't be is marked.
    let doubt = doubt.filter(|words| !words.ends_with("before the report came"));
    view! {
        <Moment at exact=true/>
        <span class="sub"><bdi>{by}</bdi></span>
        {doubt.map(|words| view! { <span class="remark"><Icon name="clock-alert"/>{words}</span> })}
    }
}

/// What was sent, and where Recourse sent it.
fn sent(packet: &Packet, attempt: &Attempt) -> impl IntoView + use<> {
    let revision = match attempt.compensation_id {
        Some(_) => Some(part_name(packet, attempt)),
        None => attempt.revision.map(|number| format!("revision\u{a0}{number}")),
    };
    let replay = (attempt.made_by == AttemptBy::Replay && attempt.outcome == Outcome::InFlight)
        .then(|| packet.replays.iter().find(|replay| replay.attempt_id == attempt.id))
        .flatten();
    let what = match (replay, attempt.sent) {
        (Some(replay), Some(false)) => {
            let what = revision.unwrap_or_default();
            view! { {what}<span class="sub">"waits to be sent, due " <Moment at=replay.due_at exact=true/></span> }
                .into_any()
        }
        (Some(_), _) => view! { {revision}<span class="sub">"being sent"</span> }.into_any(),
        (None, Some(false)) => "nothing was sent".into_any(),
        (None, sent) => {
            let unsure = sent.is_none().then(|| view! { <span class="sub">"whether it left is not known"</span> });
            view! { {revision.unwrap_or_else(|| "kept by the automation".to_owned())}{unsure} }.into_any()
        }
    };
    let to = (attempt.made_by == AttemptBy::Replay).then(|| live::place(packet, attempt)).flatten();
    let to = to.map(|to| view! { <span class="sub mono">{to}</span> });
    view! { {what}{to} }
}

/// What a compensation's attempt sent: a part of its plan, by name.
fn part_name(packet: &Packet, attempt: &Attempt) -> String {
    let compensation = packet.compensations.iter().find(|c| Some(c.id.0) == attempt.compensation_id);
    let at = attempt.part.and_then(|part| usize::try_from(part).ok());
    let part = compensation.zip(at).and_then(|(compensation, at)| compensation.plan.parts.get(at));
    part.map_or_else(|| "a compensation".to_owned(), |part| format!("compensation: {}", part.name))
}

fn said(attempt: &Attempt) -> impl IntoView + use<> {
    let late = attempt.late.then(|| view! { <Tag icon="triangle-alert" tone="doubt" words="late news"/> });
    let status = attempt.status_code.map(|code| view! { <span class="mono">{format!("HTTP {code}")}</span> });
    let message = attempt.message.clone().map(|text| view! { <LongText text class="foreign" shown=400 most=20_000/> });
    view! { {late}{status}" "{message} }
}

/// What belongs to it and is folded away: the answer as it came, who asked for it and why, ids and times.
fn more(packet: &Packet, attempt: &Attempt) -> impl IntoView + use<> {
    let mono = |name: &'static str, text: String| view! { <Fact name><span class="mono">{text}</span></Fact> };
    let number = attempt.reported_number.filter(|number| *number != attempt.number);
    let replay = (attempt.made_by == AttemptBy::Replay).then(|| live::replay_of(packet, attempt)).flatten();
    let asked = replay.map(|replay| {
        let accepted: Vec<_> = replay.accepted.iter().map(|accept| view! { <li>{accept.sentence()}</li> }).collect();
        let accepted = (!accepted.is_empty())
            .then(|| view! { <Fact name="Accepted"><ul class="names">{accepted}</ul></Fact> });
        view! {
            <Fact name="Asked for"><bdi>{replay.requested_by_name.clone()}</bdi>", " <Moment at=replay.requested_at exact=true/></Fact>
            <Fact name="Because"><LongText text=replay.reason.clone() class="foreign" shown=400/></Fact>
            {accepted}
        }
    });
    view! {
        {answer::kept(packet, attempt)}
        <details class="fold">
            <summary>"Detail"</summary>
            <dl class="facts small">
                {asked}
                {attempt.record_id.clone().map(|id| mono("Record", id))}
                {attempt.idempotency_key.clone().map(|key| mono("Key", key))}
                {attempt.started_at.map(|at| view! { <Fact name="Began"><Moment at exact=true/></Fact> })}
                {attempt.finished_at.map(|at| view! { <Fact name="Ended"><Moment at exact=true/></Fact> })}
                <Fact name="Word came"><Moment at=attempt.received_at exact=true/></Fact>
                {number.map(|number| mono("Own number", number.to_string()))}
            </dl>
        </details>
    }
}
