//! What waits for something else than being claimed or closed ages, too: a decision, an outcome, the end of a snooze.

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;

use super::{TARGETS, alert, alerts, due, file, notices, told};
use crate::{
    actions::not_sent,
    app::on_both,
    approvals::Office,
    replays::{FORGETFUL, Shape, Stage},
    words::time,
};

on_both! {
    async fn a_decision_that_nobody_makes_is_told_to_those_who_can_make_it(app) {
        let office = Office::new(app, "").await;
        let sana = app.signed_in("Sana", Role::Supervisor, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let item = office.posted("INV-1").await;
        let approval = office.asked_to_reverse(&item).await;
        assert_eq!(due(&office.sync, &item).await.0, "approval");
        app.later(TimeDelta::minutes(300));
        app.watch().await;
        assert!(alerts(app).await.contains(&told("approval", "overdue", 1)));
        assert_eq!(notices(&sana, "waits for a decision").await, 1);
        assert_eq!(notices(&bo, "waits for a decision").await, 0, "an operator can't decide");
        office.selma.decide(&item, &approval, "reject").await.is(200);
        app.watch().await;
        // Whoever asked did not leave it: from now on it has to be claimed again.
        assert!(!alerts(app).await.contains(&told("unowned", "overdue", 1)));
        assert_eq!(due(&office.sync, &item).await.0, "unowned");
        let over = alert(app, "approval", "overdue").await;
        assert!(sana.get(&format!("/alerts/{over}")).await.is(200).words().contains("All settled since"));
    }

    async fn an_outcome_that_does_not_come_is_told_before_it_is_given_up(app) {
        let stage = Stage::new(app, Shape { mode: "202", to: "accepted_deadline = \"20m\"", ..FORGETFUL }).await;
        let item = stage.unsent("INV-1").await;
        stage.replayed(&item, 1).await;
        assert_eq!(due(&stage.sync, &item).await.0, "outcome");
        app.later(TimeDelta::minutes(14));
        app.watch().await;
        assert_eq!(alerts(app).await, []);
        app.later(TimeDelta::minutes(2));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("outcome", "at_risk", 1)]);
        // Then nobody knows: it waits for a person again.
        app.later(TimeDelta::minutes(4));
        app.keep_leases().await;
        assert_ne!(due(&stage.sync, &item).await.0, "outcome");
    }

    async fn who_puts_something_aside_does_not_hide_it(app) {
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let aside = async |key: &str, until: TimeDelta| {
            let item = sync.reported(&not_sent(key)).await;
            amara.act(&item, "claim", json!({})).await.is(200);
            let until = time(app.service.now() + until);
            amara.act(&item, "snooze", json!({ "until": until, "reason": "The supplier is asked" })).await.is(200);
            item
        };
        let (short, long) = (aside("INV-1", TimeDelta::hours(1)).await, aside("INV-2", TimeDelta::days(3)).await);
        // An hour after it woke nobody has come.
        app.later(TimeDelta::hours(1));
        assert_eq!(app.service.wake_due().await.unwrap(), 1);
        assert_eq!(due(&sync, &short).await.0, "unowned");
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        assert!(alerts(app).await.contains(&told("unowned", "overdue", 1)));
        // What sleeps longer than it may be open is late asleep.
        assert_eq!(due(&sync, &long).await.0, "close");
        app.later(TimeDelta::hours(2));
        app.watch().await;
        assert!(alerts(app).await.contains(&told("close", "overdue", 2)));
    }
}
