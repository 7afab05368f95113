use chrono::TimeDelta;
use serde_json::json;

use super::{FORGETFUL, GOOD, Shape, Stage, last, replay, standing};
use crate::{
    actions::finding,
    app::{App, on_both},
};

/// Begins to send what is due and ends that process as soon as the request has arrived.
pub(super) async fn killed_while_sending(app: &App, stage: &Stage<'_>) {
    let due = app.service.replays_due(None).await.unwrap();
    let [one] = &due[..] else { panic!("one is due, not {}", due.len()) };
    let (service, id) = (app.service.clone(), one.id);
    let before = stage.lines().len();
    let process = tokio::spawn(async move { service.deliver(id).await });
    while stage.lines().len() == before {
        tokio::task::yield_now().await;
    }
    process.abort();
    assert!(process.await.unwrap_err().is_cancelled(), "it was ended in the middle");
}

on_both! {
    /// R6: whoever sends ends in the middle: nobody sends it again by itself, and nothing is locked longer than a lease.
    async fn r6_a_send_whose_process_ended_is_uncertain_and_never_sent_again(app) {
        let stage = Stage::new(app, Shape { mode: "hang?s=600", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        killed_while_sending(app, &stage).await;
        assert_eq!(standing(&stage.sync.item(&item).await), ("replaying", "uncertain", None));
        assert_eq!(app.send_due().await, 0, "another process does not take it up");
        app.later(TimeDelta::seconds(5 + 2 + 10));
        assert_eq!(app.keep_leases().await, 1);
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "uncertain", None));
        assert_eq!(last(&seen)["outcome"], "uncertain");
        assert_eq!((app.send_due().await, stage.lines().len()), (0, 1));
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
        stage.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        stage.reshape(FORGETFUL).await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("closed", "confirmed", Some("replayed")));
    }

    /// The same at a destination that recognises keys: it is asked again, with the same key.
    async fn r6_r8_a_send_whose_process_ended_is_asked_again_where_keys_are_recognised(app) {
        let stage = Stage::new(app, Shape { mode: "hang?s=600", ..GOOD }).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        killed_while_sending(app, &stage).await;
        // Its own action would find the lease run out just as the keeper does.
        app.later(TimeDelta::seconds(17));
        assert_eq!(app.keep_leases().await, 1);
        assert_eq!(standing(&stage.sync.item(&item).await), ("replaying", "uncertain", None));
        app.later(TimeDelta::seconds(10));
        killed_while_sending(app, &stage).await;
        let keys: Vec<_> = stage.lines().into_iter().map(|line| line.key).collect();
        assert_eq!(keys[0], keys[1]);
    }

    /// C98: "taken on" is waited for, and then it is uncertain; never resolved by a 202 alone.
    async fn c98_taken_on_is_waited_for_until_its_deadline(app) {
        let stage = Stage::new(app, Shape { mode: "202", to: "accepted_deadline = \"15m\"", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        assert_eq!(standing(&stage.replayed(&item, 1).await), ("awaiting_outcome", "uncertain", None));
        let refused = stage.amara.act(&item, "resolve", json!({ "resolution": "done_by_hand", "effect": "confirmed", "reason": "r" })).await;
        refused.problem(409, "in_progress");
        app.later(TimeDelta::minutes(15) - TimeDelta::microseconds(1));
        assert_eq!(app.keep_leases().await, 0);
        app.later(TimeDelta::microseconds(1));
        assert_eq!(app.keep_leases().await, 1);
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "uncertain", None));
        assert!(last(&seen)["message"].as_str().unwrap().contains("deadline"), "{}", last(&seen));
    }

    /// What nobody served for an hour is given back unsent.
    async fn what_waited_too_long_in_the_outbox_is_given_back_unsent(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        app.later(TimeDelta::hours(1));
        assert_eq!(app.keep_leases().await, 1);
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "none", None));
        assert_eq!((app.send_due().await, stage.lines().len()), (0, 0));
        assert_eq!(stage.replayed(&item, 1).await["state"], "closed");
    }

    /// A restart within the hour sends what waits: nothing that was taken on is lost.
    async fn what_waits_is_sent_after_a_restart(app) {
        let stage = Stage::new(app, GOOD).await;
        let item = stage.unsent("INV-1").await;
        stage.amara.act(&item, "replay", replay(1)).await.is(202);
        app.later(TimeDelta::minutes(59));
        assert_eq!((app.keep_leases().await, app.send_due().await), (0, 1));
        assert_eq!(stage.sync.item(&item).await["state"], "closed");
    }
}
