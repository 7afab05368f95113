//! Orders → warehouse, one shipment per parcel. When a later parcel fails, the earlier ones stay booked: the effect is partial.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;

use super::{
    Document, Ending, Outbound,
    outbound::Letter,
    verdict::{Diagnosis, Subject, Verdict, judge},
};
use crate::report::{
    Affected, Effect, EffectStatus, Evidence, Failure, FailureClass, ProposedAction, Report, StepDone, StepStatus,
};

/// The integration.
#[derive(Debug, Clone)]
pub struct OrderFulfilment {
    pub outbound: Outbound,
    pub warehouse_url: String,
}

/// One paid order.
#[derive(Debug, Clone)]
pub struct Order {
    /// `#4417`
    pub name: String,
    pub customer: String,
    /// The order as the shop sent it; this is the item's payload.
    pub document: Document,
    /// One shipment each; never empty.
    pub parcels: Vec<Parcel>,
    pub started_at: DateTime<Utc>,
    pub impact: Option<&'static str>,
    pub source_version: Option<String>,
    /// The version the shop has by now, where it is another.
    pub changed_to: Option<String>,
}

/// What is posted to the warehouse for one parcel.
#[derive(Debug, Clone)]
pub struct Parcel {
    pub location: String,
    pub document: Document,
}

impl Order {
    #[must_use]
    pub fn dedupe_key(&self) -> String {
        format!("order:{}", self.name)
    }
}

/// A parcel that was booked.
struct Booked {
    location: String,
    shipment: String,
}

impl OrderFulfilment {
    pub async fn work(&self, order: &Order) -> Ending {
        if let Some(changed_to) = &order.changed_to {
            return self.outdated(order, changed_to);
        }
        let mut booked = Vec::new();
        for (at, parcel) in (1_i32..).zip(&order.parcels) {
            // A single parcel is the whole order and uses its key.
            let key = match order.parcels.len() {
                1 => order.dedupe_key(),
                _ => format!("{}:parcel-{at}", order.dedupe_key()),
            };
            let started_at = order.started_at + TimeDelta::seconds(i64::from(at) * 3);
            match self.book(parcel, &key, started_at).await {
                Verdict::Done { record_id } => {
                    booked.push(Booked { location: parcel.location.clone(), shipment: record_id });
                }
                Verdict::Failed(diagnosis) => {
                    let report = self.report(order, &parcel.location, &booked, key, *diagnosis);
                    return Ending::unfinished(report, &order.document);
                }
            }
        }
        Ending::Done { record_id: booked.pop().map(|last| last.shipment).unwrap_or_default() }
    }

    /// The order was changed in the shop after it was read; nothing is booked from an old copy.
    fn outdated(&self, order: &Order, changed_to: &str) -> Ending {
        let grounds = "the warehouse was not called";
        let failure = Failure {
            class: FailureClass::Stale,
            message: format!("The order was changed in the shop while it waited; it is now {changed_to}"),
            detail: None,
        };
        let diagnosis =
            Diagnosis { failure, effect: EffectStatus::None, grounds: grounds.to_owned(), attempts: Vec::new() };
        let report = self.report(order, "nothing", &[], order.dedupe_key(), diagnosis);
        Ending::unfinished(report, &order.document)
    }

    async fn book(&self, parcel: &Parcel, key: &str, started_at: DateTime<Utc>) -> Verdict {
        let url = format!("{}/api/shipments", self.warehouse_url);
        let letter = Letter { method: Method::POST, url, key, document: &parcel.document };
        let tries = self.outbound.deliver(&letter, started_at).await;
        let waited_s = self.outbound.told_seconds();
        judge(&tries, &Subject { system: "The warehouse", thing: "the parcel", record_id: "/shipment/id", waited_s })
    }

    fn report(&self, order: &Order, failed_at: &str, booked: &[Booked], key: String, diagnosis: Diagnosis) -> Report {
        let status = match diagnosis.effect {
            EffectStatus::None if !booked.is_empty() => EffectStatus::Partial,
            other => other,
        };
        let run = format!("order-{:08x}", order.started_at.timestamp());
        let ended_at = diagnosis.attempts.last().and_then(|last| last.finished_at);
        let mut report = Report {
            report_id: Some(format!("{run}/{}", order.name)),
            workflow: "order-fulfilment".to_owned(),
            dedupe_key: order.dedupe_key(),
            business_ref: Some(format!("{} · {}", order.name, order.customer)),
            correlation_id: Some(run),
            step: "book_shipments".to_owned(),
            failure: diagnosis.failure,
            effect: Some(Effect {
                status,
                system: Some("warehouse".to_owned()),
                idempotency_key: Some(key),
                record_id: booked.last().map(|last| last.shipment.clone()),
                evidence: Some(diagnosis.grounds),
            }),
            occurred_at: Some(ended_at.unwrap_or(order.started_at)),
            attempts: diagnosis.attempts,
            steps: self.steps(order, booked, status, ended_at),
            affected: booked.iter().map(|one| self.affected(one)).collect(),
            evidence: vec![Evidence::text(
                "Parcels",
                &format!("{} of {} booked; {failed_at} failed", booked.len(), order.parcels.len()),
            )],
            impact: order.impact,
            customer_impact: Some(format!("{} receives the order late or incomplete", order.customer)),
            source_version: order.source_version.clone(),
            ..Report::default()
        };
        report.proposed_action = Some(proposal(status));
        report
    }

    fn affected(&self, one: &Booked) -> Affected {
        Affected {
            system: "warehouse".to_owned(),
            kind: "shipment".to_owned(),
            id: one.shipment.clone(),
            url: Some(format!("{}/api/shipments/{}", self.warehouse_url, one.shipment)),
            state: Some(format!("booked from {}", one.location)),
        }
    }

    fn steps(
        &self,
        order: &Order,
        booked: &[Booked],
        status: EffectStatus,
        at: Option<DateTime<Utc>>,
    ) -> Vec<StepDone> {
        let mut steps = vec![StepDone::new("check_payment", StepStatus::Confirmed, Some(order.started_at))];
        steps.extend(booked.iter().map(|one| StepDone {
            external_id: Some(one.shipment.clone()),
            ..StepDone::new(&format!("parcel from {}", one.location), StepStatus::Confirmed, at)
        }));
        let whole = match status {
            EffectStatus::Partial => StepStatus::Partial,
            EffectStatus::None => StepStatus::Failed,
            EffectStatus::Uncertain | EffectStatus::Confirmed => StepStatus::Uncertain,
        };
        steps.push(StepDone::new("book_shipments", whole, at));
        steps.push(StepDone::new("confirm_to_customer", StepStatus::Pending, None));
        steps
    }
}

fn proposal(status: EffectStatus) -> ProposedAction {
    let of = |action, reason, confidence| ProposedAction::new(action, reason, confidence, "rule:parcels");
    match status {
        EffectStatus::Partial => of("compensate", "Cancel what was booked, or complete the order by hand.", 0.7),
        EffectStatus::Uncertain => of("reconcile", "Ask the warehouse for this parcel first.", 0.9),
        EffectStatus::None | EffectStatus::Confirmed => {
            of("correct", "Nothing was booked; correct and run again.", 0.8)
        }
    }
}
