//! One-time links: a new password, or joining after all.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use service::people::leave::{Account, DisablePerson, EnablePerson};

use super::{
    admin, detail, first_stage, id_of, is_in, is_out, link_for, notices, operator, second_stage, set_up_second_step,
};
use crate::{
    app::{PASSWORD, command_line, on_both},
    wire::{race, statuses},
};

const NEW: &str = "a herring in the attic";

on_both! {
    async fn a_reset_link_ends_the_sessions_at_once_and_is_told_of(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let admin = admin(app).await;
        let (link, entries) = app.audited(link_for(&admin, &email)).await;
        is_out(&amara).await;
        assert_eq!((entries.len(), entries[0].action, detail(&entries[0], "sessions_ended")), (1, AuditKind::ResetLinkMade, 1.into()));

        let visitor = app.browser();
        let page = visitor.get(&link).await.is(200).text();
        assert!(page.contains("Set a new password") && page.contains(&email), "{page}");
        let (done, entries) = app.audited(visitor.post(&link, &[("password", NEW)])).await;
        assert_eq!(done.location(), "/sign-in?done=password");
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::PasswordSet, AuditOutcome::Done));
        assert!(visitor.session().is_none(), "they sign in as always");
        amara.sign_in(&email).await.is(401);
        amara.sign_in_with(&email, NEW).await.is(303);
        let told = notices(&amara).await;
        assert!(told.contains("Ada made a link with which your password can be set anew") && told.contains("Your password was changed"));
    }

    async fn a_link_works_once_whoever_is_first(app) {
        let email = operator(app, "Amara").await;
        let link = link_for(&admin(app).await, &email).await;
        let answers = race(5, |n| {
            let (browser, link) = (app.browser(), link.clone());
            async move { browser.post(&link, &[("password", &format!("a herring in attic {n}"))]).await }
        }).await;
        assert_eq!(statuses(&answers), [(303, 1), (410, 4)]);
        app.browser().get(&link).await.is(410);
        app.browser().post(&link, &[("password", NEW)]).await.is(410);
        let winner = answers.iter().position(|answer| answer.status == 303).unwrap();
        app.browser().sign_in_with(&email, &format!("a herring in attic {winner}")).await.is(303);
        assert_eq!(app.audit_count(AuditKind::PasswordSet, AuditOutcome::Done).await, 1);
    }

    async fn a_reset_link_lasts_a_day_a_new_one_ends_it_and_so_does_another_password(app) {
        let email = operator(app, "Amara").await;
        let admin = admin(app).await;
        let old = link_for(&admin, &email).await;
        let new = link_for(&admin, &email).await;
        app.browser().get(&old).await.is(410);
        app.later(TimeDelta::hours(24) - TimeDelta::seconds(1));
        app.browser().get(&new).await.is(200);
        app.later(TimeDelta::seconds(1));
        app.browser().get(&new).await.is(410);
        app.browser().post(&new, &[("password", NEW)]).await.is(410);

        let admin = app.browser();
        admin.sign_in("ada@example.test").await.is(303);
        let link = link_for(&admin, &email).await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        amara.post("/me/security/password", &[("present", PASSWORD), ("password", NEW)]).await.is(303);
        app.browser().post(&link, &[("password", "another herring in the attic")]).await.is(410);
        app.browser().sign_in_with(&email, NEW).await.is(303);
    }

    async fn the_second_step_stays(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, codes) = set_up_second_step(&amara).await;
        let half = first_stage(app, &email).await;
        let link = link_for(&admin(app).await, &email).await;
        app.browser().post(&link, &[("password", NEW)]).await.is(303);
        second_stage(&half, &codes[0]).await.is(401);
        assert_eq!(amara.sign_in_with(&email, NEW).await.location(), "/sign-in/code");
        second_stage(&amara, &authenticator.next_code()).await.is(303);
        is_in(&amara).await;
    }

    async fn a_guess_is_refused_and_counted(app) {
        let admin = admin(app).await;
        for guess in ["/link/guess", "/link/%00", "/link/%2F..%2Fsetup", "/link/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
            let (answer, entries) = app.audited(app.browser().post(guess, &[("password", NEW)])).await;
            answer.is(410);
            assert_eq!((entries.len(), entries[0].outcome), (1, AuditOutcome::Refused), "{guess}");
            app.browser().get(guess).await.is(410);
        }
        for _ in 0..60 {
            let status = app.browser().post("/link/guess", &[("password", NEW)]).await.status;
            assert!(matches!(status, 410 | 429), "{status}");
        }
        app.browser().post("/link/guess", &[("password", NEW)]).await.is(429);
        let email = operator(app, "Amara").await;
        let link = link_for(&admin, &email).await;
        app.browser().post(&link, &[("password", NEW)]).await.is(429);
        app.later(TimeDelta::seconds(2));
        let (_, entries) = app.audited(app.browser().post("/link/guess", &[("password", NEW)])).await;
        assert_eq!(detail(&entries[0], "turned_away_before"), 6);
        app.later(TimeDelta::seconds(2));
        app.browser().post(&link, &[("password", NEW)]).await.is(303);
    }

    async fn a_weak_password_is_told_in_place_and_the_link_stays(app) {
        let email = operator(app, "Amara").await;
        let link = link_for(&admin(app).await, &email).await;
        for weak in ["", "short", "passwordpassword", "qwertyuiop12", &"x".repeat(1_025)] {
            let page = app.browser().post(&link, &[("password", weak)]).await.is(422).text();
            assert!(page.contains("aria-invalid=\"true\""), "{weak}: {page}");
            assert!(weak.is_empty() || !page.contains(&format!("value=\"{weak}\"")), "a password is never shown again");
        }
        app.browser().sign_in(&email).await.is(303);
        app.browser().post(&link, &[("password", NEW)]).await.is(303);
    }

    async fn a_disabled_account_s_link_is_void_and_none_is_made(app) {
        let email = operator(app, "Amara").await;
        let (admin, id) = (admin(app).await, id_of(app, &email).await);
        let link = link_for(&admin, &email).await;
        app.service.run(&command_line(), DisablePerson(Account::Email(email.clone()))).await.unwrap();
        app.browser().get(&link).await.is(410);
        app.browser().post(&link, &[("password", NEW)]).await.is(410);
        admin.post(&format!("/admin/people/{id}/link"), &[]).await.is(422);
        app.service.run(&command_line(), EnablePerson(id)).await.unwrap();
        app.browser().sign_in_with(&email, NEW).await.is(401);
    }

    async fn whoever_never_joined_gets_an_invitation_and_mends_their_name(app) {
        let admin = admin(app).await;
        let id = uuid::Uuid::new_v4().to_string();
        let fields = [("id", id.as_str()), ("email", "nele@example.test"), ("name", "Nele?"), ("role:operator", "on"), ("clearance", "internal")];
        let first = super::made(&admin.post("/admin/people/invite", &fields).await);
        let link = link_for(&admin, "nele@example.test").await;
        let nele = app.browser();
        nele.get(first.strip_prefix(&app.settings.public_url()).unwrap()).await.is(410);
        assert!(nele.get(&link).await.is(200).text().contains("Welcome to Recourse"));
        nele.post(&link, &[("name", " "), ("password", NEW)]).await.is(422);
        let (done, entries) = app.audited(nele.post(&link, &[("name", " Nele Brandt "), ("password", NEW)])).await;
        assert_eq!(done.location(), "/me");
        assert!(entries.iter().any(|row| row.action == AuditKind::PersonJoined && row.outcome == AuditOutcome::Done));
        assert!(nele.get("/me").await.is(200).text().contains("Nele Brandt"));
    }
}
