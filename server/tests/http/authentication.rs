//! Who may speak to the API: the holder of a token that stands, and nobody else.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;

use crate::{
    app::{Token, on_both},
    wire::Answer,
    words::report,
};

/// Insists that a request is refused for who asks, before anything else is looked at.
async fn is_refused(token: &Token<'_>, header: Option<&str>, code: &str) {
    // Too many at once would be turned away.
    token.app.later(TimeDelta::seconds(6));
    for (method, path) in [
        ("GET", "/api/v1/items"),
        ("POST", "/api/v1/items"),
        ("POST", "/api/v1/items/batch"),
        ("PATCH", "/api/v1/items/not-a-uuid"),
        ("GET", "/api/v1/items/00000000-0000-0000-0000-000000000000/revisions/1/payload"),
        ("POST", "/api/v1/items/00000000-0000-0000-0000-000000000000/attempts"),
    ] {
        let mut request = token.request(method, path).body("{");
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        let answer = Answer::to(request).await;
        answer.problem(401, code);
        assert_eq!(answer.header("www-authenticate"), "Bearer", "{method} {path} {header:?}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

on_both! {
    async fn without_a_token_that_stands_nothing_is_answered_and_nothing_kept(app) {
        let sync = app.invoices().await;
        // But for the refusals' own trace, and that they were counted.
        let trace = ["audit_entry", "throttle"];
        let before = app.database.content_without(&trace).await;
        let nobody = app.nobody();
        is_refused(&nobody, None, "not_signed_in").await;
        let secret = &sync.secret;
        for header in [
            "Bearer", "Bearer ", "bearer x", "Bearer rcs_unknown", &format!("Bearer {secret}x"), &format!("Bearer {}", &secret[..secret.len() - 1]),
            &format!("Basic {secret}"), secret, &format!("Bearer {secret} {secret}"), &format!("Bearer\t{secret}"), &secret.to_uppercase(),
        ] {
            is_refused(&nobody, Some(header), "bad_token").await;
        }
        assert_eq!(app.database.content_without(&trace).await, before, "R17 is for those who may report at all");
        Answer::to(nobody.request("GET", "/api/v1/items").header("authorization", format!("bEARER   {secret}"))).await.is(200);
    }

    async fn a_header_that_is_no_text_is_no_token(app) {
        let answer = Answer::to(app.nobody().request("GET", "/api/v1/items").header("authorization", &b"Bearer \xff\xfe"[..])).await;
        answer.problem(401, "bad_token");
    }

    async fn a_revoked_token_is_refused_at_once(app) {
        let sync = app.invoices().await;
        sync.report(&report("INV-1")).await.is(201);
        app.database.revoke_token("invoice-sync", app.service.now()).await;
        is_refused(&sync, None, "bad_token").await;
        assert_eq!(app.database.rows("quarantine").await, 0);
    }

    async fn a_token_ends_at_its_time(app) {
        let sync = app.invoices().await;
        app.database.expire_token("invoice-sync", app.service.now() + TimeDelta::hours(1)).await;
        app.later(TimeDelta::minutes(59));
        sync.get("/api/v1/items").await.is(200);
        app.later(TimeDelta::minutes(1));
        is_refused(&sync, None, "bad_token").await;
    }

    async fn only_a_hash_of_a_token_is_kept(app) {
        let sync = app.invoices().await;
        sync.report(&report("INV-1")).await.is(201);
        let everything = format!("{:?}", app.database.content_without(&[]).await);
        let bare = sync.secret.strip_prefix("rcs_").unwrap();
        let hex: String = sync.secret.bytes().map(|byte| format!("{byte:02X}")).collect();
        assert!(!everything.contains(bare) && !everything.to_uppercase().contains(&hex));
    }

    async fn a_session_does_not_open_the_api_and_a_token_does_not_open_the_pages(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        amara.get("/queue").await.is(200);
        amara.get("/api/v1/items").await.problem(401, "not_signed_in");
        amara.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.problem(401, "not_signed_in");
        let posted = amara.exchange(amara.request("POST", "/api/v1/items").header("sec-fetch-site", "same-origin").body(report("INV-2").to_string())).await;
        posted.problem(401, "not_signed_in");

        for path in ["/queue", &format!("/items/{id}"), &format!("/items/{id}/revisions/1/payload"), "/quarantine", "/audit", "/me"] {
            let answer = sync.get(path).await;
            assert!(answer.location().starts_with("/sign-in"), "{path}");
        }
        assert_eq!(app.database.rows("item").await, 1);
    }

    async fn every_answer_carries_its_own_request_id_whatever_the_caller_says(app) {
        let sync = app.invoices().await;
        let mut seen = std::collections::BTreeSet::new();
        for path in ["/api/v1/items", "/api/v1/items/x", "/health", "/queue", "/nothing", "/favicon.ico", "/api/openapi.json"] {
            let answer = Answer::to(sync.request("GET", path).header("x-request-id", "mine")).await;
            let id = answer.header("x-request-id").to_owned();
            assert_eq!(id.len(), 32, "{path}: {id}");
            assert!(seen.insert(id), "{path}");
        }
        let answer = sync.attempt("00000000-0000-0000-0000-000000000000", &json!({})).await;
        answer.problem(404, "not_found");
    }
}
