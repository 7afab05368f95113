//! Alerts: once for one cause, kept until somebody acknowledges them, whatever is restarted and however many processes there are.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::json;

use super::{TARGETS, alert, alerts, file, notices, told};
use crate::{
    actions::{not_sent, resolution},
    app::{App, on_both},
    words::with,
};

/// Stands in each payload.
const SECRET: &str = "K7 4711 payload";

/// Items that nobody has claimed.
async fn waiting(app: &App, count: usize) -> Vec<String> {
    app.register(&file(TARGETS, "")).await;
    let sync = app.token(&["invoice-sync"]).await;
    let mut items = Vec::new();
    for n in 0..count {
        let secret = json!({ "payload": { "media_type": "text/plain", "text": SECRET } });
        items.push(sync.reported(&with(not_sent(&format!("INV-{n}")), secret)).await);
    }
    items
}

on_both! {
    async fn c70_many_items_of_one_cause_are_one_alert_whatever_is_restarted_and_whoever_sends(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        waiting(app, 60).await;
        app.later(TimeDelta::minutes(61));
        // Three processes at once, and then each again.
        let mut processes = Vec::new();
        for _ in 0..3 {
            processes.push(server::wiring::open_with(&app.settings, app.clock.clone()).await.unwrap());
        }
        for _ in 0..2 {
            let looks = processes.iter().map(|process| process.watch_ageing());
            for looked in futures::future::join_all(looks).await {
                looked.unwrap();
            }
        }
        for process in processes {
            process.close().await;
        }
        assert_eq!(alerts(app).await, [told("claim", "overdue", 60)]);
        for browser in [&amara, &bo] {
            assert_eq!(notices(browser, "has not been claimed").await, 1, "each is told once");
        }
        assert_eq!(app.audit_count(AuditKind::AlertRaised, AuditOutcome::Done).await, 1);
        // Days later it stands as it did, and a further cause is told for itself.
        app.later(TimeDelta::days(6));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("claim", "overdue", 60), told("close", "overdue", 60)]);
        amara.sign_in("amara@example.test").await.is(303);
        assert_eq!(notices(&amara, "has not been claimed").await, 1);
    }

    async fn an_alert_stands_until_somebody_acknowledges_it_and_says_who(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let items = waiting(app, 2).await;
        app.later(TimeDelta::minutes(50));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("claim", "at_risk", 2)]);
        let sync = app.token_named("again", Some(&["invoice-sync"])).await;
        sync.reported(&not_sent("INV-2")).await;
        app.later(TimeDelta::minutes(11));
        app.watch().await;
        let overdue = alert(app, "claim", "overdue").await;
        let script = app.script_of("bo@example.test", &[]).await;
        script.act(&items[0], "claim", json!({})).await.is(200);

        let page = amara.get(&format!("/alerts/{overdue}")).await.is(200).words();
        for named in ["2 items have not been claimed", "1 of 2 still so", "Overdue", "INV-0", "INV-1", "settled", "create_invoice", "No step is confirmed", "Claim"] {
            assert!(page.contains(named), "{named}: {page}");
        }
        assert!(!page.contains(SECRET), "nothing of a payload: {page}");
        amara.post(&format!("/alerts/{overdue}/acknowledge"), &[("note", "The ledger is down")]).await.is(303);
        // Who comes second is shown who was first, and keeps what they wrote.
        let page = bo.post(&format!("/alerts/{overdue}/acknowledge"), &[("note", "Me too")]).await.is(409).words();
        for shown in ["Somebody was quicker", "Amara", "The ledger is down", "Your note was not kept", "Me too"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
        // Who says nothing, or the same once more, loses nothing.
        bo.post(&format!("/alerts/{overdue}/acknowledge"), &[("note", " ")]).await.is(303);
        amara.post(&format!("/alerts/{overdue}/acknowledge"), &[("note", "The ledger is down")]).await.is(303);
        let page = bo.get(&format!("/alerts/{overdue}")).await.is(200).words();
        assert!(page.contains("Amara") && page.contains("acknowledged it") && page.contains("The ledger is down") && !page.contains("Me too"), "{page}");
        assert_eq!(app.audit_count(AuditKind::AlertAcknowledged, AuditOutcome::Done).await, 1);
        // What was there already and becomes late soon after belongs to it; what came since is told anew.
        sync.reported(&not_sent("INV-3")).await;
        app.later(TimeDelta::minutes(54));
        app.watch().await;
        assert!(!alerts(app).await.contains(&told("claim", "overdue", 1)));
        app.later(TimeDelta::minutes(7));
        app.watch().await;
        assert!(alerts(app).await.contains(&told("claim", "overdue", 1)));
    }

    /// An item has several clocks; an alert is about one of them.
    async fn how_late_something_is_in_an_alert_is_told_by_the_clock_of_its_cause(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let items = waiting(app, 1).await;
        app.later(TimeDelta::minutes(242));
        app.watch().await;
        let (claim, close) = (alert(app, "claim", "overdue").await, alert(app, "close", "overdue").await);
        let page = amara.get(&format!("/alerts/{close}")).await.is(200).words();
        assert!(page.contains("Close overdue by 2 min") && !page.contains("Claim overdue"), "{page}");
        let page = amara.get(&format!("/alerts/{claim}")).await.is(200).words();
        assert!(page.contains("Claim overdue by 3 h 2 min") && !page.contains("Close overdue"), "{page}");
        // What is claimed is not late for that any more, however late it is for another cause.
        app.script_of("amara@example.test", &[]).await.act(&items[0], "claim", json!({})).await.is(200);
        let page = amara.get(&format!("/alerts/{claim}")).await.is(200).words();
        assert!(page.contains("INV-0") && page.contains("settled") && !page.contains(" overdue by "), "{page}");
    }

    /// Weeks later it is another cause: an alert that nobody acknowledged swallows nothing.
    async fn an_alert_that_was_over_is_told_again(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let items = waiting(app, 1).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        assert_eq!(notices(&amara, "has not been claimed").await, 1);
        let script = app.script_of("amara@example.test", &[]).await;
        script.act(&items[0], "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        let sync = app.token_named("again", Some(&["invoice-sync"])).await;
        sync.reported(&not_sent("INV-9")).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        app.watch().await;
        assert_eq!(notices(&amara, "has not been claimed").await, 2, "each is told");
        assert_eq!(alerts(app).await, [told("claim", "overdue", 2)], "and it is still one to acknowledge");
    }

    async fn who_may_not_see_an_item_sees_none_of_its_alerts_and_who_only_reads_changes_none(app) {
        waiting(app, 1).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        let overdue = alert(app, "claim", "overdue").await;
        let address = format!("/alerts/{overdue}");
        let sven = app.signed_in("Sven", Role::Operator, "support").await;
        let mei = app.signed_in("Mei", Role::Auditor, "finance-ops").await;
        sven.get(&address).await.is(404);
        assert!(sven.get("/alerts").await.is(200).words().contains("Nothing is late"));
        sven.post(&format!("{address}/acknowledge"), &[("note", "")]).await.is(404);
        let page = mei.get(&address).await.is(200).text();
        assert!(page.contains("INV-0") && !page.contains("alert-note"), "{page}");
        mei.post(&format!("{address}/acknowledge"), &[("note", "")]).await.is(403);
        assert_eq!(alerts(app).await.len(), 1, "it still stands");
    }

    async fn whoever_answers_for_it_is_told_and_nobody_else(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let items = waiting(app, 2).await;
        let (own, other) = (app.script_of("amara@example.test", &[]).await, app.script_of("bo@example.test", &[]).await);
        for (script, item, email) in [(&own, &items[0], "amara@example.test"), (&other, &items[1], "bo@example.test")] {
            script.act(item, "claim", json!({})).await.is(200);
            script.act(item, "hand_over", json!({ "person": email, "note": "Mine" })).await.is(200);
        }
        app.later(TimeDelta::minutes(241));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("close", "overdue", 2)]);
        assert_eq!((notices(&amara, "INV-0").await, notices(&amara, "INV-1").await), (1, 0));
        assert_eq!((notices(&bo, "INV-0").await, notices(&bo, "INV-1").await), (0, 1));
    }

    /// What was told to one is not known to the next.
    async fn who_is_given_what_is_late_is_told(app) {
        let (bo, amara) = (app.signed_in("Bo", Role::Operator, "finance-ops").await, app.signed_in("Amara", Role::Operator, "finance-ops").await);
        let lee = app.signed_in("Lee", Role::Operator, "legal").await;
        let items = waiting(app, 1).await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        let late = async |browser: &crate::browser::Browser<'_>| notices(browser, "has not been claimed: overdue").await;
        selma.act(&items[0], "assign", json!({ "person": "bo@example.test", "note": "Yours" })).await.is(200);
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        assert_eq!((late(&bo).await, late(&amara).await), (1, 0));
        selma.act(&items[0], "assign", json!({ "person": "amara@example.test", "note": "Bo is ill" })).await.is(200);
        app.watch().await;
        assert_eq!((late(&bo).await, late(&amara).await), (1, 1));
        selma.act(&items[0], "assign", json!({ "team": "legal", "note": "A contract" })).await.is(200);
        app.watch().await;
        app.watch().await;
        assert_eq!(late(&lee).await, 1);
        assert!(lee.get("/alerts").await.is(200).words().contains("1 item has not been claimed"));
    }

    /// Somebody knows of the one; of the other the time began later.
    async fn what_began_after_an_alert_was_acknowledged_is_told(app) {
        let items = waiting(app, 2).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let lena = app.signed_in("Lena", Role::Operator, "finance-leads").await;
        let escalate = async |item: &str| {
            let by = crate::words::time(app.service.now() + TimeDelta::minutes(10));
            amara.act(item, "escalate", json!({ "team": "finance-leads", "reason": "Urgent", "respond_by": by })).await.is(200);
            app.later(TimeDelta::minutes(11));
            app.watch().await;
        };
        escalate(&items[0]).await;
        let first = alert(app, "respond", "overdue").await;
        lena.post(&format!("/alerts/{first}/acknowledge"), &[("note", "")]).await.is(303);
        escalate(&items[1]).await;
        assert!(alerts(app).await.contains(&told("respond", "overdue", 1)));
        assert_eq!(notices(&lena, "was escalated and has no answer: overdue").await, 2);
    }

    /// One more every half hour does not keep it silent for ever.
    async fn an_alert_that_nobody_acknowledges_is_told_again_each_shift(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        waiting(app, 1).await;
        let sync = app.token_named("again", Some(&["invoice-sync"])).await;
        let mut times = Vec::new();
        for half_hours in 1..=20 {
            sync.reported(&not_sent(&format!("LATER-{half_hours}"))).await;
            app.later(TimeDelta::minutes(30));
            app.watch().await;
            times.push(notices(&amara, "has not been claimed: overdue").await);
        }
        assert_eq!(times[1..17], [1; 16], "for eight hours once");
        assert_eq!(times[17..], [2; 3], "and then again");
    }

    /// Nobody can see the items of a team without people: whoever can change that is told.
    async fn a_team_without_members_is_not_a_hole(app) {
        let farid = app.signed_in("Farid", Role::Admin, "it").await;
        waiting(app, 1).await;
        app.later(TimeDelta::minutes(61));
        app.watch().await;
        let told = "has not been claimed: overdue, and nobody who can sign in may work it";
        assert_eq!(notices(&farid, told).await, 1);
        assert_eq!(notices(&farid, "INV-0").await, 0, "nor is the item");
        assert_eq!(notices(&farid, "Look at the alert").await, 0, "which is not theirs to see");
    }

    async fn reports_in_quarantine_age_too(app) {
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        app.register(&file(TARGETS, "")).await;
        let sync = app.token(&["invoice-sync"]).await;
        let kept = sync.report(&with(not_sent("INV-1"), json!({ "lane": "nowhere" }))).await.kept(422, "invalid");
        app.watch().await;
        app.later(TimeDelta::hours(4));
        app.watch().await;
        assert_eq!(alerts(app).await, [told("quarantine", "overdue", 1)]);
        assert_eq!(notices(&amara, "is in quarantine").await, 1);
        let overdue = alert(app, "quarantine", "overdue").await;
        let page = amara.get(&format!("/alerts/{overdue}")).await.is(200).text();
        assert!(page.contains(&format!("/quarantine/{kept}")), "{page}");
        amara.post(&format!("/quarantine/{kept}/close"), &[("note", "A test")]).await.is(303);
        let page = amara.get(&format!("/alerts/{overdue}")).await.is(200).words();
        assert!(page.contains("All settled since"), "{page}");
    }

    async fn what_is_closed_is_late_no_more(app) {
        let items = waiting(app, 1).await;
        app.later(TimeDelta::minutes(241));
        app.watch().await;
        assert_eq!(alerts(app).await.len(), 2);
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        amara.act(&items[0], "resolve", resolution("done_by_hand", "confirmed")).await.is(200);
        assert!(app.packet(&items[0]).await.alerts.is_empty());
        app.later(TimeDelta::days(30));
        app.watch().await;
        assert_eq!(alerts(app).await.len(), 2, "nothing new, and these wait for somebody to acknowledge them");
    }
}
