//! Sessions: how they begin, what they survive, how they end (R16).

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use service::people::leave::{Account, DisablePerson};

use crate::{
    app::{App, PASSWORD, command_line, on_both},
    browser::Browser,
    words::report,
};

async fn disable(app: &App, email: &str) {
    app.service.run(&command_line(), DisablePerson(Account::Email(email.into()))).await.unwrap();
}

async fn is_signed_out(browser: &Browser<'_>) {
    for path in ["/", "/queue", "/me", "/nothing-here", "/items/x", "/audit"] {
        assert!(
            browser.get(path).await.location().starts_with(if path == "/" { "/queue" } else { "/sign-in" })
                || path == "/",
            "{path}"
        );
    }
}

on_both! {
    async fn whoever_knows_the_password_is_in_and_comes_back_to_where_they_wanted(app) {
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let amara = app.browser();
        let sent = amara.get("/items/x?view=raw").await;
        assert_eq!(sent.location(), "/sign-in?next=%2Fitems%2Fx%3Fview%3Draw");
        let page = amara.get("/sign-in?next=%2Fitems%2Fx%3Fview%3Draw").await.is(200).text();
        assert!(page.contains("value=\"/items/x?view=raw\""), "{page}");
        let (done, entries) = app.audited(amara.post("/sign-in", &[("email", "  AMARA@example.test "), ("password", PASSWORD), ("next", "/items/x?view=raw")])).await;
        assert_eq!(done.location(), "/items/x?view=raw");
        assert_eq!((entries.len(), entries[0].action, entries[0].actor_name.as_str()), (1, AuditKind::SignedIn, "Amara"));
        assert_eq!(entries[0].request_id.as_deref(), Some(done.header("x-request-id")));
        assert!(amara.get("/me").await.is(200).text().contains("Amara"));
        let cookie = done.header("set-cookie");
        for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert_eq!(email, "amara@example.test");
    }

    async fn c33_wrong_unknown_and_disabled_are_told_the_same(app) {
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let gone = app.add("Gone", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        disable(app, &gone).await;
        let tries = [
            (email.as_str(), "wrong password"), (&email, ""), ("nobody@example.test", PASSWORD), (&gone, PASSWORD), ("", ""),
            (&email, &format!("{PASSWORD} ")), (&email, &PASSWORD.to_uppercase()), (&email, &"x".repeat(2_000)), ("a\0b", PASSWORD), (&email, &format!("{PASSWORD}\0")),
            ("amara@example.test\u{0}", PASSWORD), ("' OR 1=1 --", PASSWORD),
        ];
        let mut told = Vec::new();
        for (email, password) in tries {
            let browser = app.browser();
            let (answer, entries) = app.audited(browser.post("/sign-in", &[("email", email), ("password", password)])).await;
            assert_eq!(answer.status, 401, "{email}: {}", answer.text());
            assert!(browser.session().is_none(), "{email}");
            assert_eq!(entries.len(), 1, "{email}");
            assert_eq!((entries[0].action, entries[0].outcome), (AuditKind::SignedIn, AuditOutcome::Refused));
            assert!(!answer.text().contains(PASSWORD), "what was typed as a password is not shown again");
            told.push(answer.words().replace(&html(email), ""));
        }
        let same = told.iter().filter(|words| **words == told[0]).count();
        assert!(same >= 7, "of {} only {same} were told the same", told.len());
        assert_eq!(told[0], told[2], "wrong and unknown");
        assert_eq!(told[0], told[3], "wrong and disabled");
        app.browser().sign_in(&email).await.is(303);
    }

    async fn c73_signing_in_gives_a_new_session_and_what_was_known_before_is_worth_nothing(app) {
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let (victim, thief) = (app.browser(), app.browser());
        victim.plant("AAAAAAAAAAAAAAAAAAAAAA");
        thief.plant("AAAAAAAAAAAAAAAAAAAAAA");
        victim.sign_in(&email).await.is(303);
        assert_ne!(victim.session().unwrap(), "AAAAAAAAAAAAAAAAAAAAAA");
        is_signed_out(&thief).await;

        let first = victim.session().unwrap();
        victim.sign_in(&email).await.is(303);
        assert_ne!(victim.session().unwrap(), first, "signing in again too");
        thief.plant(&first);
        is_signed_out(&thief).await;
        victim.get("/queue").await.is(200);
    }

    async fn c73_after_signing_out_the_cookie_is_worth_nothing(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let cookie = amara.session().unwrap();
        assert_eq!(amara.get("/sign-out").await.location(), "/queue", "looking at an address signs nobody out");
        amara.get("/queue").await.is(200);
        let (done, entries) = app.audited(amara.post("/sign-out", &[])).await;
        assert_eq!(done.location(), "/sign-in");
        assert_eq!((entries.len(), entries[0].action, entries[0].actor_name.as_str()), (1, AuditKind::SignedOut, "Amara"));
        assert!(amara.session().is_none(), "the browser forgot it");
        amara.plant(&cookie);
        is_signed_out(&amara).await;
        assert_eq!(app.database.rows("session").await, 0);
    }

    async fn r16_a_disabled_person_is_out_at_their_next_request(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let elsewhere = app.browser();
        elsewhere.sign_in("amara@example.test").await.is(303);
        amara.get("/queue").await.is(200);
        disable(app, "amara@example.test").await;
        is_signed_out(&amara).await;
        is_signed_out(&elsewhere).await;
        amara.post(&format!("/items/{id}/cancel_retry"), &[("reason", "x")]).await.is(401);
        amara.sign_in("amara@example.test").await.is(401);
    }

    async fn r16_a_role_that_was_taken_counts_from_the_next_request(app) {
        app.invoices().await;
        app.add("Amara", &[Role::Operator, Role::Auditor], &["finance-ops"], Clearance::Internal).await;
        let amara = app.browser();
        amara.sign_in("amara@example.test").await.is(303);
        amara.get("/audit").await.is(200);
        app.database.take_role("amara@example.test", "auditor").await;
        amara.get("/audit").await.is(403);
        amara.get("/queue").await.is(200);
        app.database.take_role("amara@example.test", "operator").await;
        amara.get("/queue").await.is(403);
    }

    async fn c73_a_session_ends_after_twelve_hours_without_a_page_and_polling_does_not_keep_it(app) {
        app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        for _ in 0..3 {
            app.later(TimeDelta::hours(11));
            amara.get("/queue").await.is(200);
        }
        for _ in 0..3 {
            app.later(TimeDelta::hours(5));
            let poll = amara.request("POST", "/calls/arrivals").header("content-type", "application/json").header("sec-fetch-site", "same-origin");
            let _ = amara.exchange(poll.body(r#"{"query":"","since":0}"#)).await;
        }
        is_signed_out(&amara).await;
    }

    async fn next_leads_to_our_own_pages_and_nowhere_else(app) {
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let elsewhere = [
            "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "https:evil.example", "evil.example", "javascript:alert(1)", "", " //evil.example",
            "/\t/evil.example", "/\r\nLocation: https://evil.example", "/\n/evil.example", "///evil.example", "/%0d%0aevil\r", "http:/evil", "?x", "@evil.example", "/\u{0}",
        ];
        for next in elsewhere {
            let browser = app.browser();
            let done = browser.post("/sign-in", &[("email", &email), ("password", PASSWORD), ("next", next)]).await;
            assert_eq!(done.location(), "/queue", "{next:?}");
            let done = browser.post("/theme", &[("theme", "dark"), ("next", next)]).await;
            assert_eq!(done.location(), "/queue", "{next:?}");
        }
        for next in ["/queue?view=open", "/items/%2F%2Fevil", "/audit?from=2026-11-01#x"] {
            let done = app.browser().post("/sign-in", &[("email", &email), ("password", PASSWORD), ("next", next)]).await;
            assert_eq!(done.location(), next);
        }
    }

    async fn a_form_whose_session_ended_is_shown_to_be_kept_and_changes_nothing(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&report("INV-1")).await;
        let (answer, entries) = app.audited(app.browser().post(&format!("/items/{id}/cancel_retry"), &[("reason", "typed with care")])).await;
        answer.is(401);
        assert!(entries.is_empty());
    }

    async fn the_theme_is_anybodys_choice_and_comes_back(app) {
        let browser = app.browser();
        assert_eq!(browser.post("/theme", &[("theme", "dark"), ("next", "/sign-in")]).await.location(), "/sign-in");
        assert!(browser.get("/sign-in").await.text().contains("data-theme=\"dark\""));
        browser.post("/theme", &[("theme", "system")]).await.is(303);
        assert!(!browser.get("/sign-in").await.text().contains("data-theme="));
        browser.post("/theme", &[("theme", "\"><h1>x")]).await.is(303);
        assert!(!browser.get("/sign-in").await.text().contains("<h1>x"));
    }

    async fn a_form_that_is_too_large_or_none_at_all_is_refused(app) {
        let browser = app.browser();
        let long = "x".repeat(5 << 20);
        browser.post("/sign-in", &[("email", &long)]).await.is(413);
        let nonsense = browser.request("POST", "/sign-in").header("sec-fetch-site", "same-origin").body(&b"\xff\xfe%%%=&&=&email"[..]);
        browser.exchange(nonsense).await.is(401);
        let get = browser.get("/sign-in?email=amara@example.test&password=x").await.is(200);
        assert!(browser.session().is_none(), "{}", get.status);
    }
}

/// Text as it stands in HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
