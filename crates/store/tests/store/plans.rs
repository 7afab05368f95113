//! A list walks an index of `item` in its order, however many items there are.

use domain::{failure::FailureClass, ids::TeamId, item::Lane};
use store::{Cursor, ItemFilter, Sort, View, registry};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::at,
};

const VIEWS: [View; 5] =
    [View::Open, View::Lane(Lane::DeadLetter), View::Lane(Lane::NeedsReview), View::Uncertain, View::Closed];

/// Every view in either order with no filter or one.
fn lists() -> Vec<ItemFilter> {
    let mut lists = Vec::new();
    for (view, sort) in
        VIEWS.into_iter().flat_map(|view| [(view, Sort::Oldest), (view, Sort::Newest), (view, Sort::Due)])
    {
        let plain = || ItemFilter { view, sort, ..ItemFilter::open() };
        lists.extend([
            plain(),
            ItemFilter { workflow: Some("invoice-sync".into()), ..plain() },
            ItemFilter { step: Some("create_invoice".into()), ..plain() },
            ItemFilter { class: Some(FailureClass::Timeout), ..plain() },
            ItemFilter { dedupe_key: Some("INV-1".into()), ..plain() },
            ItemFilter { text: Some("invoice".into()), ..plain() },
        ]);
    }
    lists
}

/// What is wrong with a plan on SQLite: it reads all items, or puts them in order itself.
fn fault_on_sqlite(plan: &[String]) -> Option<&str> {
    let reads_all = |step: &str| step.starts_with("SCAN item") && !step.contains(" USING ");
    let walks = |step: &str| step.contains(" item USING ") && step.contains("INDEX item_");
    if plan.iter().any(|step| reads_all(step)) {
        Some("reads every item")
    } else if plan.iter().any(|step| step.contains("TEMP B-TREE")) {
        Some("sorts")
    } else if !plan.iter().any(|step| walks(step)) {
        Some("walks no index of item")
    } else {
        None
    }
}

fn fault_on_postgres(plan: &[String]) -> Option<&str> {
    let any = |words: &str| plan.iter().any(|step| step.contains(words));
    if any("Seq Scan on item") {
        Some("reads every item")
    } else if any("Sort") {
        Some("sorts")
    } else if !any("Index Scan using item_") && !any("Index Scan Backward using item_") && !any("Index Only Scan") {
        Some("walks no index of item")
    } else {
        None
    }
}

/// Enough items, of enough kinds, for a planner to care.
async fn a_busy_year(db: &Database) -> [TeamId; 3] {
    let sample = db.an_item().await;
    let teams = [sample.team_id, db.team("sales").await.id, db.team("support").await.id];
    let columns = db.columns_of("item").await;
    let team = |n: usize| db.id(teams[n].0);
    let values: Vec<_> = columns
        .iter()
        .map(|column| match column.as_str() {
            "id" => db.either("CAST(printf('%016d', i) AS BLOB)", "lpad(to_hex(i), 32, '0')::uuid").to_owned(),
            "dedupe_key" => "CAST(i / 3 AS TEXT)".to_owned(),
            "step" => "CASE i % 3 WHEN 0 THEN 'read' WHEN 1 THEN 'create_invoice' ELSE 'send' END".to_owned(),
            "workflow_key" => {
                "CASE i % 7 WHEN 0 THEN 'crm-sync' WHEN 1 THEN 'orders' ELSE 'invoice-sync' END".to_owned()
            }
            "failure_class" => "CASE i % 11 WHEN 0 THEN 'stale' WHEN 1 THEN 'policy' ELSE 'timeout' END".to_owned(),
            "lane" => "CASE i % 2 WHEN 0 THEN 'dead_letter' ELSE 'needs_review' END".to_owned(),
            "effect" => "CASE i % 13 WHEN 0 THEN 'uncertain' ELSE 'none' END".to_owned(),
            "state" => "CASE i % 5 WHEN 0 THEN 'closed' ELSE 'open' END".to_owned(),
            "resolution" => "CASE i % 5 WHEN 0 THEN 'discarded' END".to_owned(),
            "closed_at" => "CASE i % 5 WHEN 0 THEN item.received_at END".to_owned(),
            "team_id" => format!("CASE i % 17 WHEN 0 THEN {} WHEN 1 THEN {} ELSE {} END", team(1), team(2), team(0)),
            "owner_team_id" => format!("CASE i % 19 WHEN 0 THEN {} WHEN 1 THEN {} END", team(1), team(2)),
            "received_at" => db
                .either(
                    "strftime('%Y-%m-%dT%H:%M:%S+00:00', item.received_at, '-' || i || ' minutes')",
                    "item.received_at - make_interval(mins => i)",
                )
                .to_owned(),
            other => format!("item.{other}"),
        })
        .collect();
    let numbers = "WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 60000)";
    let (columns, values) = (columns.join(", "), values.join(", "));
    let fill =
        format!("{numbers} INSERT INTO item ({columns}) SELECT {values} FROM number, item WHERE dedupe_key = 'INV-1'");
    assert_eq!(db.as_owner(&fill).await, Ok(60_000));
    if !db.is_sqlite() {
        // SQLite keeps no statistics unless it is told to, and the store does not tell it.
        db.as_owner("ANALYZE").await.unwrap();
    }
    teams
}

/// Whether rows are judged one by one after the walk, so that at most 5,000 of them are put in order again.
fn is_judged(filter: &ItemFilter) -> bool {
    let walked = filter.dedupe_key.is_some();
    if filter.sort == Sort::Due && filter.view != View::Closed {
        return filter.view != View::Open
            || walked
            || filter.workflow.is_some()
            || filter.step.is_some()
            || filter.class.is_some()
            || filter.text.is_some();
    }
    let filtered = walked || filter.workflow.is_some() || filter.step.is_some() || filter.class.is_some();
    let judged = match filter.view {
        View::Open => false,
        View::Closed => filtered && !walked,
        View::Lane(_) | View::Uncertain => filtered,
    };
    judged || filter.text.is_some()
}

async fn plans(db: &Database, filter: &ItemFilter, after: Option<Cursor>) -> [Vec<String>; 2] {
    db.look(async |uow| {
        if !db.is_sqlite() {
            // To a planner, putting a few thousand rows in order is nearly as good as walking among them.
            registry::execute(uow, "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off").await?;
        }
        registry::plans(uow, filter, after).await
    })
    .await
}

on_both! {
    async fn each_list_with_at_most_one_filter_walks_an_index_in_its_order_inside_a_persons_teams(db) {
        let amara = db.person("amara@example.test").await;
        for team in &a_busy_year(db).await[..2] {
            db.change(async |uow| uow.join_team(amara.id, *team).await).await;
        }
        let fault = db.either(fault_on_sqlite as fn(&[String]) -> Option<&str>, fault_on_postgres);
        let mut faults = Vec::new();
        for mut filter in lists() {
            for bound_to in [None, Some(amara.id)] {
                for after in [None, Some(Cursor { at: at(0), id: Uuid::nil() })] {
                    filter.bound_to = bound_to;
                    let [rows, walk] = plans(db, &filter, after).await;
                    let plans = if is_judged(&filter) { vec![walk] } else { vec![rows, walk] };
                    for plan in plans {
                        if let Some(fault) = fault(&plan) {
                            faults.push(format!("{fault}: {filter:?} after {after:?}\n  {}", plan.join("\n  ")));
                        }
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{} plans\n{}", faults.len(), faults.join("\n"));
    }
}
