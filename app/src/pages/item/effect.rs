use domain::{
    attempt::{AttemptBy, Outcome},
    effect::Effect,
};
use leptos::prelude::*;
use service::{Attempt, items::packet::Packet};

use super::story::story;
use crate::components::{Icon, LongText, Moment, words};

/// Unsettled attempts that are told one by one; more are counted.
const TOLD: usize = 3;

/// What is known about the side effect, first and large.
pub(super) fn effect(packet: &Packet) -> impl IntoView + use<> {
    let (effect, story) = (packet.item.effect, story(packet));
    let doubtful: Vec<&Attempt> =
        packet.attempts.iter().filter(|attempt| attempt.effect == Effect::Uncertain).collect();
    let more = doubtful.len().saturating_sub(TOLD);
    let more = (more > 0).then(|| view! { <li>{format!("and {more} more attempts")}</li> });
    let unsettled = (!doubtful.is_empty()).then(|| {
        view! { <ul class="unsettled">{doubtful.iter().take(TOLD).map(|a| unsettled(a)).collect_view()}{more}</ul> }
    });
    // Beside what others have done since, it says nothing about how things stand now.
    let since = packet.attempts.first().is_some_and(|newest| newest.made_by != AttemptBy::Automation);
    let who = if since { "The automation said of its own attempt:" } else { "The automation says:" };
    let evidence = packet.item.effect_evidence.clone().map(|text| {
        view! { <p class="faint small">{who}</p><LongText text/> }
    });
    view! {
        <section class="effect" data-effect=effect.as_str() aria-labelledby="effect">
            <Icon name=words::effect_icon(effect)/>
            <div>
                <p class="effect-word">{effect.words()}</p>
                <h2 id="effect">{story.heading}</h2>
                <p>{story.meaning}</p>
                {unsettled}
                {evidence}
            </div>
        </section>
    }
}

/// "Attempt 3 ended without a clear answer, 29 Nov 2026, 10:00:10 UTC."
fn unsettled(attempt: &Attempt) -> impl IntoView + use<> {
    let what = match (attempt.outcome, attempt.sent) {
        (Outcome::InFlight, _) if attempt.made_by == AttemptBy::Replay => "is being sent, and no answer has come yet",
        (Outcome::InFlight, _) => "began, and no word came of how it ended",
        (Outcome::Accepted, _) if attempt.made_by == AttemptBy::Replay => "was taken on, and its outcome is awaited",
        (Outcome::Accepted, _) => "was accepted, and no outcome came",
        (Outcome::Failed, _) => "failed, and whether it had an effect is not known",
        (_, Some(true)) => "was sent, and no clear answer came",
        (_, _) => "may have been sent, and no clear answer came",
    };
    let number = attempt.number;
    let at = attempt.finished_at.or(attempt.started_at).unwrap_or(attempt.received_at);
    view! { <li>{format!("Attempt {number} {what}: ")}<Moment at exact=true/></li> }
}
