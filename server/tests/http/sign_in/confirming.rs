//! Confirming who one is before something consequential: the password again or, where there is a second step, its code.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};

use super::{admin, detail, first_stage, id_of, made, operator, second_stage, set_up_second_step};
use crate::app::{PASSWORD, on_both};

const ASKS_PASSWORD: &str = "Your password, to confirm that it is you";
const ASKS_CODE: &str = "A code of your authenticator, to confirm that it is you";

on_both! {
    async fn what_is_consequential_asks_for_the_password_again_after_ten_minutes(app) {
        let (admin, email) = (admin(app).await, operator(app, "Amara").await);
        let path = format!("/admin/people/{}", id_of(app, &email).await);
        app.later(TimeDelta::minutes(10) - TimeDelta::seconds(1));
        admin.post(&format!("{path}/sessions"), &[]).await.is(303);
        app.later(TimeDelta::seconds(1));
        let (refused, entries) = app.audited(admin.post(&format!("{path}/link"), &[])).await;
        assert!(refused.is(403).text().contains(ASKS_PASSWORD));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::ResetLinkMade, AuditOutcome::Refused));
        assert!(admin.get(&path).await.is(200).text().contains(ASKS_PASSWORD), "the page asks beforehand, too");

        let (wrong, entries) = app.audited(admin.post(&format!("{path}/link"), &[("confirm", "wrong horse battery")])).await;
        assert!(wrong.is(422).text().contains("The password is wrong."));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SteppedUp, AuditOutcome::Refused));
        assert_eq!(app.database.rows("invite").await, 0);

        let (done, entries) = app.audited(admin.post(&format!("{path}/link"), &[("confirm", PASSWORD)])).await;
        made(&done);
        let mut done: Vec<_> = entries.iter().map(|row| (row.action, row.outcome)).collect();
        done.sort_by_key(|(action, _)| action.as_str());
        assert_eq!(done, [(AuditKind::ResetLinkMade, AuditOutcome::Done), (AuditKind::SteppedUp, AuditOutcome::Done)]);
        app.later(TimeDelta::minutes(9));
        admin.post(&format!("{path}/link"), &[]).await.is(200);
    }

    async fn it_counts_for_the_session_that_confirmed_and_no_other(app) {
        let (admin, email) = (admin(app).await, operator(app, "Amara").await);
        let elsewhere = app.browser();
        elsewhere.sign_in("ada@example.test").await.is(303);
        app.later(TimeDelta::minutes(10));
        let path = format!("/admin/people/{}/link", id_of(app, &email).await);
        admin.post(&path, &[("confirm", PASSWORD)]).await.is(200);
        elsewhere.post(&path, &[]).await.is(403);
    }

    async fn confirming_the_wrong_way_is_counted(app) {
        let (admin, email) = (admin(app).await, operator(app, "Amara").await);
        let path = format!("/admin/people/{}/link", id_of(app, &email).await);
        app.later(TimeDelta::minutes(10));
        for _ in 0..10 {
            admin.post(&path, &[("confirm", "wrong horse battery")]).await.is(422);
        }
        admin.post(&path, &[("confirm", PASSWORD)]).await.is(429);
        // Whoever took the session over can't change the password by guessing either.
        admin.post("/me/security/password", &[("present", PASSWORD), ("password", "a herring in the attic")]).await.is(429);
        app.later(TimeDelta::seconds(30));
        let (_, entries) = app.audited(admin.post(&path, &[("confirm", "wrong horse battery")])).await;
        assert_eq!(detail(&entries[0], "turned_away_before"), 2);
        app.later(TimeDelta::seconds(30));
        admin.post(&path, &[("confirm", PASSWORD)]).await.is(200);
        app.browser().sign_in("ada@example.test").await.is(303);
    }

    async fn who_has_a_second_step_confirms_with_a_code_and_not_with_the_password(app) {
        let email = app.add("Ada", &[Role::Admin], &["triage"], domain::sensitivity::Clearance::Internal).await;
        let ada = app.browser();
        ada.sign_in(&email).await.is(303);
        let (authenticator, codes) = set_up_second_step(&ada).await;
        app.later(TimeDelta::minutes(10));
        let refused = ada.post("/me/security/recovery-codes", &[]).await.is(403).text();
        assert!(refused.contains(ASKS_CODE) && !refused.contains(ASKS_PASSWORD));
        let (refused, entries) = app.audited(ada.post("/me/security/recovery-codes", &[("confirm", PASSWORD)])).await;
        assert!(refused.is(422).text().contains("The code is wrong or was used before."));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SteppedUp, AuditOutcome::Refused));

        let code = authenticator.code();
        let new: Vec<String> = made(&ada.post("/me/security/recovery-codes", &[("confirm", &code)]).await).lines().map(str::to_owned).collect();
        second_stage(&first_stage(app, &email).await, &code).await.is(401);
        app.later(TimeDelta::minutes(10));
        ada.post("/me/security/recovery-codes", &[("confirm", &codes[0])]).await.is(422);
        ada.post("/me/security/recovery-codes", &[("confirm", &new[0])]).await.is(200);
    }

    async fn codes_that_confirm_are_counted_and_told_of_too(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        app.later(TimeDelta::minutes(10));
        for _ in 0..10 {
            amara.post("/me/security/remove-two-step", &[("confirm", "000000")]).await.is(422);
        }
        amara.post("/me/security/remove-two-step", &[("confirm", &authenticator.code())]).await.is(429);
        app.later(TimeDelta::seconds(30));
        let (_, entries) = app.audited(amara.post("/me/security/remove-two-step", &[("confirm", "000000")])).await;
        assert_eq!((entries.len(), detail(&entries[0], "turned_away_before")), (1, 1.into()));
    }

    async fn to_take_one_s_own_second_step_away_one_confirms(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        app.later(TimeDelta::minutes(10));
        amara.post("/me/security/remove-two-step", &[]).await.is(403);
        first_stage(app, &email).await;
        let done = amara.post("/me/security/remove-two-step", &[("confirm", &authenticator.code())]).await;
        assert_eq!(done.location(), "/me/security?done=two-step-off");
        assert!(amara.get(done.location()).await.text().contains("The second step was taken away."));
        app.browser().sign_in(&email).await.is(303);
        assert_eq!((app.database.rows("two_step").await, app.database.rows("recovery_code").await), (0, 0));
    }

    async fn to_set_one_up_one_confirms_at_its_beginning_and_at_its_end(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        app.later(TimeDelta::minutes(10));
        amara.post("/me/security/begin-two-step", &[]).await.is(403);
        assert_eq!(app.database.rows("two_step").await, 0);
        amara.post("/me/security/begin-two-step", &[("confirm", PASSWORD)]).await.is(303);
        let authenticator = super::begin_second_step(&amara).await;
        app.later(TimeDelta::minutes(10));
        amara.post("/me/security/confirm-two-step", &[("code", &authenticator.code())]).await.is(403);
        app.browser().sign_in(&email).await.is(303);
        let fields = [("code", authenticator.code()), ("confirm", PASSWORD.to_owned())];
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(made(&amara.post("/me/security/confirm-two-step", &fields).await).lines().count(), 10);
    }
}
