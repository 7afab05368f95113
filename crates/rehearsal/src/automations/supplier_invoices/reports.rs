//! What the invoice integration says about an invoice it did not finish.

use chrono::TimeDelta;

use super::Invoice;
use crate::{
    automations::{Ending, verdict::Diagnosis},
    report::{
        Ai, Attempt, AttemptOutcome, Effect, EffectStatus, Evidence, Failure, FailureClass, Lane, ProposedAction,
        Report, StepDone, StepStatus,
    },
};

const WORKFLOW: &str = "invoice-sync";
const VERSION: &str = "2026-11-20";

pub(super) fn unbooked(invoice: &Invoice, confidence: f64, diagnosis: Diagnosis) -> Report {
    let uncertain = diagnosis.effect == EffectStatus::Uncertain;
    let status = if uncertain { StepStatus::Uncertain } else { StepStatus::Failed };
    let mut report = base(invoice, "create_invoice", confidence);
    report.effect = Some(Effect {
        status: diagnosis.effect,
        system: Some("ledger".to_owned()),
        idempotency_key: Some(invoice.dedupe_key()),
        record_id: None,
        evidence: Some(diagnosis.grounds),
    });
    report.proposed_action = Some(proposal(diagnosis.failure.class, uncertain));
    report.failure = diagnosis.failure;
    report.attempts = diagnosis.attempts;
    let ended_at = report.attempts.last().and_then(|last| last.finished_at);
    report.occurred_at = ended_at.or(report.occurred_at);
    report.steps = vec![
        StepDone::new("extract", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(6))),
        StepDone::new("match_supplier", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(8))),
        StepDone::new("create_invoice", status, report.attempts.last().and_then(|last| last.finished_at)),
        StepDone::new("notify", StepStatus::Pending, None),
    ];
    report.customer_impact = Some(format!("Payment to {} may be late", invoice.supplier));
    report
}

pub(super) fn doubtful(invoice: &Invoice, confidence: f64, other: &str) -> Ending {
    let mut report = base(invoice, "match_supplier", confidence);
    report.lane = Lane::NeedsReview;
    report.failure = Failure {
        class: FailureClass::LowConfidence,
        message: format!("Two suppliers fit this invoice: {} and {other}", invoice.supplier),
        detail: None,
    };
    report.effect = Some(Effect::none("ledger", "the ledger was not called"));
    report.evidence.push(Evidence::text(
        "Candidates",
        &format!("1. {} ({:.0} %)\n2. {other}", invoice.supplier, confidence * 100.0),
    ));
    report.proposed_action = Some(ProposedAction::new(
        "correct",
        "Name the supplier's VAT number in the document and run it again.",
        confidence,
        "rule:match",
    ));
    report.steps = vec![
        StepDone::new("extract", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(6))),
        StepDone::new("match_supplier", StepStatus::Pending, None),
        StepDone::new("create_invoice", StepStatus::Pending, None),
        StepDone::new("notify", StepStatus::Pending, None),
    ];
    Ending::unfinished(report, &invoice.document)
}

pub(super) fn broken_contract(invoice: &Invoice, findings: &[String]) -> Ending {
    let mut report = base(invoice, "extract", 0.41);
    report.lane = Lane::NeedsReview;
    report.failure = Failure {
        class: FailureClass::InvalidOutput,
        message: match findings {
            [only] => format!("The extracted invoice breaks its contract: {only}"),
            many => format!("The extracted invoice breaks its contract in {} places", many.len()),
        },
        detail: Some(findings.join("\n")),
    };
    report.effect = Some(Effect::none("ledger", "the ledger was not called"));
    report.evidence.extend(findings.iter().map(|finding| Evidence::text("Contract finding", finding)));
    report.steps = vec![StepDone::new("extract", StepStatus::Failed, Some(invoice.started_at + TimeDelta::seconds(6)))];
    Ending::unfinished(report, &invoice.document)
}

pub(super) fn no_answer(invoice: &Invoice) -> Ending {
    let mut report = base(invoice, "extract", 0.0);
    report.ai = None;
    report.failure = Failure {
        class: FailureClass::Timeout,
        message: "The model did not answer within 60 s. Given up after 3 tries.".to_owned(),
        detail: None,
    };
    report.effect = Some(Effect::none("ledger", "the ledger was not called"));
    report.attempts = (1..=3_u32)
        .map(|number| {
            let started_at = invoice.started_at + TimeDelta::seconds(i64::from(number - 1) * 90);
            Attempt {
                number,
                started_at,
                finished_at: Some(started_at + TimeDelta::seconds(60)),
                outcome: AttemptOutcome::Failed,
                sent: true,
                message: Some("No output before the deadline; nothing was passed on".to_owned()),
                status_code: None,
                record_id: None,
            }
        })
        .collect();
    report.steps =
        vec![StepDone::new("extract", StepStatus::Failed, report.attempts.last().and_then(|last| last.finished_at))];
    Ending::unfinished(report, &invoice.document)
}

/// The ledger was called; what it said is lost. A watchdog reports it when the run's lease has ended.
pub(super) fn stalled(invoice: &Invoice, confidence: f64) -> Ending {
    let mut report = base(invoice, "create_invoice", confidence);
    let called_at = invoice.started_at + TimeDelta::seconds(9);
    report.failure = Failure {
        class: FailureClass::Stalled,
        message: "The run stopped after the ledger was called; its result was never saved".to_owned(),
        detail: Some("worker 7 ended with signal 9 (out of memory); lease ended after 15 min".to_owned()),
    };
    report.effect = Some(Effect {
        status: EffectStatus::Uncertain,
        idempotency_key: Some(invoice.dedupe_key()),
        ..Effect::none("ledger", "the request was about to be written when the run was last heard of")
    });
    report.occurred_at = Some(called_at + TimeDelta::minutes(15));
    report.proposed_action = Some(proposal(FailureClass::Stalled, true));
    report.steps = vec![
        StepDone::new("extract", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(6))),
        StepDone::new("match_supplier", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(8))),
        StepDone::new("create_invoice", StepStatus::Uncertain, Some(called_at)),
        StepDone::new("notify", StepStatus::Pending, None),
    ];
    Ending::unfinished(report, &invoice.document)
}

pub(super) fn paused(invoice: &Invoice, moved_to: &str) -> Ending {
    let mut report = base(invoice, "create_invoice", 0.9);
    report.failure = Failure {
        class: FailureClass::VersionChanged,
        message: format!("Paused before it was booked; the workflow has moved to {moved_to} since"),
        detail: None,
    };
    report.effect = Some(Effect::none("ledger", "the ledger was not called"));
    report.steps = vec![
        StepDone::new("extract", StepStatus::Confirmed, Some(invoice.started_at + TimeDelta::seconds(6))),
        StepDone::new("create_invoice", StepStatus::Pending, None),
    ];
    Ending::unfinished(report, &invoice.document)
}

fn base(invoice: &Invoice, at_step: &str, confidence: f64) -> Report {
    let run = format!("run-{:08x}", invoice.started_at.timestamp());
    Report {
        report_id: Some(format!("{run}/{}/{at_step}", invoice.number)),
        workflow: WORKFLOW.to_owned(),
        workflow_version: Some(invoice.version.unwrap_or(VERSION).to_owned()),
        dedupe_key: invoice.dedupe_key(),
        business_ref: Some(format!("{} · {}", invoice.number, invoice.supplier)),
        correlation_id: Some(run),
        step: at_step.to_owned(),
        occurred_at: Some(invoice.started_at + TimeDelta::seconds(20)),
        evidence: vec![Evidence::text(
            "Source e-mail",
            &format!("From {}: invoice {} attached", invoice.supplier, invoice.number),
        )],
        ai: Some(Ai {
            model: "extractor-large-3".to_owned(),
            prompt_version: "invoice-extract/14".to_owned(),
            confidence,
            output_contract: "invoice/v3".to_owned(),
        }),
        sensitivity: invoice.sensitivity,
        impact: invoice.impact,
        source_version: Some(format!("mail-{:x}", invoice.started_at.timestamp())),
        ..Report::default()
    }
}

fn proposal(class: FailureClass, uncertain: bool) -> ProposedAction {
    if uncertain {
        return ProposedAction::new(
            "reconcile",
            "Ask the ledger for this key before anything is sent again.",
            0.9,
            "rule:ledger-timeouts",
        );
    }
    match class {
        FailureClass::Validation => ProposedAction::new(
            "correct",
            "The ledger named the field; correct it and run again.",
            0.8,
            "rule:ledger-422",
        ),
        FailureClass::Auth => ProposedAction::new(
            "escalate",
            "The ledger's access token has to be renewed first.",
            0.7,
            "rule:ledger-401",
        ),
        _ => ProposedAction::new(
            "replay",
            "Nothing was booked; send it again once the ledger is back.",
            0.85,
            "rule:ledger-down",
        ),
    }
}
