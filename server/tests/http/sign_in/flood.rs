//! Very many tries: the trail stays short and still tells of all of them (C99).

use chrono::TimeDelta;
use domain::{
    access::Caller,
    audit::{AuditKind, AuditOutcome},
    refusal::Refusal,
};
use service::Request;

use super::{behind_a_proxy, detail, operator};
use crate::{
    app::{App, on_both},
    words::report,
};

fn stranger(address: &str) -> Request {
    Request { address: Some(address.to_owned()), ..Request::of(Caller::Anonymous) }
}

/// Tries a wrong password; whether it was looked at.
async fn looked_at(app: &App, email: &str, address: &str) -> bool {
    let refused = app.service.sign_in(&stranger(address), email, "wrong horse battery".into()).await.unwrap_err();
    match refused.refusal().unwrap() {
        Refusal::BadCredentials => true,
        Refusal::TooManyTries { wait } => {
            assert!((1..=90).contains(wait), "{wait}");
            false
        }
        other => panic!("{other:?}"),
    }
}

on_both! {
    set up by behind_a_proxy;

    async fn c99_ten_thousand_wrong_passwords_leave_a_trail_that_can_be_read(app) {
        let amara = operator(app, "Amara").await;
        let mut looked = 0;
        for nth in 0..10_000 {
            // From five hundred addresses, and over a quarter of an hour.
            looked += usize::from(looked_at(app, &amara, &format!("198.51.{}.{}", nth % 4, nth % 250)).await);
            if nth % 1_000 == 999 {
                app.later(TimeDelta::seconds(90));
            }
        }
        assert_eq!(looked, 10 + 9 * 3, "ten at once, then one each half minute");
        app.later(TimeDelta::seconds(30));
        assert!(looked_at(app, &amara, "192.0.2.1").await);
        let entries: Vec<_> = app.audit().await.into_iter().filter(|row| row.action == AuditKind::SignedIn).collect();
        assert_eq!(entries.len(), looked + 1);
        let told: i64 = entries.iter().filter_map(|row| detail(row, "turned_away_before").as_i64()).sum();
        assert_eq!(told, 10_000 - i64::try_from(looked).unwrap());
        // The owner is not kept out for ever.
        app.later(TimeDelta::seconds(30));
        app.browser().at("192.0.2.1").sign_in(&amara).await.is(303);
    }

    async fn c99_requests_without_a_token_that_stands_are_turned_away_after_a_while_and_the_right_one_is_not(app) {
        let sync = app.invoices().await;
        let from = |address: &'static str, token: &'static str| {
            let request = app.nobody().request("GET", "/api/v1/items").header("x-forwarded-for", address);
            crate::wire::Answer::to(if token.is_empty() { request } else { request.bearer_auth(token) })
        };
        for nth in 0..60 {
            let (token, code) = if nth % 2 == 0 { ("", "not_signed_in") } else { ("rcs_guessed", "bad_token") };
            from("198.51.100.1", token).await.problem(401, code);
        }
        for token in ["", "rcs_guessed", "rcs_guessed"] {
            let answer = from("198.51.100.1", token).await;
            answer.problem(429, "too_many_tries");
            assert_eq!(answer.header("retry-after"), "2", "seconds until the next is looked at");
        }
        from("198.51.100.2", "rcs_guessed").await.problem(401, "bad_token");
        crate::wire::Answer::to(sync.request("GET", "/api/v1/items").header("x-forwarded-for", "198.51.100.1")).await.is(200);
        let reported = sync.request("POST", "/api/v1/items").header("x-forwarded-for", "198.51.100.1").body(report("INV-1").to_string());
        crate::wire::Answer::to(reported.header("content-type", "application/json")).await.is(201);
        assert_eq!(app.audit_count(AuditKind::TokenUsed, AuditOutcome::Refused).await, 61);

        app.later(TimeDelta::seconds(1));
        let (answer, entries) = app.audited(from("198.51.100.1", "rcs_guessed")).await;
        answer.problem(401, "bad_token");
        assert_eq!((entries.len(), detail(&entries[0], "turned_away_before")), (1, 3.into()));
    }

    async fn tries_are_forgotten_once_they_hold_nobody_back_and_only_then(app) {
        let amara = operator(app, "Amara").await;
        for _ in 0..12 {
            looked_at(app, &amara, "198.51.100.1").await;
        }
        app.service.sweep_sessions().await.unwrap();
        assert!(!looked_at(app, &amara, "198.51.100.1").await, "a sweep gives nobody tries");
        app.later(TimeDelta::hours(1));
        app.service.sweep_sessions().await.unwrap();
        assert!(looked_at(app, &amara, "192.0.2.1").await);
        let told = app.audit().await.pop().unwrap();
        assert_eq!(detail(&told, "turned_away_before"), 3, "nor does it forget whom nobody was told of");
        app.later(TimeDelta::hours(1));
        app.service.sweep_sessions().await.unwrap();
        assert_eq!(app.database.rows("throttle").await, 0);
    }
}
