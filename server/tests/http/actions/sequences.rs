//! Whatever people, the automation and time do to an item in whatever order, what must hold holds after every step.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Caller,
    attempt::Outcome,
    effect::{Effect, Standing, derive},
    ids::ItemId,
    item::{ActivityKind, Resolution, State},
    permission::Role,
    sensitivity::Clearance,
};
use rehearsal::systems::{Fault, Running, Sink};
use serde_json::{Value, json};
use service::{
    Attempt, Error, Request,
    clock::Clock as _,
    items::{actions::ItemAction, packet::Packet},
    report::Incoming,
};

use super::{finding, resolution, twice_uncertain};
use crate::{
    app::{App, on_both},
    dice::Dice,
    words::{report, time, with},
};

const SEQUENCES: usize = 200;
const STEPS: usize = 14;

/// Who takes part, and where replays go.
struct Cast {
    people: Vec<Request>,
    automation: Request,
    sink: Running<Sink>,
}

/// A step whose destination recognises keys and can be asked what it holds.
const STEP: &str = r#"
[workflow]
key = "invoice-sync"
name = "Supplier invoices"
owner_team = "finance-ops"
version = "2026-11-20"

[[step]]
key = "create_invoice"
side_effect = "irreversible"
sensitivity = "internal"
repeat = "key"
key_memory = "24h"
[step.destination]
kind = "http"
url = "{sink}/stripe"
allow_private = true
timeout = "2s"
record_id = "/id"
[step.lookup]
url = "{sink}/lookup?key={key}"
allow_private = true
found = { pointer = "/items/0/id" }
absent = { pointer = "/count", equals = 0 }
"#;

async fn cast(app: &App) -> Cast {
    let clock = app.clock.clone();
    let sink = Sink::start(Arc::new(move || clock.now())).await.unwrap();
    app.register(&STEP.replace("{sink}", &sink.url)).await;
    let sync = app.token(&["invoice-sync"]).await;
    let mut people = Vec::new();
    for (name, roles) in
        [("Amara", &[Role::Operator][..]), ("Jonas", &[Role::Operator]), ("Selma", &[Role::Operator, Role::Supervisor])]
    {
        let email = app.add(name, roles, &["finance-ops"], Clearance::Restricted).await;
        let script = app.script_of(&email, &[]).await;
        people.push(Request::of(
            app.service
                .authenticate(service::tokens::authenticate::Brought::Token(&script.secret), None, None)
                .await
                .unwrap(),
        ));
    }
    Cast {
        people,
        automation: Request::of(
            app.service
                .authenticate(service::tokens::authenticate::Brought::Token(&sync.secret), None, None)
                .await
                .unwrap(),
        ),
        sink,
    }
}

/// One step: what was done, in words, and whether it was done.
async fn step(
    app: &App,
    cast: &Cast,
    dice: &mut Dice,
    item: ItemId,
    key: &str,
    before: &Packet,
) -> (String, Result<(), Error>) {
    if dice.chance(20) {
        let minutes = dice.pick(&[1, 20, 40, 90]);
        app.later(TimeDelta::minutes(minutes));
        let (ended, woken) = (app.service.lapse_leases().await.unwrap(), app.service.wake_due().await.unwrap());
        return (format!("{minutes} minutes pass: {ended} leases end, {woken} wake"), Ok(()));
    }
    if dice.chance(30) {
        return told(app, cast, dice, item, key).await;
    }
    if dice.chance(25) {
        return (sends(app, cast, dice, item, before).await, Ok(()));
    }
    let action = dice.pick(service::items::actions::CATALOGUE);
    let name = action.step.as_str();
    let person = dice.pick(&cast.people);
    let body = body(dice, name, before, app.service.now());
    let version =
        if dice.chance(90) { Some(before.item.version) } else { dice.pick(&[None, Some(before.item.version - 1)]) };
    let words = format!("{} {name} {body} at {version:?}", person.caller.name());
    (words, run(action, app, &person, item, body, version).await)
}

/// The sender does its work, at a destination that has good and bad days. Nothing leaves on top of what may have happened,
/// but what carries the very key that is in doubt (R4, R7).
async fn sends(app: &App, cast: &Cast, dice: &mut Dice, item: ItemId, before: &Packet) -> String {
    // What commits before it breaks really happened: the destination recognises the repeat.
    let bad_days = [
        Fault::Status { code: 422, retry_after_s: None },
        Fault::Status { code: 429, retry_after_s: None },
        Fault::ResetBeforeCommit,
        Fault::CommitThenStatus { code: 500 },
        Fault::CommitThenReset,
        Fault::Accepted,
    ];
    let fault = dice.chance(60).then(|| dice.pick(&bad_days));
    if let Some(fault) = fault.clone() {
        cast.sink.faults().next(1, fault);
    }
    let seen = cast.sink.lines().len();
    let tries = app.send_due().await;
    cast.sink.faults().clear();
    for line in &cast.sink.lines()[seen..] {
        assert_eq!(line.header("recourse-item"), Some(item.to_string().as_str()));
        let in_doubt =
            |a: &&Attempt| a.epoch == before.item.epoch && !matches!(a.effect, Effect::None | Effect::Compensated);
        for doubted in before.attempts.iter().filter(in_doubt) {
            let same = doubted.effect == Effect::Uncertain && doubted.idempotency_key == line.key;
            let asked = before.replays.first().is_some_and(|replay| replay.asks_again);
            assert!(same || asked, "R4: sent on top of attempt {}: {before:?}", doubted.number);
        }
    }
    format!("{tries} tries, {} requests, with {fault:?}", cast.sink.lines().len() - seen)
}

async fn run(
    action: ItemAction,
    app: &App,
    person: &Request,
    item: ItemId,
    body: Value,
    version: Option<i64>,
) -> Result<(), Error> {
    (action.run)(&app.service, person, item, Ok(body), version).await.map(drop)
}

/// Something the automation says.
async fn told(app: &App, cast: &Cast, dice: &mut Dice, item: ItemId, key: &str) -> (String, Result<(), Error>) {
    let now = app.service.now();
    let outcome = dice.pick(&["succeeded", "failed", "uncertain"]);
    let mut attempt = json!({ "outcome": outcome, "sent": outcome != "failed" || dice.chance(50) });
    if dice.chance(50) {
        attempt["number"] = json!(dice.below(4) + 1);
    }
    if dice.chance(40) {
        attempt["started_at"] = json!(time(now - TimeDelta::minutes(dice.pick(&[0, 30, 120]))));
    }
    if outcome == "succeeded" {
        attempt["record_id"] = json!(format!("L-{}", dice.below(3)));
    }
    let say = |words: &str, body: &Value| format!("the automation {words} {body}");
    match dice.below(4) {
        0 => {
            let begin = json!({ "number": dice.below(4) + 1, "lease_s": 900 });
            (
                say("begins", &begin),
                app.service.record_attempt(&cast.automation, item, begin.to_string().as_bytes()).await.map(drop),
            )
        }
        1 => (
            say("tells", &attempt),
            app.service.record_attempt(&cast.automation, item, attempt.to_string().as_bytes()).await.map(drop),
        ),
        2 => {
            let word = json!({ "succeeded": { "record_id": format!("L-{}", dice.below(3)) } });
            (
                say("amends", &word),
                app.service.amend(&cast.automation, item, word.to_string().as_bytes(), None).await.map(drop),
            )
        }
        _ => {
            let mut again = with(report(key), json!({ "report_id": uuid::Uuid::new_v4(), "attempts": [attempt] }));
            if dice.chance(50) {
                again["next_attempt_by_automation_at"] = json!(time(now + TimeDelta::minutes(30)));
            }
            if dice.chance(30) {
                again["payload"] = json!({ "json": { "amount": dice.below(3) } });
            }
            let words = say("reports", &again);
            (
                words,
                app.service.report(&cast.automation, &Incoming::json(again.to_string().into_bytes())).await.map(drop),
            )
        }
    }
}

/// A body for an action: mostly one that could do.
fn body(dice: &mut Dice, action: &str, before: &Packet, now: DateTime<Utc>) -> Value {
    let attempt = |dice: &mut Dice| (!before.attempts.is_empty()).then(|| dice.pick(&before.attempts).id.to_string());
    match action {
        "replay" => {
            json!({ "revision": dice.pick(&before.revisions).number, "reason": "x", "accept": ["key_expired", "version_moved", "too_old"] })
        }
        "ask_again" => json!({ "attempt": attempt(dice), "reason": "x" }),
        "claim" => {
            let reason = dice.chance(50).then_some("mine now");
            json!({ "take_over_reason": reason })
        }
        "hand_over" | "assign" => dice.pick(&[
            json!({ "person": "jonas@example.test", "note": "x" }),
            json!({ "team": "finance-ops", "note": "x" }),
            json!({ "note": "x" }),
        ]),
        "comment" => json!({ "text": "so?" }),
        "snooze" => json!({ "until": time(now + TimeDelta::minutes(45)), "reason": "x" }),
        "cancel_retry" | "reopen" => json!({ "reason": "x" }),
        "escalate" => json!({ "team": "finance-ops", "reason": "x", "respond_by": time(now + TimeDelta::hours(1)) }),
        "correct" => {
            json!({ "parent": before.revisions.last().unwrap().number, "text": format!("corrected {}", dice.below(3)), "reason": "x" })
        }
        "reconcile" => {
            let mut body = finding(dice.pick(&["applied", "not_applied", "partial", "cannot_tell"]));
            if dice.chance(50) {
                body["attempt"] = json!(attempt(dice));
            }
            body
        }
        "resolve" => {
            let stated = if dice.chance(60) {
                before.item.effect.as_str()
            } else {
                dice.pick(&["none", "confirmed", "partial"])
            };
            let stated = if stated == "uncertain" { "none" } else { stated };
            let word = dice.pick(&["accepted", "done_by_hand", "accepted_degraded", "discarded", "compensated"]);
            let body = resolution(word, stated);
            if word == "accepted_degraded" { with(body, json!({ "follow_up": "x" })) } else { body }
        }
        _ => json!({}),
    }
}

/// What must hold of an item at any time.
fn check(packet: &Packet, story: &[String]) {
    let item = &packet.item;
    let told = || story.join("\n");
    let standings = packet.attempts.iter().map(|a| Standing { epoch: a.epoch, effect: a.effect });
    assert_eq!(item.effect, derive(item.epoch, standings), "R4: the effect is derived\n{}", told());
    let closed = item.state == State::Closed;
    if closed {
        let acknowledged =
            packet.attempts.iter().any(|a| a.outcome == Outcome::Succeeded && a.effect == Effect::Confirmed);
        let settled = packet.findings.iter().any(|found| found.finding.settles().is_some());
        assert!(acknowledged || settled || packet.decision.is_some(), "R9: it closed on nothing\n{}", told());
        assert!(packet.double_effects.is_empty(), "R10: closed in spite of a possible double effect\n{}", told());
        assert_ne!(item.effect, Effect::Uncertain, "R4: closed while something is unsettled\n{}", told());
        if item.resolution == Some(Resolution::SucceededMeanwhile) {
            assert_eq!(item.effect, Effect::Confirmed, "{}", told());
        }
    }
    assert_eq!((closed, closed), (item.closed_at.is_some(), item.resolution.is_some()), "{}", told());
    assert_eq!(item.state == State::Snoozed, item.snoozed_until.is_some(), "{}", told());
    let unsettled = packet.attempts.iter().any(|a| a.outcome == Outcome::InFlight);
    let running = packet.live.as_ref().is_some_and(|live| live.attempt_id.is_some());
    // What was taken on is awaited, and no longer in flight.
    let awaited = item.state == State::AwaitingOutcome;
    assert_eq!(unsettled || awaited, running, "R5: what is under way is live\n{}", told());
    let replaying = packet.live.as_ref().is_some_and(|live| live.kind == ActivityKind::Replay);
    let busy = matches!(item.state, State::Replaying | State::AwaitingOutcome);
    assert_eq!(busy, replaying, "R5: a replay and nothing else makes it busy\n{}", told());
}

on_both! {
    async fn r4_r5_r9_r10_hold_after_every_step_of_some_hundred_random_stories(app) {
        let cast = cast(app).await;
        let (mut done, mut refused, mut closed) = (0, 0, 0);
        for number in 0..SEQUENCES {
            let mut dice = Dice(number as u64);
            let key = format!("INV-{number}");
            let lane = dice.pick(&["dead_letter", "needs_review"]);
            let status = dice.pick(&["none", "confirmed", "partial", "uncertain"]);
            let first = if dice.chance(30) { twice_uncertain(&key) } else { report(&key) };
            let first = with(first, json!({ "lane": lane, "effect": { "status": status } }));
            let taken = app.service.report(&cast.automation, &Incoming::json(first.to_string().into_bytes())).await.unwrap();
            let id = taken.answer.id;
            let mut story = vec![format!("sequence {number}: {first}")];
            let mut before = app.service.packet(&crate::app::command_line(), id).await.unwrap();
            for _ in 0..STEPS {
                let (words, outcome) = step(app, &cast, &mut dice, id, &key, &before).await;
                story.push(format!("{words}: {}", outcome.as_ref().map_or_else(ToString::to_string, |()| "done".into())));
                let now = app.service.packet(&crate::app::command_line(), id).await.unwrap();
                match outcome {
                    Ok(()) => done += 1,
                    Err(Error::Refused(_) | Error::Quarantined(..)) => {
                        refused += 1;
                        let seen = |p: &Packet| format!("{:?}{:?}{:?}{:?}", p.item, p.attempts, p.findings, p.claim.as_ref().map(|c| c.person_id));
                        assert_eq!(seen(&before), seen(&now), "a refusal changed something\n{}", story.join("\n"));
                    }
                    Err(error) => panic!("{error:?}\n{}", story.join("\n")),
                }
                assert!(now.item.version >= before.item.version, "{}", story.join("\n"));
                check(&now, &story);
                closed += usize::from(now.item.state == State::Closed);
                before = now;
            }
            let original = app.service.payload(&Request::of(Caller::CommandLine), id, Some(1)).await.unwrap();
            assert_eq!(original.bytes, br#"{"amount":40}"#, "R1\n{}", story.join("\n"));
        }
        assert!(app.database.crowded_items().await.is_empty(), "R5: at most one live activity");
        assert!(done > SEQUENCES * 4 && refused > SEQUENCES * 2 && closed > SEQUENCES, "{done} done, {refused} refused, {closed} closed");
    }
}
