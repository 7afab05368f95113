//! An item as the API shows it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use service::items::packet::Packet;
use utoipa::ToSchema;
use uuid::Uuid;

/// An item.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShownItem {
    id: Uuid,
    /// Counts the changes a decision rests on; send it as `If-Match`.
    version: i64,
    lane: &'static str,
    workflow: String,
    workflow_version: Option<String>,
    step: String,
    dedupe_key: String,
    business_ref: Option<String>,
    correlation_id: Option<String>,
    state: &'static str,
    resolution: Option<&'static str>,
    effect: ShownEffect,
    /// Attempts that may both have had an effect.
    possible_double_effect: Option<DoubleEffect>,
    failure: Failure,
    sensitivity: &'static str,
    impact: &'static str,
    source_version: Option<String>,
    /// A later report brought other payload bytes.
    payload_changed: bool,
    payload_ref: Option<String>,
    owner: Owner,
    /// Who is working it now.
    claim: Option<ShownClaim>,
    /// What is due next: `claim close respond unowned outcome approval`.
    due_cause: Option<&'static str>,
    /// By when that must have happened.
    due_at: Option<DateTime<Utc>>,
    /// To which teams it was escalated, in order.
    escalations: Vec<ShownEscalation>,
    received_at: DateTime<Utc>,
    occurred_at: Option<DateTime<Utc>>,
    closed_at: Option<DateTime<Utc>>,
    revisions: Vec<ShownRevision>,
    attempts: Vec<ShownAttempt>,
    approvals: Vec<ShownRequest>,
    /// The accepted item that it follows up; nothing is sent or reported for a follow-up.
    follow_up_of: Option<Uuid>,
    /// What follows it up.
    follow_ups: Vec<ShownFollowUp>,
    actions: Vec<ShownAction>,
}

/// One step of the chain of escalations.
#[derive(Debug, Serialize, ToSchema)]
struct ShownEscalation {
    /// Counts from 1.
    level: i64,
    team: String,
    /// Who did it; null where a target was missed.
    by: Option<String>,
    reason: String,
    respond_by: Option<DateTime<Utc>>,
    at: DateTime<Utc>,
    /// When somebody claimed it after that.
    answered_at: Option<DateTime<Utc>>,
    answered_by: Option<String>,
}

impl ShownEscalation {
    fn of(step: service::Escalation) -> Self {
        Self {
            level: step.level,
            team: step.team_name,
            by: step.by_id.map(|_| step.by_name),
            reason: step.reason,
            respond_by: step.respond_by,
            at: step.at,
            answered_at: step.answered_at,
            answered_by: step.answered_by_name,
        }
    }
}

/// A claim that has not run out.
#[derive(Debug, Serialize, ToSchema)]
struct ShownClaim {
    by: String,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
}

/// What is known about the side effect.
#[derive(Debug, Serialize, ToSchema)]
struct ShownEffect {
    /// `none confirmed uncertain partial compensated`
    status: &'static str,
    record_id: Option<String>,
}

/// A possible double effect.
#[derive(Debug, Serialize, ToSchema)]
struct DoubleEffect {
    attempts: Vec<Uuid>,
}

/// The last failure.
#[derive(Debug, Serialize, ToSchema)]
struct Failure {
    class: &'static str,
    message: String,
}

/// Who answers for it.
#[derive(Debug, Serialize, ToSchema)]
struct Owner {
    team: String,
    person: Option<String>,
}

/// A payload revision, without its bytes.
#[derive(Debug, Serialize, ToSchema)]
struct ShownRevision {
    number: i64,
    /// Hexadecimal; null where the reader may not see the payload.
    sha256: Option<String>,
    /// In bytes; null where the reader may not see all of the payload.
    size: Option<i64>,
    media_type: String,
    author: String,
    reason: Option<String>,
    at: DateTime<Utc>,
    /// It touches what the step does not open for editing.
    breaks_glass: bool,
    /// It was saved although it fails the step's schema.
    overrides_schema: bool,
    /// It does the rest of what happened in part, and nothing of what was done.
    completing: bool,
}

/// What another person was asked to decide; `GET /api/v1/approvals` shows more of it.
#[derive(Debug, Serialize, ToSchema)]
struct ShownRequest {
    id: Uuid,
    /// `replay` or `compensation`
    kind: &'static str,
    /// `waiting approved rejected withdrawn expired void`
    state: &'static str,
    revision: i64,
    plan: Option<String>,
    requested_by: String,
    requested_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    /// Of an approved compensation: `running executed failed uncertain partly_done`
    execution: Option<&'static str>,
}

/// An item that says what still has to be done where less was accepted.
#[derive(Debug, Serialize, ToSchema)]
struct ShownFollowUp {
    id: Uuid,
    dedupe_key: String,
    state: &'static str,
    resolution: Option<&'static str>,
}

/// An attempt.
#[derive(Debug, Serialize, ToSchema)]
struct ShownAttempt {
    id: Uuid,
    number: i64,
    by: String,
    revision: Option<i64>,
    idempotency_key: Option<String>,
    /// `in_flight accepted succeeded failed uncertain`
    outcome: &'static str,
    /// `none confirmed uncertain partial`
    effect: &'static str,
    status_code: Option<i64>,
    record_id: Option<String>,
    message: Option<String>,
    /// Word of it came after the item was closed.
    late: bool,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
}

/// What the caller could do.
#[derive(Debug, Serialize, ToSchema)]
struct ShownAction {
    action: &'static str,
    allowed: bool,
    rule: Option<&'static str>,
    reason: Option<String>,
}

impl From<Packet> for ShownItem {
    fn from(packet: Packet) -> Self {
        let hidden = packet.content_hidden;
        let doubles: Vec<Uuid> = packet
            .double_effects
            .iter()
            .flat_map(|double| double.attempt_id.into_iter().chain([double.late_attempt_id.0]))
            .collect();
        let revisions = packet.revisions.into_iter().map(|revision| ShownRevision {
            number: revision.number,
            sha256: (!hidden).then(|| revision.sha256.hex()),
            size: (!hidden).then_some(revision.size),
            media_type: revision.media_type,
            author: revision.author_name,
            reason: revision.reason,
            at: revision.at,
            breaks_glass: revision.breaks_glass,
            overrides_schema: revision.overrides_schema,
            completing: revision.completing,
        });
        let compensations = packet.compensations;
        let approvals = packet.approvals.into_iter().rev().map(|approval| ShownRequest {
            id: approval.id.0,
            kind: approval.kind.as_str(),
            state: approval.state.as_str(),
            revision: approval.bound.revision,
            plan: approval.bound.plan.clone(),
            requested_by: approval.requested_by_name,
            requested_at: approval.requested_at,
            expires_at: approval.expires_at,
            ended_at: approval.ended_at,
            execution: compensations.iter().find(|c| c.approval_id == approval.id).map(|c| c.stage.as_str()),
        });
        let attempts = packet.attempts.into_iter().rev().map(|attempt| ShownAttempt {
            id: attempt.id.0,
            number: attempt.number,
            by: attempt.by_name,
            revision: attempt.revision,
            idempotency_key: attempt.idempotency_key,
            outcome: attempt.outcome.as_str(),
            effect: attempt.effect.as_str(),
            status_code: attempt.status_code,
            record_id: attempt.record_id,
            message: attempt.message,
            late: attempt.late,
            started_at: attempt.started_at,
            finished_at: attempt.finished_at,
        });
        let follow_ups = packet.follow_ups.into_iter().map(|follow_up| ShownFollowUp {
            id: follow_up.id.0,
            dedupe_key: follow_up.dedupe_key,
            state: follow_up.state.as_str(),
            resolution: follow_up.resolution.map(|resolution| resolution.as_str()),
        });
        let actions = packet.actions.into_iter().map(|offer| ShownAction {
            action: offer.action.step.as_str(),
            allowed: offer.refusal.is_none(),
            rule: offer.refusal.as_ref().and_then(|refusal| refusal.rule()),
            reason: offer.refusal.as_ref().map(|refusal| refusal.sentence()),
        });
        let item = packet.item;
        Self {
            id: item.id.0,
            version: item.version,
            lane: item.lane.as_str(),
            workflow: item.workflow_key,
            workflow_version: item.workflow_version,
            step: item.step,
            dedupe_key: item.dedupe_key,
            business_ref: item.business_ref,
            correlation_id: item.correlation_id,
            state: item.state.as_str(),
            resolution: item.resolution.map(|resolution| resolution.as_str()),
            effect: ShownEffect { status: item.effect.as_str(), record_id: item.record_id },
            possible_double_effect: (!doubles.is_empty()).then_some(DoubleEffect { attempts: doubles }),
            failure: Failure { class: item.failure_class.as_str(), message: item.message },
            sensitivity: item.sensitivity.as_str(),
            impact: item.impact.as_str(),
            source_version: item.source_version,
            payload_changed: item.payload_changed,
            payload_ref: item.payload_ref,
            owner: Owner { team: packet.team_name, person: packet.owner_name },
            claim: packet.claim.map(|claim| ShownClaim { by: claim.name, since: claim.since, until: claim.until }),
            due_cause: item.due.cause.map(|cause| cause.as_str()),
            due_at: item.due.at,
            escalations: packet.escalations.into_iter().map(ShownEscalation::of).collect(),
            received_at: item.received_at,
            occurred_at: item.occurred_at,
            closed_at: item.closed_at,
            revisions: revisions.collect(),
            attempts: attempts.collect(),
            approvals: approvals.collect(),
            follow_up_of: packet.follow_up_of.map(|of| of.id.0),
            follow_ups: follow_ups.collect(),
            actions: actions.collect(),
        }
    }
}
