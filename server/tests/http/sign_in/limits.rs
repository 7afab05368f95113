//! How long a session lasts: without a page being looked at, and at all (C73).

use chrono::TimeDelta;
use server::settings::Settings;

use super::{is_in, is_out, operator};
use crate::app::on_both;

fn an_hour_and_four(settings: &mut Settings) {
    settings.session_idle = "1h".into();
    settings.session_lifetime = "4h".into();
}

on_both! {
    set up by an_hour_and_four;

    async fn a_session_ends_an_hour_after_the_last_page(app) {
        let email = operator(app, "Amara").await;
        let (amara, bilal) = (app.browser(), app.browser());
        amara.sign_in(&email).await.is(303);
        bilal.sign_in(&email).await.is(303);
        app.later(TimeDelta::hours(1) - TimeDelta::microseconds(1));
        is_in(&amara).await;
        app.later(TimeDelta::microseconds(1));
        is_out(&bilal).await;
        is_in(&amara).await;
        app.later(TimeDelta::minutes(59));
        assert_eq!(app.service.sweep_sessions().await.unwrap(), 1);
        is_in(&amara).await;
    }

    async fn c73_it_ends_after_four_hours_although_pages_are_looked_at(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        for _ in 0..4 {
            app.later(TimeDelta::minutes(50));
            is_in(&amara).await;
        }
        app.later(TimeDelta::minutes(40) - TimeDelta::microseconds(1));
        is_in(&amara).await;
        app.later(TimeDelta::microseconds(1));
        is_out(&amara).await;
        assert_eq!(app.service.sweep_sessions().await.unwrap(), 1);
        amara.sign_in(&email).await.is(303);
        is_in(&amara).await;
    }

    async fn the_page_says_when_each_ends(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        let signed_in = amara.sign_in(&email).await.is(303);
        assert!(signed_in.header("set-cookie").contains("Max-Age=14400"), "{}", signed_in.header("set-cookie"));
        app.later(TimeDelta::minutes(30));
        is_in(&amara).await;
        let page = amara.get("/me/security").await.is(200).text();
        assert!(page.contains("2026-11-29T11:30:00"), "an hour after the last page");
    }

    async fn c73_what_asks_by_itself_prolongs_nothing(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&crate::words::report("INV-1")).await;
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        for asked in [("arrivals", r#"{"query":"","since":0}"#.to_owned()), ("version", format!("{{\"item\":\"{id}\"}}"))] {
            for _ in 0..3 {
                app.later(TimeDelta::minutes(9));
                let poll = amara.request("POST", &format!("/calls/{}", asked.0)).header("content-type", "application/json");
                amara.exchange(poll.header("sec-fetch-site", "same-origin").body(asked.1.clone())).await.is(200);
            }
        }
        app.later(TimeDelta::minutes(6));
        is_out(&amara).await;
    }

    async fn what_was_typed_when_the_session_ended_is_shown_to_be_kept(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        app.later(TimeDelta::hours(1));
        let fields = [("present", crate::app::PASSWORD), ("password", "a herring in the attic"), ("reason", "typed with [care] & 100%")];
        let page = amara.post("/me/security/password", &fields).await.is(401).text();
        assert!(page.contains("typed with [care] &amp; 100%"));
        assert!(!page.contains("herring"), "a password is never shown again");
    }
}
