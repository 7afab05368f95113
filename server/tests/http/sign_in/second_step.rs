//! Setting a second step up, and its codes.

use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};

use super::{
    admin, begin_second_step, detail, first_stage, id_of, is_in, is_out, made, notices, operator, second_stage,
    set_up_second_step,
};
use crate::app::{PASSWORD, on_both};

on_both! {
    async fn a_second_step_is_asked_for_once_a_code_was_shown_to_fit(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let authenticator = begin_second_step(&amara).await;
        assert_eq!(authenticator.secret.len(), 32, "160 bits");
        let page = amara.get("/me/security").await.is(200).text();
        assert!(page.contains("aria-label=\"Picture for authenticator apps\"") && page.contains("being set up"), "{page}");
        app.browser().sign_in(&email).await.is(303);

        let (refused, entries) = app.audited(amara.post("/me/security/confirm-two-step", &[("code", "000000")])).await;
        assert!(refused.is(422).text().contains("not the authenticator's code now"));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::TwoStepOn, AuditOutcome::Refused));
        assert_eq!(app.browser().sign_in(&email).await.location(), "/queue", "nothing is asked for yet");

        let code = authenticator.code();
        let fields = [("code", code.as_str())];
        let (confirmed, entries) = app.audited(amara.post("/me/security/confirm-two-step", &fields)).await;
        let codes: Vec<String> = made(&confirmed).lines().map(str::to_owned).collect();
        assert_eq!(codes.len(), 10);
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::TwoStepOn, AuditOutcome::Done));
        let page = amara.get("/me/security").await.is(200).text();
        assert!(page.contains("10 recovery codes are left."));
        assert!(!page.contains(&authenticator.secret[..4]) && !page.contains(&codes[0]), "shown only then");
        assert!(notices(&amara).await.contains("takes a second step from now on"));
        first_stage(app, &email).await;
    }

    async fn secrets_of_the_second_step_are_nowhere_in_the_trail(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, codes) = set_up_second_step(&amara).await;
        second_stage(&first_stage(app, &email).await, &authenticator.next_code()).await.is(303);
        let without = format!("{:?}", app.database.content_without(&["two_step"]).await);
        assert!(!without.contains(&authenticator.secret));
        for code in &codes {
            assert!(!without.contains(code.as_str()) && !without.contains(&code.replace('-', "")), "recovery codes are kept as digests");
        }
    }

    async fn signing_in_then_takes_two_stages_and_comes_back_to_where_they_wanted(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        let browser = app.browser();
        let fields = [("email", email.as_str()), ("password", PASSWORD), ("next", "/audit?action=item.claimed")];
        let (stage, entries) = app.audited(browser.post("/sign-in", &fields)).await;
        assert_eq!(stage.location(), "/sign-in/code?next=%2Faudit%3Faction%3Ditem.claimed");
        assert!(entries.is_empty(), "nobody is in yet");
        let page = browser.get(stage.location()).await.is(200).text();
        assert!(page.contains("value=\"/audit?action=item.claimed\""));
        is_out(&browser).await;
        let half = browser.session().unwrap();

        let code = authenticator.next_code();
        let typed = format!(" {} {} ", &code[..3], &code[3..]);
        let fields = [("code", typed.as_str()), ("next", "/audit?action=item.claimed")];
        let (done, entries) = app.audited(browser.post("/sign-in/code", &fields)).await;
        assert_eq!(done.location(), "/audit?action=item.claimed");
        assert_eq!((entries.len(), entries[0].action, entries[0].actor_name.as_str()), (1, AuditKind::SignedIn, "Amara"));
        assert_eq!(detail(&entries[0], "with"), "password and code");
        is_in(&browser).await;
        assert_ne!(browser.session().unwrap(), half, "a new session");
        browser.plant(&half);
        is_out(&browser).await;
        second_stage(&browser, &authenticator.next_code()).await.is(401);
    }

    async fn a_wrong_password_is_told_as_ever_and_a_second_step_is_not_told_of(app) {
        let (email, plain) = (operator(app, "Amara").await, operator(app, "Bilal").await);
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        set_up_second_step(&amara).await;
        let with = app.browser().sign_in_with(&email, "wrong horse battery").await.is(401);
        let without = app.browser().sign_in_with(&plain, "wrong horse battery").await.is(401);
        assert_eq!(with.words().replace(&email, ""), without.words().replace(&plain, ""));
    }

    async fn the_same_code_counts_once_wherever_it_is_shown(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        let (first, second) = (first_stage(app, &email).await, first_stage(app, &email).await);
        second_stage(&first, &authenticator.code()).await.is(401);
        let code = authenticator.next_code();
        second_stage(&first, &code).await.is(303);
        let refused = second_stage(&second, &code).await.is(401);
        assert!(refused.text().contains("was used before"));
        is_out(&second).await;
        app.later(TimeDelta::minutes(10));
        amara.post("/me/security/remove-two-step", &[("confirm", &code)]).await.is(422);
        second_stage(&first_stage(app, &email).await, &authenticator.code()).await.is(303);
    }

    async fn of_two_who_show_one_code_at_once_one_is_in(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        let browsers = [first_stage(app, &email).await, first_stage(app, &email).await, first_stage(app, &email).await];
        let code = authenticator.next_code();
        let answers = crate::wire::race(3, |n| second_stage(&browsers[n], &code)).await;
        assert_eq!(crate::wire::statuses(&answers), [(303, 1), (401, 2)]);
    }

    async fn a_code_of_the_step_before_or_after_fits_an_older_one_does_not(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        app.later(TimeDelta::minutes(5));
        let browser = first_stage(app, &email).await;
        second_stage(&browser, &authenticator.code_in(-60)).await.is(401);
        second_stage(&browser, &authenticator.code_in(60)).await.is(401);
        second_stage(&browser, &authenticator.code_in(-30)).await.is(303);
        second_stage(&first_stage(app, &email).await, &authenticator.code_in(30)).await.is(303);
        let late = first_stage(app, &email).await;
        second_stage(&late, &authenticator.code()).await.is(401);
        app.later(TimeDelta::minutes(1));
        second_stage(&late, &authenticator.code()).await.is(303);
    }

    async fn codes_are_counted_and_turned_away_after_five(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        app.later(TimeDelta::minutes(5));
        let thief = first_stage(app, &email).await;
        for _ in 0..5 {
            second_stage(&thief, "000000").await.is(401);
        }
        second_stage(&thief, "AAAA-AAAA-AAAA-AAAA").await.is(429);
        second_stage(&thief, &authenticator.code()).await.is(429);
        app.later(TimeDelta::minutes(1));
        let (refused, entries) = app.audited(second_stage(&thief, "000000")).await;
        assert!(refused.is(401).text().contains("Second step"));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SignedIn, AuditOutcome::Refused));
        assert_eq!(detail(&entries[0], "person"), id_of(app, &email).await.to_string());
        assert_eq!(detail(&entries[0], "turned_away_before"), 2);
        app.later(TimeDelta::minutes(1));
        second_stage(&thief, &authenticator.code()).await.is(303);
    }

    async fn who_has_one_sets_no_other_up_beside_it(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        amara.post("/me/security/begin-two-step", &[]).await.is(422);
        amara.post("/me/security/confirm-two-step", &[("code", &authenticator.next_code())]).await.is(422);
        second_stage(&first_stage(app, &email).await, &authenticator.next_code()).await.is(303);
    }

    async fn an_admin_who_takes_it_away_is_told_of_and_the_password_alone_is_enough_again(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (_, codes) = set_up_second_step(&amara).await;
        let half = first_stage(app, &email).await;
        let (admin, id) = (admin(app).await, id_of(app, &email).await);
        let (done, entries) = app.audited(admin.post(&format!("/admin/people/{id}/two-step"), &[])).await;
        done.is(303);
        assert_eq!((entries.len(), entries[0].action, entries[0].actor_name.as_str()), (1, AuditKind::TwoStepOff, "Ada"));
        assert!(notices(&amara).await.contains("Ada took the second step of your sign-in away"));
        app.browser().sign_in(&email).await.is(303);
        second_stage(&half, &codes[0]).await.is(401);
        let (_, entries) = app.audited(admin.post(&format!("/admin/people/{id}/two-step"), &[])).await;
        assert!(entries.is_empty(), "there is none any more");
    }
}
