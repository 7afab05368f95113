use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::{Value, json};

use super::{FORGETFUL, Shape, Stage, last, standing};
use crate::app::on_both;

/// The newest finding: what it says, and its evidence.
async fn found(stage: &Stage<'_>, item: &str) -> (String, String) {
    let packet = stage.app.packet(item).await;
    let newest = &packet.findings[0];
    (newest.finding.as_str().to_owned(), newest.evidence.clone())
}

pub(super) const ABSENT: &str = "[step.lookup]\nurl = \"{sink}/lookup/absent\"\nallow_private = true\nfound = { pointer = \"/items/0/id\" }\nabsent = { pointer = \"/count\", equals = 0 }";

on_both! {
    /// The commit-then-timeout case: uncertain, replay refused, the lookup finds it, closed with its record id.
    async fn what_was_committed_before_the_break_is_found_and_closed(app) {
        let stage = Stage::new(app, Shape { mode: "reset", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("open", "uncertain", None));
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        let seen = stage.amara.act(&item, "lookup", json!({})).await.is(200).json();
        assert_eq!(standing(&seen), ("closed", "confirmed", Some("succeeded_meanwhile")), "{seen}");
        assert_eq!(seen["effect"]["record_id"], stage.sink.kept()[0].id.as_str());
        assert_eq!((stage.lines().len(), stage.sink.kept().len()), (1, 1));
    }

    /// R4: "not there" counts only late enough and often enough; before that it can't tell, and says when to look again.
    async fn r4_not_there_counts_only_late_and_often_enough(app) {
        let stage = Stage::new(app, Shape { after: ABSENT, ..FORGETFUL }).await;
        let item = stage.doubtful("K-1").await;
        // Each look a little later than the one before, so that they have an order.
        let look = async || {
            app.later(TimeDelta::microseconds(1));
            stage.amara.act(&item, "lookup", json!({})).await.is(200).json()
        };
        app.later(TimeDelta::seconds(59));
        assert_eq!(standing(&look().await), ("open", "uncertain", None));
        let (word, evidence) = found(&stage, &item).await;
        assert_eq!(word, "cannot_tell");
        assert!(evidence.contains("2026-11-29 10:01:00 UTC"), "{evidence}");
        app.later(TimeDelta::seconds(1));
        assert_eq!(standing(&look().await), ("open", "uncertain", None));
        assert!(found(&stage, &item).await.1.contains("1 of 2"), "{:?}", found(&stage, &item).await);
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        assert_eq!(standing(&look().await), ("open", "none", None));
        assert_eq!(found(&stage, &item).await.0, "not_applied");
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }

    /// What the other system can't say stays open, and why is told.
    async fn what_can_not_be_told_stays_uncertain(app) {
        let unavailable = "[step.lookup]\nurl = \"{sink}/lookup/unavailable\"\nallow_private = true\nfound = { pointer = \"/items/0/id\" }";
        let stage = Stage::new(app, Shape { after: unavailable, ..FORGETFUL }).await;
        let item = stage.doubtful("K-1").await;
        app.later(TimeDelta::hours(1));
        for _ in 0..3 {
            let seen = stage.amara.act(&item, "lookup", json!({})).await.is(200).json();
            assert_eq!(standing(&seen), ("open", "uncertain", None));
        }
        let (word, evidence) = found(&stage, &item).await;
        assert_eq!(word, "cannot_tell");
        assert!(evidence.starts_with("Answered 5"), "{evidence}");
        stage.reshape_text(Shape { after: unavailable, ..FORGETFUL }, |text| text.replace(&format!("{}/lookup/unavailable", stage.sink.url), "http://169.254.169.254/")).await;
        app.later(TimeDelta::seconds(1));
        stage.amara.act(&item, "lookup", json!({})).await.is(200);
        assert!(found(&stage, &item).await.1.contains("not a public address"));
    }

    /// Nothing to look up, or no way to: refused, and nobody is called.
    async fn a_lookup_is_refused_where_there_is_nothing_to_find_out(app) {
        let stage = Stage::new(app, FORGETFUL).await;
        let item = stage.unsent("INV-1").await;
        stage.amara.act(&item, "lookup", json!({})).await.problem(409, "not_allowed_now");
        let doubtful = stage.doubtful("K-1").await;
        let ines = app.script("Ines", Role::Auditor, "finance-ops").await;
        ines.act(&doubtful, "lookup", json!({})).await.problem(403, "forbidden");
        stage.amara.act(&doubtful, "lookup", json!({ "key": "x" })).await.problem(422, "invalid");
        stage.reshape(Shape { after: "", ..FORGETFUL }).await;
        stage.amara.act(&doubtful, "lookup", json!({})).await.problem(409, "not_allowed_now");
        assert!(stage.sink.receipts().is_empty());
    }

    /// A script that lost the answer asks again with its key: nobody is called twice.
    async fn the_same_lookup_again_calls_nobody(app) {
        let stage = Stage::new(app, Shape { mode: "reset", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        let seen = stage.replayed(&item, 1).await;
        assert_eq!(last(&seen)["outcome"], "uncertain");
        let once = stage.amara.ask(&item, "lookup", json!({}), &[("idempotency-key", "look-1")]).await.is(200).json();
        let calls = stage.sink.receipts().len();
        let again: Value = stage.amara.ask(&item, "lookup", json!({}), &[("idempotency-key", "look-1")]).await.is(200).json();
        assert_eq!((&once["state"], &again["state"]), (&json!("closed"), &json!("closed")));
        assert_eq!(stage.sink.receipts().len(), calls);
    }
}
