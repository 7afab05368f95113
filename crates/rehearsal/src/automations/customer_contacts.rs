//! Customer contacts → CRM. One call per change; a planned retry when the CRM asks to come back later.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;

use super::{
    Document, Ending, Outbound,
    outbound::Letter,
    verdict::{Diagnosis, Subject, Verdict, judge},
};
use crate::report::{
    Affected, Effect, EffectStatus, Evidence, FailureClass, ProposedAction, Report, StepDone, StepStatus,
};

/// The integration.
#[derive(Debug, Clone)]
pub struct CustomerContacts {
    pub outbound: Outbound,
    pub crm_url: String,
}

/// One change to a customer's contact.
#[derive(Debug, Clone)]
pub struct ContactChange {
    pub external_key: String,
    /// What people call the customer.
    pub name: String,
    /// `contact.created` and the like.
    pub event: String,
    pub document: Document,
    pub started_at: DateTime<Utc>,
    pub sensitivity: Option<&'static str>,
    pub impact: Option<&'static str>,
    /// When the integration would try again, should the CRM be busy. It does not plan in the past.
    pub next_try: Option<DateTime<Utc>>,
}

impl ContactChange {
    #[must_use]
    pub fn dedupe_key(&self) -> String {
        format!("crm-contact:{}:{}", self.external_key, self.event)
    }
}

impl CustomerContacts {
    pub async fn work(&self, change: &ContactChange) -> Ending {
        let key = change.dedupe_key();
        let letter = Letter {
            method: Method::POST,
            url: format!("{}/api/contacts", self.crm_url),
            key: &key,
            document: &change.document,
        };
        let tries = self.outbound.deliver(&letter, change.started_at).await;
        let subject = Subject {
            system: "The CRM",
            thing: "the contact",
            record_id: "/contact/id",
            waited_s: self.outbound.told_seconds(),
        };
        match judge(&tries, &subject) {
            Verdict::Done { record_id } => Ending::Done { record_id },
            Verdict::Failed(diagnosis) => Ending::unfinished(self.report(change, *diagnosis), &change.document),
        }
    }

    fn report(&self, change: &ContactChange, diagnosis: Diagnosis) -> Report {
        let class = diagnosis.failure.class;
        let ended_at = diagnosis.attempts.last().and_then(|last| last.finished_at);
        let uncertain = diagnosis.effect == EffectStatus::Uncertain;
        let status = if uncertain { StepStatus::Uncertain } else { StepStatus::Failed };
        let run = format!("crm-{:08x}", change.started_at.timestamp());
        Report {
            report_id: Some(format!("{run}/{}", change.external_key)),
            workflow: "crm-sync".to_owned(),
            dedupe_key: change.dedupe_key(),
            business_ref: Some(format!("{} · {}", change.external_key, change.name)),
            correlation_id: Some(run),
            sequence_key: Some(format!("contact:{}", change.external_key)),
            step: "upsert_contact".to_owned(),
            proposed_action: Some(proposal(class)),
            affected: self.affected(change, &diagnosis),
            failure: diagnosis.failure,
            effect: Some(Effect {
                status: diagnosis.effect,
                system: Some("crm".to_owned()),
                idempotency_key: Some(change.dedupe_key()),
                record_id: None,
                evidence: Some(diagnosis.grounds),
            }),
            occurred_at: Some(ended_at.unwrap_or(change.started_at)),
            attempts: diagnosis.attempts,
            steps: vec![
                StepDone::new("read_change", StepStatus::Confirmed, Some(change.started_at - TimeDelta::seconds(2))),
                StepDone::new("upsert_contact", status, ended_at),
            ],
            evidence: vec![Evidence::text("Event", &format!("{} for {}", change.event, change.external_key))],
            sensitivity: change.sensitivity,
            impact: change.impact,
            source_version: Some(format!("shop-contact-v{}", change.started_at.timestamp() % 97)),
            next_attempt_by_automation_at: change.next_try.filter(|_| class == FailureClass::RateLimited),
            ..Report::default()
        }
    }

    /// The record that stands in the way, where the CRM names it.
    fn affected(&self, change: &ContactChange, diagnosis: &Diagnosis) -> Vec<Affected> {
        let said = &diagnosis.failure.message;
        let id = said.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').find(|word| word.starts_with("C-"));
        id.map(|id| Affected {
            system: "crm".to_owned(),
            kind: "contact".to_owned(),
            id: id.to_owned(),
            url: Some(format!("{}/api/contacts/{id}", self.crm_url)),
            state: Some(format!("holds {}", change.external_key)),
        })
        .into_iter()
        .collect()
    }
}

fn proposal(class: FailureClass) -> ProposedAction {
    let of = |action, reason, confidence| ProposedAction::new(action, reason, confidence, "rule:crm");
    match class {
        FailureClass::Conflict => of("resolve", "The CRM has this customer already; compare the two first.", 0.74),
        FailureClass::Auth | FailureClass::Permission => {
            of("escalate", "Access to the CRM has to be granted first.", 0.8)
        }
        FailureClass::RateLimited => of("wait", "The CRM asked to come back later; the automation will.", 0.95),
        FailureClass::Validation => of("correct", "The CRM named the field that it does not take.", 0.82),
        FailureClass::Unavailable => of("replay", "Nothing was written; send it again.", 0.7),
        _ => of("reconcile", "Look the customer up by external key first.", 0.88),
    }
}
