//! What sending an item's work would mean: its step's settings, the key, and what has to be decided first.

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    access::Caller,
    attempt::{AttemptBy, Outcome},
    document::schema::Checked,
    effect::Effect,
    ids::{AttemptId, ItemId},
    moves::StepFacts,
    refusal::Refusal,
    replay::{Accept, Circumstances, KeyAge, demands, key_age, own_key},
    workflow::{Definition, Destination, Repeat, ReplayApproval, SideEffect, Step},
};
use store::{Attempt, Item, Revision, Uow};

use crate::{Result, Service, clearance::Veil, delivery, payloads::bench};

/// A registered step, with what its workflow says about all of them.
pub(crate) struct Found {
    pub(crate) definition: Definition,
    pub(crate) step: Step,
    /// The text of its JSON Schema.
    pub(crate) schema: Option<String>,
}

/// An item's step as its workflow was applied last; `None` where nobody registered it.
pub(crate) async fn step_of(uow: &mut Uow, item: &Item) -> Result<Option<Found>> {
    let Some(row) = uow.latest_definition(item.workflow_id).await? else { return Ok(None) };
    let (definition, mut schemas) = (row.definition.0, row.schemas.0);
    Ok(definition.step(&item.step).cloned().map(|step| {
        let schema = step.schema.as_ref().and_then(|path| schemas.remove(path));
        Found { definition, step, schema }
    }))
}

/// What an item's step says about sending and looking up.
pub(crate) async fn step_facts(uow: &mut Uow, item: &Item) -> Result<StepFacts> {
    Ok(step_of(uow, item).await?.map(|found| StepFacts::from(&found.step)).unwrap_or_default())
}

/// What an item's step and revisions say about sending.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sendings {
    pub(crate) step: StepFacts,
    /// A correction is there that does the rest of what happened in part.
    pub(crate) completing: bool,
}

impl Sendings {
    pub(crate) async fn of(uow: &mut Uow, item: &Item, found: Option<&Found>) -> Result<Self> {
        let completing = item.effect == Effect::Partial && uow.revisions(item.id).await?.iter().any(|r| r.completing);
        Ok(Self { step: found.map(|found| StepFacts::from(&found.step)).unwrap_or_default(), completing })
    }
}

/// Whether a revision suits what is known of the effect (R4): the whole is sent where nothing stands, the rest where a part does,
/// and the same rest only until it has had an effect.
fn suits(item: &Item, revision: &Revision, attempts: &[Attempt]) -> Result<(), Refusal> {
    let had_one = |a: &Attempt| {
        let of_it = a.compensation_id.is_none() && a.revision == Some(revision.number) && a.epoch == item.epoch;
        of_it && (a.made_good || matches!(a.effect, Effect::Confirmed | Effect::Partial))
    };
    match (item.effect, revision.completing) {
        (Effect::Partial, true) if attempts.iter().any(had_one) => {
            let why = "It had an effect of its own already. Make another correction of what is still missing.";
            Err(Refusal::field("/revision", why))
        }
        (effect @ Effect::Partial, false) | (effect @ Effect::Confirmed, true) => {
            Err(Refusal::EffectForbidsReplay { effect })
        }
        (Effect::None | Effect::Compensated, true) => {
            let why =
                "It does only the rest of what happened in part, and no part stands. Send one that does the whole.";
            Err(Refusal::field("/revision", why))
        }
        // Of what is in doubt the very same request may be asked again.
        _ => Ok(()),
    }
}

/// Whether the step changes the world; of an unregistered one the worst is assumed.
pub(crate) async fn side_effect(uow: &mut Uow, item: &Item) -> Result<SideEffect> {
    Ok(step_of(uow, item).await?.map_or(SideEffect::Irreversible, |found| found.step.side_effect))
}

/// How old a key is, by every attempt that may have carried it (R7).
pub(crate) async fn age_of_key(
    uow: &mut Uow,
    item: &Item,
    step: &Step,
    key: &str,
    now: DateTime<Utc>,
) -> Result<KeyAge> {
    let attempts = uow.attempts(item.id).await?;
    Ok(key_age(carried(&attempts, key).map(|a| a.started_at), memory(step), now))
}

/// The same for a replay: what a finding has settled needs the key's protection no more.
async fn age_of_key_in_question(
    uow: &mut Uow,
    item: &Item,
    step: &Step,
    key: &str,
    now: DateTime<Utc>,
) -> Result<KeyAge> {
    let findings = uow.findings(item.id).await?;
    let found_out = |a: &&Attempt| findings.iter().any(|f| f.attempt_id == a.id && f.finding.settles().is_some());
    let attempts = uow.attempts(item.id).await?;
    let in_question = carried(&attempts, key).filter(|a| !found_out(a));
    Ok(key_age(in_question.map(|a| a.started_at), memory(step), now))
}

/// The attempts that may have carried a key to the destination.
fn carried<'a>(attempts: &'a [Attempt], key: &'a str) -> impl Iterator<Item = &'a Attempt> {
    attempts.iter().filter(move |a| a.idempotency_key.as_deref() == Some(key) && a.sent != Some(false))
}

fn memory(step: &Step) -> Option<TimeDelta> {
    step.key_memory.as_ref().map(domain::span::Span::delta)
}

/// What a replay of one revision would be.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is sent.
    pub revision: Revision,
    /// Where to.
    pub destination: Destination,
    /// The method and address that are called, or why there is none.
    pub request: Result<String, String>,
    /// With which key.
    pub key: String,
    /// Whether the destination recognises a repeat by its key.
    pub recognises_keys: bool,
    /// What has to be accepted explicitly.
    pub demands: Vec<Accept>,
    /// A second person has to approve it first.
    pub needs_approval: bool,
    /// Why this revision is not the one to send, if it is not.
    pub unsuited: Option<Refusal>,
}

/// Plans a replay of a revision; the destination is HTTP, which the judge of moves has asked already.
pub(crate) async fn plan(uow: &mut Uow, item: &Item, found: &Found, number: i64, now: DateTime<Utc>) -> Result<Plan> {
    let revisions = uow.revisions(item.id).await?;
    let revision = revisions.iter().find(|revision| revision.number == number).cloned();
    let revision = revision.ok_or_else(|| Refusal::field("/revision", "is not a revision of this item"))?;
    let bytes = uow.payload(revision.payload_id).await?.and_then(|stored| stored.bytes).ok_or(Refusal::NoPayload)?;
    let step = &found.step;
    let destination = step.destination.clone().ok_or(Refusal::NoDestination { pull: false })?;
    let key = key_of(uow, item, number).await?;
    let recognises_keys = step.repeat == Repeat::Key;
    let mut demands = decisions(uow, item, found, &revision, &key, now).await?;
    let by_content = by_content(found, &revisions, &revision, &bytes);
    demands.extend(by_content.demand);
    let address = delivery::address(&destination, &key, item.record_id.as_deref(), &bytes);
    Ok(Plan {
        request: address.map(|url| format!("{} {url}", destination.method())),
        key,
        recognises_keys,
        demands,
        needs_approval: by_content.needs_approval,
        unsuited: suits(item, &revision, &uow.attempts(item.id).await?).err(),
        destination,
        revision,
    })
}

/// What has to be accepted before a revision may be sent with this key (R4, R7, R18).
pub(crate) async fn decisions(
    uow: &mut Uow,
    item: &Item,
    found: &Found,
    revision: &Revision,
    key: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Accept>> {
    let (step, workflow) = (&found.step, &found.definition.workflow);
    let recognises_keys = step.repeat == Repeat::Key;
    let age = if recognises_keys { Some(age_of_key_in_question(uow, item, step, key, now).await?) } else { None };
    let about = Circumstances {
        effect: item.effect,
        made_by_version: item.workflow_version.as_deref(),
        version_now: Some(workflow.version.as_str()),
        made_from: revision.source_version.as_deref(),
        source_now: item.source_version.as_deref(),
        born: item.occurred_at.map_or(item.received_at, |at| at.min(item.received_at)),
        valid_for: workflow.valid_for.as_ref(),
        valid_until: item.valid_until,
        key: age,
    };
    Ok(demands(&about, now))
}

/// What the content of a revision asks for before it is sent.
pub(crate) struct ByContent {
    pub(crate) needs_approval: bool,
    pub(crate) demand: Option<Accept>,
}

/// What a revision's content asks for, by the step as it is now. What the automation made may be sent by choice although it
/// fails the schema; a correction has to fit.
pub(crate) fn by_content(found: &Found, all: &[Revision], revision: &Revision, bytes: &[u8]) -> ByContent {
    let misfit = found.schema.as_deref().is_some_and(|schema| !fits(schema, bytes));
    let corrected = corrected(all, revision);
    let by_policy = match found.step.replay_approval {
        ReplayApproval::Never => false,
        ReplayApproval::Always => true,
        ReplayApproval::WhenCorrected => corrected,
    };
    ByContent {
        needs_approval: marked(all, revision) || misfit && corrected || by_policy,
        demand: (misfit && !corrected).then_some(Accept::SchemaFails),
    }
}

/// Whether a payload fits its step's schema, as far as it can be asked.
fn fits(schema: &str, bytes: &[u8]) -> bool {
    match bench::check(schema, bytes) {
        Ok(checked @ Checked::Findings { .. }) => checked.fits(),
        Ok(Checked::NotChecked(_)) => true,
        Err(_) => false,
    }
}

/// Whether a revision, or what it was made from, touched what is not open for editing, overrode the schema, or does only the
/// rest of what happened in part.
fn marked(all: &[Revision], revision: &Revision) -> bool {
    let marked = |revision: &Revision| revision.breaks_glass || revision.overrides_schema || revision.completing;
    lineage(all, revision).any(marked)
}

/// A revision and what people made it from, back to what an automation sent: that is nobody's correction.
fn lineage<'r>(all: &'r [Revision], revision: &'r Revision) -> impl Iterator<Item = &'r Revision> {
    std::iter::successors(Some(revision), |revision| {
        let parent = revision.parent.filter(|_| revision.author_kind == "person")?;
        all.iter().find(|r| r.number == parent && r.number < revision.number)
    })
}

/// Whether a person had a hand in a revision, itself or what it was made from.
fn corrected(all: &[Revision], revision: &Revision) -> bool {
    lineage(all, revision).any(|revision| revision.author_kind == "person")
}

/// The key of a revision in the item's epoch (R7): the automation's for its original, else one of its own.
async fn key_of(uow: &mut Uow, item: &Item, revision: i64) -> Result<String> {
    if let Some(kept) = uow.replay_key(item.id, revision, item.epoch).await? {
        return Ok(kept);
    }
    let given = if revision == 1 && item.epoch == 0 {
        let attempts = uow.attempts(item.id).await?;
        let original = |a: &&Attempt| a.made_by == AttemptBy::Automation && a.revision.is_none_or(|number| number == 1);
        attempts.iter().filter(original).find_map(|a| a.idempotency_key.clone())
    } else {
        None
    };
    Ok(given.unwrap_or_else(|| own_key(item.id, revision, item.epoch)))
}

/// The key of an attempt that can be asked about again, and until when the destination remembers it (R7).
pub(crate) async fn key_to_ask_with(
    uow: &mut Uow,
    item: &Item,
    step: &Step,
    attempt: &Attempt,
    now: DateTime<Utc>,
) -> Result<Option<(String, DateTime<Utc>)>> {
    let unsettled = attempt.effect == Effect::Uncertain && attempt.outcome != Outcome::InFlight;
    // A compensation's part is another request with another body.
    let unsettled = unsettled && attempt.compensation_id.is_none();
    let Some(key) = attempt.idempotency_key.clone().filter(|_| unsettled && knows_it(step, attempt)) else {
        return Ok(None);
    };
    Ok(match age_of_key(uow, item, step, &key, now).await? {
        KeyAge::RememberedUntil(until) => Some((key, until)),
        KeyAge::Unused | KeyAge::Expired => None,
    })
}

/// Whether the step's destination is the one that got this attempt's key: another would not recognise it.
fn knows_it(step: &Step, attempt: &Attempt) -> bool {
    let then = attempt.destination.as_deref().map(serde_json::from_str::<Destination>);
    match (then, &step.destination) {
        // Where the automation sent it is not known here; the step's destination is what its workflow names.
        (None, Some(_)) => true,
        (Some(Ok(then)), Some(now)) => {
            (&then.url, then.method(), then.key_header()) == (&now.url, now.method(), now.key_header())
        }
        _ => false,
    }
}

/// An attempt that can be asked about again.
pub(crate) async fn askable(
    uow: &mut Uow,
    item: &Item,
    step: &Step,
    id: AttemptId,
    now: DateTime<Utc>,
) -> Result<(Attempt, String)> {
    let unsettled = |a: &Attempt| a.id == id && a.effect == Effect::Uncertain && a.outcome != Outcome::InFlight;
    let wrong = || Refusal::field("/attempt", "is not an attempt of this item whose outcome is uncertain");
    let attempt = uow.attempts(item.id).await?.into_iter().find(unsettled).ok_or_else(wrong)?;
    let key = key_to_ask_with(uow, item, step, &attempt, now).await?;
    let (key, _) = key.ok_or(Refusal::KeyNoLongerHelps)?;
    Ok((attempt, key))
}

/// An attempt whose outcome is uncertain, and until when asking again with its key helps.
#[derive(Debug, Clone)]
pub struct Askable {
    /// The attempt.
    pub attempt: AttemptId,
    /// Its number.
    pub number: i64,
    /// The key it carried.
    pub key: String,
    /// The destination remembers the key until then.
    pub until: DateTime<Utc>,
}

/// The attempts that can be asked about again, the newest first.
async fn askables(uow: &mut Uow, item: &Item, step: &Step, now: DateTime<Utc>) -> Result<Vec<Askable>> {
    let mut found = Vec::new();
    if step.repeat != Repeat::Key || item.effect != Effect::Uncertain {
        return Ok(found);
    }
    for attempt in uow.attempts(item.id).await?.into_iter().rev() {
        if let Some((key, until)) = key_to_ask_with(uow, item, step, &attempt, now).await? {
            found.push(Askable { attempt: attempt.id, number: attempt.number, key, until });
        }
    }
    Ok(found)
}

/// Where an item's work can be sent and looked up, as its step says: addresses with their placeholders, nothing of the
/// payload.
#[derive(Debug, Clone)]
pub struct Sendable {
    /// The method and address it is sent to; `None` where Recourse sends nothing itself.
    pub request: Option<String>,
    /// The address it can be looked up at.
    pub lookup: Option<String>,
    /// Attempts that can be asked about again with their own key.
    pub askable: Vec<Askable>,
}

impl Sendable {
    /// What a step says about an item.
    pub(crate) async fn of(uow: &mut Uow, item: &Item, step: &Step, now: DateTime<Utc>) -> Result<Self> {
        let to = step.destination.as_ref();
        Ok(Self {
            request: to.and_then(|to| Some(format!("{} {}", to.method(), to.url.as_ref()?))),
            lookup: step.lookup.as_ref().map(|lookup| lookup.url.to_string()),
            askable: askables(uow, item, step, now).await?,
        })
    }
}

impl Service {
    /// What a replay of a revision would be; the latest, where none is named.
    pub async fn plan_replay(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Plan> {
        let mut uow = self.store.read().await?;
        let item = super::readable(&mut uow, caller, id).await?;
        let found = step_of(&mut uow, &item).await?.ok_or(Refusal::NoDestination { pull: false })?;
        let number = match revision {
            Some(number) => number,
            None => uow.revisions(id).await?.last().map(|last| last.number).ok_or(Refusal::NoPayload)?,
        };
        let mut plan = plan(&mut uow, &item, &found, number, self.now()).await?;
        Veil::of(caller, item.sensitivity).over_plan(&mut plan);
        Ok(plan)
    }
}
