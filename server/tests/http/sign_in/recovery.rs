//! Recovery codes: each once, in place of the authenticator.

use domain::audit::AuditKind;

use super::{detail, first_stage, is_in, made, notices, operator, second_stage, set_up_second_step};
use crate::{
    app::on_both,
    wire::{race, statuses},
};

on_both! {
    async fn a_recovery_code_counts_once_and_is_told_of(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (_, codes) = set_up_second_step(&amara).await;
        let browser = first_stage(app, &email).await;
        let (done, entries) = app.audited(second_stage(&browser, &codes[3])).await;
        done.is(303);
        assert_eq!((entries.len(), detail(&entries[0], "with")), (1, "password and recovery code".into()));
        is_in(&browser).await;
        assert!(notices(&amara).await.contains("A recovery code was used in place of your authenticator: 9 are left"));
        assert!(amara.get("/me/security").await.text().contains("9 recovery codes are left."));
        let again = first_stage(app, &email).await;
        second_stage(&again, &codes[3]).await.is(401);
        second_stage(&again, &codes[4]).await.is(303);
    }

    async fn a_recovery_code_is_read_however_it_is_typed(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (_, codes) = set_up_second_step(&amara).await;
        let typed = [codes[0].to_lowercase(), codes[1].replace('-', ""), codes[2].replace('-', " "), format!("\t{}\n", codes[3])];
        for code in &typed {
            second_stage(&first_stage(app, &email).await, code).await.is(303);
        }
    }

    async fn of_four_who_use_one_recovery_code_at_once_one_is_in(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (_, codes) = set_up_second_step(&amara).await;
        app.later(chrono::TimeDelta::minutes(5));
        let mut browsers = Vec::new();
        for _ in 0..4 {
            browsers.push(first_stage(app, &email).await);
        }
        let answers = race(4, |n| second_stage(&browsers[n], &codes[0])).await;
        assert_eq!(statuses(&answers), [(303, 1), (401, 3)]);
        assert!(amara.get("/me/security").await.text().contains("9 recovery codes are left."));
    }

    async fn another_person_s_recovery_code_is_nobody_s_here(app) {
        let (email, other) = (operator(app, "Amara").await, operator(app, "Bilal").await);
        let (amara, bilal) = (app.browser(), app.browser());
        amara.sign_in(&email).await.is(303);
        bilal.sign_in(&other).await.is(303);
        set_up_second_step(&amara).await;
        let (authenticator, codes) = set_up_second_step(&bilal).await;
        let half = first_stage(app, &email).await;
        second_stage(&half, &codes[0]).await.is(401);
        second_stage(&half, &authenticator.next_code()).await.is(401);
        second_stage(&first_stage(app, &other).await, &codes[0]).await.is(303);
    }

    async fn new_recovery_codes_end_the_ones_from_before(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let (_, old) = set_up_second_step(&amara).await;
        let (answer, entries) = app.audited(amara.post("/me/security/recovery-codes", &[])).await;
        let new: Vec<String> = made(&answer).lines().map(str::to_owned).collect();
        assert_eq!((new.len(), entries.len(), entries[0].action), (10, 1, AuditKind::RecoveryCodesMade));
        let half = first_stage(app, &email).await;
        second_stage(&half, &old[0]).await.is(401);
        second_stage(&half, &new[0]).await.is(303);
    }
}
