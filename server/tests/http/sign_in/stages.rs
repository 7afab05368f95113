//! Between the password and the code: what makes the first stage void.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use service::people::leave::{Account, DisablePerson};

use super::{first_stage, is_in, is_out, operator, second_stage, set_up_second_step};
use crate::app::{PASSWORD, command_line, on_both};

on_both! {
    async fn a_code_without_a_password_before_it_is_refused(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, codes) = set_up_second_step(&amara).await;
        let stranger = app.browser();
        second_stage(&stranger, &authenticator.next_code()).await.is(401);
        second_stage(&stranger, &codes[0]).await.is(401);
        stranger.post("/sign-in/code", &[("email", &email), ("code", &codes[0])]).await.is(401);
        stranger.plant("AAAAAAAAAAAAAAAAAAAAAA");
        second_stage(&stranger, &codes[0]).await.is(401);
        is_out(&stranger).await;
        assert_eq!(app.audit_count(AuditKind::SignedIn, AuditOutcome::Done).await, 1);
        second_stage(&first_stage(app, &email).await, &codes[0]).await.is(303);
    }

    async fn a_wrong_password_after_a_right_one_does_not_become_the_first_stage_of_another(app) {
        let (email, other) = (operator(app, "Amara").await, operator(app, "Bilal").await);
        for name in [&email, &other] {
            let browser = app.browser();
            browser.sign_in(name).await.is(303);
            set_up_second_step(&browser).await;
        }
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        amara.sign_in_with(&other, "wrong horse battery").await.is(401);
        let (refused, entries) = app.audited(second_stage(&amara, "000000")).await;
        refused.is(401);
        assert_eq!(entries[0].actor_name, "Amara", "the code is asked of whose password fitted");
    }

    async fn the_code_may_take_ten_minutes(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        let (quick, slow) = (first_stage(app, &email).await, first_stage(app, &email).await);
        app.later(TimeDelta::minutes(10));
        second_stage(&quick, &authenticator.code()).await.is(303);
        app.later(TimeDelta::seconds(1));
        let refused = second_stage(&slow, &authenticator.code_in(30)).await.is(401);
        assert!(refused.text().contains("came too late"));
        is_out(&slow).await;
    }

    async fn who_is_half_signed_in_opens_nothing_and_is_forgotten_after_a_quarter_of_an_hour(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&crate::words::report("INV-1")).await;
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        set_up_second_step(&amara).await;
        amara.post("/sign-out", &[]).await.is(303);
        let half = first_stage(app, &email).await;
        for path in ["/queue", "/me", "/me/security", "/notices", "/audit", &format!("/items/{id}"), &format!("/items/{id}/revisions/1/payload")] {
            assert!(half.get(path).await.location().starts_with("/sign-in"), "{path}");
        }
        for path in [format!("/items/{id}/claim"), "/me/security/remove-two-step".into(), "/me/security/password".into()] {
            half.post(&path, &[("present", PASSWORD), ("password", "a herring in the attic")]).await.is(401);
        }
        let call = half.request("POST", "/calls/version").header("content-type", "application/json").header("sec-fetch-site", "same-origin");
        let said = half.exchange(call.body(format!("{{\"item\":\"{id}\"}}"))).await;
        assert_ne!(said.status, 200, "{}", said.text());
        app.later(TimeDelta::minutes(15) - TimeDelta::seconds(1));
        half.get("/sign-in/code").await.is(200);
        assert_eq!(app.service.sweep_sessions().await.unwrap(), 0);
        app.later(TimeDelta::seconds(1));
        assert_eq!(app.service.sweep_sessions().await.unwrap(), 1, "looking at the page kept it no longer");
    }

    async fn another_password_meanwhile_makes_the_first_stage_void(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, codes) = set_up_second_step(&amara).await;
        let thief = first_stage(app, &email).await;
        let fields = [("present", PASSWORD), ("password", "a herring in the attic")];
        amara.post("/me/security/password", &fields).await.is(303);
        second_stage(&thief, &authenticator.next_code()).await.is(401);
        second_stage(&thief, &codes[0]).await.is(401);
        is_out(&thief).await;
        let again = app.browser();
        assert_eq!(again.sign_in_with(&email, "a herring in the attic").await.location(), "/sign-in/code");
        second_stage(&again, &codes[0]).await.is(303);
        is_in(&again).await;
    }

    async fn who_is_disabled_meanwhile_is_not_let_in(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        let half = first_stage(app, &email).await;
        app.service.run(&command_line(), DisablePerson(Account::Email(email))).await.unwrap();
        second_stage(&half, &authenticator.next_code()).await.is(401);
        is_out(&half).await;
    }

    async fn the_first_stage_of_one_browser_is_worth_nothing_in_another(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        // Planted before, so that the thief would know it.
        let (victim, thief) = (app.browser(), app.browser());
        victim.plant("AAAAAAAAAAAAAAAAAAAAAA");
        thief.plant("AAAAAAAAAAAAAAAAAAAAAA");
        victim.sign_in(&email).await.is(303);
        second_stage(&thief, &authenticator.next_code()).await.is(401);
        let half = victim.session().unwrap();
        second_stage(&victim, &authenticator.next_code()).await.is(303);
        thief.plant(&half);
        is_out(&thief).await;
        is_in(&victim).await;
    }
}
