//! Looking an uncertain outcome up in the other system (R4). It only reads there: nothing is sent that changes anything.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind,
    effect::Effect,
    finding::Finding,
    ids::{AttemptId, ItemId},
    moves::Move,
    permission::Permission,
    refusal::Refusal,
    replay::lookup::{Shown, Waiting, shown},
    workflow::{Lookup, fill::Values},
};
use serde::{Deserialize, Serialize};
use store::{Attempt, FoundOut, LookedUp};

use super::{OnItem, Verb, Work, digest, reconcile};
use crate::{
    Request, Result, Service, delivery,
    items::{
        actions::{Answers, Doing, Input, ItemAction},
        sending,
    },
    new_id,
    outbound::{Outgoing, Sent},
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
        let found = sending::step_of(&mut uow, &item).await?;
        let lookup = found.and_then(|found| found.step.lookup).ok_or(Refusal::NoLookup)?;
        let attempts: Vec<Attempt> = uow.attempts(id).await?.into_iter().filter(is_open).collect();
        let mut payloads = BTreeMap::new();
        let wanted = |number: i64| attempts.iter().any(|a| a.revision == Some(number));
        for revision in uow.revisions(id).await?.iter().filter(|r| lookup.url.needs_payload() && wanted(r.number)) {
            if let Some(bytes) = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes) {
                payloads.insert(revision.number, bytes);
            }
        }
        drop(uow);
        let mut seen: BTreeMap<String, Told> = BTreeMap::new();
        let mut looks = Vec::new();
        for attempt in &attempts {
            let values = Values {
                key: attempt.idempotency_key.as_deref(),
                record_id: attempt.record_id.as_deref().or(item.record_id.as_deref()),
                payload: attempt.revision.and_then(|number| payloads.get(&number)).map(Vec::as_slice),
            };
            let (request, shown) = match lookup.url.fill(values) {
                Err(why) => (lookup.url.to_string(), Told::CannotTell(why)),
                Ok(url) => {
                    let told = match seen.get(&url) {
                        Some(told) => told.clone(),
                        None => Told::from(self.ask_other_system(&lookup, url.clone()).await),
                    };
                    seen.insert(url.clone(), told.clone());
                    (format!("GET {url}"), told)
                }
            };
            looks.push(Look { attempt: attempt.id, request, shown });
        }
        // One record can't be told to belong to one of several attempts.
        let found = |look: &&Look| matches!(look.shown, Told::Found(_));
        let told_apart = lookup.url.names("key") || looks.len() == 1;
        if !told_apart && looks.iter().any(|look| found(&look)) {
            for look in &mut looks {
                look.shown = Told::CannotTell("It is there, but not by which of the attempts.".into());
            }
        }
        Ok(Record { begun_at, looks })
    }

    async fn ask_other_system(&self, lookup: &Lookup, url: String) -> Shown {
        let request = Outgoing {
            method: domain::workflow::Method::Get,
            url,
            configured: delivery::headers_of(&lookup.headers),
            added: Vec::new(),
            signature: None,
            body: Vec::new(),
            timeout: lookup.timeout().to_std().unwrap_or_default(),
            allow_private: lookup.allow_private,
        };
        let by = std::time::Instant::now() + request.timeout;
        match self.courier.connect(request).await {
            Err(not_sent) => Shown::CannotTell(not_sent.0),
            Ok(line) => match line.send(by).await {
                Sent::Nothing(not_sent) => Shown::CannotTell(not_sent.0),
                Sent::NoAnswer(why) => Shown::CannotTell(why),
                Sent::Answered(reply) => shown(lookup, reply.status, &reply.body, reply.cut),
            },
        }
    }
}

fn is_open(attempt: &Attempt) -> bool {
    matches!(attempt.effect, Effect::Uncertain | Effect::Partial)
}

impl Verb for Record {
    const ACTION: ItemAction = ACTION;

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let found = sending::step_of(&mut work.act.uow, work.item).await?;
        let step = found.map(|found| found.step).ok_or(Refusal::NoLookup)?;
        let waiting = Waiting::of(step.lookup.as_ref().ok_or(Refusal::NoLookup)?, &step);
        let attempts = work.act.uow.attempts(work.item.id).await?;
        let mut told = Vec::new();
        for look in &self.looks {
            // Somebody may have settled it meanwhile.
            let Some(attempt) = attempts.iter().find(|a| a.id == look.attempt && is_open(a)) else { continue };
            let mut attempt = attempt.clone();
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
