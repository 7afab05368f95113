//! A list costs no more because there is more: what is judged row by row is examined in parts, and counts are bounded.

use domain::failure::FailureClass;
use store::{Count, Cursor, ItemFilter, Page, Sort, View};

use crate::databases::{Database, on_both};

const ROWS: i64 = 12_000;

/// Twelve thousand open items of one age, in the order of their numbers, which are their keys. Number 11,000 holds the
/// needle; number 5,500 is the only one of its class.
async fn haystack(db: &Database) {
    let sample = db.an_item().await;
    let columns = db.columns_of("item").await;
    let values: Vec<_> = columns
        .iter()
        .map(|column| match column.as_str() {
            "id" => db.either("CAST(printf('%016d', i) AS BLOB)", "lpad(to_hex(i), 32, '0')::uuid").to_owned(),
            "dedupe_key" => "CAST(i AS TEXT)".to_owned(),
            "search_text" => "CASE WHEN i = 11000 THEN 'a needle' ELSE 'hay' END".to_owned(),
            "failure_class" => "CASE WHEN i = 5500 THEN 'stale' ELSE 'timeout' END".to_owned(),
            other => format!("item.{other}"),
        })
        .collect();
    let numbers = format!("WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < {ROWS})");
    let fill = format!(
        "{numbers} INSERT INTO item ({}) SELECT {} FROM number, item WHERE item.id = {}",
        columns.join(", "),
        values.join(", "),
        db.id(sample.id.0)
    );
    assert_eq!(db.as_owner(&fill).await, Ok(u64::try_from(ROWS).unwrap()));
    db.as_owner(&format!("DELETE FROM item WHERE id = {}", db.id(sample.id.0))).await.unwrap();
}

async fn page(db: &Database, filter: &ItemFilter, after: Option<Cursor>) -> Page {
    db.look(async |uow| uow.items(filter, after, 10).await).await
}

fn keys(page: &Page) -> Vec<&str> {
    page.items.iter().map(|item| item.dedupe_key.as_str()).collect()
}

/// Looks further until there is no further; answers what was found and on which page.
async fn search(db: &Database, filter: &ItemFilter) -> Vec<(usize, String)> {
    let (mut after, mut found) = (None, Vec::new());
    for number in 1.. {
        let page = page(db, filter, after).await;
        found.extend(keys(&page).into_iter().map(|key| (number, key.to_owned())));
        assert_eq!(page.look_further, page.next.is_some(), "a short page that has a next one says why it is short");
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    found
}

on_both! {
    async fn a_search_that_examined_its_share_offers_to_look_further_and_further_on_finds_the_needle(db) {
        haystack(db).await;
        let text = |sort| ItemFilter { text: Some("NEEDLE".into()), sort, ..ItemFilter::open() };
        let first = page(db, &text(Sort::Oldest), None).await;
        assert!(first.items.is_empty() && first.look_further);
        assert_eq!(search(db, &text(Sort::Oldest)).await, [(3, "11000".to_owned())]);
        assert_eq!(search(db, &text(Sort::Newest)).await, [(1, "11000".to_owned())]);

        let workflow = Some("invoice-sync".to_owned());
        let two = |sort| ItemFilter {
            workflow: workflow.clone(),
            class: Some(FailureClass::Stale),
            sort,
            ..ItemFilter::open()
        };
        assert_eq!(search(db, &two(Sort::Oldest)).await, [(2, "5500".to_owned())]);
        assert_eq!(search(db, &two(Sort::Newest)).await, [(2, "5500".to_owned())]);
        // The only one of its class, asked for by its class alone, is found at once.
        let class = ItemFilter { class: Some(FailureClass::Stale), ..ItemFilter::open() };
        let found = page(db, &class, None).await;
        assert_eq!((keys(&found), found.look_further), (vec!["5500"], false));
    }

    async fn a_full_page_is_no_reason_to_look_further(db) {
        haystack(db).await;
        let hay = ItemFilter { text: Some("hay".into()), ..ItemFilter::open() };
        let first = page(db, &hay, None).await;
        assert_eq!(
            (keys(&first), first.look_further),
            (vec!["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], false)
        );
        let second = page(db, &hay, first.next).await;
        assert_eq!(keys(&second)[..2], ["11", "12"]);
    }

    async fn counts_are_exact_up_to_ten_thousand_and_then_say_so(db) {
        haystack(db).await;
        let count = async |filter: ItemFilter| db.look(async |uow| uow.count_items(&filter).await).await;
        assert_eq!(count(ItemFilter::open()).await, Count { number: 10_000, more: true });
        assert_eq!(
            count(ItemFilter { view: View::Closed, ..ItemFilter::open() }).await,
            Count { number: 0, more: false }
        );
        let key = ItemFilter { dedupe_key: Some("7".into()), ..ItemFilter::open() };
        assert_eq!(count(key).await, Count { number: 1, more: false });
        let hay = ItemFilter { text: Some("hay".into()), ..ItemFilter::open() };
        assert_eq!(count(hay).await, Count { number: 5_000, more: true });

        assert_eq!(
            db.as_owner(&format!(
                "DELETE FROM item WHERE dedupe_key IN ({})",
                (10_001..=ROWS).map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ")
            ))
            .await,
            Ok(2_000)
        );
        assert_eq!(count(ItemFilter::open()).await, Count { number: 10_000, more: false });
    }
}
