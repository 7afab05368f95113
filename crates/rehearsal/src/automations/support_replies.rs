//! AI drafted replies → mail. A draft goes out by itself only when the model is sure, its output keeps the contract and no
//! policy speaks against it; everything else waits for a person. Nothing has been sent then.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;

use super::{
    Document, Ending, Outbound,
    outbound::Letter,
    verdict::{Subject, Verdict, judge},
};
use crate::report::{
    Ai, Effect, EffectStatus, Evidence, Failure, FailureClass, Lane, ProposedAction, Report, StepDone, StepStatus,
};

const SURE: f64 = 0.8;

/// The integration.
#[derive(Debug, Clone)]
pub struct SupportReplies {
    pub outbound: Outbound,
    pub mail_url: String,
}

/// One drafted reply.
#[derive(Debug, Clone)]
pub struct Draft {
    pub ticket: String,
    pub customer: String,
    /// What the customer wrote.
    pub question: String,
    /// The message as it would be posted.
    pub document: Document,
    pub confidence: f64,
    /// Where the output breaks its contract.
    pub findings: Vec<String>,
    /// The policy that wants a person to look, by name and reason.
    pub policy: Option<(&'static str, String)>,
    pub started_at: DateTime<Utc>,
    pub sensitivity: Option<&'static str>,
    pub impact: Option<&'static str>,
}

impl Draft {
    #[must_use]
    pub fn dedupe_key(&self) -> String {
        format!("reply:{}", self.ticket)
    }
}

impl SupportReplies {
    pub async fn work(&self, draft: &Draft) -> Ending {
        match doubt(draft) {
            Some(failure) => Ending::unfinished(for_review(draft, failure), &draft.document),
            None => self.send(draft).await,
        }
    }

    async fn send(&self, draft: &Draft) -> Ending {
        let key = draft.dedupe_key();
        let letter = Letter {
            method: Method::POST,
            url: format!("{}/api/messages", self.mail_url),
            key: &key,
            document: &draft.document,
        };
        let tries = self.outbound.deliver(&letter, draft.started_at + TimeDelta::seconds(4)).await;
        let waited_s = self.outbound.told_seconds();
        let subject = Subject { system: "The mail service", thing: "the reply", record_id: "/message/id", waited_s };
        let diagnosis = match judge(&tries, &subject) {
            Verdict::Done { record_id } => return Ending::Done { record_id },
            Verdict::Failed(diagnosis) => *diagnosis,
        };
        let uncertain = diagnosis.effect == EffectStatus::Uncertain;
        let ended_at = diagnosis.attempts.last().and_then(|last| last.finished_at);
        let proposed = if uncertain {
            ProposedAction::new("reconcile", "Look in the outbox: a second reply would confuse.", 0.9, "rule:mail")
        } else {
            ProposedAction::new("correct", "The mail service named what it does not take.", 0.75, "rule:mail")
        };
        let mut report = base(draft);
        report.failure = diagnosis.failure;
        report.effect = Some(Effect {
            status: diagnosis.effect,
            system: Some("mail".to_owned()),
            idempotency_key: Some(key),
            record_id: None,
            evidence: Some(diagnosis.grounds),
        });
        report.attempts = diagnosis.attempts;
        report.proposed_action = Some(proposed);
        let status = if uncertain { StepStatus::Uncertain } else { StepStatus::Failed };
        report.steps.push(StepDone::new("send_reply", status, ended_at));
        Ending::unfinished(report, &draft.document)
    }
}

/// Why a person should look first, if so.
fn doubt(draft: &Draft) -> Option<Failure> {
    if let [first, ..] = draft.findings.as_slice() {
        let message = format!("The drafted reply breaks its contract: {first}");
        return Some(Failure { class: FailureClass::InvalidOutput, message, detail: Some(draft.findings.join("\n")) });
    }
    if let Some((name, reason)) = &draft.policy {
        let message = format!("Policy \"{name}\" wants a person to decide: {reason}");
        return Some(Failure { class: FailureClass::Policy, message, detail: None });
    }
    (draft.confidence < SURE).then(|| Failure {
        class: FailureClass::LowConfidence,
        message: format!(
            "The reply was drafted with a confidence of {:.0} %, below {:.0} %",
            draft.confidence * 100.0,
            SURE * 100.0
        ),
        detail: None,
    })
}

fn for_review(draft: &Draft, failure: Failure) -> Report {
    let mut report = base(draft);
    report.lane = Lane::NeedsReview;
    report.effect = Some(Effect::none("mail", "the draft was not sent"));
    report.evidence.extend(draft.findings.iter().map(|finding| Evidence::text("Contract finding", finding)));
    report.proposed_action = Some(match failure.class {
        FailureClass::InvalidOutput => {
            ProposedAction::new("correct", "Complete the draft, then send it.", 0.6, "rule:contract")
        }
        FailureClass::Policy => {
            ProposedAction::new("accept", "Within the usual amount for this customer.", 0.66, "model")
        }
        _ => ProposedAction::new("accept", "The facts in it were found in the order.", draft.confidence, "model"),
    });
    report.failure = failure;
    report.steps.push(StepDone::new("send_reply", StepStatus::Pending, None));
    report
}

fn base(draft: &Draft) -> Report {
    let run = format!("reply-{:08x}", draft.started_at.timestamp());
    Report {
        report_id: Some(format!("{run}/{}", draft.ticket)),
        workflow: "support-replies".to_owned(),
        dedupe_key: draft.dedupe_key(),
        business_ref: Some(format!("{} · {}", draft.ticket, draft.customer)),
        correlation_id: Some(run),
        step: "send_reply".to_owned(),
        occurred_at: Some(draft.started_at + TimeDelta::seconds(4)),
        steps: vec![
            StepDone::new("classify", StepStatus::Confirmed, Some(draft.started_at + TimeDelta::seconds(1))),
            StepDone::new("draft", StepStatus::Confirmed, Some(draft.started_at + TimeDelta::seconds(4))),
        ],
        evidence: vec![Evidence::text("The customer wrote", &draft.question)],
        ai: Some(Ai {
            model: "reply-writer-2".to_owned(),
            prompt_version: "support-reply/31".to_owned(),
            confidence: draft.confidence,
            output_contract: "reply/v2".to_owned(),
        }),
        sensitivity: draft.sensitivity,
        impact: draft.impact,
        customer_impact: Some(format!("{} waits for an answer", draft.customer)),
        source_version: Some(format!("ticket-{}", draft.started_at.timestamp() % 1_000)),
        ..Report::default()
    }
}
