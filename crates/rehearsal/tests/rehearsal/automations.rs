use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use rehearsal::{
    automations::{
        ContactChange, CustomerContacts, Document, Draft, Ending, Invoice, Order, OrderFulfilment, Outbound, Pace,
        Parcel, Reading, SupplierInvoices, SupportReplies, Unfinished,
    },
    client::Recourse,
    report::{AttemptOutcome, EffectStatus, FailureClass, Lane},
    systems::{Fault, Systems},
};

use crate::{outside::Clock, recourse_double};

fn outbound() -> Outbound {
    Outbound::new(Pace { patience: Duration::from_millis(200), pause: Duration::from_millis(5), ..Pace::default() })
        .unwrap()
}

fn at() -> DateTime<Utc> {
    "2026-11-28T09:30:00Z".parse().unwrap()
}

fn invoice(text: &str) -> Invoice {
    Invoice {
        number: "INV-1042".into(),
        supplier: "Acme Components Inc.".into(),
        supplier_code: "ACME".into(),
        document: Document::json(text.into()),
        reading: Reading::Good { confidence: 0.9 },
        started_at: at(),
        impact: None,
        sensitivity: None,
        worker_stops: false,
        version: None,
    }
}

fn invoices(systems: &Systems) -> SupplierInvoices {
    SupplierInvoices {
        outbound: outbound(),
        ledger_url: systems.ledger.url.clone(),
        mail_url: systems.mail.url.clone(),
    }
}

async fn systems() -> Systems {
    Systems::start(Clock::start().now()).await.unwrap()
}

fn unfinished(ending: Ending) -> Unfinished {
    ending.into_unfinished().expect("unfinished work")
}

#[tokio::test]
async fn an_invoice_that_goes_well_is_booked_once_and_told() {
    let systems = systems().await;
    let ending = invoices(&systems).work(&invoice(r#"{"total":40.00}"#)).await;
    assert!(matches!(ending, Ending::Done { record_id } if record_id == systems.ledger.invoices()[0].id));
    assert_eq!((systems.ledger.invoices().len(), systems.mail.messages().len()), (1, 1));
}

#[tokio::test]
async fn a_timeout_after_the_commit_is_uncertain_and_is_not_repeated() {
    let systems = systems().await;
    systems.ledger.faults().always(Fault::CommitThenTimeout);
    let report = unfinished(invoices(&systems).work(&invoice("{}")).await).report;
    assert_eq!(report.failure.class, FailureClass::Timeout);
    assert_eq!(report.failure.message, "The ledger did not answer in 10 s");
    assert_eq!(report.effect.unwrap().status, EffectStatus::Uncertain);
    assert_eq!((report.attempts.len(), report.attempts[0].outcome), (1, AttemptOutcome::Uncertain));
    assert_eq!(report.attempts[0].finished_at.unwrap() - report.attempts[0].started_at, TimeDelta::seconds(10));
    assert_eq!((systems.ledger.receipts().len(), systems.ledger.invoices().len()), (1, 1));
}

#[tokio::test]
async fn known_refusals_have_no_effect_and_only_busy_ones_are_repeated() {
    let systems = systems().await;
    for (fault, class, tries) in [
        (Fault::Status { code: 503, retry_after_s: Some(9) }, FailureClass::Unavailable, 3),
        (Fault::RateLimited { retry_after_s: 9 }, FailureClass::RateLimited, 3),
        (Fault::Reject { pointer: "/total".into(), message: "No.".into() }, FailureClass::Validation, 1),
        (Fault::Status { code: 401, retry_after_s: None }, FailureClass::Auth, 1),
        (Fault::Status { code: 403, retry_after_s: None }, FailureClass::Permission, 1),
    ] {
        systems.ledger.faults().next(tries, fault);
        let report = unfinished(invoices(&systems).work(&invoice("{}")).await).report;
        assert_eq!((report.failure.class, report.attempts.len()), (class, tries as usize));
        assert_eq!(report.effect.unwrap().status, EffectStatus::None);
    }
    assert_eq!(systems.ledger.invoices().len(), 0);
}

#[tokio::test]
async fn everything_else_after_the_first_byte_is_uncertain() {
    let systems = systems().await;
    let faults = [
        Fault::CommitThenReset,
        Fault::CommitThenStatus { code: 500 },
        Fault::WrongBody,
        Fault::CutBody,
        Fault::Accepted,
        Fault::HangBeforeCommit,
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        systems.ledger.faults().next(1, fault.clone());
        let invoice = Invoice { number: format!("INV-{number}"), ..invoice("{}") };
        let report = unfinished(invoices(&systems).work(&invoice).await).report;
        assert_eq!(report.effect.unwrap().status, EffectStatus::Uncertain, "{fault:?}");
        assert_eq!(report.attempts.len(), 1, "{fault:?}");
    }
}

#[tokio::test]
async fn a_broken_contract_calls_nobody() {
    let systems = systems().await;
    let reading = Reading::BrokenContract { findings: vec!["/total: must be a number".into()] };
    let report = unfinished(invoices(&systems).work(&Invoice { reading, ..invoice("{}") }).await).report;
    assert_eq!((report.lane, report.failure.class), (Lane::NeedsReview, FailureClass::InvalidOutput));
    assert!(report.evidence.iter().any(|one| one.text.as_deref() == Some("/total: must be a number")));
    assert_eq!(systems.ledger.receipts().len(), 0);
}

#[tokio::test]
async fn a_worker_that_stops_after_the_call_leaves_a_record_nobody_saved() {
    let systems = systems().await;
    let report = unfinished(invoices(&systems).work(&Invoice { worker_stops: true, ..invoice("{}") }).await).report;
    assert_eq!(report.failure.class, FailureClass::Stalled);
    let effect = report.effect.unwrap();
    assert_eq!((effect.status, effect.record_id), (EffectStatus::Uncertain, None));
    assert_eq!(systems.ledger.kept_with_key(&effect.idempotency_key.unwrap()).len(), 1);
}

#[tokio::test]
async fn a_known_contact_is_a_conflict_that_names_it() {
    let systems = systems().await;
    let contacts = CustomerContacts { outbound: outbound(), crm_url: systems.crm.url.clone() };
    let change = ContactChange {
        external_key: "kd-1".into(),
        name: "小林 さくら".into(),
        event: "contact.created".into(),
        document: Document::json(r#"{"external_key":"kd-1"}"#.into()),
        started_at: at(),
        sensitivity: None,
        impact: None,
        next_try: None,
    };
    assert!(matches!(contacts.work(&change).await, Ending::Done { .. }));
    let report = unfinished(contacts.work(&change).await).report;
    assert_eq!(report.failure.class, FailureClass::Conflict);
    assert_eq!(report.affected[0].id, systems.crm.contacts()[0].id);

    systems.crm.faults().next(3, Fault::RateLimited { retry_after_s: 900 });
    let planned = ContactChange { next_try: Some(at() + TimeDelta::hours(1)), ..change };
    let report = unfinished(contacts.work(&planned).await).report;
    assert_eq!(report.next_attempt_by_automation_at, Some(at() + TimeDelta::hours(1)));
}

#[tokio::test]
async fn only_sure_and_unobjectionable_drafts_are_sent() {
    let systems = systems().await;
    let replies = SupportReplies { outbound: outbound(), mail_url: systems.mail.url.clone() };
    let draft = Draft {
        ticket: "T-1".into(),
        customer: "Yael Ben-Ami".into(),
        question: "?".into(),
        document: Document::json(r#"{"to":"yael@ben-ami.example"}"#.into()),
        confidence: 0.9,
        findings: Vec::new(),
        policy: None,
        started_at: at(),
        sensitivity: None,
        impact: None,
    };
    for (doubtful, class) in [
        (Draft { confidence: 0.79, ..draft.clone() }, FailureClass::LowConfidence),
        (Draft { findings: vec!["/body: is required".into()], ..draft.clone() }, FailureClass::InvalidOutput),
        (Draft { policy: Some(("refund", "too much".into())), ..draft.clone() }, FailureClass::Policy),
    ] {
        let report = unfinished(replies.work(&doubtful).await).report;
        assert_eq!((report.lane, report.failure.class), (Lane::NeedsReview, class));
        assert_eq!(report.effect.unwrap().status, EffectStatus::None);
    }
    assert_eq!(systems.mail.receipts().len(), 0);
    assert!(matches!(replies.work(&draft).await, Ending::Done { .. }));
}

#[tokio::test]
async fn an_order_whose_second_parcel_is_refused_has_a_partial_effect() {
    let systems = systems().await;
    let orders = OrderFulfilment { outbound: outbound(), warehouse_url: systems.warehouse.url.clone() };
    let parcel = |at: u8| Parcel {
        location: format!("LOC-{at}"),
        document: Document::json(format!(r##"{{"name":"#7","parcel":"#7/{at}"}}"##)),
    };
    let order = Order {
        name: "#7".into(),
        customer: "Léon Mercier".into(),
        document: Document::json("{}".into()),
        parcels: vec![parcel(1), parcel(2)],
        started_at: at(),
        impact: None,
        source_version: None,
        changed_to: None,
    };
    systems.warehouse.faults().matching("#7/2", 1, Fault::Status { code: 404, retry_after_s: None });
    let report = unfinished(orders.work(&order).await).report;
    assert_eq!(report.effect.unwrap().status, EffectStatus::Partial);
    assert_eq!(report.affected[0].id, systems.warehouse.shipments()[0].id);
    assert_eq!(systems.warehouse.shipments().len(), 1);
}

#[tokio::test]
async fn a_report_is_taken_with_its_token_whatever_the_document_is() {
    let (url, taken) = recourse_double::start().await;
    let recourse = Recourse::new(&url, "secret-token").unwrap();
    let systems = systems().await;
    for sample in rehearsal::samples::ALL {
        systems.ledger.faults().next(1, Fault::Status { code: 401, retry_after_s: None });
        let work = Invoice { number: sample.name.into(), document: sample.into(), ..invoice("") };
        let reported = unfinished(invoices(&systems).work(&work).await).hand_over(&recourse).await.unwrap();
        assert!(reported.created, "{}", sample.name);
    }
    assert_eq!(taken.items(), rehearsal::samples::ALL.len());
    assert!(taken.tokens().iter().all(|token| token == "secret-token"));
}
