use domain::ids::AttemptId;
use leptos::prelude::*;
use service::{Comment, Decided, FoundOut, LookedUp, items::packet::Packet};

use crate::components::{LongText, Moment, Panel, Tag};

/// How a person closed it, what was found out, and what was said; nothing where there is none of it.
pub(super) fn found(packet: &Packet) -> impl IntoView + use<> {
    let decision = packet.decision.as_ref().map(decided);
    let findings = (!packet.findings.is_empty()).then(|| {
        let rows = packet.findings.iter().map(|row| finding(row, &about(packet, row.attempt_id))).collect_view();
        view! { <Panel id="h-findings" title="Findings" note="newest first"><ul class="records">{rows}</ul></Panel> }
    });
    let comments = (!packet.comments.is_empty()).then(|| {
        let rows = packet.comments.iter().map(comment).collect_view();
        view! { <Panel id="h-comments" title="Comments" note="newest first"><ul class="records">{rows}</ul></Panel> }
    });
    let lookups = (!packet.lookups.is_empty()).then(|| {
        let rows = packet.lookups.iter().map(|look| looked_up(look, &about(packet, look.attempt_id))).collect_view();
        view! { <Panel id="h-lookups" title="Lookups" note="newest first"><ul class="records">{rows}</ul></Panel> }
    });
    view! { {decision} {findings} {lookups} {comments} }.into_any()
}

fn about(packet: &Packet, attempt: AttemptId) -> String {
    let attempt = packet.attempts.iter().find(|other| other.id == attempt);
    attempt.map_or_else(String::new, |attempt| format!(" about attempt {}", attempt.number))
}

/// What the other system showed, and whether it counts (R4).
fn looked_up(look: &LookedUp, about: &str) -> impl IntoView + use<> {
    let (icon, tone, words) = match (look.shown.as_str(), look.counts) {
        ("found", _) => ("circle-check", "good", "It is there"),
        ("absent", true) => ("circle-slash", "neutral", "It is not there, and that counts"),
        ("absent", false) => ("circle-help", "doubt", "It is not there yet, too early to count"),
        _ => ("circle-help", "doubt", "The answer does not tell"),
    };
    let request = match look.request.is_empty() {
        true => view! { <i class="masked">"address above your clearance"</i> }.into_any(),
        false => view! { <span class="mono">{look.request.clone()}</span> }.into_any(),
    };
    view! {
        <li>
            <div>
                <p><Tag icon tone words=words/>{about.to_owned()}</p>
                <p class="sub"><bdi>{look.by_name.clone()}</bdi>" asked " {request}</p>
            </div>
            <Moment at=look.begun_at exact=true/>
        </li>
    }
    .into_any()
}

fn decided(decision: &Decided) -> impl IntoView + use<> {
    let code =
        decision.code.clone().map(|code| view! { <p class="sub">"Outcome code: " <bdi class="mono">{code}</bdi></p> });
    let evidence = decision.evidence.clone().map(|text| view! { <LongText text/> });
    let follow_up = decision.follow_up.clone().map(|text| view! { <p class="sub">"Follow-up"</p><LongText text/> });
    view! {
        <Panel id="h-decision" title="How it ended" note=decision.resolution.label().to_owned()>
            <div class="panel-body">
                <p><b><bdi>{decision.by_name.clone()}</bdi></b>" decided " <Moment at=decision.at/></p>
                <LongText text=decision.reason.clone()/>
                {code}
                {evidence}
                {follow_up}
            </div>
        </Panel>
    }
}

fn finding(found: &FoundOut, about: &str) -> impl IntoView + use<> {
    let record = found.record_id.clone().map(|id| view! { " · record " <bdi class="mono">{id}</bdi> });
    view! {
        <li>
            <div>
                <p><b>{found.finding.label()}</b>{about.to_owned()}{record}</p>
                <p class="sub"><bdi>{found.by_name.clone()}</bdi>", by " <bdi>{found.source.clone()}</bdi></p>
                <LongText text=found.evidence.clone()/>
            </div>
            <Moment at=found.at/>
        </li>
    }
    .into_any()
}

fn comment(comment: &Comment) -> impl IntoView + use<> {
    view! {
        <li>
            <div><p><b><bdi>{comment.person_name.clone()}</bdi></b></p><LongText text=comment.text.clone()/></div>
            <Moment at=comment.at/>
        </li>
    }
    .into_any()
}
