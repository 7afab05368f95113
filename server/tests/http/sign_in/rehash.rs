//! A hash that was made with other parameters is replaced when its password is used (C75).

use domain::audit::{AuditKind, AuditOutcome};

use super::{behind_a_proxy, first_stage, operator, second_stage, set_up_second_step};
use crate::{
    app::{PASSWORD, on_both},
    wire::{race, statuses},
};

/// Everybody's password, as it might have been hashed before.
const BEFORE: &str = "$argon2id$v=19$m=8192,t=1,p=1$cmVjb3Vyc2UtYmVmb3JlIQ$M9fDpHX+23NV6skj6RNtgJaZ7cdsohA9KUeiu1eV550";
/// As many as may come too late, with the password from before, without being told to wait.
const FIFTEEN: usize = 15;
/// How hashes that are made now begin.
const NOW: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

on_both! {
    set up by behind_a_proxy;

    async fn an_older_hash_is_replaced_once_when_its_password_is_used(app) {
        let email = operator(app, "Amara").await;
        app.database.keep_password_hash(&email, BEFORE).await;
        app.browser().sign_in_with(&email, "wrong horse battery").await.is(401);
        assert_eq!(app.database.password_hash(&email).await, BEFORE);
        let (done, entries) = app.audited(app.browser().sign_in(&email)).await;
        done.is(303);
        assert_eq!((entries.len(), entries[0].action), (1, AuditKind::SignedIn), "it is the same password");
        let after = app.database.password_hash(&email).await;
        assert!(after.starts_with(NOW), "{after}");
        app.browser().sign_in(&email).await.is(303);
        assert_eq!(app.database.password_hash(&email).await, after, "once");
        app.browser().sign_in_with(&email, "wrong horse battery").await.is(401);
    }

    async fn it_is_replaced_for_who_has_a_second_step_too(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (authenticator, _) = set_up_second_step(&amara).await;
        app.database.keep_password_hash(&email, BEFORE).await;
        let half = first_stage(app, &email).await;
        second_stage(&half, &authenticator.next_code()).await.is(303);
        assert!(app.database.password_hash(&email).await.starts_with(NOW));
        second_stage(&first_stage(app, &email).await, &authenticator.next_code()).await.is(303);
    }

    async fn twenty_who_sign_in_at_once_with_an_older_hash_are_all_in(app) {
        let email = operator(app, "Amara").await;
        let at = |n: usize| app.browser().at(&format!("198.51.100.{n}"));
        for n in 0..20 {
            at(n).sign_in(&email).await.is(303);
        }
        app.database.keep_password_hash(&email, BEFORE).await;
        let answers = race(20, |n| {
            let (browser, email) = (at(n), email.clone());
            async move { browser.sign_in(&email).await }
        }).await;
        // Whoever was compared with the hash from before and comes second is asked once more.
        assert!(answers.iter().all(|answer| matches!(answer.status, 303)), "{:?}", statuses(&answers));
        assert!(app.database.password_hash(&email).await.starts_with(NOW));
    }

    async fn c75_of_fifteen_who_sign_in_while_the_password_is_changed_none_brings_the_old_one_back(app) {
        let email = operator(app, "Amara").await;
        let at = |n: usize| app.browser().at(&format!("198.51.100.{n}"));
        for n in 0..FIFTEEN {
            at(n).sign_in(&email).await.is(303);
        }
        let amara = app.browser().at("203.0.113.7");
        amara.sign_in(&email).await.is(303);
        app.database.keep_password_hash(&email, BEFORE).await;
        let answers = race(FIFTEEN + 1, |n| {
            let (browser, email, amara) = (at(n), email.clone(), &amara);
            async move {
                if n == FIFTEEN {
                    let fields = [("present", PASSWORD), ("password", "a herring in the attic")];
                    amara.post("/me/security/password", &fields).await
                } else {
                    browser.sign_in(&email).await
                }
            }
        }).await;
        assert_eq!(answers[FIFTEEN].status, 303, "the change is made: {}", answers[FIFTEEN].shown());
        assert!(answers.iter().all(|answer| matches!(answer.status, 303 | 401)), "{:?}", statuses(&answers));
        assert!(app.database.password_hash(&email).await.starts_with(NOW));
        app.browser().at("203.0.113.8").sign_in(&email).await.is(401);
        app.browser().at("203.0.113.8").sign_in_with(&email, "a herring in the attic").await.is(303);
        assert_eq!(app.audit_count(AuditKind::PasswordSet, AuditOutcome::Done).await, 1);
    }
}
