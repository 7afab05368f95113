use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use rehearsal::{
    demonstration::{Target, fill},
    systems::Systems,
};
use serde_json::Value;

use crate::{outside::Clock, recourse_double};

fn seen(reports: &[Value], pointer: &str) -> BTreeSet<String> {
    reports.iter().filter_map(|report| report.pointer(pointer)?.as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn filling_takes_seconds_and_leaves_a_varied_queue() {
    let (base_url, taken) = recourse_double::start().await;
    let systems = Systems::start(Clock::start().now()).await.unwrap();
    let tokens = ["invoice-sync", "crm-sync", "support-replies", "order-fulfilment"];
    let tokens: BTreeMap<_, _> = tokens.iter().map(|key| ((*key).to_owned(), format!("token of {key}"))).collect();
    let target = Target { base_url, tokens, any_token: "any".to_owned() };

    let began = Instant::now();
    let filled = fill(target, &systems, Clock::start().now(), 7).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());

    let reports = taken.reports();
    assert!((60..=90).contains(&taken.items()), "{}", taken.items());
    assert_eq!(filled.reported, reports.len());
    assert_eq!(filled.refused, 2, "the two malformed reports and no other");
    assert!(filled.done >= 15, "{filled:?}");
    assert_eq!(seen(&reports, "/lane").len(), 2);
    assert_eq!(seen(&reports, "/workflow").len(), 5);
    let effects = seen(&reports, "/effect/status");
    assert!(["none", "uncertain", "partial"].iter().all(|effect| effects.contains(*effect)), "{effects:?}");
    assert!(seen(&reports, "/failure/class").len() == 17, "{:?}", seen(&reports, "/failure/class"));
    assert_eq!(seen(&reports, "/sensitivity").into_iter().collect::<Vec<_>>(), ["restricted"]);
    assert_eq!(taken.news().len(), 1);
    assert_eq!(taken.tokens().iter().collect::<BTreeSet<_>>().len(), 5);
    // What the reports leave open is really there or really not there.
    assert!(systems.ledger.invoices().len() > 9);
    assert_eq!([&systems.ledger.faults(), &systems.crm.faults()].map(|faults| faults.waiting()), [0, 0]);
    assert_eq!([&systems.mail.faults(), &systems.warehouse.faults()].map(|faults| faults.waiting()), [0, 0]);
}
