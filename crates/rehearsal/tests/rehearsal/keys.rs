use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use rehearsal::systems::{Fault, Ledger};

use crate::outside::{Clock, invoice, json};

#[tokio::test]
async fn the_same_key_with_the_same_parameters_gets_the_first_answer_again() {
    let ledger = Ledger::start(Clock::start().now()).await.unwrap();
    let first = json(invoice(&ledger.url, "k", r#"{"total":40.00}"#).send().await.unwrap()).await;
    let second = json(invoice(&ledger.url, "k", r#"{"total":40.00}"#).send().await.unwrap()).await;
    assert_eq!(first, second);
    assert_eq!(ledger.kept_with_key("k").len(), 1);
}

#[tokio::test]
async fn the_same_key_with_other_parameters_is_an_error() {
    let ledger = Ledger::start(Clock::start().now()).await.unwrap();
    invoice(&ledger.url, "k", r#"{"total":40.00}"#).send().await.unwrap();
    let refused = invoice(&ledger.url, "k", r#"{"total":40.0}"#).send().await.unwrap();
    assert_eq!(refused.status(), 400);
    assert_eq!(json(refused).await["error"]["type"], "idempotency_error");
    assert_eq!(ledger.invoices().len(), 1);
}

#[tokio::test]
async fn a_refusal_is_not_remembered() {
    let ledger = Ledger::start(Clock::start().now()).await.unwrap();
    ledger.faults().next(1, Fault::Status { code: 503, retry_after_s: None });
    assert_eq!(invoice(&ledger.url, "k", "{}").send().await.unwrap().status(), 503);
    assert_eq!(invoice(&ledger.url, "k", r#"{"other":1}"#).send().await.unwrap().status(), 201);
}

#[tokio::test]
async fn a_key_is_forgotten_after_a_day() {
    let clock = Clock::start();
    let ledger = Ledger::start(clock.now()).await.unwrap();
    invoice(&ledger.url, "k", "{}").send().await.unwrap();
    clock.pass(TimeDelta::hours(24));
    invoice(&ledger.url, "k", "{}").send().await.unwrap();
    assert_eq!(ledger.invoices().len(), 1);
    clock.pass(TimeDelta::seconds(1));
    invoice(&ledger.url, "k", "{}").send().await.unwrap();
    assert_eq!(ledger.invoices().len(), 2);
}

#[tokio::test]
async fn requests_are_counted_per_key_also_when_they_race() {
    let ledger = Ledger::start(Clock::start().now()).await.unwrap();
    let racing = (0..20).map(|at| {
        invoice(&ledger.url, if at % 2 == 0 { "even" } else { "odd" }, "{}").timeout(Duration::from_secs(20)).send()
    });
    join_all(racing).await.into_iter().for_each(|answer| assert!(answer.unwrap().status().is_success()));
    for key in ["even", "odd"] {
        let receipts = ledger.receipts();
        let counts: Vec<_> =
            receipts.iter().filter(|one| one.key.as_deref() == Some(key)).map(|one| one.nth_with_key).collect();
        assert_eq!(counts, (1..=10).collect::<Vec<_>>());
        assert_eq!(ledger.kept_with_key(key).len(), 1);
    }
}
