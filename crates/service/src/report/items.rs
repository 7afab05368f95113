//! What a report says of an item, put into its row.

use chrono::{DateTime, Utc};
use domain::{
    effect::Effect,
    item::{Impact, State},
    report::Report,
    sensitivity::Sensitivity,
};
use store::{Item, StepRow, Stored, WorkflowRow};

use crate::new_id;

/// A new item.
pub(super) fn fresh(report: &Report, workflow: &WorkflowRow, step: &StepRow, now: DateTime<Utc>) -> Item {
    let mut item = Item {
        id: new_id(now),
        workflow_id: workflow.id,
        workflow_key: workflow.key.clone(),
        step: report.step.clone(),
        dedupe_key: report.dedupe_key.clone(),
        team_id: workflow.team_id,
        owner_person_id: None,
        owner_team_id: None,
        lane: report.lane,
        state: State::Open,
        resolution: None,
        effect: Effect::None,
        epoch: 0,
        version: 1,
        last_change: "it was reported".into(),
        business_ref: None,
        correlation_id: None,
        sequence_key: None,
        workflow_version: None,
        failure_class: report.failure.class,
        message: String::new(),
        message_head: String::new(),
        detail: None,
        sensitivity: Sensitivity::Internal,
        impact: Impact::Low,
        customer_impact: None,
        effect_system: None,
        effect_evidence: None,
        record_id: None,
        source_version: None,
        payload_ref: None,
        payload_changed: false,
        steps: Stored::default(),
        affected: Stored::default(),
        evidence: Stored::default(),
        ai: Stored::default(),
        proposed_action: Stored::default(),
        valid_until: None,
        occurred_at: None,
        received_at: now,
        last_report_at: now,
        closed_at: None,
        snoozed_until: None,
        escalations: 0,
        respond_by: None,
        escalated_at: None,
        claimed_at: None,
        worked_until: None,
        due: store::Due::default(),
        look_at: Some(now),
        follow_up_of: None,
    };
    update(&mut item, report, workflow, step, now);
    item
}

/// The newest report's word on an item. What it leaves out stays as it was; what failed now is the item's failure.
pub(super) fn update(item: &mut Item, report: &Report, workflow: &WorkflowRow, step: &StepRow, now: DateTime<Utc>) {
    item.lane = report.lane;
    item.failure_class = report.failure.class;
    item.message.clone_from(&report.failure.message);
    item.message_head = domain::text::head(&report.failure.message, 240);
    item.detail.clone_from(&report.failure.detail);
    // Of two sensitivities the higher counts, and an item never becomes less sensitive by a later report.
    let stated = report.sensitivity.max(step.sensitivity).unwrap_or(Sensitivity::Confidential);
    item.sensitivity = item.sensitivity.max(stated);
    item.impact = report.impact.or(step.impact).unwrap_or(Impact::Medium);
    item.last_report_at = now;
    item.occurred_at = report.occurred_at;
    replace(&mut item.business_ref, &report.business_ref);
    replace(&mut item.correlation_id, &report.correlation_id);
    replace(&mut item.sequence_key, &report.sequence_key);
    replace(&mut item.workflow_version, &report.workflow_version.clone().or_else(|| workflow.version.clone()));
    replace(&mut item.customer_impact, &report.customer_impact);
    replace(&mut item.effect_system, &report.effect.system);
    replace(&mut item.effect_evidence, &report.effect.evidence);
    replace(&mut item.record_id, &report.effect.record_id);
    replace(&mut item.source_version, &report.source_version);
    replace(&mut item.valid_until, &report.valid_until);
    replace(&mut item.ai.0, &report.ai);
    replace(&mut item.proposed_action.0, &report.proposed_action);
    if !report.steps.is_empty() {
        item.steps.0.clone_from(&report.steps);
    }
    if !report.affected.is_empty() {
        item.affected.0.clone_from(&report.affected);
    }
    if !report.evidence.is_empty() {
        item.evidence.0.clone_from(&report.evidence);
    }
}

fn replace<T: Clone>(old: &mut Option<T>, new: &Option<T>) {
    if new.is_some() {
        old.clone_from(new);
    }
}
