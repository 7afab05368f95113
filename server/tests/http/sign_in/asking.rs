//! "Can't sign in?": the same answer whether or not there is an account, and admins who are told (C33).

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use service::people::leave::{Account, DisablePerson};

use super::{admin, behind_a_proxy, notices, operator};
use crate::app::{App, command_line, on_both};

async fn asks(app: &App, email: &str, address: &str) -> crate::wire::Answer {
    app.browser().at(address).post("/sign-in/help", &[("email", email)]).await
}

on_both! {
    set up by behind_a_proxy;

    async fn c33_known_unknown_and_disabled_are_answered_the_same_and_admins_are_told_each_time(app) {
        let (amara, gone) = (operator(app, "Amara").await, operator(app, "Gone").await);
        app.service.run(&command_line(), DisablePerson(Account::Email(gone.clone()))).await.unwrap();
        let admin = admin(app).await;
        for (nth, email) in [amara.as_str(), "nobody@example.test", &gone, "", "no address", "a\0b@example.test"].iter().enumerate() {
            let (answer, entries) = app.audited(asks(app, email, &format!("198.51.100.{nth}"))).await;
            assert_eq!(answer.location(), "/sign-in/help?done=asked", "{email}");
            assert!(answer.headers.get("set-cookie").is_none(), "{email}");
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::ResetAsked, AuditOutcome::Done), "{email}");
        }
        let page = app.browser().get("/sign-in/help?done=asked").await.is(200).text();
        assert!(page.contains("If there is an account with this address, the admins were told."));
        let told = notices(&admin).await;
        for said in ["Amara (amara@example.test)", "nobody@example.test, which is nobody's here", "gone@example.test, which is nobody's here"] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }

    async fn c33_what_was_typed_can_t_pass_for_anything_else(app) {
        let admin = admin(app).await;
        asks(app, "<img src=x onerror=alert(1)>", "198.51.100.1").await.is(303);
        asks(app, &"x".repeat(100_000), "198.51.100.2").await.is(303);
        let told = notices(&admin).await;
        assert!(!told.contains("<img src=x") && told.contains("&lt;img src=x"));
        assert!(told.len() < 50_000, "what is too long is cut");
    }

    async fn c33_asking_is_counted_by_account_and_by_address(app) {
        let amara = operator(app, "Amara").await;
        let admin = admin(app).await;
        for nth in 0..3 {
            asks(app, &amara, &format!("198.51.100.{nth}")).await.is(303);
            asks(app, "nobody@example.test", &format!("203.0.113.{nth}")).await.is(303);
        }
        let (known, unknown) = (asks(app, &amara, "192.0.2.1").await, asks(app, "nobody@example.test", "192.0.2.2").await);
        assert_eq!((known.status, unknown.status), (429, 429));
        assert_eq!(known.words().replace(&amara, ""), unknown.words().replace("nobody@example.test", ""));
        for nth in 0..2 {
            asks(app, &format!("guess{nth}@example.test"), "192.0.2.1").await.is(303);
        }
        asks(app, "another@example.test", "192.0.2.1").await.is(429);
        assert_eq!(app.audit_count(AuditKind::ResetAsked, AuditOutcome::Done).await, 8);
        assert!(!notices(&admin).await.contains("another@example.test"));
        app.later(TimeDelta::minutes(10));
        asks(app, &amara, "192.0.2.1").await.is(303);
        asks(app, &amara, "192.0.2.1").await.is(429);
    }

    async fn asking_hinders_nobody_from_signing_in(app) {
        let amara = operator(app, "Amara").await;
        for _ in 0..10 {
            asks(app, &amara, "198.51.100.1").await;
        }
        app.browser().at("198.51.100.1").sign_in(&amara).await.is(303);
    }
}
