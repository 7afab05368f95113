//! Plays scenes: switches the fault on, lets the automation work, hands over what it could not finish.

use chrono::TimeDelta;
use serde_json::json;

use super::{
    Filled, Target,
    scene::{After, Job, Scene, Trouble},
};
use crate::{
    automations::{
        CustomerContacts, Ending, LegacyExport, OrderFulfilment, Outbound, Pace, SupplierInvoices, SupportReplies,
        Unfinished,
    },
    client::{ClientError, Recourse, Reported, Result},
    systems::{Faults, Systems},
};

pub(super) struct Stage {
    invoices: (SupplierInvoices, Recourse, Faults),
    contacts: (CustomerContacts, Recourse, Faults),
    replies: (SupportReplies, Recourse, Faults),
    orders: (OrderFulfilment, Recourse, Faults),
    any: Recourse,
}

impl Stage {
    pub(super) fn new(target: &Target, systems: &Systems) -> Result<Self> {
        let outbound = Outbound::new(Pace::default())?;
        let client = |workflow: &str| {
            let token = target.tokens.get(workflow).unwrap_or(&target.any_token);
            Recourse::new(&target.base_url, token)
        };
        let invoices = SupplierInvoices {
            outbound: outbound.clone(),
            ledger_url: systems.ledger.url.clone(),
            mail_url: systems.mail.url.clone(),
        };
        let contacts = CustomerContacts { outbound: outbound.clone(), crm_url: systems.crm.url.clone() };
        let replies = SupportReplies { outbound: outbound.clone(), mail_url: systems.mail.url.clone() };
        let orders = OrderFulfilment { outbound, warehouse_url: systems.warehouse.url.clone() };
        Ok(Self {
            invoices: (invoices, client("invoice-sync")?, systems.ledger.faults()),
            contacts: (contacts, client("crm-sync")?, systems.crm.faults()),
            replies: (replies, client("support-replies")?, systems.mail.faults()),
            orders: (orders, client("order-fulfilment")?, systems.warehouse.faults()),
            any: Recourse::new(&target.base_url, &target.any_token)?,
        })
    }

    /// Plays one scene to its end.
    pub(super) async fn play(&self, scene: Scene) -> Filled {
        let Scene { job, trouble, after } = scene;
        match job {
            Job::Invoice(invoice) => {
                let (automation, recourse, faults) = &self.invoices;
                arrange(faults, trouble);
                let ending = automation.work(&invoice).await;
                let first = hand_over(recourse, ending.clone()).await;
                let (Ending::Unfinished(unfinished), Some(reported)) = (ending, first.reported_as) else {
                    return first.counts;
                };
                first.counts.and(self.afterwards(recourse, *unfinished, &reported, after).await)
            }
            Job::Contact(change) => {
                let (automation, recourse, faults) = &self.contacts;
                arrange(faults, trouble);
                hand_over(recourse, automation.work(&change).await).await.counts
            }
            Job::Reply(draft) => {
                let (automation, recourse, faults) = &self.replies;
                arrange(faults, trouble);
                hand_over(recourse, automation.work(&draft).await).await.counts
            }
            Job::Order(order) => {
                let (automation, recourse, faults) = &self.orders;
                arrange(faults, trouble);
                hand_over(recourse, automation.work(&order).await).await.counts
            }
            Job::Export(export) => hand_over(&self.any, LegacyExport.work(&export)).await.counts,
            Job::Malformed(text) => counted(self.invoices.1.report_text(text).await).counts,
            Job::Batch(changes) => self.batch(&changes).await,
        }
    }

    async fn batch(&self, changes: &[crate::automations::ContactChange]) -> Filled {
        let (automation, recourse, _) = &self.contacts;
        let mut reports = Vec::new();
        for change in changes {
            if let Some(unfinished) = automation.work(change).await.into_unfinished() {
                let payload = unfinished.payload();
                reports.push((unfinished.report, payload));
            }
        }
        match recourse.report_batch(&reports).await {
            Ok(results) => Filled { reported: results.len(), ..Filled::default() },
            Err(error) => counted(Err(error)).counts,
        }
    }

    async fn afterwards(&self, recourse: &Recourse, mut work: Unfinished, reported: &Reported, after: After) -> Filled {
        match after {
            After::Nothing => Filled::default(),
            After::SameReportAgain => {
                let again = counted(work.hand_over(recourse).await);
                if again.reported_as.is_some_and(|again| again.created || again.id != reported.id) {
                    tracing::error!(item = reported.id, "the same report made a second item");
                }
                again.counts
            }
            After::ChangedDocument(document) => {
                work.document = document;
                work.report.report_id = work.report.report_id.map(|id| format!("{id}/2"));
                for attempt in &mut work.report.attempts {
                    attempt.started_at += TimeDelta::minutes(7);
                    attempt.finished_at = attempt.finished_at.map(|at| at + TimeDelta::minutes(7));
                    attempt.number += 1;
                }
                counted(work.hand_over(recourse).await).counts
            }
            After::SucceededAfterAll => {
                let last = work.report.attempts.last();
                let news = json!({ "succeeded": {
                    "attempt": last.map(|attempt| attempt.number),
                    "record_id": "LED-confirmed-by-statement",
                    "at": last.and_then(|attempt| attempt.finished_at).map(|at| at + TimeDelta::minutes(3)),
                }});
                if let Err(error) = recourse.patch(&reported.id, &news).await {
                    tracing::warn!(item = reported.id, %error, "late success was not taken");
                }
                Filled::default()
            }
        }
    }
}

fn arrange(faults: &Faults, trouble: Option<Trouble>) {
    if let Some(Trouble { reference, requests, fault }) = trouble {
        faults.matching(&reference, requests, fault);
    }
}

struct Handed {
    counts: Filled,
    reported_as: Option<Reported>,
}

async fn hand_over(recourse: &Recourse, ending: Ending) -> Handed {
    match ending {
        Ending::Done { .. } => Handed { counts: Filled { done: 1, ..Filled::default() }, reported_as: None },
        Ending::Unfinished(unfinished) => counted(unfinished.hand_over(recourse).await),
    }
}

fn counted(outcome: Result<Reported>) -> Handed {
    let (counts, reported_as) = match outcome {
        Ok(reported) => (Filled { reported: 1, ..Filled::default() }, Some(reported)),
        Err(error) => {
            let quarantine = match &error {
                ClientError::Refused { problem, .. } => problem.quarantine_id.clone(),
                _ => None,
            };
            tracing::info!(%error, quarantine, "a report of the demonstration was refused");
            (Filled { refused: 1, ..Filled::default() }, None)
        }
    };
    Handed { counts, reported_as }
}

impl Filled {
    fn and(self, more: Self) -> Self {
        Self {
            done: self.done + more.done,
            reported: self.reported + more.reported,
            refused: self.refused + more.refused,
        }
    }
}
