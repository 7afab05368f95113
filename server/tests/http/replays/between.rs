//! What can change between a decision, its sending and its answer.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    replay::own_key,
};
use serde_json::json;

use super::{FORGETFUL, GOOD, Shape, Stage, attempts, lapses::killed_while_sending, last, replay, standing};
use crate::{
    actions::{attempt_ids, not_sent, resolution},
    app::on_both,
    words::with,
};

on_both! {
    /// R7: what the automation sends it sends under its own key, whatever Recourse has sent since.
    async fn r7_an_automations_attempt_never_gets_a_key_of_recourse(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..GOOD }).await;
        let item = stage.sync.reported(&with(not_sent("A"), json!({ "effect": { "status": "none", "idempotency_key": "A" } }))).await;
        stage.amara.act(&item, "correct", json!({ "parent": 1, "text": "{}", "reason": "A try" })).await.is(200);
        stage.replayed(&item, 2).await;
        stage.sync.attempt(&item, &json!({ "number": 9 })).await.is(201);
        let seen = stage.sync.item(&item).await;
        assert_eq!(last(&seen)["idempotency_key"], "A", "{seen}");
        assert_ne!(own_key(item.parse().unwrap(), 2, 0), "A");
    }

    /// R7: a destination that never got the key does not recognise it.
    async fn r7_asking_again_is_for_the_destination_that_got_the_key(app) {
        let stage = Stage::new(app, Shape { mode: "500", to: "max_attempts = 1", ..GOOD }).await;
        let item = stage.unsent("A").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(standing(&seen), ("open", "uncertain", None));
        let attempt = last(&seen)["id"].clone();
        stage.reshape(Shape { mode: "created", ..GOOD }).await;
        let again = json!({ "attempt": attempt, "reason": "r" });
        assert_eq!(stage.amara.act(&item, "ask_again", again).await.problem(409, "not_allowed_now")["rule"], "R7");
        assert_eq!(stage.lines().len(), 1);
    }

    /// R7: what waited until the key was forgotten is not sent any more.
    async fn r7_a_key_that_is_forgotten_while_it_waits_is_not_sent(app) {
        let short = Shape { step: "repeat = \"key\"\nkey_memory = \"30m\"", ..GOOD };
        let stage = Stage::new(app, short).await;
        let item = stage.doubtful("K").await;
        app.later(TimeDelta::minutes(25));
        let attempt = attempt_ids(&stage.sync.item(&item).await)[0].clone();
        stage.amara.act(&item, "ask_again", json!({ "attempt": attempt, "reason": "r" })).await.is(202);
        app.later(TimeDelta::minutes(10));
        app.send_due().await;
        let seen = stage.sync.item(&item).await;
        assert_eq!((standing(&seen), stage.lines().len()), (("open", "uncertain", None), 0), "{}", last(&seen));
    }

    /// R18: work that grew too old while it waited is not sent either.
    async fn r18_what_grows_stale_while_it_waits_is_not_sent(app) {
        let stage = Stage::new(app, GOOD).await;
        let until = crate::words::time(app.service.now() + TimeDelta::minutes(5));
        let item = stage.sync.reported(&with(not_sent("A"), json!({ "valid_until": until }))).await;
        stage.replay(&item, 1).await.is(202);
        app.later(TimeDelta::minutes(6));
        app.send_due().await;
        assert!(stage.lines().is_empty());
        assert_eq!(standing(&stage.sync.item(&item).await), ("open", "none", None));
    }

    /// R18: the record it was made from has changed: accepted by name, and the destination is told which one it was made from.
    async fn r18_a_changed_source_record_is_a_decision(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.sync.reported(&with(not_sent("A"), json!({ "source_version": "etag-1" }))).await;
        stage.amara.act(&item, "correct", json!({ "parent": 1, "text": "{}", "reason": "A try" })).await.is(200);
        stage.sync.patch(&item, &json!({ "source_version": "etag-2" })).await.is(200);
        stage.replay(&item, 2).await.problem(409, "source_changed");
        let accepted = json!({ "revision": 2, "reason": "Still right", "accept": ["source_changed"] });
        stage.amara.act(&item, "replay", accepted).await.is(202);
        app.send_due().await;
        assert_eq!(stage.lines()[0].header("recourse-source-version"), Some("etag-1"));
    }

    /// R4: an attempt whose lease ran out may have been sending until then: "not there" counts from its end.
    async fn r4_not_there_counts_from_the_end_of_a_lease(app) {
        let stage = Stage::new(app, Shape { after: super::lookups::ABSENT, ..FORGETFUL }).await;
        let item = stage.unsent("A").await;
        stage.sync.attempt(&item, &json!({ "number": 2, "lease_s": 900 })).await.is(201);
        app.later(TimeDelta::minutes(15));
        assert_eq!(app.keep_leases().await, 1);
        for _ in 0..3 {
            app.later(TimeDelta::seconds(1));
            let seen = stage.amara.act(&item, "lookup", json!({})).await.is(200).json();
            assert_eq!(standing(&seen), ("open", "uncertain", None));
        }
        app.later(TimeDelta::minutes(2));
        for _ in 0..2 {
            app.later(TimeDelta::seconds(1));
            stage.amara.act(&item, "lookup", json!({})).await.is(200);
        }
        assert_eq!(standing(&stage.sync.item(&item).await), ("open", "none", None));
    }

    /// R10: "I can't tell" decides nothing: the answer that comes late settles it, and nothing is raised.
    async fn r10_a_late_answer_after_cannot_tell_closes_the_item(app) {
        let stage = Stage::new(app, Shape { mode: "hang?s=1", ..FORGETFUL }).await;
        let item = stage.unsent("A").await;
        stage.replay(&item, 1).await.is(202);
        let process = super::late::sending(app, &stage).await;
        app.later(TimeDelta::seconds(20));
        app.keep_leases().await;
        stage.amara.act(&item, "reconcile", crate::actions::finding("cannot_tell")).await.is(200);
        process.await.unwrap().unwrap();
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")), "{seen}");
        assert_eq!(seen["possible_double_effect"], serde_json::Value::Null);
    }

    /// R5: a lease that ran out and put the next try into the outbox has ended nothing: nobody acts on top of it, and the audit says
    /// what happened, as what it was.
    async fn r5_r14_a_try_that_was_put_off_is_still_live_and_told_as_what_it_is(app) {
        let stage = Stage::new(app, Shape { mode: "hang?s=600", ..GOOD }).await;
        let item = stage.unsent("A").await;
        stage.replay(&item, 1).await.is(202);
        killed_while_sending(app, &stage).await;
        app.later(TimeDelta::seconds(17));
        let (answer, entries) = app.audited(stage.amara.act(&item, "resolve", resolution("done_by_hand", "confirmed"))).await;
        answer.problem(409, "in_progress");
        let told: Vec<_> = entries.iter().map(|entry| (entry.action, entry.outcome)).collect();
        assert_eq!(told, [(AuditKind::Resolved, AuditOutcome::Refused)], "what is refused changes nothing");
        let (ended, entries) = app.audited(app.keep_leases()).await;
        assert_eq!(ended, 1);
        let told: Vec<_> = entries.iter().map(|entry| (entry.action, entry.item_id.map(|id| id.to_string()))).collect();
        assert_eq!(told, [(AuditKind::ActivityLapsed, Some(item.clone()))]);
        assert_eq!(standing(&stage.sync.item(&item).await), ("replaying", "uncertain", None));
        assert_eq!(attempts(&stage.sync.item(&item).await).len(), 3);
    }

    /// A person's own action that meets a replay nobody served keeps its own name in the audit.
    async fn r14_an_action_that_ends_a_stale_replay_keeps_its_name(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("A").await;
        stage.replay(&item, 1).await.is(202);
        app.later(TimeDelta::hours(2));
        let (answer, entries) = app.audited(stage.amara.act(&item, "replay", replay(1))).await;
        answer.is(202);
        let mut told: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        told.sort_unstable();
        assert_eq!(told, ["item.replay_requested", "replay.stopped"]);
        app.send_due().await;
        assert_eq!(stage.lines().len(), 1);
    }
}
