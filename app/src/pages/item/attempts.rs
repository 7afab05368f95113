use domain::attempt::AttemptBy;
use leptos::prelude::*;
use service::{Attempt, items::packet::Packet};

use super::clocks;
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
        view! { <footer><details class="fold"><summary>{words}</summary>{table(older, "Older attempts", true)}</details></footer> }
    });
    view! {
        <Panel id="h-attempts" title="Attempts" note class="attempts">
            {table(newest, "Attempts, newest first", false)}
            {older}
        </Panel>
    }
}

/// A brief table leaves the details out: with hundreds of rows they would be most of the page.
fn table(attempts: &[Attempt], caption: &'static str, brief: bool) -> impl IntoView + use<> {
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
            <Cell label="Sent">{sent(attempt)}</Cell>
            <Cell label="Outcome"><OutcomeBadge outcome=attempt.outcome/><span class="sub">{attempt.effect.words()}</span></Cell>
            <Cell label="Answer" class="answer">{answer(attempt)}{(!brief).then(|| detail(attempt))}</Cell>
        }
        .into_any()
    };
    view! { <Table caption heads rows=attempts.iter().map(row).collect()/> }
}

fn when(attempt: &Attempt) -> impl IntoView + use<> {
    let at = attempt.started_at.unwrap_or(attempt.received_at);
    let by = match attempt.made_by {
        AttemptBy::Automation => format!("by {}", attempt.by_name),
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

fn sent(attempt: &Attempt) -> impl IntoView + use<> {
    let what = match (attempt.sent, attempt.revision) {
        (Some(false), _) => "nothing was sent".to_owned(),
        (_, Some(number)) => format!("revision {number}"),
        (_, None) => "kept by the automation".to_owned(),
    };
    let unsure = attempt.sent.is_none().then(|| view! { <span class="sub">"whether it left is not known"</span> });
    view! { {what}{unsure} }
}

fn answer(attempt: &Attempt) -> impl IntoView + use<> {
    let late = attempt.late.then(|| view! { <Tag icon="triangle-alert" tone="doubt" words="late news"/> });
    let status = attempt.status_code.map(|code| view! { <span class="mono">{format!("HTTP {code}")}</span> });
    let message = attempt.message.clone().map(|text| view! { <LongText text class="foreign" shown=400 most=20_000/> });
    view! { {late}{status}" "{message} }
}

fn detail(attempt: &Attempt) -> impl IntoView + use<> {
    let mono = |name: &'static str, text: String| view! { <Fact name><span class="mono">{text}</span></Fact> };
    let number = attempt.reported_number.filter(|number| *number != attempt.number);
    view! {
        <details class="fold">
            <summary>"Detail"</summary>
            <dl class="facts small">
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
