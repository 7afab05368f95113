use chrono::DateTime;
use domain::failure::FailureClass;
use uuid::Uuid;

use super::*;

fn query_of(url: &str) -> &str {
    url.split_once('?').map_or("", |(_, query)| query)
}

#[test]
fn nothing_asked_is_the_dead_letter_lane_oldest_first() {
    for nothing in ["", "view=&workflow=&q=&sort=", "utm=1", "q=%20%20"] {
        let asked = from_query(nothing);
        assert_eq!(asked.filter.view, View::Lane(Lane::DeadLetter));
        assert_eq!(asked.filter.sort, Sort::Oldest);
        assert!(!is_narrowed(&asked.filter) && asked.after.is_none() && asked.ignored.is_empty(), "{nothing}");
    }
}

#[test]
fn what_means_nothing_is_named_and_left_out() {
    let asked = from_query("view=everything&class=bad&sort=up&after=zz&workflow=a%00b&q=x&due=escalated&mine=no");
    assert_eq!(asked.filter.view, DEFAULT_VIEW);
    assert_eq!(asked.filter.class, None);
    assert_eq!(asked.filter.text.as_deref(), Some("x"));
    assert_eq!(asked.ignored.len(), 7);
    assert!(from_query(&format!("q={}", "x".repeat(201))).filter.text.is_none());
    assert!(from_query("q=a%00b").filter.text.is_none());
}

#[test]
fn what_an_address_says_comes_back() {
    let (at, id) = (DateTime::from_timestamp_micros(1_732_615_210_123_456).unwrap(), Uuid::from_u128(9));
    let views =
        [View::Open, View::Closed, View::Uncertain, View::Lane(Lane::DeadLetter), View::Lane(Lane::NeedsReview)];
    for view in views {
        let filter = ItemFilter {
            view,
            workflow: Some("a&b=c".to_owned()),
            step: Some(" s ".to_owned()),
            class: Some(FailureClass::RateLimited),
            text: Some("50% “é” \\_".to_owned()),
            sort: Sort::Due,
            due: Some(Level::AtRisk),
            mine: Some(Mine::nobody()),
            ..ItemFilter::open()
        };
        let after = Some(Cursor { at, id });
        let asked = from_query(query_of(&paths::queue(&filter, after)));
        assert_eq!(format!("{:?}", asked.filter), format!("{filter:?}"));
        assert_eq!(asked.after, after);
        assert!(asked.ignored.is_empty());
    }
}
