//! Whose word about where a request comes from counts (C33, C99).

use chrono::TimeDelta;
use server::settings::Settings;

use super::{between, operator};
use crate::app::{App, on_both};

const WRONG: &str = "wrong horse battery";

async fn looked_at(app: &App, email: &str, forwarded: &str) -> u16 {
    app.browser().at(forwarded).sign_in_with(email, WRONG).await.status
}

on_both! {
    async fn c99_what_somebody_says_of_their_own_address_changes_nothing(app) {
        let amara = operator(app, "Amara").await;
        app.browser().at("203.0.113.7").sign_in(&amara).await.is(303);
        for nth in 0..60 {
            assert_eq!(looked_at(app, &format!("guess{nth}@example.test"), &format!("198.51.100.{nth}")).await, 401);
        }
        assert_eq!(looked_at(app, "guess@example.test", "192.0.2.1").await, 429, "it is one address, whatever it says");
        assert_eq!(app.browser().at("203.0.113.7").sign_in(&amara).await.status, 429);
    }

    async fn c99_a_pretended_address_is_not_shown_as_where_somebody_signed_in(app) {
        let amara = operator(app, "Amara").await;
        let browser = app.browser().at("203.0.113.7");
        browser.sign_in(&amara).await.is(303);
        let page = browser.get("/me/security").await.is(200);
        assert_eq!(between(&page, "<span class=\"sub mono\">", " ·").replace("<!>", ""), "127.0.0.1");
        assert!(!format!("{:?}", app.database.content_without(&[]).await).contains("203.0.113.7"));
    }
}

mod behind_two {
    use super::*;

    fn proxies(settings: &mut Settings) {
        settings.trusted_proxies = "127.0.0.1, 10.0.0.0/8".into();
    }

    on_both! {
        set up by proxies;

        async fn c99_only_what_our_own_proxies_added_counts(app) {
            let amara = operator(app, "Amara").await;
            // The client wrote the first part itself.
            for nth in 0..60 {
                let said = format!("198.51.100.{nth}, 203.0.113.9, 10.1.2.3");
                assert_eq!(looked_at(app, &format!("guess{nth}@example.test"), &said).await, 401);
            }
            assert_eq!(looked_at(app, "guess@example.test", "192.0.2.1, 203.0.113.9, 10.1.2.3").await, 429);
            assert_eq!(looked_at(app, "guess@example.test", "203.0.113.9").await, 429, "one proxy or two: the same client");
            assert_eq!(looked_at(app, "guess@example.test", "203.0.113.9, 192.0.2.1").await, 401, "another client");
            app.later(TimeDelta::minutes(5));
            for nth in 0..60 {
                // Of one subscriber's network every address counts as one.
                let said = format!("2001:db8:1:2:{nth:x}::1");
                assert_eq!(looked_at(app, &format!("guess{nth}@example.test"), &said).await, 401);
            }
            assert_eq!(looked_at(app, "guess@example.test", "2001:db8:1:2:ffff::9").await, 429);
            assert_eq!(looked_at(app, &amara, "2001:db8:1:3::1").await, 401);
        }

        async fn c99_what_is_no_address_is_not_taken_for_one(app) {
            for (nth, said) in ["", "unknown", "203.0.113.9:443, nonsense", "' OR 1=1 --", "<script>", "1.2.3.4,,"].iter().cycle().take(60).enumerate() {
                assert_eq!(looked_at(app, &format!("guess{nth}@example.test"), said).await, 401, "{said}");
            }
            assert_eq!(looked_at(app, "guess@example.test", "nonsense").await, 429, "they all count as the proxy itself");
        }
    }
}
