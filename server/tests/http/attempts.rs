//! An automation's own attempts hold the work while they run (R5), and end in one of the ways that are known.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::json;

use crate::{
    app::on_both,
    wire::{race, statuses},
    words::{report, time, with},
};

/// Work that is known not to have happened yet.
fn not_sent(key: &str) -> serde_json::Value {
    with(report(key), json!({ "attempts": [{ "outcome": "failed", "sent": false }] }))
}

on_both! {
    async fn r5_a_running_attempt_holds_the_work_and_the_second_is_told_who_and_since_when(app) {
        let sync = app.invoices().await;
        let other = app.token_named("night run", Some(&["invoice-sync"])).await;
        let id = sync.reported(&not_sent("INV-1")).await;
        let started = sync.attempt(&id, &json!({ "number": 2 })).await.is(201).json();
        assert_eq!((&started["number"], &started["effect"]), (&json!(2), &json!("uncertain")));

        app.later(TimeDelta::seconds(30));
        let (refused, entries) = app.audited(other.attempt(&id, &json!({}))).await;
        let problem = refused.problem(409, "in_progress");
        assert_eq!(problem["rule"], "R5");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("invoice-sync") && detail.contains("2026-11-29 10:00:00"), "{detail}");
        assert!(problem.get("quarantine_id").is_none(), "asking to start is no report: nothing is lost");
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].action, entries[0].outcome), (AuditKind::AttemptAdded, AuditOutcome::Refused));

        let ended = sync.attempt(&id, &json!({ "number": 2, "outcome": "succeeded", "record_id": "L-1" })).await.is(201).json();
        assert_eq!((&ended["number"], &ended["effect"]), (&json!(2), &json!("confirmed")));
        let item = sync.item(&id).await;
        assert_eq!(item["effect"]["record_id"], "L-1");
        assert_eq!(item["attempts"].as_array().unwrap().len(), 2);
        other.attempt(&id, &json!({})).await.is(201);
    }

    async fn r5_of_fifty_that_start_at_once_one_wins(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        let answers = race(50, |_| async { sync.attempt(&id, &json!({})).await }).await;
        assert_eq!(statuses(&answers), [(201, 1), (409, 49)]);
        for loser in answers.iter().filter(|answer| answer.status == 409) {
            loser.problem(409, "in_progress");
        }
        assert_eq!(app.database.rows("activity").await, 1);
        assert_eq!(app.database.rows("attempt").await, 2);
    }

    async fn silence_makes_a_running_attempt_uncertain_and_the_automation_may_still_tell(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({ "number": 2, "lease_s": 60 })).await.is(201);
        app.later(TimeDelta::seconds(59));
        assert_eq!(app.keep_leases().await, 0);
        app.later(TimeDelta::seconds(1));
        assert_eq!(app.keep_leases().await, 1);
        assert_eq!(app.keep_leases().await, 0, "once");
        let item = sync.item(&id).await;
        assert_eq!((&item["state"], &item["effect"]["status"]), (&json!("open"), &json!("uncertain")));
        assert_eq!(item["attempts"][1]["outcome"], "uncertain");
        assert_eq!(app.audit_count(AuditKind::ActivityLapsed, AuditOutcome::Done).await, 1);

        let told = sync.attempt(&id, &json!({ "number": 2, "outcome": "failed", "sent": false })).await.is(201).json();
        assert_eq!((&told["number"], &told["effect"]), (&json!(2), &json!("none")), "its own word settles its own attempt");
    }

    async fn a_lease_that_has_run_out_holds_nobody_up_even_before_it_is_swept(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({})).await.is(201);
        app.later(TimeDelta::seconds(899));
        sync.attempt(&id, &json!({})).await.problem(409, "in_progress");
        app.later(TimeDelta::seconds(1));
        assert_eq!(sync.attempt(&id, &json!({})).await.is(201).json()["number"], 3, "the default lease is 900 s");
        assert_eq!(sync.item(&id).await["attempts"][1]["outcome"], "uncertain");
    }

    async fn a_lease_is_from_one_second_to_an_hour(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        for lease in [json!(0), json!(3_601)] {
            sync.attempt(&id, &json!({ "lease_s": lease })).await.kept_for("/lease_s");
        }
        sync.attempt(&id, &json!({ "lease_s": 60, "outcome": "failed" })).await.kept_for("/lease_s");
        sync.attempt(&id, &json!({ "finished_at": time(app.service.now()) })).await.kept_for("/outcome");
        sync.attempt(&id, &json!({ "colour": 1 })).await.kept_for("/colour");
        sync.attempt(&id, &json!({ "lease_s": 3_600 })).await.is(201);
    }

    async fn word_without_a_number_ends_the_attempt_whose_lease_ran_out(app) {
        let sync = app.invoices().await;
        for kept_by_the_clock in [true, false] {
            let id = sync.reported(&not_sent(&format!("INV {kept_by_the_clock}"))).await;
            let started = sync.attempt(&id, &json!({ "lease_s": 60 })).await.is(201).json();
            app.later(TimeDelta::minutes(2));
            if kept_by_the_clock {
                app.keep_leases().await;
            }
            let (ended, entries) = app.audited(sync.attempt(&id, &json!({ "outcome": "succeeded", "record_id": "L-1" }))).await;
            let ended = ended.is(201).json();
            assert_eq!((&ended["id"], &ended["number"], &ended["effect"]), (&started["id"], &json!(2), &json!("confirmed")));
            assert!(entries.iter().any(|entry| entry.action == AuditKind::AttemptFinished));
            let item = sync.item(&id).await;
            assert_eq!((item["attempts"].as_array().unwrap().len(), &item["attempts"][1]["record_id"]), (2, &json!("L-1")));
        }
    }

    async fn word_without_a_number_is_of_the_attempt_under_way_before_one_that_lapsed_and_never_of_anothers(app) {
        let sync = app.invoices().await;
        let other = app.token_named("night run", Some(&["invoice-sync"])).await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({ "lease_s": 60 })).await.is(201);
        app.later(TimeDelta::minutes(2));
        let theirs = other.attempt(&id, &json!({ "outcome": "failed", "sent": false })).await.is(201).json();
        assert_eq!(theirs["number"], 3, "another token's word is of its own attempt");
        sync.attempt(&id, &json!({})).await.is(201);
        let ended = async || sync.attempt(&id, &json!({ "outcome": "failed", "sent": false })).await.is(201).json()["number"].clone();
        assert_eq!((ended().await, ended().await, ended().await), (json!(4), json!(2), json!(5)));
        // One that was told as uncertain was told: it did not lapse.
        sync.attempt(&id, &json!({ "outcome": "uncertain" })).await.is(201);
        assert_eq!(ended().await, json!(7));
    }

    async fn an_attempt_that_ended_otherwise_is_never_turned_and_what_was_said_is_kept(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({ "number": 2 })).await.is(201);
        let failed = json!({ "number": 2, "outcome": "failed", "sent": false });
        sync.attempt(&id, &failed).await.is(201);
        let before = sync.item(&id).await;
        sync.attempt(&id, &json!({ "number": 2, "outcome": "succeeded" })).await.kept(409, "not_allowed_now");
        assert_eq!(sync.item(&id).await, before, "R10: nothing flips silently");
        sync.attempt(&id, &failed).await.is(201);
        assert_eq!(sync.item(&id).await["attempts"].as_array().unwrap().len(), 2, "the same word again adds nothing");
    }

    async fn not_sent_that_is_taken_back_is_in_doubt_again(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({ "number": 2 })).await.is(201);
        sync.attempt(&id, &json!({ "number": 2, "outcome": "failed", "sent": false })).await.is(201);
        assert_eq!(sync.item(&id).await["effect"]["status"], "none");
        sync.attempt(&id, &json!({ "number": 2, "outcome": "failed", "sent": true })).await.is(201);
        assert_eq!(sync.item(&id).await["effect"]["status"], "uncertain");
    }

    async fn an_attempt_that_ended_is_told_in_one_message(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        let told = sync.attempt(&id, &json!({ "number": 2, "outcome": "uncertain", "sent": true, "status_code": 504, "message": "gateway\u{0}" })).await.is(201).json();
        assert_eq!(told["effect"], "uncertain");
        let attempt = sync.item(&id).await["attempts"][1].clone();
        assert_eq!((&attempt["status_code"], &attempt["message"]), (&json!(504), &json!("gateway␀")));
        assert_eq!(app.database.rows("activity").await, 0, "it held nothing");
    }

    async fn a_report_of_its_end_finishes_a_running_attempt(app) {
        let sync = app.invoices().await;
        let id = sync.reported(&not_sent("INV-1")).await;
        sync.attempt(&id, &json!({ "number": 2 })).await.is(201);
        let ended = json!({ "report_id": "r-2", "attempts": [{ "number": 2, "outcome": "failed", "sent": false }] });
        sync.report(&with(report("INV-1"), ended)).await.is(200);
        let item = sync.item(&id).await;
        assert_eq!(item["attempts"].as_array().unwrap().len(), 2);
        assert_eq!(item["effect"]["status"], "none");
        sync.attempt(&id, &json!({ "number": 3 })).await.is(201);
    }

    async fn a_planned_retry_holds_the_work_until_five_minutes_after_its_time(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let due = app.service.now() + TimeDelta::minutes(10);
        let id = sync.reported(&with(not_sent("INV-1"), json!({ "next_attempt_by_automation_at": time(due) }))).await;
        app.later(TimeDelta::seconds(15 * 60 - 1));
        assert_eq!(app.keep_leases().await, 0);
        app.later(TimeDelta::seconds(1));
        let before = sync.item(&id).await;
        assert_eq!(app.keep_leases().await, 1);
        let after = sync.item(&id).await;
        assert_eq!((&after["effect"], &after["version"]), (&before["effect"], &before["version"]), "the effect is as it was");
        amara.post(&format!("/items/{id}/cancel_retry"), &[("reason", "too late")]).await.is(409);
        sync.attempt(&id, &json!({})).await.is(201);
    }

    async fn the_automation_starts_the_retry_it_planned(app) {
        let sync = app.invoices().await;
        let due = app.service.now() + TimeDelta::minutes(10);
        let id = sync.reported(&with(not_sent("INV-1"), json!({ "next_attempt_by_automation_at": time(due) }))).await;
        app.later(TimeDelta::minutes(10));
        sync.attempt(&id, &json!({})).await.is(201);
        sync.attempt(&id, &json!({})).await.problem(409, "in_progress");
        assert_eq!(app.database.rows("activity").await, 2, "the plan ended, the attempt is live");
    }

    async fn a_person_cancels_a_planned_retry_and_the_automation_is_told_not_to_start(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::minutes(10)) });
        let id = sync.reported(&with(not_sent("INV-1"), plan)).await;
        let form = format!("/items/{id}/cancel_retry");
        app.later(TimeDelta::minutes(1));
        for reason in ["", " \t\r\n "] {
            amara.post(&form, &[("reason", reason)]).await.is(422);
        }
        let (done, entries) = app.audited(amara.post(&form, &[("reason", "The supplier was paid by hand")])).await;
        assert_eq!(done.location(), format!("/items/{id}"));
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].action, entries[0].actor_name.as_str()), (AuditKind::RetryCancelled, "Amara"));
        assert_eq!(entries[0].text.as_deref(), Some("The supplier was paid by hand"));
        amara.post(&form, &[("reason", "again")]).await.is(409);

        app.later(TimeDelta::minutes(9));
        let problem = sync.attempt(&id, &json!({})).await.problem(409, "in_progress");
        assert!(problem["detail"].as_str().unwrap().contains("Amara"), "{problem}");
        app.later(TimeDelta::hours(1));
        sync.attempt(&id, &json!({})).await.problem(409, "in_progress");
    }

    async fn attempts_stay_inside_the_tokens_workflows(app) {
        let sync = app.invoices().await;
        let stranger = app.token(&["support-replies"]).await;
        let id = sync.reported(&not_sent("INV-1")).await;
        stranger.attempt(&id, &json!({})).await.problem(404, "not_found");
        stranger.attempt(&id, &json!({ "outcome": "succeeded" })).await.kept(404, "not_found");
        stranger.patch(&id, &json!({ "succeeded": {} })).await.kept(404, "not_found");
        stranger.attempt(&uuid::Uuid::nil().to_string(), &json!({ "outcome": "succeeded" })).await.kept(404, "not_found");
        assert_eq!(sync.item(&id).await["attempts"].as_array().unwrap().len(), 1);
    }
}
