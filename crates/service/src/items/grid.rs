//! The grid of role × action × how an item stands, as a golden file: who may do what, when, and why not.

use std::collections::BTreeSet;

use chrono::DateTime;
use domain::{
    access::{self, Caller, Person, Scope},
    effect::Effect,
    ids::{PersonId, TeamId},
    item::{ActivityKind, Lane, State},
    moves::{self, Facts, LiveActivity, LiveClaim, StepFacts},
    permission::{Permission, Role},
    sensitivity::Clearance,
    workflow::{DestinationKind, Repeat},
};
use uuid::Uuid;

use super::actions::CATALOGUE;

const TEAM: TeamId = TeamId(Uuid::from_u128(7));

/// How an item may stand: what that is called, state, effect, what is live, whose claim (own or another's).
type Standing = (&'static str, State, Effect, Option<ActivityKind>, Option<bool>);

/// What follows up work that was accepted.
const FOLLOW_UP: &str = "open, follows up accepted work";

const STANDINGS: &[Standing] = &[
    ("open, known not to have happened", State::Open, Effect::None, None, None),
    ("open, known not to have happened, claimed by who asks", State::Open, Effect::None, None, Some(true)),
    ("open, known not to have happened, claimed by another", State::Open, Effect::None, None, Some(false)),
    ("open, may have happened", State::Open, Effect::Uncertain, None, None),
    ("open, happened in part", State::Open, Effect::Partial, None, None),
    ("open, happened", State::Open, Effect::Confirmed, None, None),
    ("open, made good", State::Open, Effect::Compensated, None, None),
    ("a retry is planned", State::Open, Effect::Uncertain, Some(ActivityKind::PlannedRetry), None),
    ("an attempt runs", State::Open, Effect::Uncertain, Some(ActivityKind::AutomationAttempt), None),
    (FOLLOW_UP, State::Open, Effect::None, None, None),
    ("snoozed, may have happened", State::Snoozed, Effect::Uncertain, None, None),
    ("closed, happened", State::Closed, Effect::Confirmed, None, None),
];

fn holder(role: Role, team: TeamId) -> Caller {
    Caller::Person(Person {
        id: PersonId(Uuid::from_u128(1)),
        name: "Amara".into(),
        email: "amara@example.test".into(),
        roles: vec![role.into()],
        teams: BTreeSet::from([team]),
        clearance: Clearance::Restricted,
        limits: None,
    })
}

fn facts(standing: &Standing) -> Facts {
    let (_, state, effect, live, claim) = *standing;
    let since = DateTime::UNIX_EPOCH;
    Facts {
        lane: Lane::DeadLetter,
        state,
        effect,
        live: live.map(|kind| LiveActivity { kind, by: "sync".into(), since }),
        claim: claim.map(|own| LiveClaim { own, by: "Jonas".into(), until: since }),
        possible_double_effect: false,
        completing: false,
        follow_up: standing.0 == FOLLOW_UP,
        step: StepFacts {
            delivery: Some(DestinationKind::Http),
            repeat: Repeat::Key,
            lookup: true,
            compensations: true,
        },
    }
}

/// `yes`, or the code of the refusal.
fn cell(caller: &Caller, permission: Permission, judged: &Result<(), domain::refusal::Refusal>) -> &'static str {
    let may = access::may(caller, permission, Scope::Within { team: TEAM, owner: None, workflow: "invoice-sync" });
    match may.as_ref().and_then(|()| judged.as_ref().map(drop)) {
        Ok(()) => "yes",
        Err(refusal) => refusal.code(),
    }
}

#[test]
fn r15_who_may_do_what_and_when_is_as_agreed() {
    let mut grid = String::from("A role's holder belongs to the item's team; `stranger` is an operator of another.\n");
    for standing in STANDINGS {
        let facts = facts(standing);
        grid.push_str(&format!("\n{}\n{:<15}{:<24}", standing.0, "action", "permission"));
        for role in Role::ALL {
            grid.push_str(&format!("{:<17}", role.as_str()));
        }
        grid.push_str("stranger\n");
        for action in CATALOGUE {
            let judged = moves::judge(action.step, &facts);
            let word = action.step.as_str();
            let mut line = format!("{word:<15}{:<24}", action.permission.as_str());
            for role in Role::ALL {
                line.push_str(&format!("{:<17}", cell(&holder(*role, TEAM), action.permission, &judged)));
            }
            line.push_str(cell(&holder(Role::Operator, TeamId(Uuid::from_u128(8))), action.permission, &judged));
            grid.push_str(line.trim_end());
            grid.push('\n');
        }
    }
    insta::assert_snapshot!("who_may_do_what_and_when", grid);
}
