//! The database is away: everybody is told to come back, in our own words (C81).

use domain::permission::Role;
use serde_json::json;

use crate::{
    app::on_both,
    words::{report, with},
};

/// Words that only a database or its driver uses.
const DATABASE_WORDS: &[&str] =
    &["SELECT", "sqlx", "sqlite", "postgres", "PoolClosed", "pool", "panicked", "127.0.0.1:5", "recourse.db"];

on_both! {
    async fn c81_without_its_database_the_application_says_so_and_nothing_else(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        assert_eq!(olga.get("/health").await.is(200).text(), "ready");
        app.service.close().await;

        let answers = [
            sync.report(&report("INV-2")).await, sync.report_text("{").await, sync.get("/api/v1/items").await, sync.get(&format!("/api/v1/items/{id}")).await,
            sync.attempt(&id, &json!({})).await, sync.patch(&id, &json!({ "succeeded": {} })).await, sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await,
            sync.send("POST", "/api/v1/items/batch", "{}").await,
        ];
        for answer in &answers {
            answer.problem(503, "unavailable");
            assert!(answer.header("retry-after").parse::<u32>().is_ok(), "{:?}", answer.headers);
        }
        let mut pages = vec![olga.get("/health").await];
        for path in ["/queue", "/me", "/audit", "/quarantine", &format!("/items/{id}"), &format!("/items/{id}/revisions/1/payload"), "/nothing"] {
            pages.push(olga.get(path).await);
        }
        for (path, fields) in [(format!("/items/{id}/cancel_retry"), [("reason", "x")]), ("/sign-out".into(), [("", "")])] {
            pages.push(olga.post(&path, &fields).await);
        }
        let stranger = app.browser();
        pages.push(stranger.sign_in("olga@example.test").await);
        pages.push(stranger.get("/setup/guess").await);
        for page in &pages {
            assert_eq!(page.status, 503, "{}", page.shown());
            for word in DATABASE_WORDS {
                assert!(!page.shown().contains(word), "{word}: {}", page.shown());
            }
        }
        for path in ["/favicon.ico", "/api/openapi.json", "/sign-in"] {
            stranger.get(path).await.is(200);
        }
        assert_eq!(app.nobody().get("/api/v1/items").await.status, 401, "what needs no database is answered");
        sync.get("/api/v1/nothing").await.problem(404, "not_found");
    }

    async fn a_batch_tells_each_report_that_it_was_not_kept(app) {
        let sync = app.invoices().await;
        let known = with(report("INV-1"), json!({ "report_id": "r-1" }));
        sync.report(&known).await.is(201);
        let body = json!({ "items": [known] }).to_string();
        sync.send("POST", "/api/v1/items/batch", body.clone()).await.is(200);
        app.service.close().await;
        sync.send("POST", "/api/v1/items/batch", body).await.problem(503, "unavailable");
    }
}
