use rehearsal::systems::{Running, Sink};

use crate::outside::{Clock, caller, get, json};

async fn sink() -> Running<Sink> {
    Sink::start(Clock::start().now()).await.unwrap()
}

fn to(sink: &Running<Sink>, mode: &str, key: &str, body: &'static str) -> reqwest::RequestBuilder {
    caller().post(format!("{}/{mode}", sink.url)).header("idempotency-key", key).body(body)
}

#[tokio::test]
async fn codes_are_answered_as_asked() {
    let sink = sink().await;
    for (mode, code) in [
        ("ok", 200),
        ("created", 201),
        ("202", 202),
        ("204", 204),
        ("301", 301),
        ("307", 307),
        ("400", 400),
        ("408", 408),
        ("409", 409),
        ("422", 422),
        ("425", 425),
        ("429", 429),
        ("500", 500),
        ("503?retry_after=9", 503),
        ("wrong", 200),
    ] {
        assert_eq!(to(&sink, mode, "k", "x").send().await.unwrap().status().as_u16(), code, "{mode}");
    }
    assert_eq!(sink.lines().len(), 15);
    assert_eq!(sink.lines()[14].nth_with_key, 15);
    assert_eq!(sink.kept().len(), 5);
    let busy = to(&sink, "503?retry_after=9", "k", "x").send().await.unwrap();
    assert_eq!(busy.headers()["retry-after"], "9");
    let moved = to(&sink, "307?to=http%3A%2F%2F169.254.169.254%2F", "k", "x").send().await.unwrap();
    assert_eq!(moved.headers()["location"], "http://169.254.169.254/");
}

#[tokio::test]
async fn hanging_and_broken_answers_are_kept_lines() {
    let sink = sink().await;
    for mode in ["hang?s=600", "reset"] {
        assert!(to(&sink, mode, mode, "x").send().await.is_err(), "{mode}");
    }
    for mode in ["cut", "drip?s=600"] {
        assert!(to(&sink, mode, mode, "x").send().await.unwrap().bytes().await.is_err(), "{mode}");
    }
    let big = to(&sink, "bigbody?mb=2", "big", "x").send().await.unwrap();
    assert_eq!(big.bytes().await.unwrap().len(), 2_000_000);
    assert_eq!(sink.kept().len(), 5);
}

#[tokio::test]
async fn repeats_are_recognised_the_stripe_way_or_dropped() {
    let sink = sink().await;
    let first = json(to(&sink, "stripe", "k", "a").send().await.unwrap()).await;
    assert_eq!(json(to(&sink, "stripe", "k", "a").send().await.unwrap()).await, first);
    assert_eq!(to(&sink, "stripe", "k", "b").send().await.unwrap().status(), 400);
    for _ in 0..2 {
        assert_eq!(to(&sink, "dedupe", "d", "a").send().await.unwrap().status(), 200);
    }
    assert_eq!(sink.kept().len(), 2);
    assert_eq!(get(&format!("{}/lookup?key=d", sink.url)).await.1["count"], 1);
    assert_eq!(get(&format!("{}/lookup/absent?key=d", sink.url)).await.1["count"], 0);
    assert_eq!(get(&format!("{}/lookup/unavailable?key=d", sink.url)).await.0, 503);
}

#[tokio::test]
async fn limits_flakiness_and_sources() {
    let sink = sink().await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(to(&sink, "limit?rps=3", "l", "x").send().await.unwrap().status().as_u16());
    }
    assert_eq!(codes, [200, 200, 200, 429]);
    assert_eq!(to(&sink, "flaky?fail=1", "f", "x").send().await.unwrap().status(), 503);
    assert_eq!(to(&sink, "flaky?fail=1", "f", "x").send().await.unwrap().status(), 200);
    assert_eq!(get(&format!("{}/source/order-1", sink.url)).await.0, 404);
    sink.set_source("order-1", "v1");
    sink.set_source("order-1", "v2");
    assert_eq!(get(&format!("{}/source/order-1", sink.url)).await.1["etag"], "v2");
}
