//! The real binary, killed at random instants while replays are in flight (R6, C30): every item ends sent or uncertain,
//! destinations that remember keys hold one record for each, and where a repeat would not be recognised nothing is repeated.
//!
//! `RECOURSE_KILLS` says how often it is killed (12), `RECOURSE_SEED` where the random choices begin; what happened is told by the
//! test's log: `RUST_LOG=http=info cargo test -p recourse --test http kills`.

mod process;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use rehearsal::systems::{Fault, Running, Sink};
use serde_json::Value;
use service::clock::Clock as _;
use tracing_subscriber::EnvFilter;

use crate::{databases::Database, dice::Dice};
use process::Installation;

/// Replays that are asked for in each round.
const A_ROUND: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c30_r6_killed_at_any_instant_nothing_is_sent_twice_or_lost_sqlite() {
    story(Database::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c30_r6_killed_at_any_instant_nothing_is_sent_twice_or_lost_postgres() {
    story(Database::postgres().await).await;
}

#[expect(clippy::disallowed_methods, reason = "a drill is told how long it is by whoever starts it")]
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

async fn story(database: Database) {
    let (kills, seed) = (number("RECOURSE_KILLS", 12) as usize, number("RECOURSE_SEED", 20_261_130));
    let _told_by_another_test =
        tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).with_test_writer().try_init();
    let mut dice = Dice(seed);
    let sink = Sink::start(Arc::new(|| service::clock::SystemClock.now())).await.unwrap();
    // Answers take about half a second, so that kills meet them on their way.
    sink.faults().always(Fault::Drip { pause_ms: 10 });
    let steps: Vec<&str> = ["remembers", "forgets"].into_iter().cycle().take(kills * A_ROUND).collect();
    let installation = Installation::set_up(&database.url, &sink.url, &steps).await;

    let mut in_flight = Vec::new();
    for round in 0..kills {
        let mut process = installation.start().await;
        let items = &installation.items[round * A_ROUND..(round + 1) * A_ROUND];
        process.replay(items, Duration::from_millis(dice.below(1_200) as u64)).await;
        process.kill().await;
        in_flight.push(installation.under_way(items).await);
    }
    tracing::info!(kills, seed, ?in_flight, "replays under way at each kill");
    assert!(in_flight.iter().any(|count| *count > 0), "the kills met nothing in flight: {in_flight:?}");

    let process = installation.start().await;
    installation.until_settled(&installation.items).await;
    let ended = installation.items_as_they_stand(&process).await;
    process.kill().await;
    check(&ended, &sink);
    drop(sink);
    database.remove().await;
}

/// C39: destinations that hang hold nothing up: what goes elsewhere is sent and answered while they still do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c39_destinations_that_hang_hold_up_nobody_else() {
    let database = Database::sqlite().await;
    let sink = Sink::start(Arc::new(|| service::clock::SystemClock.now())).await.unwrap();
    let steps: Vec<&str> = std::iter::repeat_n("hangs", 20).chain(std::iter::repeat_n("forgets", 10)).collect();
    let installation = Installation::set_up(&database.url, &sink.url, &steps).await;
    let mut process = installation.start().await;
    let (hanging, others) = installation.items.split_at(20);
    for (items, arrived) in [(hanging, 20), (others, 30)] {
        // Who was asked for before is refused a second time.
        while sink.lines().len() < arrived {
            process.replay(items, Duration::from_millis(200)).await;
        }
    }
    installation.until_settled(others).await;
    assert_eq!(installation.under_way(hanging).await, 20, "they hang all the while");
    assert_eq!(sink.kept().len(), 30, "each was sent once");
    process.kill().await;
    drop(sink);
    database.remove().await;
}

/// What must hold for every item, by what the destination really saw.
fn check(items: &BTreeMap<String, Value>, sink: &Running<Sink>) {
    let (lines, kept) = (sink.lines(), sink.kept());
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for (id, item) in items {
        let state = item["state"].as_str().unwrap();
        let effect = item["effect"]["status"].as_str().unwrap();
        *ends.entry(format!("{state} {effect}")).or_default() += 1;
        let own: Vec<_> = lines.iter().filter(|line| line.header("recourse-item") == Some(id)).collect();
        let records: Vec<_> =
            kept.iter().filter(|record| own.iter().any(|line| line.number == record.receipt)).collect();
        match (state, effect) {
            ("closed", "confirmed") => {
                let record = item["effect"]["record_id"].as_str().unwrap();
                assert!(
                    records.iter().any(|kept| kept.id == record),
                    "{id} closed with a record that is not there: {item}"
                );
            }
            ("open", "uncertain") => {}
            // Never asked for before the kill, or given back unsent.
            ("open", "none") => assert!(own.is_empty(), "{id} was sent and nobody says so: {item}"),
            other => panic!("{id} ended as {other:?}: {item}"),
        }
        let keys: std::collections::BTreeSet<_> = own.iter().map(|line| line.key.clone()).collect();
        assert!(keys.len() <= 1, "{id} went out under several keys: {keys:?}");
        assert!(records.len() <= 1, "{id} made {} records", records.len());
        if item["step"] == "forgets" {
            assert!(own.len() <= 1, "{id} was sent {} times to a destination that would not notice", own.len());
        }
    }
    let repeats = lines.iter().filter(|line| line.nth_with_key > 1).count();
    tracing::info!(items = items.len(), ?ends, requests = lines.len(), repeats, records = kept.len(), "how they ended");
}
