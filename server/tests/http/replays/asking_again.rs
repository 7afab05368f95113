use chrono::TimeDelta;
use serde_json::json;

use super::{FORGETFUL, GOOD, Shape, Stage, attempts, last, standing};
use crate::{
    actions::{attempt_ids, wrong},
    app::on_both,
    words::{report, with},
};

fn about(attempt: &str) -> serde_json::Value {
    json!({ "attempt": attempt, "reason": "The ledger recognises it" })
}

on_both! {
    /// The commit-then-timeout case at a destination that recognises keys: asked again, it answers for both tries.
    async fn r7_asking_again_with_the_same_key_settles_the_first_try(app) {
        let stage = Stage::new(app, Shape { mode: "stripe", ..GOOD }).await;
        let item = stage.doubtful("K-1").await;
        let first = attempt_ids(&stage.sync.item(&item).await)[0].clone();
        stage.amara.act(&item, "ask_again", about(&first)).await.is(202);
        app.send_due().await;
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("replayed")));
        assert_eq!(stage.lines()[0].key.as_deref(), Some("K-1"));
        assert_eq!(&stage.lines()[0].body[..], br#"{"amount":40}"#, "the same revision");
        assert!(attempts(&seen).iter().all(|(_, effect)| effect == "confirmed"), "{seen}");
        assert_eq!(seen["possible_double_effect"], serde_json::Value::Null);
        assert_eq!(stage.sink.kept().len(), 1);
    }

    /// A refusal of the second try says nothing about the first.
    async fn a_refused_repeat_leaves_the_first_try_uncertain(app) {
        let stage = Stage::new(app, Shape { mode: "422", ..GOOD }).await;
        let item = stage.doubtful("K-1").await;
        let first = attempt_ids(&stage.sync.item(&item).await)[0].clone();
        stage.amara.act(&item, "ask_again", about(&first)).await.is(202);
        app.send_due().await;
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "uncertain", None));
        assert_eq!(last(&seen)["effect"], "none");
    }

    /// Where a repeat would not be recognised, nothing is asked again.
    async fn r7_only_where_the_repeat_is_recognised(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        let item = stage.doubtful("K-1").await;
        let first = attempt_ids(&stage.sync.item(&item).await)[0].clone();
        let problem = stage.amara.act(&item, "ask_again", about(&first)).await.problem(409, "not_allowed_now");
        assert_eq!(problem["rule"], "R7");
        stage.reshape(GOOD).await;
        // An attempt of another item, and one that carried no key.
        let other = stage.doubtful("K-2").await;
        let foreign = attempt_ids(&stage.sync.item(&other).await)[0].clone();
        wrong(&stage.amara.act(&item, "ask_again", about(&foreign)).await, "/attempt");
        let keyless = stage.sync.reported(&with(report("no-key"), json!({ "effect": { "status": "uncertain" } }))).await;
        let attempt = attempt_ids(&stage.sync.item(&keyless).await)[0].clone();
        assert_eq!(stage.amara.act(&keyless, "ask_again", about(&attempt)).await.problem(409, "not_allowed_now")["rule"], "R7");
        // Past the destination's memory.
        app.later(TimeDelta::hours(24));
        assert_eq!(stage.amara.act(&item, "ask_again", about(&first)).await.problem(409, "not_allowed_now")["rule"], "R7");
        assert_eq!(app.send_due().await, 0);
        assert!(stage.lines().is_empty());
    }

    /// A script that lost the answer asks again with its key and is told of the same attempt.
    async fn the_same_request_again_makes_no_second_attempt(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        let version = app.version(&item).await.to_string();
        let headers = [("if-match", version.as_str()), ("idempotency-key", "run-1")];
        let first = stage.amara.ask(&item, "replay", super::replay(1), &headers).await.is(202).json();
        app.send_due().await;
        let again = stage.amara.ask(&item, "replay", super::replay(1), &headers).await.is(202).json();
        assert_eq!(first["attempt"], again["attempt"]);
        assert_eq!(again["state"], "closed");
        assert_eq!((app.send_due().await, stage.lines().len()), (0, 1));
    }
}
