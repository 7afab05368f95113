//! How often a password may be tried for one account (C33, C99).

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use service::people::leave::{Account, DisablePerson};

use super::{admin, behind_a_proxy, detail, id_of, operator};
use crate::{
    app::{App, PASSWORD, command_line, on_both},
    wire::{Answer, race, statuses},
};

const WRONG: &str = "wrong horse battery";

/// Tries a wrong password from a stranger's address of its own; answers how often it was looked at.
async fn exhaust(app: &App, email: &str, address: &str) -> usize {
    let stranger = app.browser().at(address);
    for tried in 0..40 {
        match stranger.sign_in_with(email, WRONG).await.status {
            401 => {}
            429 => return tried,
            other => panic!("{other}"),
        }
    }
    panic!("nobody was turned away")
}

async fn disabled(app: &App, name: &str) -> String {
    let email = operator(app, name).await;
    app.service.run(&command_line(), DisablePerson(Account::Email(email.clone()))).await.unwrap();
    email
}

async fn invited(app: &App, name: &str) -> String {
    let email = format!("{}@example.test", name.to_lowercase());
    let (admin, id) = (admin(app).await, uuid::Uuid::new_v4().to_string());
    let fields =
        [("id", id.as_str()), ("email", &email), ("name", name), ("role:operator", "on"), ("clearance", "internal")];
    admin.post("/admin/people/invite", &fields).await.is(200);
    email
}

on_both! {
    set up by behind_a_proxy;

    async fn c33_after_ten_wrong_passwords_everybody_is_turned_away_with_the_same_page(app) {
        let (amara, never) = (operator(app, "Amara").await, invited(app, "Nele").await);
        let gone = disabled(app, "Gone").await;
        let mut told: Vec<Answer> = Vec::new();
        for (nth, email) in [amara.as_str(), "nobody@example.test", &gone, &never].into_iter().enumerate() {
            let address = format!("198.51.100.{nth}");
            assert_eq!(exhaust(app, email, &address).await, 10, "{email}");
            let turned_away = app.browser().at(&address).sign_in_with(email, WRONG).await;
            assert_eq!(turned_away.status, 429);
            assert!(turned_away.text().contains("Too many tries. Try again in 31 seconds."), "{}", turned_away.shown());
            told.push(turned_away);
        }
        let words = |nth: usize, email: &str| told[nth].words().replace(email, "");
        for (nth, email) in [(1, "nobody@example.test"), (2, gone.as_str()), (3, never.as_str())] {
            assert_eq!(words(nth, email), words(0, &amara), "{email}");
        }
    }

    async fn c33_what_was_used_up_comes_back_with_time_one_try_each_half_minute(app) {
        let amara = operator(app, "Amara").await;
        exhaust(app, &amara, "198.51.100.1").await;
        let stranger = app.browser().at("198.51.100.1");
        app.later(TimeDelta::seconds(29));
        stranger.sign_in_with(&amara, WRONG).await.is(429);
        app.later(TimeDelta::seconds(1));
        stranger.sign_in_with(&amara, WRONG).await.is(401);
        stranger.sign_in_with(&amara, WRONG).await.is(429);
        app.later(TimeDelta::minutes(5));
        assert_eq!(exhaust(app, &amara, "198.51.100.1").await, 10, "never more than that at once");
    }

    async fn c33_a_name_is_one_account_however_it_is_written(app) {
        let amara = operator(app, "Amara").await;
        exhaust(app, &amara, "198.51.100.1").await;
        for written in ["  amara@example.test", "AMARA@EXAMPLE.TEST", "Amara@example.test\n"] {
            app.browser().at("198.51.100.2").sign_in_with(written, WRONG).await.is(429);
        }
        app.browser().at("198.51.100.2").sign_in_with("bilal@example.test", WRONG).await.is(401);
    }

    async fn c99_a_stranger_can_t_keep_the_owner_out_where_they_signed_in_before(app) {
        let amara = operator(app, "Amara").await;
        let at_home = app.browser().at("203.0.113.7");
        at_home.sign_in(&amara).await.is(303);
        exhaust(app, &amara, "198.51.100.1").await;
        app.browser().at("198.51.100.1").sign_in(&amara).await.is(429);
        app.browser().at("192.0.2.1").sign_in(&amara).await.is(429);
        app.browser().at("203.0.113.7").sign_in(&amara).await.is(303);
        // Whoever sits beside the owner has tries of their own, and no more.
        assert_eq!(exhaust(app, &amara, "203.0.113.7").await, 10);
        app.later(TimeDelta::seconds(30));
        app.browser().at("192.0.2.1").sign_in(&amara).await.is(303);
    }

    async fn c99_where_somebody_signed_in_is_known_for_ninety_days_and_until_the_password_is_another(app) {
        let amara = operator(app, "Amara").await;
        app.browser().at("203.0.113.7").sign_in(&amara).await.is(303);
        app.later(TimeDelta::days(90) - TimeDelta::seconds(1));
        exhaust(app, &amara, "198.51.100.1").await;
        app.browser().at("203.0.113.7").sign_in(&amara).await.is(303);

        let at_home = app.browser().at("203.0.113.7");
        at_home.sign_in(&amara).await.is(303);
        let changed = [("present", PASSWORD), ("password", "a herring in the attic")];
        at_home.post("/me/security/password", &changed).await.is(303);
        app.browser().at("203.0.113.7").sign_in_with(&amara, "a herring in the attic").await.is(429);

        app.later(TimeDelta::hours(1));
        app.browser().at("203.0.113.7").sign_in_with(&amara, "a herring in the attic").await.is(303);
        app.later(TimeDelta::days(90));
        exhaust(app, &amara, "198.51.100.1").await;
        app.browser().at("203.0.113.7").sign_in_with(&amara, "a herring in the attic").await.is(429);
    }

    async fn success_gives_the_try_back(app) {
        let amara = operator(app, "Amara").await;
        for _ in 0..25 {
            app.browser().at("203.0.113.7").sign_in(&amara).await.is(303);
        }
        assert_eq!(exhaust(app, &amara, "203.0.113.7").await, 10);
    }

    async fn c99_of_a_hundred_who_try_at_once_no_more_are_looked_at_than_one_after_the_other(app) {
        let amara = operator(app, "Amara").await;
        let answers = race(100, |n| {
            let (stranger, amara) = (app.browser().at(&format!("198.51.100.{n}")), amara.clone());
            async move { stranger.sign_in_with(&amara, WRONG).await }
        }).await;
        assert_eq!(statuses(&answers), [(401, 10), (429, 90)]);
        assert_eq!(app.audit_count(AuditKind::SignedIn, AuditOutcome::Refused).await, 10);
    }

    async fn an_address_that_tries_many_accounts_is_turned_away_and_others_are_not(app) {
        let amara = operator(app, "Amara").await;
        let stranger = app.browser().at("198.51.100.1");
        for nth in 0..60 {
            stranger.sign_in_with(&format!("guess{nth}@example.test"), WRONG).await.is(401);
        }
        stranger.sign_in_with("another@example.test", WRONG).await.is(429);
        stranger.sign_in(&amara).await.is(429);
        app.browser().at("198.51.100.2").sign_in(&amara).await.is(303);
        app.later(TimeDelta::seconds(2));
        stranger.sign_in(&amara).await.is(303);
    }

    async fn how_many_were_turned_away_is_told_with_the_next_that_was_looked_at(app) {
        let amara = operator(app, "Amara").await;
        exhaust(app, &amara, "198.51.100.1").await;
        for _ in 0..6 {
            app.browser().at("198.51.100.2").sign_in_with(&amara, WRONG).await.is(429);
        }
        app.later(TimeDelta::seconds(30));
        let (_, entries) = app.audited(app.browser().at("192.0.2.1").sign_in_with(&amara, WRONG)).await;
        assert_eq!((entries.len(), detail(&entries[0], "turned_away_before")), (1, 7.into()));
        assert_eq!(detail(&entries[0], "address"), "192.0.2.1");
        app.browser().at("192.0.2.1").sign_in_with(&amara, WRONG).await.is(429);
        app.later(TimeDelta::seconds(30));
        let (_, entries) = app.audited(app.browser().at("192.0.2.1").sign_in(&amara)).await;
        assert_eq!((entries[0].outcome, detail(&entries[0], "turned_away_before")), (AuditOutcome::Done, 1.into()));
        assert_eq!(detail(&entries[0], "person"), id_of(app, &amara).await.to_string());
    }
}
