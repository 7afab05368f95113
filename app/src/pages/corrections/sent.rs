//! What became of a correction.

use domain::attempt::Outcome;
use leptos::prelude::*;
use service::{Attempt, Replay, SentCorrection};

use crate::components::{Cell, Head, LongText, Moment, OutcomeBadge, Panel, Table, Tag};

/// Attempts that a row of the list tells one by one.
const TOLD: usize = 3;

/// The latest attempts that sent it, or that none did.
pub(super) fn outcomes(sent: &[SentCorrection]) -> AnyView {
    if sent.is_empty() {
        return view! { <Tag icon="minus" words="Never sent"/> }.into_any();
    }
    let more = sent.len().saturating_sub(TOLD);
    let more = (more > 0).then(|| view! { <li class="sub">{format!("and {more} earlier attempts")}</li> });
    let one = |sent: &SentCorrection| {
        let record = sent.record_id.clone();
        let record = record.map(|id| view! { <span class="sub">"record " <bdi class="mono">{id}</bdi></span> });
        let at = sent.finished_at.or(sent.started_at);
        let at = at.map(|at| view! { <span class="sub"><Moment at exact=true/></span> });
        let waits = sent.started_at.is_none() && sent.outcome == Outcome::InFlight;
        let waits = waits.then(|| view! { <span class="sub">"not sent yet"</span> });
        view! {
            <li>
                <OutcomeBadge outcome=sent.outcome/>
                <span class="sub">{format!("attempt {}: {}", sent.attempt, sent.effect.words())}</span>
                {record}{at}{waits}
            </li>
        }
    };
    view! { <ul class="outcomes">{sent.iter().rev().take(TOLD).map(one).collect_view()}{more}</ul> }.into_any()
}

/// Every attempt that sent it, with who asked for it and why.
pub(super) fn panel(attempts: &[Attempt], replays: &[Replay], hidden: bool) -> AnyView {
    if attempts.is_empty() {
        return view! {
            <Panel id="h-sent" title="What became of it">
                <div class="panel-body"><p><Tag icon="minus" words="Never sent"/>" No attempt has sent this revision."</p></div>
            </Panel>
        }
        .into_any();
    }
    let heads = ["#", "Asked for", "When", "Outcome", "Answer"].map(|words| view! { <Head>{words}</Head> }.into_any());
    let row = |attempt: &Attempt| {
        let asked = replays.iter().find(|replay| replay.requested_at <= attempt.received_at);
        let why = asked
            .filter(|_| !hidden)
            .map(|replay| view! { <LongText text=replay.reason.clone() class="sub foreign" shown=300/> });
        let record = attempt
            .record_id
            .clone()
            .map(|id| view! { <span class="sub">"record " <bdi class="mono">{id}</bdi></span> });
        let status = attempt.status_code.map(|code| view! { <span class="mono">{format!("HTTP {code}")}</span>" " });
        let message = attempt.message.clone().filter(|_| !hidden);
        let at =
            attempt.started_at.map_or_else(|| "not sent".into_any(), |at| view! { <Moment at exact=true/> }.into_any());
        view! {
            <Cell label="Attempt" class="cell-fit">{format!("#{}", attempt.number)}</Cell>
            <Cell label="Asked for"><bdi>{attempt.by_name.clone()}</bdi>{why}</Cell>
            <Cell label="When">{at}</Cell>
            <Cell label="Outcome"><OutcomeBadge outcome=attempt.outcome/><span class="sub">{attempt.effect.words()}</span></Cell>
            <Cell label="Answer">{status}{message.map(|text| view! { <LongText text class="foreign" shown=400/> })}{record}</Cell>
        }
        .into_any()
    };
    view! {
        <Panel id="h-sent" title="What became of it" note="the attempts that sent this revision">
            <Table class="attempts" caption="Attempts that sent this revision" heads=heads.into() rows=attempts.iter().map(row).collect()/>
        </Panel>
    }
    .into_any()
}
