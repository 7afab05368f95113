//! What is happening while a replay is live, under the effect.

use domain::item::{ActivityKind, State};
use leptos::prelude::*;
use service::{Attempt, Replay, Stage, items::packet::Packet};

use crate::{
    components::{Moment, Notice},
    islands::Watch,
    paths,
};

/// The replay whose attempt this is.
pub(super) fn replay_of<'p>(packet: &'p Packet, attempt: &Attempt) -> Option<&'p Replay> {
    let exactly = packet.replays.iter().find(|replay| replay.attempt_id == attempt.id);
    // A replay names its latest try; the ones before it are told by their key and time.
    let key = |replay: &&Replay| Some(replay.key.as_str()) == attempt.idempotency_key.as_deref();
    let before = |replay: &&Replay| replay.requested_at <= attempt.received_at;
    exactly.or_else(|| packet.replays.iter().find(|replay| key(replay) && before(replay)))
}

/// What the live replay is doing, with a way to look again; nothing where none is live.
pub(super) fn live(packet: &Packet) -> Option<AnyView> {
    let live =
        packet.live.as_ref().filter(|live| matches!(live.kind, ActivityKind::Replay | ActivityKind::Compensation))?;
    matches!(packet.item.state, State::Replaying | State::AwaitingOutcome | State::Compensating).then_some(())?;
    let replay = packet.replays.iter().find(|replay| replay.activity_id == live.id)?;
    let attempt = packet.attempts.iter().find(|attempt| attempt.id == replay.attempt_id)?;
    let item = &packet.item;
    let (title, sentence) = told(packet, replay, attempt);
    let by = replay.requested_by_name.clone();
    let asks = if replay.asks_again { "asked to ask again with the same key" } else { "asked for it" };
    Some(
        view! {
            <Notice tone="info" title>
                <p>{sentence}</p>
                <p class="small muted">
                    <bdi>{by}</bdi>" "{asks}" " <Moment at=replay.requested_at exact=true/>
                    ". Without a word it counts as over at " <Moment at=live.lease_until exact=true/> "."
                </p>
                <div class="row">
                    <a class="button button--small" href=paths::item(item.id)>"Look again"</a>
                    <span role="status"><Watch item=item.id.to_string() version=item.version page=paths::item(item.id)/></span>
                </div>
            </Notice>
        }
        .into_any(),
    )
}

fn told(packet: &Packet, replay: &Replay, attempt: &Attempt) -> (String, AnyView) {
    let what = match replay.part.filter(|_| replay.compensation_id.is_some()) {
        Some(part) => format!("Part {} of the compensation", part + 1),
        None => format!("Revision {}", replay.revision),
    };
    let to = place(packet, attempt);
    let to = to.map(|to| view! { " to " <span class="mono">{to}</span> });
    match (replay.stage, attempt.started_at) {
        (Stage::Sending, Some(since)) => {
            let since = view! { ", since " <Moment at=since exact=true/> "." };
            (format!("{what} is being sent"), view! { "Attempt "{attempt.number}{to}{since} }.into_any())
        }
        (Stage::Awaiting, _) => {
            let until = packet.live.as_ref().map(|live| live.lease_until);
            let until = until.map(|at| view! { " until " <Moment at exact=true/> });
            (
                "Taken on".to_owned(),
                view! { "The destination has taken it on; the outcome is awaited"{until}"." }.into_any(),
            )
        }
        _ if replay.tries > 0 => {
            let due = view! { " at " <Moment at=replay.due_at exact=true/> "." };
            let title = format!("Attempt {} follows", attempt.number);
            (title, view! { {what}" is sent again"{to}{due} }.into_any())
        }
        _ => {
            let due = view! { ", due " <Moment at=replay.due_at exact=true/> "." };
            (format!("{what} waits to be sent"), view! { "Attempt "{attempt.number}{to}{due} }.into_any())
        }
    }
}

/// Where an attempt goes: the address with its values, or where those may not be shown, with their places.
pub(super) fn place(packet: &Packet, attempt: &Attempt) -> Option<String> {
    let template = || packet.sendable.as_ref().and_then(|sendable| sendable.request.clone());
    attempt.request.clone().or_else(template)
}
