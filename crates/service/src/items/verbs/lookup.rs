//! Looking an uncertain outcome up in the other system (R4). It only reads there: nothing is sent that changes anything.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind,
    effect::Effect,
    finding::Finding,
    ids::{AttemptId, CompensationId, ItemId},
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    replay::lookup::{Shown, Waiting, shown},
    workflow::{Lookup, Step, fill::Values},
};
use serde::{Deserialize, Serialize};
use store::{Attempt, FoundOut, Item, LookedUp, Uow};

use super::{OnItem, Verb, Work, digest, reconcile};
use crate::{
    Request, Result, Service,
    approvals::outside::Call,
    items::{
        actions::{Answers, Doing, Input, ItemAction},
        sending, standing,
    },
    new_id,
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Lookup,
    label: "Look it up now",
    explanation: "Asks the other system whether the effect is there. Nothing is changed there.",
    permission: Permission::ItemsReconcile,
    audit: AuditKind::LookedUp,
    fields: &[],
    needs_version: false,
    answers: Answers::Item,
    run: look_up,
};

/// Asked for: whether it may be looked up is decided before anything is called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {}

impl Verb for Ask {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        // Its record is written once something was seen.
        work.act.no_entry();
        Ok(())
    }
}

/// What was seen, one look per attempt.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    begun_at: DateTime<Utc>,
    looks: Vec<Look>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Look {
    attempt: AttemptId,
    request: String,
    shown: Told,
}

/// [`Shown`], as it is handed from the look to its record.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Told {
    Found(Option<String>),
    Absent,
    CannotTell(String),
}

impl From<Shown> for Told {
    fn from(shown: Shown) -> Self {
        match shown {
            Shown::Found(record) => Self::Found(record),
            Shown::Absent => Self::Absent,
            Shown::CannotTell(why) => Self::CannotTell(why),
        }
    }
}

/// Ask whether it may be done → look, outside any transaction → record what was seen.
fn look_up<'a>(
    service: &'a Service,
    request: &'a Request,
    item: ItemId,
    input: Input,
    expected: Option<i64>,
) -> Doing<'a> {
    Box::pin(async move {
        let as_asked = digest::<Ask>(input.as_ref().ok(), item);
        let ask = OnItem::<Ask>::new(item, input, expected, request.key.clone()).not_remembered();
        let asked = service.run(request, ask).await?;
        if asked.repeat {
            return Ok(asked);
        }
        let record = service.look(item).await?;
        let record = serde_json::to_value(record).map_err(|_| crate::Error::Fault("a look can't be written down"))?;
        let record = OnItem::<Record>::new(item, Ok(record), None, request.key.clone()).remembered_as(as_asked);
        service.run(request, record).await
    })
}

impl Service {
    /// Looks up every unsettled attempt of an item, each address once.
    async fn look(&self, id: ItemId) -> Result<Record> {
        let begun_at = self.now();
        let mut uow = self.store.read().await?;
        let item = uow.item(id).await?.ok_or(Refusal::NotFound)?;
        let mut attempts: Vec<Attempt> = uow.attempts(id).await?.into_iter().filter(is_open).collect();
        // What happened in part is there already: it would be found in the place of what is in doubt.
        let is_part = |a: &Attempt| a.effect == Effect::Partial && a.compensation_id.is_none();
        let part_stands = attempts.iter().any(is_part);
        if attempts.iter().any(|a| a.effect == Effect::Uncertain) {
            attempts.retain(|a| a.effect == Effect::Uncertain);
        }
        let mut askings = Vec::new();
        for attempt in attempts {
            if let Some(asking) = asking(&mut uow, &item, attempt).await? {
                askings.push(asking);
            }
        }
        drop(uow);
        if askings.is_empty() {
            return Err(Refusal::NoLookup.into());
        }
        // One address may be read by several rules: those of the step, and of each part of a compensation.
        let mut seen: BTreeMap<(String, Option<uuid::Uuid>, Option<i64>), Told> = BTreeMap::new();
        let mut looks = Vec::new();
        for Asking { attempt, lookup, url } in &askings {
            let (request, shown) = match url {
                Err(why) => (lookup.url.to_string(), Told::CannotTell(why.clone())),
                Ok(url) => {
                    let place = (url.clone(), attempt.compensation_id, attempt.part);
                    let told = match seen.get(&place) {
                        Some(told) => told.clone(),
                        None => Told::from(self.ask_other_system(lookup, url.clone()).await),
                    };
                    seen.insert(place, told.clone());
                    let told = match told {
                        Told::Found(_) if attempt.effect == Effect::Partial => {
                            Told::CannotTell("It is there, as is known; not whether the whole of it is.".into())
                        }
                        told => told,
                    };
                    (format!("GET {url}"), told)
                }
            };
            looks.push(Look { attempt: attempt.id, request, shown });
        }
        // One record can't be told to belong to one of several attempts.
        let found = |look: &&Look| matches!(look.shown, Told::Found(_));
        let beside_a_part =
            |asking: &Asking| part_stands && asking.attempt.compensation_id.is_none() && !is_part(&asking.attempt);
        let alone = looks.len() == 1 && !askings.iter().any(beside_a_part);
        let told_apart = askings.iter().all(|asking| asking.lookup.url.names("key")) || alone;
        if !told_apart && looks.iter().any(|look| found(&look)) {
            for look in &mut looks {
                look.shown = Told::CannotTell("It is there, but not by which of the attempts.".into());
            }
        }
        Ok(Record { begun_at, looks })
    }

    async fn ask_other_system(&self, lookup: &Lookup, url: String) -> Shown {
        let call = Call { headers: &lookup.headers, timeout: lookup.timeout.as_ref(), private: lookup.allow_private };
        match self.get(url, call).await {
            Err(why) => Shown::CannotTell(why),
            Ok(reply) => shown(lookup, reply.status, &reply.body, reply.cut),
        }
    }
}

/// One attempt and where it is looked up.
struct Asking {
    attempt: Attempt,
    lookup: Lookup,
    url: Result<String, String>,
}

/// Where an attempt is looked up: as its step says or, of a compensation, as the part that was approved says.
async fn asking(uow: &mut Uow, item: &Item, attempt: Attempt) -> Result<Option<Asking>> {
    let (lookup, _) = lookup_of(uow, item, &attempt).await?;
    let Some(lookup) = lookup else { return Ok(None) };
    let attempts = uow.attempts(item.id).await?;
    let mut record = standing::record_of(item, &attempts, &attempt).map(str::to_owned);
    let mut params = None;
    if let Some(compensation) = attempt.compensation_id
        && let Some(compensation) = uow.compensation(CompensationId(compensation)).await?
    {
        // Until the part has a record of its own, that of what it makes good.
        let made_good = attempts.iter().find(|a| a.id == compensation.attempt_id);
        let of_it = || made_good.and_then(|a| standing::record_of(item, &attempts, a)).map(str::to_owned);
        record = attempt.record_id.clone().or_else(of_it);
        params = uow.approval(compensation.approval_id).await?.map(|approval| approval.bound.0.parameters);
    }
    let mut payload = None;
    if lookup.url.needs_payload() {
        let revisions = uow.revisions(item.id).await?;
        if let Some(revision) = revisions.iter().find(|revision| Some(revision.number) == attempt.revision) {
            payload = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes);
        }
    }
    let values = Values {
        key: attempt.idempotency_key.as_deref(),
        record_id: record.as_deref(),
        payload: payload.as_deref(),
        params: params.as_ref(),
    };
    let url = lookup.url.fill(values);
    Ok(Some(Asking { attempt, lookup, url }))
}

/// How an attempt is looked up, and by which step "it is not there" is judged.
async fn lookup_of(uow: &mut Uow, item: &Item, attempt: &Attempt) -> Result<(Option<Lookup>, Option<Step>)> {
    let step = sending::step_of(uow, item).await?.map(|found| found.step);
    let Some(compensation) = attempt.compensation_id else {
        return Ok((step.as_ref().and_then(|step| step.lookup.clone()), step));
    };
    let compensation = uow.compensation(CompensationId(compensation)).await?;
    let number = attempt.part.and_then(|part| usize::try_from(part).ok());
    let part = compensation.zip(number).and_then(|(c, number)| c.plan.0.parts.into_iter().nth(number));
    // What it waits for is what the part may take, not what the step may.
    let step = step.map(|step| Step { destination: part.as_ref().map(domain::workflow::Part::destination), ..step });
    Ok((part.and_then(|part| part.lookup), step))
}

fn is_open(attempt: &Attempt) -> bool {
    !attempt.made_good && matches!(attempt.effect, Effect::Uncertain | Effect::Partial)
}

impl Verb for Record {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let attempts = work.act.uow.attempts(work.item.id).await?;
        let mut told = Vec::new();
        for look in &self.looks {
            // Somebody may have settled it meanwhile.
            let Some(attempt) = attempts.iter().find(|a| a.id == look.attempt && is_open(a)) else { continue };
            let mut attempt = attempt.clone();
            let (Some(lookup), Some(step)) = lookup_of(&mut work.act.uow, work.item, &attempt).await? else { continue };
            let waiting = Waiting::of(&lookup, &step);
            let found = self.read(work, look, &attempt, &waiting).await?;
            told.push(format!("attempt {}: {}", attempt.number, found.finding.as_str()));
            reconcile::settle(work, &mut attempt, found).await?;
        }
        work.item.changed(format!("{} looked it up", work.person.name));
        reconcile::close_if_known(work).await?;
        work.act.entry().detail("effect", work.item.effect.as_str()).text(told.join("; "));
        Ok(())
    }
}

impl Record {
    /// What one look says, once R4's waiting rule was applied to it; and keeps the look.
    async fn read(
        &self,
        work: &mut Work<'_, '_>,
        look: &Look,
        attempt: &Attempt,
        waiting: &Waiting,
    ) -> Result<FoundOut> {
        // Where its end was not told, it may have gone on until word of it came.
        let begun = attempt.started_at.unwrap_or(attempt.received_at);
        let ended = attempt.finished_at.unwrap_or(attempt.received_at).max(begun);
        let counts_from = waiting.counts_from(ended);
        let counts = matches!(look.shown, Told::Absent) && self.begun_at >= counts_from;
        let before = work.act.uow.lookups(work.item.id).await?;
        let confirmed =
            before.iter().filter(|seen| seen.attempt_id == attempt.id).take_while(|seen| seen.counts).count() + 1;
        let kept = LookedUp {
            attempt_id: attempt.id,
            request: look.request.clone(),
            shown: match look.shown {
                Told::Found(_) => "found".into(),
                Told::Absent => "absent".into(),
                Told::CannotTell(_) => "cannot_tell".into(),
            },
            counts,
            begun_at: self.begun_at,
            by_name: work.person.name.clone(),
        };
        work.act.uow.add_lookup(new_id(work.act.now), work.item.id, &kept, work.person.id.0).await?;
        let wanted = waiting.confirmations;
        let (finding, evidence) = match &look.shown {
            Told::Found(Some(record)) => (Finding::Applied, format!("It is there: {record}.")),
            Told::Found(None) => (Finding::Applied, "It is there.".to_owned()),
            Told::Absent if counts && confirmed >= usize::try_from(wanted).unwrap_or(usize::MAX) => {
                (Finding::NotApplied, format!("It is not there, confirmed {confirmed} times."))
            }
            Told::Absent if counts => {
                let message =
                    format!("It is not there. That counts {confirmed} of {wanted} times it must be seen: look again.");
                (Finding::CannotTell, message)
            }
            Told::Absent => {
                let when = counts_from.format("%Y-%m-%d %H:%M:%S UTC");
                (Finding::CannotTell, format!("It is not there yet, which counts from {when} on. Look again then."))
            }
            Told::CannotTell(why) => (Finding::CannotTell, why.clone()),
        };
        Ok(FoundOut {
            attempt_id: attempt.id,
            finding,
            source: domain::text::head(&format!("Lookup: {}", look.request), 200),
            evidence,
            record_id: match &look.shown {
                Told::Found(record) => record.clone(),
                _ => None,
            },
            by_name: work.person.name.clone(),
            at: work.act.now,
        })
    }
}
