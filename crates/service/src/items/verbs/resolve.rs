//! Closing an item by a person's reasoned decision (R9).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    attempt::{AttemptBy, Outcome},
    audit::AuditKind,
    effect::Effect,
    finding::Finding,
    ids::WorkflowId,
    item::{Lane, Resolution},
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    text,
    workflow::Key,
};
use serde::Deserialize;
use store::{Attempt, Decided, FoundOut, Uow};

use super::{
    Verb, Work,
    input::{Name, Other, Said},
    reconcile, run,
};
use crate::{
    Error, Result,
    items::{
        self,
        actions::{Answers, Field, FieldKind, ItemAction},
        follow_up, standing,
    },
    new_id,
};

const RESOLUTIONS: &[(&str, &str)] = &[
    ("done_by_hand", "Done by hand"),
    ("accepted", "Accepted as the automation left it"),
    ("accepted_degraded", "Accepted as degraded, with a follow-up"),
    ("discarded", "Discarded: it is not to be done"),
    ("duplicate", "Duplicate of another item"),
    ("compensated", "Made good"),
];
const EFFECTS: &[(&str, &str)] =
    &[("none", "It did not happen"), ("confirmed", "It happened"), ("partial", "It happened in part")];

const EFFECT_MUST_BE_SAID: &str =
    "Say whether the effect happened: it did not (none), it did (confirmed), or it did in part (partial).";

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Resolve,
    label: "Mark resolved…",
    explanation: "Closes it by your decision. Say whether the effect happened: that is recorded as a finding. Nothing is sent.",
    permission: Permission::ItemsResolve,
    audit: AuditKind::Resolved,
    fields: &[
        Field::required("resolution", "How it ends", "", FieldKind::Choice(RESOLUTIONS)),
        Field::depending(
            "effect",
            "Did the effect happen?",
            "Must be said, but where it was made good.",
            FieldKind::Choice(EFFECTS),
        ),
        Field::required("reason", "Reason", "", FieldKind::Text),
        Field::optional("evidence", "What it rests on", "", FieldKind::Text),
        Field::optional("record_id", "The other system's record", "", FieldKind::Line),
        Field::optional(
            "revision",
            "Which revision",
            "For accepted: what the automation goes on with.",
            FieldKind::Number,
        ),
        Field::optional(
            "code",
            "Outcome code",
            "Where the workflow lists codes: one of those for this resolution.",
            FieldKind::Code,
        ),
        Field::depending(
            "follow_up",
            "Follow-up",
            "Must be said for accepted as degraded, and only then: what still has to be done. It becomes an item of its own.",
            FieldKind::Text,
        ),
        Field::depending(
            "duplicate_of",
            "Duplicate of",
            "Must be said for a duplicate, and only then: the other item's id, the last part of its page's address.",
            FieldKind::Item,
        ),
    ],
    needs_version: true,
    answers: Answers::Item,
    run: run::<Resolve>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resolve {
    resolution: Resolution,
    effect: Option<Effect>,
    reason: Said,
    code: Option<Name>,
    evidence: Option<Said>,
    record_id: Option<Name>,
    duplicate_of: Option<Other>,
    revision: Option<i64>,
    follow_up: Option<Said>,
}

impl Verb for Resolve {
    const ACTION: ItemAction = ACTION;

    /// What each resolution needs besides, and what belongs to another.
    fn check(&self, _: DateTime<Utc>) -> Result<(), Refusal> {
        let wrong = |pointer: &str, message: &str| Err(Refusal::field(pointer, message));
        match self.resolution {
            Resolution::Replayed | Resolution::SucceededMeanwhile => {
                return wrong("/resolution", "is decided by what happened, not by a person");
            }
            Resolution::AcceptedDegraded if self.follow_up.is_none() => {
                return wrong("/follow_up", "Say what still has to be done.");
            }
            Resolution::Duplicate if self.duplicate_of.is_none() => {
                return wrong("/duplicate_of", "Say which item it is a duplicate of.");
            }
            Resolution::Compensated if self.effect.is_some() => {
                return wrong("/effect", "is left out where it was made good");
            }
            _ => {}
        }
        if matches!(self.effect, Some(Effect::Uncertain | Effect::Compensated)) {
            return wrong("/effect", EFFECT_MUST_BE_SAID);
        }
        if self.revision.is_some() && self.resolution != Resolution::Accepted {
            return wrong("/revision", "is chosen only where the item is accepted");
        }
        if self.duplicate_of.is_some() && self.resolution != Resolution::Duplicate {
            return wrong("/duplicate_of", "is only for duplicates");
        }
        if self.follow_up.is_some() && self.resolution != Resolution::AcceptedDegraded {
            return wrong("/follow_up", "is only for what is accepted as degraded: choose that, or leave this empty");
        }
        Ok(())
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        self.check_against(work).await?;
        let reason = self.reason.0.clone();
        self.settle(work, &reason).await?;
        if self.resolution == Resolution::Discarded && !matches!(work.item.effect, Effect::None | Effect::Compensated) {
            let message = format!("can't be discarded: the effect is {}", work.item.effect.words());
            return Err(Refusal::field("/resolution", message).into());
        }
        standing::close(work.item, self.resolution, work.act.now);
        work.item.changed(format!("{} resolved it as {}", work.person.name, self.resolution.label().to_lowercase()));
        work.act.uow.release(work.item.id).await?;
        if self.resolution == Resolution::AcceptedDegraded
            && let Some(left) = &self.follow_up
        {
            follow_up::make(work, &left.0).await?;
        }
        let id = new_id(work.act.now);
        let decided = Decided {
            resolution: self.resolution,
            effect: work.item.effect,
            reason: reason.clone(),
            code: self.code.map(|code| code.0),
            evidence: self.evidence.map(|evidence| evidence.0),
            record_id: self.record_id.map(|record| record.0),
            follow_up: self.follow_up.map(|follow_up| follow_up.0),
            revision: self.revision,
            duplicate_of: self.duplicate_of.map(|other| other.0.0),
            by_name: work.person.name.clone(),
            at: work.act.now,
        };
        work.act.uow.add_decision(id, work.item.id, &decided, work.person.id.0).await?;
        let effect = work.item.effect.as_str();
        work.act.entry().detail("resolution", self.resolution.as_str()).detail("effect", effect).text(reason);
        Ok(())
    }
}

/// The outcome codes that a workflow lists, by resolution: where there are any, one is required.
pub(crate) async fn codes(uow: &mut Uow, workflow: WorkflowId) -> Result<BTreeMap<Resolution, Vec<Key>>> {
    let definition = uow.latest_definition(workflow).await?;
    Ok(definition.map(|row| row.definition.0.workflow.resolution_codes).unwrap_or_default())
}

impl Resolve {
    /// Whether this resolution fits the item.
    async fn check_against(&self, work: &mut Work<'_, '_>) -> Result<()> {
        let wrong = |pointer: &str, message: &str| Err(Refusal::field(pointer, message).into());
        match self.resolution {
            Resolution::Accepted if work.item.lane != Lane::NeedsReview => {
                return wrong("/resolution", "accepted as it was is for items that need review");
            }
            Resolution::Compensated if work.item.effect != Effect::Compensated => {
                return wrong("/resolution", "needs a compensation that was confirmed");
            }
            _ => {}
        }
        if let Some(Other(other)) = self.duplicate_of {
            if other == work.item.id {
                return wrong("/duplicate_of", "This is the item itself. Name the one that stays.");
            }
            match items::readable(&mut work.act.uow, work.act.caller, other).await {
                Err(Error::Refused(_)) => {
                    return wrong("/duplicate_of", "This is no item that you can see. Look at its page first.");
                }
                found => found?,
            };
        }
        // What was made good is settled: there is nothing to state.
        if self.effect.is_none() && work.item.effect != Effect::Compensated {
            return wrong("/effect", EFFECT_MUST_BE_SAID);
        }
        if let Some(number) = self.revision {
            let known = work.act.uow.revisions(work.item.id).await?.iter().any(|revision| revision.number == number);
            if !known {
                return wrong("/revision", "is not a revision of this item");
            }
        }
        let codes = codes(&mut work.act.uow, work.item.workflow_id).await?;
        self.check_code(&codes).map_err(Into::into)
    }

    /// Whether the code is one that the workflow lists for this resolution. Where it lists none at all, any will do.
    fn check_code(&self, listed: &BTreeMap<Resolution, Vec<Key>>) -> Result<(), Refusal> {
        match listed.get(&self.resolution).filter(|codes| !codes.is_empty()) {
            Some(codes) => {
                let fits = |code: &Name| codes.iter().any(|known| known.as_str() == code.0);
                if self.code.as_ref().is_some_and(fits) {
                    return Ok(());
                }
                let known: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
                Err(Refusal::field("/code", format!("This workflow asks for one of: {}.", known.join(", "))))
            }
            None if self.code.is_some() && listed.values().any(|codes| !codes.is_empty()) => {
                Err(Refusal::field("/code", "This workflow lists no code for this resolution. Leave it out."))
            }
            None => Ok(()),
        }
    }

    fn record(&self) -> Option<String> {
        self.record_id.as_ref().map(|record| record.0.clone())
    }

    /// Records the stated effect as a finding on every unsettled attempt; what is settled must agree with it.
    async fn settle(&self, work: &mut Work<'_, '_>, reason: &str) -> Result<()> {
        let Some(effect) = self.effect else { return Ok(()) };
        let Some(finding) = Finding::saying(effect) else { return Ok(()) };
        let attempts = work.act.uow.attempts(work.item.id).await?;
        // What is stated is about the step; whether it was made good is another question.
        if attempts.iter().any(|a| a.effect == Effect::Uncertain && a.compensation_id.is_some()) {
            let why = "Whether a compensation happened is not known: record what you found about it first.";
            return Err(Refusal::field("/effect", why).into());
        }
        let unsettled: Vec<Attempt> = attempts.iter().filter(|a| a.effect == Effect::Uncertain).cloned().collect();
        if unsettled.is_empty() {
            if self.resolution == Resolution::DoneByHand {
                self.record_manual_attempt(work, &attempts, effect, reason).await?;
            } else if effect != work.item.effect {
                let message = format!("The effect is known: {}.", work.item.effect.words());
                return Err(Refusal::field("/effect", message).into());
            }
        }
        for mut attempt in unsettled {
            let found = FoundOut {
                attempt_id: attempt.id,
                finding,
                source: "decision when resolving".into(),
                evidence: self.evidence.as_ref().map_or(reason, |evidence| &evidence.0).to_owned(),
                record_id: self.record().filter(|_| finding == Finding::Applied),
                by_name: work.person.name.clone(),
                at: work.act.now,
            };
            reconcile::settle(work, &mut attempt, found).await?;
        }
        standing::derive(&mut work.act.uow, work.item).await
    }

    async fn record_manual_attempt(
        &self,
        work: &mut Work<'_, '_>,
        known: &[Attempt],
        effect: Effect,
        reason: &str,
    ) -> Result<()> {
        let outcome = match effect {
            Effect::Confirmed => Outcome::Succeeded,
            Effect::None => Outcome::Failed,
            _ => Outcome::Uncertain,
        };
        let attempt = Attempt {
            id: new_id(work.act.now),
            item_id: work.item.id,
            number: known.last().map_or(1, |last| last.number + 1),
            made_by: AttemptBy::Person,
            by_id: work.person.id.0,
            by_name: work.person.name.clone(),
            reported_number: None,
            revision: None,
            epoch: work.item.epoch,
            idempotency_key: None,
            outcome,
            effect,
            sent: None,
            status_code: None,
            record_id: self.record(),
            message: Some(text::head(reason, 2_000)),
            late: false,
            started_at: Some(work.act.now),
            finished_at: Some(work.act.now),
            received_at: work.act.now,
            destination: None,
            request: None,
            compensation_id: None,
            part: None,
            made_good: false,
        };
        Ok(work.act.uow.add_attempt(&attempt).await?)
    }
}
