use chrono::TimeDelta;
use domain::audit::{AuditKind, AuditOutcome};
use service::Service;
use tokio::task::JoinHandle;

use super::{FORGETFUL, Shape, Stage, standing};
use crate::{
    actions::finding,
    app::{App, on_both},
};

/// Begins to send what is due; the answer comes about a second later.
pub(super) async fn sending(app: &App, stage: &Stage<'_>) -> JoinHandle<Result<(), service::Error>> {
    let due = app.service.replays_due(None).await.unwrap();
    let (service, id): (Service, _) = (app.service.clone(), due[0].id);
    let before = stage.lines().len();
    let process = tokio::spawn(async move { service.deliver(id).await });
    while stage.lines().len() == before {
        tokio::task::yield_now().await;
    }
    process
}

const SLOW: Shape = Shape { mode: "hang?s=1", ..FORGETFUL };

on_both! {
    /// R10: an answer that comes after its lease ran out is kept on its own attempt, and settles what nobody decided.
    async fn r10_an_answer_after_the_lease_settles_its_own_attempt(app) {
        let stage = Stage::new(app, SLOW).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        let process = sending(app, &stage).await;
        app.later(TimeDelta::seconds(20));
        assert_eq!(app.keep_leases().await, 1);
        assert_eq!(standing(&stage.sync.item(&item).await), ("open", "uncertain", None));
        process.await.unwrap().unwrap();
        assert_eq!(standing(&stage.sync.item(&item).await), ("closed", "confirmed", Some("replayed")));
        assert_eq!(app.audit_count(AuditKind::LateNews, AuditOutcome::Done).await, 1);
    }

    /// R10: an answer that contradicts what a person found out is raised, and nothing is sent on top of it.
    async fn r10_an_answer_against_a_finding_is_raised_as_a_possible_double_effect(app) {
        let stage = Stage::new(app, SLOW).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        let process = sending(app, &stage).await;
        app.later(TimeDelta::seconds(20));
        app.keep_leases().await;
        stage.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        stage.replay(&item, 1).await.is(202);
        process.await.unwrap().unwrap();
        let seen = stage.sync.item(&item).await;
        assert!(seen["possible_double_effect"].is_object(), "{seen}");
        app.send_due().await;
        assert_eq!(stage.lines().len(), 1, "the second was not sent");
        let seen = stage.sync.item(&item).await;
        assert_eq!(standing(&seen), ("open", "confirmed", None), "{seen}");
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
    }

    /// R10: both were sent and both succeeded: flagged with both named, open again.
    async fn r10_two_successes_are_flagged_with_both_attempts(app) {
        let stage = Stage::new(app, SLOW).await;
        let item = stage.unsent("INV-1").await;
        stage.replay(&item, 1).await.is(202);
        let first = sending(app, &stage).await;
        app.later(TimeDelta::seconds(20));
        app.keep_leases().await;
        stage.amara.act(&item, "reconcile", finding("not_applied")).await.is(200);
        stage.reshape(FORGETFUL).await;
        stage.replay(&item, 1).await.is(202);
        app.send_due().await;
        first.await.unwrap().unwrap();
        assert_eq!(stage.sink.kept().len(), 2, "it really happened twice");
        let seen = stage.sync.item(&item).await;
        assert_eq!(seen["possible_double_effect"]["attempts"].as_array().unwrap().len(), 2, "{seen}");
        assert_eq!(seen["state"], "open");
        stage.replay(&item, 1).await.problem(409, "not_allowed_now");
    }
}
