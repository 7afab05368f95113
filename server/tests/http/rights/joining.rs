//! Joining by the link of an invitation.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};

use super::{holds, link_in, of_kind};
use crate::{
    app::{PASSWORD, on_both},
    wire::{race, statuses},
    words::{self, report},
};

on_both! {
    async fn who_is_invited_chooses_a_password_and_may_what_was_given(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let id = sync.reported(&report("INV-1")).await;
        let ada = app.admin("Ada").await;
        let link = ada.invite("jo@example.test", &["operator"], &["finance-ops"]).await;
        let jo = app.browser();
        for _ in 0..2 {
            let page = jo.get(&link).await.is(200).text();
            holds(&page, "name", "jo");
            assert!(page.contains("jo@example.test"), "looking at it uses nothing up");
        }
        let (done, entries) = app.audited(jo.join(&link, " Jo Berg ")).await;
        assert_eq!(done.location(), "/me");
        let [entry] = of_kind(&entries, AuditKind::PersonJoined, AuditOutcome::Done)[..] else { panic!("{entries:?}") };
        assert_eq!(entry.detail["person"], app.id_of("jo@example.test").await.to_string());

        assert!(jo.get("/me").await.is(200).text().contains("Jo Berg"), "they are signed in");
        jo.get(&format!("/items/{id}")).await.is(200);
        jo.work_on(&id, "comment", &[("text", "Here")]).await.is(303);
        jo.get("/admin/people").await.is(403);
        app.again("jo@example.test").await.get("/queue").await.is(200);
    }

    async fn a_link_lasts_three_days_and_can_be_made_anew(app) {
        let ada = app.admin("Ada").await;
        let old = ada.invite("jo@example.test", &["operator"], &[]).await;
        app.later(TimeDelta::hours(72) - TimeDelta::seconds(1));
        app.browser().get(&old).await.is(200);
        app.later(TimeDelta::seconds(1));
        let jo = app.browser();
        jo.get(&old).await.is(410);
        let (answer, entries) = app.audited(app.unchanged(jo.join(&old, "Jo"))).await;
        answer.is(410);
        assert_eq!(of_kind(&entries, AuditKind::PersonJoined, AuditOutcome::Refused).len(), 1);
        assert!(jo.session().is_none());

        let ada = app.again("ada@example.test").await;
        assert!(ada.get("/admin/people").await.is(200).text().contains("invitation ran out"));
        let new = link_in(app, &ada.change("jo@example.test", "link", &[]).await);
        jo.join(&new, "Jo").await.is(303);
    }

    async fn a_new_link_ends_the_one_before_and_a_used_one_is_used(app) {
        let ada = app.admin("Ada").await;
        let old = ada.invite("jo@example.test", &["operator"], &[]).await;
        let new = link_in(app, &ada.change("jo@example.test", "link", &[]).await);
        assert_ne!(old, new);
        let jo = app.browser();
        jo.get(&old).await.is(410);
        jo.join(&old, "Jo").await.is(410);
        jo.join(&new, "Jo").await.is(303);
        let other = app.browser();
        other.get(&new).await.is(410);
        app.unchanged(other.join(&new, "Eve")).await.is(410);
        assert!(other.session().is_none());
        app.browser().join("/link/guess", "Eve").await.is(410);
    }

    async fn of_links_that_are_made_at_once_one_works(app) {
        let ada = app.admin("Ada").await;
        ada.invite("jo@example.test", &["operator"], &[]).await;
        let links = race(6, |_| async { link_in(app, &ada.change("jo@example.test", "link", &[]).await) }).await;
        let mut open = 0;
        for link in &links {
            open += usize::from(app.browser().get(link).await.status == 200);
        }
        assert_eq!(open, 1);
    }

    async fn of_twenty_who_use_a_link_at_once_one_joins(app) {
        let ada = app.admin("Ada").await;
        let link = ada.invite("jo@example.test", &["operator"], &[]).await;
        let answers = race(20, |n| {
            let link = link.clone();
            async move { app.browser().join(&link, &format!("Racer {n}")).await }
        })
        .await;
        assert_eq!(statuses(&answers), [(303, 1), (410, 19)]);
        assert_eq!(app.database.rows("person").await, 2);
        assert_eq!(app.audit_count(AuditKind::PersonJoined, AuditOutcome::Done).await, 1);
        let winner = answers.iter().position(|answer| answer.status == 303).unwrap();
        assert_eq!(app.account("jo@example.test").await.listed.row.name, format!("Racer {winner}"));
    }

    async fn a_link_is_void_while_its_account_is_disabled_and_for_good_once_it_is_deleted(app) {
        let ada = app.admin("Ada").await;
        let (jo, bo) = ("jo@example.test", "bo@example.test");
        let links = [ada.invite(jo, &["operator"], &[]).await, ada.invite(bo, &["operator"], &[]).await];
        ada.change(jo, "disable", &[]).await.is(303);
        ada.change(bo, "delete", &[]).await.is(303);
        for link in &links {
            app.browser().get(link).await.is(410);
            app.unchanged(app.browser().join(link, "Jo")).await.is(410);
        }
        ada.change(jo, "enable", &[]).await.is(303);
        app.browser().join(&links[0], "Jo").await.is(410);
        let anew = link_in(app, &ada.change(jo, "link", &[]).await);
        app.browser().join(&anew, "Jo").await.is(303);
    }

    async fn what_is_wrong_is_told_in_place_and_the_link_stays(app) {
        let ada = app.admin("Ada").await;
        let link = ada.invite("jo@example.test", &["operator"], &[]).await;
        let jo = app.browser();
        let long = "x".repeat(1_025);
        for (name, password) in [("", PASSWORD), ("Jo\u{1}", PASSWORD), ("Jo", "short"), ("Jo", "aaaaaaaaaaaaaa"), ("Jo", long.as_str())] {
            let answer = app.unchanged(jo.post(&link, &[("name", name), ("password", password)])).await.is(422);
            let page = answer.text();
            assert!(!page.contains(&format!("value=\"{password}\"")), "a password is never shown again");
            if name == "Jo" {
                holds(&page, "name", "Jo");
            }
        }
        jo.join(&link, "Jo").await.is(303);
    }
}
