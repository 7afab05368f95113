//! The rules for a report's fields. All problems are collected, so that an automation's author sees them at once.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Datelike as _, Utc};

use super::{
    Affected, Evidence, Failure, KEY_LIMIT, LONG_TEXT_LIMIT, Payload, Report, ReportedAttempt, StatedEffect,
    TEXT_LIMIT,
    shape::{AmendShape, AttemptShape, EffectShape, PayloadShape, ReportShape},
};
use crate::{
    attempt::Outcome,
    effect::Effect,
    failure::FailureClass,
    item::Lane,
    refusal::{FieldProblem, Refusal},
    text,
};

const ATTEMPTS_LIMIT: usize = 1_000;
const LIST_LIMIT: usize = 500;
const LEASE_LIMIT_S: u32 = 3_600;

/// Collects problems field by field.
#[derive(Default)]
struct Problems(Vec<FieldProblem>);

impl Problems {
    fn add(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.0.push(FieldProblem::new(pointer, message));
    }
    fn key(&mut self, pointer: &str, value: &str) {
        if let Err(wrong) = text::key(value, KEY_LIMIT) {
            self.add(pointer, wrong.to_string());
        }
    }
    fn optional_key(&mut self, pointer: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.key(pointer, value);
        }
    }
    fn text(&mut self, pointer: &str, value: Option<&str>, limit: usize) -> Option<String> {
        let value = value?;
        if value.chars().count() > limit {
            self.add(pointer, format!("must have at most {limit} characters"));
        }
        Some(text::message(value))
    }
    fn url(&mut self, pointer: &str, value: Option<&String>) {
        let Some(value) = value else { return };
        let fits = url::Url::parse(value).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !fits || value.chars().count() > 2_000 {
            self.add(pointer, "must be an http or https address of at most 2,000 characters");
        }
    }
    /// A time in whole microseconds (R20), as both databases keep it, so that it equals itself when it is told again.
    fn moment(&mut self, pointer: &str, at: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        let at = at?;
        if !(1..=9_999).contains(&at.year()) {
            self.add(pointer, "must be in the years 0001 to 9999");
        }
        // A leap second is the first of the next minute: neither database has it.
        DateTime::from_timestamp_micros(at.timestamp_micros())
    }
    fn share(&mut self, pointer: &str, value: Option<f64>) {
        if value.is_some_and(|v| !(0.0..=1.0).contains(&v)) {
            self.add(pointer, "must be a number from 0 to 1");
        }
    }
    fn at_most(&mut self, pointer: &str, len: usize, limit: usize) {
        if len > limit {
            self.add(pointer, format!("must have at most {limit} entries"));
        }
    }
    fn or<T>(self, value: T) -> Result<T, Refusal> {
        if self.0.is_empty() { Ok(value) } else { Err(Refusal::Invalid(self.0)) }
    }
}

pub(super) fn check(
    mut shape: ReportShape,
    body: Option<(&str, &[u8])>,
    payload_limit: usize,
) -> Result<Report, Refusal> {
    let mut problems = Problems::default();
    problems.optional_key("/report_id", shape.report_id.as_ref());
    for (pointer, key) in [("/workflow", &shape.workflow), ("/dedupe_key", &shape.dedupe_key), ("/step", &shape.step)] {
        problems.key(pointer, key);
    }
    for (pointer, key) in [
        ("/workflow_version", &shape.workflow_version),
        ("/business_ref", &shape.business_ref),
        ("/correlation_id", &shape.correlation_id),
        ("/sequence_key", &shape.sequence_key),
        ("/source_version", &shape.source_version),
    ] {
        problems.optional_key(pointer, key.as_ref());
    }
    let failure = Failure {
        class: shape.failure.class.unwrap_or(FailureClass::Unknown),
        message: problems.text("/failure/message", Some(&shape.failure.message), LONG_TEXT_LIMIT).unwrap_or_default(),
        detail: problems.text("/failure/detail", shape.failure.detail.as_deref(), LONG_TEXT_LIMIT),
    };
    if failure.message.trim().is_empty() {
        problems.add("/failure/message", "must say in words what went wrong");
    }
    let lane = shape.lane.unwrap_or(Lane::DeadLetter);
    let effect = check_effect(&mut problems, shape.effect.unwrap_or_default(), lane);
    let payload = check_payload(&mut problems, shape.payload, shape.payload_ref, body, payload_limit)?;
    problems.at_most("/attempts", shape.attempts.len(), ATTEMPTS_LIMIT);
    let attempts = shape
        .attempts
        .into_iter()
        .enumerate()
        .map(|(i, attempt)| check_attempt(&mut problems, &format!("/attempts/{i}"), attempt))
        .collect();
    problems.at_most("/steps", shape.steps.len(), LIST_LIMIT);
    for (i, step) in shape.steps.iter_mut().enumerate() {
        step.at = problems.moment(&format!("/steps/{i}/at"), step.at);
        problems.key(&format!("/steps/{i}/name"), &step.name);
        problems.optional_key(&format!("/steps/{i}/external_id"), step.external_id.as_ref());
    }
    affected(&mut problems, &shape.affected);
    evidence(&mut problems, &shape.evidence);
    let proposed_action = shape.proposed_action;
    if let Some(proposed) = &proposed_action {
        proposal(&mut problems, proposed);
    }
    if let Some(ai) = &shape.ai {
        problems.share("/ai/confidence", ai.confidence);
    }
    let occurred_at = problems.moment("/occurred_at", shape.occurred_at);
    let valid_until = problems.moment("/valid_until", shape.valid_until);
    let next_attempt_by_automation_at =
        problems.moment("/next_attempt_by_automation_at", shape.next_attempt_by_automation_at);
    let customer_impact = problems.text("/customer_impact", shape.customer_impact.as_deref(), TEXT_LIMIT);
    problems.or(Report {
        report_id: shape.report_id,
        workflow: shape.workflow,
        step: shape.step,
        dedupe_key: shape.dedupe_key,
        workflow_version: shape.workflow_version,
        lane,
        business_ref: shape.business_ref,
        correlation_id: shape.correlation_id,
        sequence_key: shape.sequence_key,
        failure,
        effect,
        payload,
        occurred_at,
        attempts,
        steps: shape.steps,
        affected: shape.affected,
        evidence: clean(shape.evidence),
        ai: shape.ai,
        proposed_action,
        sensitivity: shape.sensitivity,
        impact: shape.impact,
        customer_impact,
        source_version: shape.source_version,
        valid_until,
        next_attempt_by_automation_at,
    })
}

fn check_effect(problems: &mut Problems, shape: EffectShape, lane: Lane) -> StatedEffect {
    if shape.status == Some(Effect::Compensated) {
        problems.add(
            "/effect/status",
            "must be one of none, confirmed, uncertain, partial: a compensation is decided in Recourse",
        );
    }
    if lane == Lane::NeedsReview && shape.status.is_none() {
        problems.add("/effect/status", "is required for needs_review: say whether the side effect happened");
    }
    for (pointer, key) in [
        ("/effect/system", &shape.system),
        ("/effect/idempotency_key", &shape.idempotency_key),
        ("/effect/record_id", &shape.record_id),
    ] {
        problems.optional_key(pointer, key.as_ref());
    }
    let evidence = problems.text("/effect/evidence", shape.evidence.as_deref(), TEXT_LIMIT);
    StatedEffect {
        status: shape.status,
        system: shape.system,
        idempotency_key: shape.idempotency_key,
        record_id: shape.record_id,
        evidence,
    }
}

fn check_payload(
    problems: &mut Problems,
    shape: Option<Option<PayloadShape>>,
    reference: Option<String>,
    body: Option<(&str, &[u8])>,
    limit: usize,
) -> Result<Payload, Refusal> {
    problems.optional_key("/payload_ref", reference.as_ref());
    let wrong = Payload::Reference(String::new());
    let (media_type, bytes) = match (body, shape) {
        (Some(_), Some(_)) => {
            problems.add("/payload", "must be left out: the request body is the payload");
            return Ok(wrong);
        }
        (Some((media_type, bytes)), None) => (media_type.to_owned(), bytes.to_vec()),
        (None, None) => {
            problems.add("/payload", "is required: send the payload, or null together with payload_ref");
            return Ok(wrong);
        }
        (None, Some(None)) => {
            return Ok(Payload::Reference(reference.unwrap_or_else(|| {
                problems.add("/payload_ref", "is required where the payload is null: say where it is kept");
                String::new()
            })));
        }
        (None, Some(Some(shape))) => {
            let declared = shape.media_type;
            match (shape.json, shape.text, shape.base64) {
                (Some(json), None, None) => (
                    declared.unwrap_or_else(|| "application/json".into()),
                    Box::<str>::from(json).into_string().into_bytes(),
                ),
                (None, Some(text), None) => {
                    (declared.unwrap_or_else(|| "text/plain; charset=utf-8".into()), text.into_bytes())
                }
                (None, None, Some(base64)) => match STANDARD.decode(base64.as_bytes()) {
                    Ok(bytes) => (declared.unwrap_or_else(|| "application/octet-stream".into()), bytes),
                    Err(error) => {
                        problems.add("/payload/base64", format!("is not standard base64 with padding: {error}"));
                        return Ok(wrong);
                    }
                },
                _ => {
                    problems.add("/payload", "takes exactly one of json, text or base64");
                    return Ok(wrong);
                }
            }
        }
    };
    if bytes.len() > limit {
        return Err(Refusal::TooLarge { limit });
    }
    if media_type.is_empty() || media_type.len() > 200 || !media_type.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        problems.add("/payload/media_type", "must be a media type such as application/json, at most 200 characters");
    }
    Ok(Payload::Bytes { media_type, bytes })
}

fn check_attempt(problems: &mut Problems, at: &str, shape: AttemptShape) -> ReportedAttempt {
    let Some(outcome) = shape.outcome else {
        problems.add(format!("{at}/outcome"), "is required: one of succeeded, failed, uncertain, accepted");
        return ReportedAttempt::empty();
    };
    if outcome == Outcome::InFlight {
        problems.add(format!("{at}/outcome"), "must say how it ended; report a running attempt with POST …/attempts");
    }
    if shape.lease_s.is_some() {
        problems.add(format!("{at}/lease_s"), "belongs to a running attempt reported with POST …/attempts");
    }
    ended(problems, at, shape, outcome)
}

fn ended(problems: &mut Problems, at: &str, shape: AttemptShape, outcome: Outcome) -> ReportedAttempt {
    if shape.number == Some(0) {
        problems.add(format!("{at}/number"), "must be 1 or more");
    }
    problems.optional_key(&format!("{at}/record_id"), shape.record_id.as_ref());
    ReportedAttempt {
        number: shape.number.map(i64::from),
        started_at: problems.moment(&format!("{at}/started_at"), shape.started_at),
        finished_at: problems.moment(&format!("{at}/finished_at"), shape.finished_at),
        outcome,
        sent: shape.sent,
        message: problems.text(&format!("{at}/message"), shape.message.as_deref(), LONG_TEXT_LIMIT),
        status_code: shape.status_code.map(i64::from),
        record_id: shape.record_id,
    }
}

impl ReportedAttempt {
    fn empty() -> Self {
        Self {
            number: None,
            started_at: None,
            finished_at: None,
            outcome: Outcome::Uncertain,
            sent: None,
            message: None,
            status_code: None,
            record_id: None,
        }
    }
}

pub(super) fn check_single_attempt(shape: AttemptShape) -> Result<(ReportedAttempt, Option<i64>), Refusal> {
    let mut problems = Problems::default();
    let outcome = shape.outcome.unwrap_or(Outcome::InFlight);
    let lease = shape.lease_s;
    if lease.is_some() && outcome != Outcome::InFlight {
        problems.add("/lease_s", "belongs to a running attempt, one without an outcome");
    }
    if lease.is_some_and(|s| s == 0 || s > LEASE_LIMIT_S) {
        problems.add("/lease_s", format!("must be from 1 to {LEASE_LIMIT_S} seconds"));
    }
    if outcome == Outcome::InFlight && shape.finished_at.is_some() {
        problems.add("/outcome", "is required for an attempt that finished");
    }
    let attempt = ended(&mut problems, "", shape, outcome);
    problems.or((attempt, lease.map(i64::from)))
}

pub(super) fn check_amend(mut shape: AmendShape) -> Result<AmendShape, Refusal> {
    let mut problems = Problems::default();
    problems.optional_key("/source_version", shape.source_version.as_ref());
    evidence(&mut problems, &shape.evidence);
    shape.evidence = clean(shape.evidence);
    if let Some(proposed) = &shape.proposed_action {
        proposal(&mut problems, proposed);
    }
    if let Some(succeeded) = &mut shape.succeeded {
        problems.optional_key("/succeeded/record_id", succeeded.record_id.as_ref());
        succeeded.at = problems.moment("/succeeded/at", succeeded.at);
    }
    if shape.source_version.is_none()
        && shape.evidence.is_empty()
        && shape.proposed_action.is_none()
        && shape.succeeded.is_none()
    {
        problems.add("", "Nothing to change: send source_version, evidence, proposed_action or succeeded.");
    }
    problems.or(shape)
}

fn proposal(problems: &mut Problems, proposed: &super::ProposedAction) {
    problems.key("/proposed_action/action", &proposed.action);
    let _ = problems.text("/proposed_action/reason", proposed.reason.as_deref(), TEXT_LIMIT);
    problems.share("/proposed_action/confidence", proposed.confidence);
}

fn affected(problems: &mut Problems, list: &[Affected]) {
    problems.at_most("/affected", list.len(), LIST_LIMIT);
    for (i, record) in list.iter().enumerate() {
        problems.key(&format!("/affected/{i}/system"), &record.system);
        problems.key(&format!("/affected/{i}/id"), &record.id);
        problems.optional_key(&format!("/affected/{i}/kind"), record.kind.as_ref());
        problems.optional_key(&format!("/affected/{i}/state"), record.state.as_ref());
        problems.url(&format!("/affected/{i}/url"), record.url.as_ref());
    }
}

fn evidence(problems: &mut Problems, list: &[Evidence]) {
    problems.at_most("/evidence", list.len(), LIST_LIMIT);
    for (i, piece) in list.iter().enumerate() {
        problems.key(&format!("/evidence/{i}/label"), &piece.label);
        let _ = problems.text(&format!("/evidence/{i}/text"), piece.text.as_deref(), LONG_TEXT_LIMIT);
        problems.url(&format!("/evidence/{i}/url"), piece.url.as_ref());
    }
}

fn clean(list: Vec<Evidence>) -> Vec<Evidence> {
    list.into_iter().map(|piece| Evidence { text: piece.text.map(|t| text::message(&t)), ..piece }).collect()
}
