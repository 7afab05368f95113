use leptos::prelude::*;
use service::{Comment, Decided, FoundOut, items::packet::Packet};

use crate::components::{LongText, Moment, Panel};

/// How a person closed it, what was found out, and what was said; nothing where there is none of it.
pub(super) fn found(packet: &Packet) -> impl IntoView + use<> {
    let decision = packet.decision.as_ref().map(decided);
    let findings = (!packet.findings.is_empty()).then(|| {
        let number = |found: &FoundOut| {
            let attempt = packet.attempts.iter().find(|attempt| attempt.id == found.attempt_id);
            attempt.map_or_else(String::new, |attempt| format!(" about attempt {}", attempt.number))
        };
        let rows = packet.findings.iter().map(|row| finding(row, &number(row))).collect_view();
        view! { <Panel id="h-findings" title="Findings" note="newest first"><ul class="records">{rows}</ul></Panel> }
    });
    let comments = (!packet.comments.is_empty()).then(|| {
        let rows = packet.comments.iter().map(comment).collect_view();
        view! { <Panel id="h-comments" title="Comments" note="newest first"><ul class="records">{rows}</ul></Panel> }
    });
    view! { {decision} {findings} {comments} }.into_any()
}

fn decided(decision: &Decided) -> impl IntoView + use<> {
    let evidence = decision.evidence.clone().map(|text| view! { <LongText text/> });
    let follow_up = decision.follow_up.clone().map(|text| view! { <p class="sub">"Follow-up"</p><LongText text/> });
    view! {
        <Panel id="h-decision" title="How it ended" note=decision.resolution.label().to_owned()>
            <div class="panel-body">
                <p><b><bdi>{decision.by_name.clone()}</bdi></b>" decided " <Moment at=decision.at/></p>
                <LongText text=decision.reason.clone()/>
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
