//! The first admin of an empty installation (C99).

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};

use crate::{
    app::{App, PASSWORD, on_both},
    wire::{race, statuses},
};

async fn link(app: &App) -> String {
    let link = app.service.invite_first_admin().await.unwrap().expect("nobody has an account yet");
    link.strip_prefix(&app.url).expect("it leads to this installation").to_owned()
}

fn fields(email: &str) -> [(&str, &str); 3] {
    [("email", email), ("name", "Ada"), ("password", PASSWORD)]
}

on_both! {
    async fn the_link_makes_one_admin_signs_them_in_and_is_used_up(app) {
        let link = link(app).await;
        let ada = app.browser();
        ada.get(&link).await.is(200);
        ada.get(&link).await.is(200);
        assert_eq!(app.database.rows("person").await, 0, "looking at it uses nothing up");
        let (done, entries) = app.audited(ada.post(&link, &fields("ada@example.test"))).await;
        assert_eq!(done.location(), "/me");
        assert!(ada.get("/me").await.is(200).text().contains("Ada"));
        let made: Vec<_> = entries.iter().filter(|entry| entry.action == AuditKind::FirstAdminCreated).collect();
        assert_eq!((made.len(), made[0].outcome), (1, AuditOutcome::Done));

        let second = app.browser();
        second.post(&link, &fields("eve@example.test")).await.is(410);
        second.get(&link).await.is(410);
        assert!(second.session().is_none());
        assert_eq!(app.database.rows("person").await, 1);
        assert!(app.service.invite_first_admin().await.unwrap().is_none(), "there is no second first admin");
    }

    async fn of_twenty_who_use_the_link_at_once_one_becomes_admin(app) {
        let link = link(app).await;
        let answers = race(20, |n| {
            let link = link.clone();
            async move { app.browser().post(&link, &fields(&format!("racer{n}@example.test"))).await }
        }).await;
        assert_eq!(statuses(&answers), [(303, 1), (410, 19)]);
        assert_eq!(app.database.rows("person").await, 1);
        assert_eq!(app.audit_count(AuditKind::FirstAdminCreated, AuditOutcome::Done).await, 1);
        assert_eq!(app.audit_count(AuditKind::FirstAdminCreated, AuditOutcome::Refused).await, 19);
    }

    async fn a_link_lasts_a_day_and_a_new_one_ends_it(app) {
        let old = link(app).await;
        let new = link(app).await;
        app.browser().post(&old, &fields("ada@example.test")).await.is(410);
        app.later(TimeDelta::hours(24) - TimeDelta::seconds(1));
        app.browser().get(&new).await.is(200);
        app.later(TimeDelta::seconds(1));
        app.browser().get(&new).await.is(410);
        app.browser().post(&new, &fields("ada@example.test")).await.is(410);
        app.browser().post("/setup/guess", &fields("ada@example.test")).await.is(410);
        assert_eq!(app.database.rows("person").await, 0);
    }

    async fn what_is_wrong_is_told_in_place_and_the_link_stays(app) {
        let link = link(app).await;
        let ada = app.browser();
        for wrong in [
            [("email", "no address"), ("name", "Ada"), ("password", PASSWORD)],
            [("email", "ada@example.test"), ("name", " "), ("password", PASSWORD)],
            [("email", "ada@example.test"), ("name", "Ada\0"), ("password", PASSWORD)],
            [("email", "a\0@example.test"), ("name", "Ada"), ("password", PASSWORD)],
            [("email", "ada@example.test"), ("name", "Ada"), ("password", "short")],
            [("email", "ada@example.test"), ("name", "Ada"), ("password", &"x".repeat(1_025))],
        ] {
            let page = ada.post(&link, &wrong).await.is(422).text();
            assert!(!page.contains(wrong[2].1), "a password is never shown again");
        }
        ada.post(&link, &fields("ada@example.test")).await.is(303);
    }

    async fn an_installation_with_people_has_no_first_admin_any_more(app) {
        let link = link(app).await;
        app.add("Amara", &[domain::permission::Role::Operator], &["finance-ops"], domain::sensitivity::Clearance::Internal).await;
        app.browser().post(&link, &fields("ada@example.test")).await.is(410);
    }
}
